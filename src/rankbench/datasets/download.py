"""Download a file over HTTP: pooch asks and tries again; each try has a limit of size and of time."""

import logging
import os
import time
from dataclasses import dataclass
from pathlib import Path

import pooch
import requests
import urllib3

RETRIED = (408, 429)
pooch.get_logger().setLevel(logging.WARNING)  # otherwise it prints one line per try; the error has the last reason


class Refused(Exception):
    """An error that a further try would not cure: too long or too slow an answer, HTTP status 4xx, an unknown name."""


@dataclass(frozen=True)
class Bounds:
    """A downloader of pooch that stops an answer which is too long or too slow.

    Parameters
    ----------
    max_bytes : int
        The longest body that is accepted, after decoding.
    max_seconds : float
        The longest time from the first to the last byte of the body.
    timeout : float
        Seconds to wait for the connection and for each piece.
    """

    max_bytes: int
    max_seconds: float
    timeout: float

    def __call__(self, url: str, output_file: str, pooch_) -> None:
        """Write the body found at `url` to `output_file`."""
        try:
            with requests.get(url, stream=True, timeout=self.timeout) as response, open(output_file, "wb") as file:
                if 400 <= response.status_code < 500 and response.status_code not in RETRIED:
                    raise Refused(f"HTTP {response.status_code} {response.reason}")
                response.raise_for_status()
                declared = response.headers.get("Content-Length", "")
                if declared.isdigit() and int(declared) > self.max_bytes:
                    raise Refused(f"{declared} bytes declared, more than {self.max_bytes}")
                self._copy(response.raw, file)
        except (requests.ConnectionError, urllib3.exceptions.HTTPError) as error:
            reason = getattr(error.args[0], "reason", error) if error.args else error
            unknown_name = isinstance(reason, urllib3.exceptions.NameResolutionError)
            raise (Refused if unknown_name else requests.ConnectionError)(
                f"{type(reason).__name__}: {reason}"
            ) from None

    def _copy(self, body: urllib3.HTTPResponse, file) -> None:
        size, deadline = 0, time.monotonic() + self.max_seconds
        while piece := body.read1(1 << 16, decode_content=True):
            size += len(piece)
            if size > self.max_bytes:
                raise Refused(f"more than {self.max_bytes} bytes")
            if time.monotonic() > deadline:
                raise Refused(f"only {size} bytes in {self.max_seconds:g} s")
            file.write(piece)


def download(url: str, path: str | os.PathLike, bounds: Bounds, retries: int) -> None:
    """Download `url` to `path`; try again up to `retries` times after a failed connection or an HTTP status 5xx.

    Raises
    ------
    Refused, requests.RequestException
        If the download failed, with the reason of the server or the network; then there is no file at `path`.
    """
    path = Path(path)
    registry = pooch.Pooch(path.parent, "", {path.name: None}, {path.name: url}, retry_if_failed=retries)
    registry.fetch(path.name, downloader=bounds)
