"""Download a file over HTTP: pooch retries, and the downloader limits size, time and memory of each attempt."""

import logging
import os
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

import pooch
import psutil
import requests
import urllib3

from rankbench.experiments.limits import memory_limit
from rankbench.experiments.watched import Fault, worker

RETRIED = (408, 429)
MOST_REDIRECTS = 30
pooch.get_logger().setLevel(logging.WARNING)  # otherwise it prints one line per try; the error has the last reason


class Refused(Exception):
    """An error that a retry would not cure: too long or too slow an answer, HTTP status 4xx, an invalid name."""


@dataclass(frozen=True)
class BoundedDownloader:
    """A pooch downloader that limits each attempt from outside, redirects and headers included.

    An attempt runs in another process, which has a limit on memory and is killed at the deadline. Counting received
    bytes is not enough: a server that sends headers or chunk sizes very slowly, or gzip data that unpacks to nothing,
    never gives the reader a byte to count.

    Parameters
    ----------
    max_bytes : int
        The longest body that is accepted, after decoding.
    max_seconds : float
        The longest time of one attempt, from looking up the name to the last byte.
    timeout : float
        Seconds to wait for the connection and for each piece.
    max_memory : int
        Memory limit of an attempt, in bytes.
    """

    max_bytes: int
    max_seconds: float
    timeout: float
    max_memory: int = 256 * 2**20

    def __call__(self, url: str, output_file: str, pooch_) -> None:
        """Write the body found at `url` to `output_file`."""
        with worker([lambda: self._attempt(url, output_file)], grace=0.5) as answer:
            try:
                told = answer(self.max_seconds)
            except ChildProcessError as error:
                raise Refused(str(error)) from None
        if isinstance(told, Fault):
            end = f"no end after {self.max_seconds:g} s" if told.status == "timeout" else told.reason
            raise Refused(end)
        if told is not None:
            error, text = told
            raise error("".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text))

    def _attempt(self, url: str, output_file: str):
        """Return None, or the class of the error to raise and its text."""
        try:
            now = psutil.Process().memory_info()
            with memory_limit((getattr(now, "data", now.rss) + self.max_memory) / 1e6):
                self._transfer(url, output_file, time.monotonic() + self.max_seconds)
        except MemoryError:
            return Refused, f"more than {self.max_memory} bytes of memory"
        except Refused as error:
            return Refused, str(error)
        except (requests.ConnectionError, urllib3.exceptions.HTTPError) as error:
            reason = getattr(error.args[0], "reason", error) if error.args else error
            unresolved = isinstance(reason, urllib3.exceptions.NameResolutionError)
            return Refused if unresolved else requests.ConnectionError, f"{type(reason).__name__}: {reason}"
        except requests.RequestException as error:
            return requests.RequestException, str(error)
        except (OSError, ValueError) as error:
            return Refused, f"{type(error).__name__}: {error}"
        return None

    def _transfer(self, url: str, output_file: str, deadline: float) -> None:
        with requests.Session() as session:
            for _ in range(MOST_REDIRECTS + 1):
                response = self._ask(session, url)
                if not response.is_redirect:
                    break
                response.close()  # with its body unread
                url = urljoin(url, session.get_redirect_target(response))
            else:
                raise Refused(f"more than {MOST_REDIRECTS} redirects")
            with response, open(output_file, "wb") as file:
                if 400 <= response.status_code < 500 and response.status_code not in RETRIED:
                    raise Refused(f"HTTP {response.status_code} {response.reason}")
                response.raise_for_status()
                declared = response.headers.get("Content-Length", "")
                if declared.isdigit() and int(declared) > self.max_bytes:
                    raise Refused(f"{declared} bytes declared, more than {self.max_bytes}")
                self._copy(response.raw, file, deadline)

    def _ask(self, session: requests.Session, url: str) -> requests.Response:
        """Return the answer to one request; `Session.get` would read the body of a redirect."""
        request = session.prepare_request(requests.Request("GET", url))
        settings = session.merge_environment_settings(request.url, {}, True, None, None)
        return session.get_adapter(request.url).send(request, timeout=self.timeout, **settings)

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
    """Download `url` to `path`; try again up to `retries` times after a failed connection or an HTTP status 5xx.

    Raises
    ------
    Refused, requests.RequestException
        If the download failed, with the reason of the server or the network; then there is no file at `path`.
    """
    path = Path(path)
    registry = pooch.Pooch(path.parent, "", {path.name: None}, {path.name: url}, retry_if_failed=retries)
    registry.fetch(path.name, downloader=downloader)
