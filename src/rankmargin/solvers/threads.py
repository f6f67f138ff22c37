"""One thread of BLAS for the fits of small matrices.

Threads of BLAS wait for each other after each call, and Newton's method makes many calls. With a few hundred rows that
takes longer than the work: on two quiet cores a search of 1,000 rows took 8.5 s with two threads and 1.3 s with one,
and more on a busy machine or where a container sees more cores than it may use.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController

SMALL = 1_000_000  # entries of the kernel matrix, or of X for linear functions; with more, threads save time


@cache
def _controller():
    return ThreadpoolController()  # lists the libraries of the process, which takes two milliseconds


@contextmanager
def one_thread(entries: int) -> Iterator[None]:
    """Let BLAS use one thread inside, for a matrix with at most :data:`SMALL` entries.

    The number belongs to the process. Only the main thread changes it: fits of several threads of Python could not
    restore what the first of them found, and OpenBLAS ignores all but one thread.
    """
    if entries > SMALL or threading.current_thread() is not threading.main_thread():
        yield
    else:
        with _controller().limit(limits=1, user_api="blas"):
            yield
