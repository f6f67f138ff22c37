"""Every public metric, scorer, sampler and rating crossed with what a caller may give them."""

import inspect
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from crossed import MISSING, QUIET, N, every, fitted_once, frames, polars, takes
from sklearn.base import clone, is_classifier
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from rankmargin import metrics
from rankmargin.comparisons import ratings
from rankmargin.metrics.scorers import SCORERS
from rankmargin.problem.rows.pairs import NoPairError

pytestmark = QUIET


METRICS = [getattr(metrics, name) for name in metrics.__all__ if name != "get_scorer"]


def arguments(metric, seed=0, n=N):
    """Return the arguments of a metric: targets and scores, ranks or differences."""
    rng, known = np.random.default_rng(seed), inspect.signature(metric).parameters
    y = rng.integers(-1, 2, n) if metric.__name__.startswith("comparison") else rng.integers(0, 4, n)
    second = {"s": np.round(y + 1.2 * rng.standard_normal(n), 1)}
    second["ranks"] = second["predictions"] = np.clip(np.round(second["s"]), 0, 3).astype(int)
    return [y, *(second[name] for name in known if name in second)]


def value(metric, *given, **named):
    found = metric(*given, **named)
    return np.concatenate([np.ravel(part) for part in found]) if isinstance(found, tuple) else found


@pytest.mark.parametrize("metric", METRICS, ids=lambda of: of.__name__)
def test_metrics(metric):
    given, known = arguments(metric), inspect.signature(metric).parameters
    plain, rng = value(metric, *given), np.random.default_rng(1)
    rows = rng.permutation(N)
    np.testing.assert_allclose(value(metric, *(of[rows] for of in given)), plain)
    for form in (list, lambda of: pd.Series(of, index=rows), lambda of: of.astype(float), lambda of: of.astype(object)):
        np.testing.assert_allclose(value(metric, *map(form, given)), plain)
    if polars is not None:
        np.testing.assert_allclose(value(metric, *map(polars.Series, given)), plain)
    doubled = [np.concatenate([of, of]) for of in given]
    if isinstance(plain, float) and "kendall" not in metric.__name__:
        halves = {"groups": np.repeat([0, 1], N)} if "groups" in known else {}
        assert value(metric, *doubled, **halves) == pytest.approx(plain)
    if "sample_weight" in known:
        weight = rng.integers(0, 3, N)
        again = np.repeat(np.arange(N), weight)
        expected = value(metric, *(of[again] for of in given))
        assert value(metric, *given, sample_weight=weight) == pytest.approx(expected)
        assert value(metric, *given, sample_weight=np.full(N, 7.0)) == pytest.approx(
            value(metric, *(np.tile(of, 7) for of in given))
        )
        for wrong in (np.zeros(N), -np.ones(N), np.full(N, np.nan), np.ones(N - 1)):
            with pytest.raises(ValueError, match="sample_weight"):
                metric(*given, sample_weight=wrong)
        if "s" in known and not metric.__module__.endswith(".tops"):  # only one value of y weighs something
            with pytest.raises(NoPairError):
                metric(np.clip(given[0], 0, 1), given[1], sample_weight=np.clip(given[0], 0, 1) * 0.3)
    if not metric.__name__.startswith("comparison") and metric is not metrics.concordance_index:
        times = np.array(list(zip(given[0] > 0, given[0])), dtype=[("event", bool), ("time", float)])
        with pytest.raises(ValueError, match="y must be numbers, got a structured array"):
            metric(times, *given[1:])
    if "groups" in known:
        groups = rng.integers(0, 4, N)
        by_group = value(metric, *given, groups=groups)
        for names in (
            np.array(list("zyxw"))[groups],
            groups.astype(np.uint8),
            pd.Series(groups, index=rows),
            0.5 * groups,
            groups + 2**60,  # too large for exact floats
        ):
            assert value(metric, *given, groups=names) == pytest.approx(by_group)
        assert value(metric, *given, groups=np.zeros(N)) == pytest.approx(plain)
        for wrong in (groups[1:], *MISSING):
            with pytest.raises(ValueError, match="groups must"):
                metric(*given, groups=wrong)
        with pytest.raises(ValueError, match="y must be a categorical with an order, got one without"):
            metric(pd.Categorical(given[0]), *given[1:])
    if not metric.__name__.startswith("comparison"):
        order = ["poor", "fair", "good", "best"]
        named = [
            pd.Categorical(np.array(order)[of], order, ordered=True) if name in ("y", "ranks") else of
            for name, of in zip(known, given)
        ]
        if metric.__name__ != "absolute_error":
            np.testing.assert_allclose(value(metric, *named), plain)
    for k, of in enumerate(given):
        strange = [np.where(np.arange(N) == 3, np.nan, of), of[1:], of[:0]]
        for wrong in strange if len(given) > 1 else strange[:1]:
            with pytest.raises(ValueError):
                metric(*given[:k], wrong, *given[k + 1 :])


# Scorers


@pytest.mark.parametrize("name", SCORERS)
@every
def test_scorers(name, estimator):
    fitted, X, y = fitted_once(estimator)
    if name in ("quadratic_kappa", "neg_mean_absolute_error") and not is_classifier(estimator):
        pytest.skip("a metric of grades")
    y = y + 1 if takes(estimator, "labels") else y - min(y.min(), 0)  # gains are >= 0
    if takes(estimator, "labels"):
        fitted = clone(estimator).set_params(labels=[0, 1, 2]).fit(X, y)
    scorer = metrics.get_scorer(name)
    plain, weight = scorer(fitted, X, y), np.arange(N) % 3
    assert np.isfinite(plain) and plain > (-1.0 if name.startswith("neg") else 0.2)
    rows = np.repeat(np.arange(N), weight)
    assert scorer(fitted, X, y, sample_weight=weight) == pytest.approx(scorer(fitted, X[rows], y[rows]))
    table, targets = next(frames(X, y))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X has feature names")
        assert scorer(fitted, table, targets) == pytest.approx(plain, abs=1e-6)
    assert scorer(make_pipeline(fitted), X, y) == plain
    groups = np.array(list("cab"))[np.arange(N) % 3]
    inside = scorer(fitted, X, y, groups=groups)
    assert inside == pytest.approx(scorer(fitted, X, y, groups=np.arange(N) % 3))
    assert pickle.loads(pickle.dumps(scorer))(fitted, X, y) == plain
    if name == "concordance":
        with sklearn.config_context(enable_metadata_routing=True):
            assert np.isfinite(cross_val_score(clone(fitted), X, y, cv=2, scoring=scorer)).all()


# Ratings


SYSTEMS = [
    of
    for of in vars(ratings).values()
    if inspect.isfunction(of) and "start" in inspect.signature(of).parameters and not of.__name__.startswith("_")
]


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda of: of.__name__)
def test_ratings(system):
    rng = np.random.default_rng(0)
    white = rng.integers(0, 7, 80)
    black = (white + rng.integers(1, 7, 80)) % 7
    score, periods = rng.choice([0.0, 0.5, 1.0], 80), np.sort(rng.integers(0, 9, 80))
    start = ratings.Ratings.start(np.arange(7), np.arange(1400.0, 1540.0, 20.0), 150.0)
    plain = system(white, black, score, periods, start=start)
    for form in (
        list,
        lambda of: pd.Series(of, index=np.arange(80)[::-1]),
        lambda of: of.astype(np.int16 if of.dtype.kind == "i" else np.float32),
    ):
        rated = system(
            form(white), form(black), form(score), form(periods.astype(int)) if form is list else periods, start=start
        )
        np.testing.assert_array_equal(rated.ratings.rating, plain.ratings.rating)
    order, low, high = rng.permutation(7), np.arange(-128, 127, 42, dtype=np.int8), np.arange(7, dtype=np.uint64)
    for ids, names in (  # of players, and of those in games; small integers reach both ends of their type
        (np.array(list("qwertyu")), np.array(list("qwertyu"))),
        (low, low.astype(np.int64)),
        (low, low),
        (np.arange(3, 256, 42, dtype=np.uint8), np.arange(3, 256, 42)),
        (high + 2**62, high + 2**62),  # they are no floats: 2^62 + 1 and 2^62 are one float
    ):
        shuffled = ratings.Ratings.start(ids[order], start.rating[order], 150.0)
        rated = system(names[white], names[black], score, periods.astype(np.uint8), start=shuffled).ratings
        np.testing.assert_array_equal(rated.players, ids[order])
        for column in ("rating", "deviation", "games", "last"):
            np.testing.assert_array_equal(getattr(rated, column), getattr(plain.ratings, column)[order])
    again = system(white, black, score, periods + 9, start=pickle.loads(pickle.dumps(plain.ratings))).ratings
    np.testing.assert_array_equal(
        again.rating, system(white, black, score, periods + 9, start=plain.ratings).ratings.rating
    )
    draws = system(white, black, np.full(80, 0.5), start=ratings.Ratings.start(np.arange(7), 1500.0, 100.0)).ratings
    np.testing.assert_array_equal(draws.rating, 1500.0)
