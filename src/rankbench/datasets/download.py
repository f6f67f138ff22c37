"""One file over HTTP: pooch retries and writes aside, the downloader bounds size and time while the bytes stream in."""

import logging
import os
import time
from dataclasses import dataclass
from pathlib import Path

import pooch
import requests
import urllib3

RETRIED = (408, 429)
pooch.get_logger().setLevel(logging.WARNING)  # a line a try; the reason of the last one is in the error


class Refused(Exception):
    """What no retry would better: an answer too long, too slow or the server's own 4xx, or a name that is none."""


@dataclass(frozen=True)
class BoundedDownloader:
    """A pooch downloader that stops reading at `max_bytes` bytes or after `max_seconds` seconds.

    Parameters
    ----------
    max_bytes : int
        The longest body accepted, decoded.
    max_seconds : float
        The longest transfer accepted, from the request on.
    timeout : float
        Seconds to wait for the connection and for each piece.
    """

    max_bytes: int
    max_seconds: float
    timeout: float

    def __call__(self, url: str, output_file: str, pooch_) -> None:
        """Write the body found at `url` to `output_file`."""
        deadline = time.monotonic() + self.max_seconds
        try:
            with requests.get(url, stream=True, timeout=self.timeout) as response, open(output_file, "wb") as file:
                if 400 <= response.status_code < 500 and response.status_code not in RETRIED:
                    raise Refused(f"HTTP {response.status_code} {response.reason}")
                response.raise_for_status()
                declared = response.headers.get("Content-Length", "")
                if declared.isdigit() and int(declared) > self.max_bytes:
                    raise Refused(f"{declared} bytes declared, more than {self.max_bytes}")
                self._copy(response.raw, file, deadline)
        except (requests.ConnectionError, urllib3.exceptions.HTTPError) as error:
            reason = getattr(error.args[0], "reason", error) if error.args else error
            unresolved = isinstance(reason, urllib3.exceptions.NameResolutionError)
            told = f"{type(reason).__name__}: {reason}"
            raise Refused(told) if unresolved else requests.ConnectionError(told) from error

    def _copy(self, body: urllib3.HTTPResponse, file, deadline: float) -> None:
        size = 0
        while piece := body.read1(1 << 16, decode_content=True):
            size += len(piece)
            if size > self.max_bytes:
                raise Refused(f"more than {self.max_bytes} bytes")
            if time.monotonic() > deadline:
                raise Refused(f"only {size} bytes in {self.max_seconds:g} s")
            file.write(piece)


def download(url: str, path: str | os.PathLike, downloader: BoundedDownloader, retries: int) -> None:
    """Download `url` to `path`, trying `retries` times more after a failed connection or a 5xx.

    Raises
    ------
    Refused, requests.RequestException
        With the server's or the network's reason; nothing is left at `path` then.
    """
    path = Path(path)
    registry = pooch.Pooch(path.parent, "", {path.name: None}, {path.name: url}, retry_if_failed=retries)
    registry.fetch(path.name, downloader=downloader)
