"""Download a file over HTTP: pooch asks and tries again; each try has a limit of size and of time."""

import logging
import os
import time
from functools import partial
from pathlib import Path

import pooch
import requests
import urllib3

MAX_SECONDS = 300  # from the first to the last byte of a body
TIMEOUT = 20  # seconds to wait for the connection and for each piece
RETRIES = 2  # after a failed connection or an HTTP status 5xx
RETRIED = (408, 429)
pooch.get_logger().setLevel(logging.WARNING)  # otherwise it prints one line per try; the error has the last reason


class Refused(Exception):
    """An error that a further try would not cure: too long or too slow an answer, HTTP status 4xx, an unknown name."""


def download(url: str, path: str | os.PathLike, max_bytes: int) -> None:
    """Download `url` to `path`; the body, after decoding, may have `max_bytes`.

    Raises
    ------
    Refused, requests.RequestException
        If the download failed, with the reason of the server or the network; then there is no file at `path`.
    """
    path = Path(path)
    registry = pooch.Pooch(path.parent, "", {path.name: None}, {path.name: url}, retry_if_failed=RETRIES)
    registry.fetch(path.name, downloader=partial(_write_body, max_bytes=max_bytes))


def _write_body(url: str, output_file: str, _pooch, max_bytes: int) -> None:
    """Write the body found at `url` to `output_file`, as pooch wants it of a downloader."""
    try:
        with requests.get(url, stream=True, timeout=TIMEOUT) as response, open(output_file, "wb") as file:
            if 400 <= response.status_code < 500 and response.status_code not in RETRIED:
                raise Refused(f"HTTP {response.status_code} {response.reason}")
            response.raise_for_status()
            declared = response.headers.get("Content-Length", "")
            if declared.isdigit() and int(declared) > max_bytes:
                raise Refused(f"{declared} bytes declared, more than {max_bytes}")
            _copy(response.raw, file, max_bytes)
    except (requests.ConnectionError, urllib3.exceptions.HTTPError) as error:
        reason = getattr(error.args[0], "reason", error) if error.args else error
        unknown_name = isinstance(reason, urllib3.exceptions.NameResolutionError)
        kind = Refused if unknown_name else requests.ConnectionError
        raise kind(f"{type(reason).__name__}: {reason}") from None


def _copy(body: urllib3.HTTPResponse, file, max_bytes: int) -> None:
    size, deadline = 0, time.monotonic() + MAX_SECONDS
    while piece := body.read1(1 << 16, decode_content=True):
        size += len(piece)
        if size > max_bytes:
            raise Refused(f"more than {max_bytes} bytes")
        if time.monotonic() > deadline:
            raise Refused(f"only {size} bytes in {MAX_SECONDS:g} s")
        file.write(piece)
