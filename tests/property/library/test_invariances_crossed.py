"""What a fit does not depend on, and whether its certificate is about what predicts: estimators on raw tables.

Nothing here is what an estimator says of itself: objectives are computed from ``predict`` or the scores behind it, by
loops over rows and pairs, and the best of several fits of one problem is the optimum that all have to reach.
"""

import warnings
from fractions import Fraction

import brute_force as brute
import numpy as np
import pandas as pd
import pytest
from crossed import QUIET
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine

import rankmargin
from rankmargin.certificates import CertificateError, judge
from rankmargin.kernels import Kernel
from rankmargin.metrics import concordance_index, kendall_tau, spearman, swapped_pairs
from rankmargin.solvers.likelihood import SeparationWarning
from rankmargin.solvers.solution import ConvergenceWarning

pytestmark = QUIET
LINEAR = {"kernel": "linear", "random_state": 0}
# Which changes of X leave the predictions of an estimator as they are: another zero or another unit "of each" column,
# or the same "of all" columns.
INVARIANT = [
    (rankmargin.SwappedPairsSVM(**LINEAR), "of each", None),
    (rankmargin.PairwiseRankSVM(**LINEAR, n_partners="all"), "of each", None),
    (rankmargin.SVOR(**LINEAR), "of each", None),
    (rankmargin.SVOR(**LINEAR, constraints="explicit", probability=True), "of each", None),
    (rankmargin.FixedMarginSVM(**LINEAR), "of each", None),
    (rankmargin.RankBoundarySVM(**LINEAR), "of each", None),
    (rankmargin.SumOfMarginsSVM(kernel="linear"), "of each", "of all"),
    (rankmargin.RankSVR(**LINEAR), "of each", None),
    (rankmargin.ComparisonSVM(**LINEAR), "of each", None),
    (rankmargin.RankThreshold(**LINEAR), "of each", None),
    (rankmargin.CumulativeLink(), "of each", "of each"),
    (rankmargin.ThresholdedRanker(rankmargin.SwappedPairsSVM(**LINEAR)), "of each", None),
    (rankmargin.RankSearchCV(Cs=[1.0], cv=3), "of each", "of each"),
    (rankmargin.SwappedPairsSVM(kernel="rbf"), "of all", "of all"),
    (rankmargin.SwappedPairsSVM(kernel="laplacian"), "of all", "of all"),
    (rankmargin.SwappedPairsSVM(kernel="matern32"), "of all", "of all"),
    (rankmargin.SVOR(kernel="matern12"), "of all", "of all"),
    (rankmargin.SVOR(kernel="poly"), None, "of all"),
    (rankmargin.SwappedPairsSVM(kernel="chi2"), None, "of all"),
    (rankmargin.SwappedPairsSVM(kernel="cosine"), None, "of all"),
    (rankmargin.KernelPRank(random_state=0), "of all", "of all"),
    (rankmargin.PRank(random_state=0), None, None),
]
TABLES = {
    "digits": lambda: load_digits(return_X_y=True),  # whole numbers from 0 to 16, three columns constant
    "wine": lambda: load_wine(return_X_y=True),
    "diabetes": lambda: load_diabetes(return_X_y=True, scaled=False),
    "breast cancer": lambda: load_breast_cancer(return_X_y=True),
}
ON_PAIRS = rankmargin.ComparisonSVM, rankmargin.RankThreshold


def raw_table(rng):
    """Return a table as it lies about, and numbers to order: of scikit-learn, or drawn, with offsets up to 1e6, one
    column far from all others, columns that depend on each other, n around d and 2 d."""
    kind = rng.choice([*TABLES, "drawn", "one far column", "dependent"])
    if kind in TABLES:
        X, y = TABLES[kind]()
        rows = rng.choice(len(X), min(len(X), int(rng.choice([70, 100, 125, 160]))), replace=False)
        return X[rows], y[rows].astype(float)
    d = int(rng.integers(2, 60))
    n = int(np.clip(rng.choice([d - 2, d + 2, 2 * d - 1, 2 * d + 2, 3 * d]), 12, 120))
    X = rng.standard_normal((n, d))
    y = np.round(X[:, 0] + X[:, 1] ** 2 + rng.standard_normal(n), 1)
    if kind == "dependent":
        X[:, d // 2 :] = X[:, : d - d // 2] + X[:, :1]
    far = slice(None) if kind != "one far column" else int(rng.integers(d))
    X[:, far] += 10.0 ** rng.uniform(0, 6)
    return X, y


def posed(estimator, X, y, rng):
    """Return X and y as an estimator takes them: grades, or pairs of rows with their comparison."""
    if isinstance(estimator, ON_PAIRS):
        i, j = rng.integers(len(X), size=(2, len(X)))
        return np.hstack([X[i], X[j]]), np.sign(np.round((y[i] - y[j]) / (y.std() or 1.0)))
    if hasattr(estimator, "categories"):
        return X, np.digitize(y, np.unique(np.quantile(y, [0.3, 0.6])), right=True)
    return X, y


def primal(model, X, y, weight=None):
    """Return the objective of a fitted linear function: of what it predicts for X."""
    kept = slice(None) if weight is None else weight > 0
    X, y = np.asarray(X, dtype=np.float64)[kept], np.asarray(y)[kept]
    rank, unit, given = np.unique(y, return_inverse=True)[1], 1.0, {}
    s = model.score_samples(X) if hasattr(model, "score_samples") else model.predict(X) - model.intercept_
    if isinstance(model, ON_PAIRS):
        unit = brute.unit_of(model)
    elif isinstance(model, rankmargin.SVOR | rankmargin.FixedMarginSVM):
        # the thresholds that predict has: rows are as far from them as their scores, which grades cannot tell
        s, given = model._from_mean(X), {"thresholds": model._edges()}
        grades = np.searchsorted(np.maximum.accumulate(model._edges()), s, side="right")
        np.testing.assert_array_equal(model.predict(X), model.grades_[grades])
    w = unit * model.coef_
    return 0.5 * w @ w + brute.LOSSES[type(model).__name__](model, unit * s, y, rank, given)


CERTIFIED = [one for one, *_ in INVARIANT if getattr(one, "kernel", "") == "linear" and hasattr(one, "tol")]
CERTIFIED = [one for one in CERTIFIED if not isinstance(one, rankmargin.SumOfMarginsSVM)]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("estimator", CERTIFIED, ids=[type(one).__name__ for one in CERTIFIED])
def test_what_is_predicted_reaches_the_optimum_wherever_the_columns_lie(estimator, seed):
    rng = np.random.default_rng([seed, CERTIFIED.index(estimator)])
    X, y = posed(estimator, *raw_table(rng), rng)
    weight = (rng.random(len(X)) < 0.8).astype(float) if seed % 3 == 2 else None
    given = {} if weight is None else {"sample_weight": weight}
    made = clone(estimator).set_params(C=10.0 ** rng.uniform(-1, 2.3))
    if "probability" in made.get_params():
        made.set_params(probability=False)
    forms = [X, csr_matrix(X) if seed % 2 else np.asfortranarray(X)]
    if isinstance(estimator, ON_PAIRS):
        forms = [X]
    middle = X.mean(axis=0)
    if isinstance(estimator, ON_PAIRS):
        middle = np.tile(middle[: X.shape[1] // 2], 2)
    reached = []
    for form in [*forms, X - middle]:
        fit = clone(made).fit(form, y, **given)
        reached.append(primal(fit, form.toarray() if hasattr(form, "toarray") else form, y, weight))
        if form is X:
            judged = judge(fit.model_, X if weight is None or isinstance(fit, rankmargin.RankSVR) else X[weight > 0])
            assert judged.objective == pytest.approx(reached[0], rel=1e-6)
    assert max(reached) <= min(reached) * (1.0 + 2.5 * made.tol), reached


def changed(X, what, how, rng):
    """Return X with another zero, or in other units, of each column or of all of them."""
    size = X.shape[1] if how == "of each" else 1
    if what == "zero":
        return X + 10.0 ** rng.uniform(0, 6, size) * X.std()
    return X * 2.0 ** rng.integers(-20, 20, size)


CLAIMED = [(one, what, how) for one, *both in INVARIANT for what, how in zip(("zero", "unit"), both) if how]


@pytest.mark.parametrize(
    ("estimator", "what", "how"), CLAIMED, ids=lambda of: of if isinstance(of, str) else str(of)[:40]
)
def test_predictions_are_those_of_the_same_columns_with_another_zero_or_unit(estimator, what, how):
    rng = np.random.default_rng(0)
    X, y = posed(estimator, *raw_drawn(rng), rng)
    fit = clone(estimator)
    if "tol" in fit.get_params():
        fit.set_params(tol=1e-7)
    if isinstance(fit, rankmargin.SwappedPairsSVM) and fit.kernel == "chi2":
        X = np.abs(X)
    both = how == "of each" and isinstance(fit, ON_PAIRS)
    if both:  # both items have the same columns
        d = X.shape[1] // 2
        items = changed(np.vstack([X[:, :d], X[:, d:]]), what, how, rng)
        other = np.hstack(np.split(items, 2))
    else:
        other = changed(X, what, how, rng)
    found = clone(fit).fit(other, y).predict(other)
    expected = fit.fit(X, y).predict(X)
    if expected.dtype.kind in "iu" or hasattr(fit, "classes_"):
        alike = np.mean(found == expected) > 0.97
    else:
        spread = np.ptp(expected)
        alike = np.abs((found - found.mean()) - (expected - expected.mean())).max() <= 0.02 * spread
    assert alike, np.c_[found, expected][:5]


def raw_drawn(rng):
    X = rng.standard_normal((90, 3)) * [1.0, 0.5, 2.0] + [0.3, 0.1, 0.2]
    return X, np.round(X[:, 0] + np.sin(2 * X[:, 1]) + 0.3 * rng.standard_normal(90), 1)


@pytest.mark.parametrize(
    ("column", "taken"),
    [
        (1e5 + np.arange(40.0, dtype=np.float32) / 7, False),
        (1e5 + np.arange(40, dtype=np.float32), True),
        (1e5 + np.arange(40.0) / 7, True),
        (1e13 + np.arange(40.0) / 7, False),
        (1e15 + np.arange(40.0), True),
        (np.full(40, 1e15), True),
    ],
)
def test_a_column_that_its_type_has_rounded_away_is_refused_by_name(column, taken):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"near": rng.standard_normal(40), "seconds": column})
    y = frame["near"].to_numpy() + np.arange(40) / 40
    ranker = rankmargin.SwappedPairsSVM(kernel="linear")
    if taken:
        assert ranker.fit(frame, y).score(frame, y) > 0.7
    else:
        with pytest.raises(ValueError, match=r"three digits .* in column 'seconds'.*subtract"):
            ranker.fit(frame, y)


def test_dates_are_days_and_a_missing_one_is_refused_or_filled():
    rng = np.random.default_rng(0)
    days = np.datetime64("2020-01-01") + rng.integers(0, 300, 40).astype("m8[D]")
    y = days.astype(float) + rng.standard_normal(40)
    numbers = np.c_[days.astype(float), y % 7]
    frame = pd.DataFrame({"day": days, "other": y % 7})
    ranker = rankmargin.SwappedPairsSVM()
    expected = ranker.fit(numbers, y).predict(numbers)
    np.testing.assert_allclose(ranker.fit(frame, y).predict(frame), expected, rtol=1e-9)
    missing = frame.assign(day=frame["day"].where(frame.index != 3))
    assert rankmargin.RankSearchCV(Cs=[1.0], cv=3).fit(missing, y).score(missing, y) > 0.9  # filled by the median
    with pytest.raises(ValueError, match="NaN"):
        ranker.fit(missing, y)


@pytest.mark.parametrize("kind", ["int64", "Int64", "object", "datetime64[ns]"])
def test_targets_beyond_the_whole_numbers_of_a_float_keep_their_order(kind):
    rng = np.random.default_rng(0)
    X, order = rng.standard_normal((12, 2)), np.arange(12)
    y = pd.Series(2**60 + 20 * order).astype(kind)
    ranker = rankmargin.SwappedPairsSVM().fit(X, order)
    same = rankmargin.SwappedPairsSVM().fit(X, y)
    np.testing.assert_array_equal(same.predict(X), ranker.predict(X))
    assert same.score(X, y) == ranker.score(X, order) < 1.0
    s = order ^ 1  # neighbours swapped
    for metric in (swapped_pairs, kendall_tau, spearman, concordance_index):
        assert metric(y, s) == metric(order, s) != metric(order, order)
        assert metric(order, y) == metric(order, order)


@pytest.mark.parametrize("seed", range(8))
def test_a_bound_is_not_above_the_exact_objective_of_a_polynomial_far_from_0(seed):
    """In fractions, without rounding: the columns lie 100 deviations from 0, and kernel values share their digits."""
    rng, n = np.random.default_rng(4 * seed), 14
    X = 100.0 + rng.standard_normal((n, 2))
    y = np.round(X[:, 0] + rng.standard_normal(n), 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # it says so where digits end
        model = rankmargin.SwappedPairsSVM(kernel="poly", C_scale="pairs", C=10.0 ** (seed % 4 - 2)).fit(X, y)
    rows, kernel = [[Fraction(float(x)) for x in row] for row in X], model.model_.kernel
    gamma, coef0 = Fraction(float(kernel.gamma)), Fraction(float(kernel.coef0))
    K = [[(gamma * sum(a * b for a, b in zip(x, z)) + coef0) ** kernel.degree for z in rows] for x in rows]
    beta = [Fraction(float(b)) for b in model.dual_coef_]
    s = [sum(k * b for k, b in zip(row, beta)) for row in K]
    loss = sum(max(Fraction(0), 1 - 2 * (s[i] - s[j])) for i in range(n) for j in range(n) if y[i] > y[j])
    exact = sum(b * f for b, f in zip(beta, s)) / 2 + Fraction(model.C) * loss
    assert model.dual_bound_ <= exact


@pytest.mark.parametrize("link", ["logit", "probit", "cloglog"])
def test_a_column_that_separates_part_of_the_grades_is_named(link):
    rng = np.random.default_rng(0)
    x = rng.standard_normal(200)
    y = np.digitize(x + rng.logistic(size=200), [-1, 1])
    for grade in (0, 2):
        X = np.c_[x, (y == grade) & (rng.random(200) < 0.5)].astype(float)
        with pytest.warns(SeparationWarning, match="columns 1 grow"):
            rankmargin.CumulativeLink(link=link).fit(X, y)
        with pytest.warns((ConvergenceWarning, SeparationWarning), match="max_iter=6|columns 1 grow"):
            rankmargin.CumulativeLink(link=link, max_iter=6).fit(X, y)
        rankmargin.CumulativeLink(link=link, penalty=1.0).fit(X, y)


def test_an_objective_that_predictions_do_not_have_is_an_error_or_a_warning(monkeypatch):
    X, y = raw_drawn(np.random.default_rng(0))
    exact = Kernel.expansion

    def rough(size):
        return lambda kernel, X, Z, beta: exact(kernel, X, Z, beta) * (1.0 + size)

    monkeypatch.setattr(Kernel, "expansion", rough(0.02))
    with pytest.warns(ConvergenceWarning, match="the solver proved .* what the model predicts has"):
        warned = rankmargin.SwappedPairsSVM().fit(X, y)
    assert 1e-3 < warned.gap_ <= 1e-2
    monkeypatch.setattr(Kernel, "expansion", rough(5.0))
    with pytest.raises(CertificateError, match="lower C, or scale X"):
        rankmargin.SwappedPairsSVM().fit(X, y)
    with pytest.raises(ValueError, match="the solver proved"):
        rankmargin.RankSearchCV(param_grid=None, Cs=[1.0]).fit(X, y)
