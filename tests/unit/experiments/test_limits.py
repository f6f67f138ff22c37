"""A limit of time holds although compiled code may lose its error."""

import contextlib
import time

import pytest

from rankbench.experiments.limits import TimeLimitError, time_limit


def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_an_error_that_is_lost_comes_again():
    with pytest.raises(TimeLimitError, match=r"more than the limit of 0\.01 s of processor time"), time_limit(0.01):
        try:
            spin(30)
        except TimeLimitError:  # as numba does while it looks at the type of an argument
            began = time.process_time()
        spin(30)
    assert time.process_time() - began < 5


def test_work_that_ends_beyond_its_limit_is_beyond_it():
    with pytest.raises(TimeLimitError), time_limit(0.01), contextlib.suppress(TimeLimitError):
        spin(30)


def test_a_system_error_of_compiled_code_is_the_limit():
    with pytest.raises(TimeLimitError), time_limit(0.01):
        try:
            spin(30)
        except TimeLimitError as error:
            raise SystemError("returned a result with an exception set") from error


def test_another_system_error_stays():
    with pytest.raises(SystemError, match="other"), time_limit(5):
        raise SystemError("other")
