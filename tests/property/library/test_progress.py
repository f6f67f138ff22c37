"""Every long fit answers: it prints, it stops when its time is over, and it can be interrupted."""

import gc
import re
import signal
import subprocess
import sys
import time
import warnings

import numba
import numpy as np
import pytest
from made_problems import noisy
from searches import every_fit, fold_scores
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning as TheirWarning

import rankmargin
from rankmargin.estimators.ordinal_base import ManyGradesWarning, ThresholdOrderWarning
from rankmargin.estimators.pairs_base import NoScalingWarning
from rankmargin.solvers import progress as progress_module
from rankmargin.solvers.path import Posed
from rankmargin.solvers.progress import current
from rankmargin.solvers.solution import ConvergenceWarning

RANKERS = ["SwappedPairsSVM", "PairwiseRankSVM", "RankBoundarySVM"]
LEVELS = ["SVOR", "FixedMarginSVM", "SumOfMarginsSVM"]
PAIRS = ["ComparisonSVM", "RankThreshold"]
LINE = re.compile(r"\w+: C [\d.e+-]+, iteration \d+, objective [\d.e+-]+, gap [\d.e+-]+|inf, [\d.]+ s")


def endless(name, kernel, n=None):
    """Return an estimator and data whose fit takes minutes: noise, a large C, and a gap that is not reached."""
    rng = np.random.default_rng(0)
    n = n or {"SumOfMarginsSVM": 2000}.get(name, 900 if name in (*LEVELS, *PAIRS, "RankSVR") else 350)
    X, y = rng.standard_normal((n, 20)), rng.integers(0, 3, n).astype(float)
    keys = {"kernel": kernel, "tol": 1e-15, "C": None if name == "SumOfMarginsSVM" else 1e5}
    keys |= {"C_scale": "pairs"} if name in RANKERS else {}
    if name == "RankSVR":
        data = X, rng.standard_normal(n), X, np.array([rng.permutation(n)[:2] for _ in range(2000)])
    else:
        data = X, rng.integers(-1, 2, n) if name in PAIRS else rng.permutation(n) if name in RANKERS else y
    return getattr(rankmargin, name)(**keys), data


CASES = [(name, "rbf") for name in ("SwappedPairsSVM", "SVOR", "SumOfMarginsSVM", "RankSVR")]  # by solver
CASES += [(name, "linear") for name in ("RankBoundarySVM", "ComparisonSVM")]


@pytest.mark.parametrize(("name", "kernel"), CASES)
def test_a_fit_stops_when_its_time_is_over(name, kernel):
    estimator, data = endless(name, kernel)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        clone(estimator).set_params(max_seconds=0.2).fit(*data)  # compiles all that the next one needs
        began = time.process_time()
        estimator.set_params(max_seconds=0.2).fit(*data)
    assert time.process_time() - began < 4.0
    ours = [w for w in told if issubclass(w.category, ConvergenceWarning)]
    ends = "max_seconds=0.2", "at the limit of double precision"
    assert [
        w for w in ours if any(end in str(w.message) for end in ends)
    ] or estimator.gap_ <= 1e-12  # f = 0 is proved to be best
    assert all(issubclass(w.category, TheirWarning) for w in ours)
    assert np.isfinite(estimator.objective_) and estimator.gap_ >= 0


@pytest.mark.parametrize(("name", "kernel"), CASES)
def test_control_c_ends_a_fit_within_two_seconds(name, kernel):
    def interrupt(*_):
        raise KeyboardInterrupt

    with warnings.catch_warnings():  # nothing is left to compile: LLVM would swallow the interrupt
        warnings.simplefilter("ignore")
        few, rows = endless(name, kernel, 120)
        few.set_params(max_iter=50).fit(*rows)
    estimator, data = endless(name, kernel)
    before, callbacks = signal.signal(signal.SIGALRM, interrupt), gc.callbacks[:]
    gc.callbacks.clear()  # hypothesis has one, and an exception inside a callback is only printed
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        began = time.process_time()
        with pytest.raises(KeyboardInterrupt), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            estimator.fit(*data)
            time.sleep(2.0)  # a fit that had ended before
        assert time.process_time() - began < 3.0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
        gc.callbacks.extend(callbacks)
    assert current() is current() and current().max_seconds is None, "the fit's wishes must not outlive it"


def test_functions_without_a_module_compile():
    """Such as those of sympy.lambdify: importing an estimator must not break numba for them."""
    made = {"__name__": None}
    exec("def twice(x):\n    return 2 * x", made)
    assert made["twice"].__module__ is None and numba.njit(made["twice"])(2) == 4


@pytest.mark.parametrize(("n_partners", "asked"), [(1, "dual_cd"), ("all", "interior_point")])
def test_a_solver_that_is_asked_for_runs(n_partners, asked, capsys):
    X = np.random.default_rng(0).standard_normal((60, 3))
    ranker = rankmargin.PairwiseRankSVM(n_partners=n_partners, kernel="linear", random_state=0, verbose=1)
    for solver, runs in (("auto", "smoothed_newton"), (asked, asked)):
        ranker.set_params(solver=solver).fit(X, X[:, 0])
        assert capsys.readouterr().out.startswith(f"{runs}: ")


@pytest.mark.parametrize("name", ["SwappedPairsSVM", "SVOR", "ComparisonSVM", "RankSVR", "RankBoundarySVM"])
def test_verbose_prints_what_is_proved(name, capsys):
    estimator, data = endless(name, "rbf", 150)
    for expected in (NoScalingWarning, ManyGradesWarning, ThresholdOrderWarning):
        warnings.simplefilter("ignore", expected)
    estimator.set_params(C=0.1, tol=1e-3, max_seconds=20, verbose=2).fit(*data)
    lines = capsys.readouterr().out.splitlines()
    assert lines and all(LINE.match(line) for line in lines), lines
    assert f"gap {estimator.gap_:.1e}" in lines[-1]
    estimator.set_params(verbose=0).fit(*data)
    assert capsys.readouterr().out == ""


def in_seconds(run):
    """Return what ``run()`` returns and the processor seconds that it took; its warnings do not matter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        began = time.process_time()
        return run(), time.process_time() - began


@pytest.fixture
def processor_time(monkeypatch):
    """Limits count the seconds of the processor: other programs on the machine change nothing."""
    monkeypatch.setattr(progress_module, "perf_counter", time.process_time)


@pytest.mark.parametrize("name", ["SwappedPairsSVM", "SVOR", "RankBoundarySVM"])
def test_each_C_of_a_path_has_its_part_of_the_time(name, processor_time):
    estimator, data = endless(name, "rbf", 300)
    estimator.set_params(max_seconds=0.3)
    for _ in range(2):  # the first compiles
        path, seconds = in_seconds(lambda: rankmargin.rank_path(estimator, *data, Cs=[1e5, 2e5, 3e5]))
    assert seconds < 2.0
    assert all(one.n_iter_ > 0 for one in path)


def test_without_time_for_a_list_of_pairs_there_is_none(processor_time):
    X, y = noisy(2500, 5, 1.0, lambda X: X[:, 0] + X[:, 1] ** 2)
    ranker = rankmargin.SwappedPairsSVM(C=100.0, max_seconds=0.5)
    in_seconds(lambda: clone(ranker).fit(X[:900], y[:900]))  # compiles
    _, seconds = in_seconds(lambda: ranker.fit(X, y))
    assert seconds < 1.5 and ranker.model_.solution.alpha.points.shape[1] == 2500  # dual_cd lists 3 million pairs
    assert ranker.n_iter_ > 1 and ranker.score(X, y) > 0.7


def test_a_search_does_not_score_fits_without_time(monkeypatch):
    estimator, (X, y) = endless("SwappedPairsSVM", "rbf", 80)
    search = every_fit(estimator.set_params(max_seconds=1e-9), Cs=[1.0, 10.0])
    with pytest.raises(ValueError, match=r"got none: .* more max_seconds"):
        in_seconds(lambda: search.fit(X, y))
    folds = iter(range(6))  # the last fit is that of all rows

    def path(estimator, X, y, Cs, **given):
        fold = next(folds)
        fitted = [clone(estimator).set_params(C=C, tol=1e-3, max_seconds=None).fit(X, y) for C in Cs]
        if fold == 3:  # no step, and no function
            fitted[-1].n_iter_, fitted[-1].gap_ = 0, 1.0
        return fitted

    for module in ("race", "search"):  # of folds, and of all rows
        monkeypatch.setattr(f"rankmargin.search.{module}.rank_path", path)
    search.set_params(estimator=estimator.set_params(max_seconds=100.0, tol=1e-3)).fit(X, y)
    assert np.isnan(fold_scores(search)).tolist() == [[False] * 5, [False] * 3 + [True, False]]
    assert search.best_score_ == pytest.approx(np.delete(fold_scores(search), 3, axis=1).mean(axis=1).max())


def test_compiling_is_said_once_and_only_where_there_is_something_to_compile(tmp_path):
    code = "import numpy as np; from rankmargin import PRank;[PRank().fit(np.eye(4), np.arange(4)) for _ in range(2)]"
    for said in (1, 0):
        run = subprocess.run(
            [sys.executable, "-c", code],
            env={"NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_OPT": "1"},
            capture_output=True,
            text=True,
        )
        assert run.stderr.count("compiling for this machine") == said, run.stderr


def test_six_fits_of_a_thresholded_ranker_share_its_time(monkeypatch):
    """One ranker for the thresholds and five for the probabilities; a fit that ends early leaves its time to the
    others."""
    left, plain = [], Posed.solve

    def solve(*given):
        left.append(current().left)
        return plain(*given)

    monkeypatch.setattr(Posed, "solve", solve)
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 2))
    ranker = rankmargin.SwappedPairsSVM(kernel="linear", max_seconds=6000.0)
    rankmargin.ThresholdedRanker(ranker, probability=True).fit(X, np.digitize(X[:, 0], [-0.5, 0.5]))
    np.testing.assert_allclose(left, 6000.0 / np.array([6, 5, 4, 3, 2, 1]), rtol=0.02)
