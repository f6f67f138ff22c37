"""Estimators on problems of an outsider's making, judged by their definitions: no kernel, objective or judge of ours.

A fit ends with one clear error, or with finite scores that are those of its coefficients, an objective that loops over
rows and pairs find too, and a bound that is not above it; the same once more bit by bit, and the same in whatever form
X is handed over; within five seconds of processor time, with its input unchanged.
"""

import re
import time
import warnings
from contextlib import suppress

import brute_force as brute
import numpy as np
import pandas as pd
import pytest
from fault_cases import SHARE, how_many, run_cases
from made_problems import made_problem
from scipy import sparse
from scipy.linalg import LinAlgWarning
from sklearn.base import clone
from sklearn.linear_model import Ridge

import rankmargin
from rankmargin.estimators.ordinal_base import ThresholdOrderWarning
from rankmargin.estimators.pairs_base import NoScalingWarning
from rankmargin.estimators.sum_of_margins import SmallerCWarning
from rankmargin.solvers.likelihood import SeparationWarning
from rankmargin.solvers.solution import ConvergenceWarning

N_CASES = how_many(12, 1000)
SECONDS = 5.0  # of processor time, of one fit
OF_OTHERS = ("RankAverage", "RankSearchCV")  # they hold other estimators
LATER = ("ComparisonLink",)  # the problems of a name depend on its place, so that later names stand behind the others
NAMES = sorted(
    (name for name in rankmargin.__all__ if hasattr(getattr(rankmargin, name), "predict") and name not in OF_OTHERS),
    key=lambda name: (name in LATER, name),
)
ON_PAIRS = ("ComparisonSVM", "RankThreshold", "ComparisonLink")
ACCEPTED = (ConvergenceWarning, LinAlgWarning, NoScalingWarning, SeparationWarning, SmallerCWarning)
ACCEPTED += (ThresholdOrderWarning,)
NAMED = re.compile(
    r"\b(X|y|C|landmarks|labels?|ranker|samples?|features?|sparse|dimension\w*|array|matrix|classes|pairs?)\b"
)
UNCLEAR = re.compile(r"broadcast|out of bounds|zero-size|operands|not subscriptable|unsupported operand|NoneType")


def made_estimator(rng, name, linear):
    """Return an estimator with ordinary parameters."""
    cls = getattr(rankmargin, name)
    if name == "ThresholdedRanker":
        return cls(Ridge())
    given = {
        "C": 10.0 ** rng.uniform(-2, 2),
        "kernel": str(rng.choice(["linear", "rbf", "poly"][: 1 if linear else 3])),
    }
    given |= {"gamma": [0.5, "scale"][rng.integers(2)], "coef0": 1.0, "C_scale": str(rng.choice(["rows", "pairs"]))}
    given |= {"constraints": str(rng.choice(["implicit", "explicit"])), "n_partners": "all", "random_state": 0}
    given |= {"C_rank": 10.0 ** rng.uniform(-2, 2), "epsilon": float(rng.choice([0.0, 0.1])), "epochs": 3}
    if name == "SumOfMarginsSVM":
        given["C"] = None
    if given["kernel"] != "linear" and rng.random() < 0.4:
        given["landmarks"] = int(rng.integers(1, 6))
    return cls(**{key: value for key, value in given.items() if key in cls().get_params()})


def contents(X):
    """Return a copy of all that a fit might change."""
    if sparse.issparse(X):
        return [getattr(X, part).copy() for part in ("data", "indices", "indptr", "row", "col") if hasattr(X, part)]
    if isinstance(X, pd.DataFrame | pd.Series):
        return [X.to_numpy().copy(), X.index.to_numpy().copy()]
    return [np.array(part, copy=True) for part in X] if isinstance(X, tuple) else [np.array(X, copy=True)]


def same_contents(before, X):
    return all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in zip(before, contents(X), strict=True))


def scores_of(estimator, X):
    if hasattr(estimator, "score_samples"):
        return estimator.score_samples(X)
    return estimator.predict(X) if isinstance(estimator, rankmargin.RankSVR) else estimator.decision_function(X)


def fitted(estimator, X, y, arguments):
    """Return a fitted clone and its scores, or None and the text of its error, and the seconds of processor time.

    An error that is unclear is a fault.
    """
    started = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for accepted in ACCEPTED:
            warnings.simplefilter("ignore", accepted)
        if hasattr(estimator, "ranker"):
            warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"(sklearn|scipy|numpy)\.")
        try:
            model = clone(estimator).fit(X, y, **arguments)
            return model, scores_of(model, X), time.process_time() - started
        except (ValueError, TypeError) as error:
            text = str(error)
            of_ranker = hasattr(estimator, "ranker") and alone(estimator, X, y) is None  # its message is not ours
            if UNCLEAR.search(text) or not (NAMED.search(text) or of_ranker):
                raise AssertionError(f"unclear: {type(error).__name__}: {text}") from error
            return None, f"{type(error).__name__}: {text}", time.process_time() - started


def case(name, number):
    """Fit one made problem; return how it ended, ``fits: SECONDS`` or ``refused: SECONDS``, or raise an AssertionError.

    Of two fits the faster one counts: the first may compile.
    """
    X, same, y, names = made_problem(number, NAMES.index(name), pairs=name in ON_PAIRS)
    rng = np.random.default_rng([number, NAMES.index(name), 1])
    estimator, arguments = made_estimator(rng, name, names[2].startswith("CSR ")), {}
    if name in ON_PAIRS and number % 3:
        y = rng.integers(-1, 2, len(y))
    if name == "RankSVR" and len(y) > 1 and number % 2:
        arguments["pairs"] = rng.integers(len(y), size=(3, 2))
    before = contents(X), contents(y)
    model, scores, seconds = fitted(estimator, X, y, arguments)
    assert same_contents(before[0], X) and same_contents(before[1], y), "the input has changed"
    if same is None:
        assert model is None, f"accepted X of the form {names[2]}"
        return f"refused: {seconds:.2f}"
    plain, plain_scores, seconds_plain = fitted(estimator, same, y, arguments)
    if model is None:
        same_refusal = plain is None or (name == "ThresholdedRanker" and alone(estimator, X, y) is None)
        assert same_refusal, f"refused only as {names[2]}: {scores}"
        assert min(seconds, seconds_plain) < SECONDS, f"refused after {seconds:.1f} s"
        return f"refused: {seconds:.2f}"
    assert np.isfinite(scores).all(), f"scores {scores}"
    _, scores_again, seconds_again = fitted(estimator, X, y, arguments)
    assert np.array_equal(scores, scores_again), "another fit of the same has other scores"
    seconds = min(seconds, seconds_again)
    assert seconds < SECONDS, f"a fit took {seconds:.1f} s"
    if name == "ThresholdedRanker":
        by_its_ranker(model, X, y, scores)
        return f"fits: {seconds:.2f}"
    by_definition(name, model, same, y, scores, arguments)
    if hasattr(model, "objective_"):
        told = [(fit.dual_bound_, fit.objective_) for fit in (model, plain)]  # the optimum is between them
        slack = 1e-6 * abs(plain.objective_) + rounding(model, same)[1]
        assert max(low for low, _ in told) <= min(high for _, high in told) + slack, f"{told} as {names[2]} and plain"
    else:
        np.testing.assert_allclose(scores, plain_scores, rtol=1e-5, atol=1e-6 * np.abs(plain_scores).max())
    return f"fits: {seconds:.2f}"


def parts_of(model, X):
    """Return the kernel matrix by its definition, the coefficients, and the largest number that went into an entry."""
    kernel = {"gamma": model.gamma, "kernel": model.kernel, "degree": model.degree, "coef0": model.coef0}
    with np.errstate(over="ignore", invalid="ignore"):
        if hasattr(model, "landmarks_"):
            K, _ = of_landmarks(model, X, kernel)
            a = model.landmark_coef_ * (brute.unit_of(model) if type(model).__name__ in ON_PAIRS else 1.0)
            return K, a, 4 * np.abs(K).max()
        if type(model).__name__ not in ON_PAIRS:
            K = brute.kernel_matrix(X, **kernel)
            return K, model.dual_coef_, np.abs(K).max()
        first, second = np.hsplit(X, 2)
        if model.kernel == "linear":  # the products of differences, not differences of products
            K = brute.kernel_matrix(first - second, **kernel)
            return K, model.dual_coef_, np.abs(K).max()
        each = brute.kernel_matrix(np.vstack([first, second]), **kernel)
        return brute.difference_matrix(X, **kernel), model.dual_coef_, 4 * np.abs(each).max()


def of_landmarks(model, X, kernel):
    """Return the values between rows, or the differences of those of pairs, and landmarks, and between landmarks."""
    pairs, Z = type(model).__name__ in ON_PAIRS, model.landmarks_
    Z = Z.toarray() if sparse.issparse(Z) else Z
    items = np.vstack(np.hsplit(X, 2)) if pairs else np.asarray(X, dtype=float)
    if kernel["gamma"] == "scale":
        kernel["gamma"] = 1.0 / (items.shape[1] * np.mean((items - items.mean()) ** 2) or 1.0)
    whole = brute.kernel_matrix(np.vstack([items, Z]), **kernel)
    K, of_Z = np.split(whole[:, len(items) :], [len(items)])
    return (K[: len(X)] - K[len(X) :] if pairs else K), of_Z


def function_of(model, X):
    """Return the scores of the function and its squared norm: of its weights where it is linear, else of its
    coefficients."""
    if model.kernel == "linear":
        w = model.coef_
        if type(model).__name__ in ON_PAIRS:  # the weights of r, whose unit is the threshold (Lemma 1)
            X, w = np.subtract(*np.hsplit(X, 2)), w * brute.unit_of(model)
        return np.array([np.sum(row * w) for row in X]), np.sum(w**2)
    K, beta, _ = parts_of(model, X)
    if not hasattr(model, "landmarks_"):
        return K @ beta, beta @ K @ beta
    kernel = {"gamma": model.gamma, "kernel": model.kernel, "degree": model.degree, "coef0": model.coef0}
    return K @ beta, beta @ of_landmarks(model, X, kernel)[1] @ beta


def rounding(model, X):
    """Return what the rounding of kernel entries, exact to 1e-10, can move in a score, and in the objective."""
    K, beta, largest = parts_of(model, X)
    size, entry = np.abs(beta).sum(), 1e-10 + 1e-14 * largest
    of_score = 10 * (entry * size + 1e-14 * (np.abs(K) @ np.abs(beta)).max())
    C = max(getattr(model, name, 0) or 0 for name in ("C", "C_rank", "C_"))
    return of_score, of_score * (size + C * len(beta) ** 2)


def by_definition(name, model, X, y, scores, arguments):
    """Compare what is told with the definition of the estimator."""
    values = y.cat.codes.to_numpy() if isinstance(y, pd.Series) else np.asarray(y)
    if name in ON_PAIRS and values.max() == 2:
        values = values - 1  # the numbers 0, 1, 2 of the labels
    rank = np.unique(values, return_inverse=True)[1]
    if not hasattr(model, "objective_"):
        return
    s, squared_norm = function_of(model, X)
    of_score, slack = rounding(model, X)
    if not np.isfinite(slack):
        return  # beyond what a definition in double precision can tell
    offset = getattr(model, "intercept_", 0.0) if name == "RankSVR" else 0.0
    expected = s / brute.unit_of(model) if name in ON_PAIRS else s + offset
    of_score = (
        of_score / brute.unit_of(model) if name in ON_PAIRS else of_score + 2 * np.spacing(np.abs(expected).max())
    )
    off = np.abs(scores - expected).max()
    assert off <= 1e-6 * np.abs(expected - offset).max() + of_score, f"scores {scores}, not {expected}"
    if name == "SumOfMarginsSVM":
        attained = brute.margins_less_loss(s, rank, model.lower_, model.upper_, model.C_)
        assert abs(attained - model.dual_bound_) <= 1e-6 * abs(attained) + slack, (
            f"{attained}, told {model.dual_bound_}"
        )
        assert squared_norm <= 1 + 1e-6 + slack and model.objective_ >= attained - slack
        return
    objective = 0.5 * squared_norm + brute.LOSSES[name](model, s, values, rank, arguments)
    told = f"objective {objective:.9g}, told {model.objective_:.9g}, bound {model.dual_bound_:.9g}"
    assert abs(objective - model.objective_) <= 1e-6 * objective + slack, told
    assert model.dual_bound_ <= objective * (1 + 1e-6) + slack, told


def alone(model, X, y):
    """Return the scores of the ranker inside alone; None where it raises, or they are not finite."""
    values = y.cat.codes.to_numpy() if isinstance(y, pd.Series) else np.asarray(y)
    with warnings.catch_warnings(), suppress(ValueError, TypeError):
        warnings.simplefilter("ignore")
        scores = clone(model.ranker).fit(X, values.astype(float)).predict(X)
        return scores if np.isfinite(scores).all() else None
    return None


def by_its_ranker(model, X, y, scores):
    """Compare a thresholded ranker with the ranker alone on the same X (scikit-learn has another solver for each form)
    and with the best of all cuts of its scores."""
    np.testing.assert_allclose(scores, alone(model, X, y), rtol=1e-12)
    values = y.cat.codes.to_numpy() if isinstance(y, pd.Series) else np.asarray(y)
    rank = np.unique(values, return_inverse=True)[1]
    if rank.max() < 4:
        loss = np.abs(_places(model, X) - rank).sum()
        assert loss <= brute.least_rank_loss(scores, rank, rank.max() + 1) + 1e-9


def _places(model, X):
    place = {grade: number for number, grade in enumerate(model.classes_.tolist())}
    return np.array([place[grade] for grade in model.predict(X).tolist()])


def warm_up(name):
    """Compile what the estimator needs, in this process: those of the cases are its forks."""
    for number in range(0, 29 * 10, 29):
        with suppress(AssertionError):  # a fault is one of the cases, too
            case(name, number)


@pytest.mark.parametrize("name", NAMES)
def test_a_fit_is_right_by_its_definition_or_a_clear_error(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    warm_up(name)

    def problem(number):  # the short version has all odd CSR matrices, and 6 others: each estimator begins at another
        return number if SHARE else 23 + number if number < 6 else (6 * NAMES.index(name) + number) % 23

    def told(number):
        try:
            return case(name, problem(number))
        except Exception as error:
            return f"fault: {type(error).__name__}: {error}"

    def named(number):
        return f"case({name!r}, {problem(number)}), {made_problem(problem(number), 0)[3]}"

    ends = run_cases(told, N_CASES, 10 * SECONDS, named)
    assert ends["fits"] >= N_CASES / 6, ends
