"""From ``fit`` to the solver it is a short way: few modules, few frames, and every check runs once."""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import rankmargin
from rankmargin import FixedMarginSVM, PairwiseRankSVM, SwappedPairsSVM

HOME = Path(rankmargin.__file__).parent
X = np.random.default_rng(0).standard_normal((90, 3))
Y = np.digitize(X[:, 0], [-0.5, 0.5])
CHECKS = "check", "check_pairs", "check_parameters", "check_targets", "checked_matrix", "pair_weights", "check_listed"


def trace(estimator, **given):
    """Return the calls inside the package, (module, function) -> how often, and the largest depth of a fit."""
    estimator.fit(X, Y, **given)  # compiles
    calls, depth, deepest = Counter(), 0, 0

    def see(frame, event, _):
        nonlocal depth, deepest
        code = frame.f_code
        if event not in ("call", "return") or HOME not in Path(code.co_filename).parents:
            return
        depth += 1 if event == "call" else -1
        deepest = max(deepest, depth)
        if event == "call":
            calls[str(Path(code.co_filename).relative_to(HOME)), code.co_name] += 1

    sys.setprofile(see)
    try:
        estimator.fit(X, Y, **given)
    finally:
        sys.setprofile(None)
    return calls, deepest


def test_a_fit_visits_few_modules_and_frames():
    calls, deepest = trace(SwappedPairsSVM(kernel="rbf"))
    assert {"solvers/path.py", "solvers/solver.py", "solvers/smoothed_newton.py"} <= {module for module, _ in calls}
    assert len({module for module, _ in calls}) <= 18  # with those that judge what the model predicts
    assert deepest <= 13


@pytest.mark.parametrize("estimator", [SwappedPairsSVM(), PairwiseRankSVM(n_partners="all"), FixedMarginSVM()], ids=str)
def test_each_check_runs_once(estimator):
    given = {} if isinstance(estimator, FixedMarginSVM) else {"pair_weight": "ndcg"}
    calls, _ = trace(estimator, **given)
    for name in CHECKS:
        found = {module: times for (module, called), times in calls.items() if called == name}
        assert all(times == 1 for times in found.values()), (name, found)
    assert calls["solvers/solver.py", "check"] == 1


def test_no_module_has_more_than_400_lines():
    assert not [file.name for file in HOME.rglob("*.py") if len(file.read_text("utf-8").splitlines()) > 400]
