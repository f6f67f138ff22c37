"""Fits of small matrices use one thread of BLAS, and leave the number of threads of the process as it was."""

import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from made_problems import noisy
from threadpoolctl import threadpool_info, threadpool_limits

import rankmargin
import rankmargin.solvers.path
from rankmargin import ComparisonSVM, SwappedPairsSVM
from rankmargin.solvers import progress
from rankmargin.solvers.progress import SMALL, one_thread

X, y = noisy(40, 3, 0.1)


def blas_threads():
    """Return the set of numbers of threads of all libraries of BLAS in the process."""
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def two_threads():
    with threadpool_limits(2, user_api="blas"):
        if blas_threads() != {2}:
            pytest.skip("this BLAS has one thread")
        yield
        assert blas_threads() == {2}


@pytest.fixture
def seen(monkeypatch):
    """The number of threads while a space is made, which every fit does first."""
    seen, make = [], rankmargin.solvers.path.make_space

    def make_space(*args, **named):
        seen.append(blas_threads())
        return make(*args, **named)

    monkeypatch.setattr(rankmargin.solvers.path, "make_space", make_space)
    return seen


PAIRS, LABELS = np.hstack([X[:20], X[20:]]), np.sign(np.round(y[:20] - y[20:])).astype(int)


@pytest.mark.parametrize(
    ("estimator", "rows", "targets", "entries"),
    [
        (SwappedPairsSVM(kernel="rbf"), X, y, 40 * 40),
        (SwappedPairsSVM(kernel="linear"), X, y, 40 * 3),
        (ComparisonSVM(), PAIRS, LABELS, 20 * 20),
    ],
)
def test_a_small_fit_has_one_thread_and_its_matrix_decides(seen, monkeypatch, estimator, rows, targets, entries):
    for limit, expected in ((SMALL, {1}), (entries, {1}), (entries - 1, {2})):
        monkeypatch.setattr(progress, "SMALL", limit)
        estimator.fit(rows, targets)
        assert seen.pop() == expected


def test_a_fit_that_fails_restores_the_threads():
    with pytest.raises(KeyError), one_thread(1):
        assert blas_threads() == {1}
        raise KeyError


def test_a_large_fit_inside_a_small_one_has_one_thread():
    with one_thread(SMALL), one_thread(SMALL + 1):
        assert blas_threads() == {1}


def test_only_the_main_thread_changes_the_number():
    seen = []

    def inside():
        with one_thread(1):
            seen.append(blas_threads())

    other = threading.Thread(target=inside)
    other.start()
    other.join(10)
    assert seen == [{2}]


def test_fits_in_threads_leave_the_filters_of_warnings_as_they_are():
    X, u = noisy(40, 2, 1.0)
    y = np.digitize(u, [-0.7, 0.7])
    before = [(action, category) for action, _, category, *_ in warnings.filters]
    searches = [rankmargin.RankSearchCV(Cs=[1.0], cv=3), rankmargin.SVOR(probability=True)] * 3
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda search: search.fit(X, y), searches))
    assert [(action, category) for action, _, category, *_ in warnings.filters] == before
