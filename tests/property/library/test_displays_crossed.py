"""Every display and summary crossed with the public estimators."""

import inspect
import pickle

import numpy as np
import pandas as pd
import pytest
from crossed import (
    ESTIMATORS,
    ON_PAIRS,
    ORDINAL,
    QUIET,
    RANKERS,
    N,
    data,
    every,
    fitted_once,
    frames,
    search_over,
    searched,
    takes,
)
from matplotlib import pyplot
from sklearn.base import clone, is_classifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline

import rankmargin
from rankmargin import inspection

pytestmark = QUIET


DISPLAYS = [
    of
    for of in (getattr(inspection, name) for name in inspection.__all__)
    if "X" in inspect.signature(getattr(of, "from_estimator", len)).parameters
]


def drawn(display):
    """Return the numbers that a display holds."""
    held = {name: of for name, of in vars(display).items() if isinstance(of, np.ndarray) and of.dtype.kind in "biuf"}
    pyplot.close("all")
    return held


FIRST = [family[0] for family in (ORDINAL, ON_PAIRS, RANKERS)]
DRAWN = [  # every display of an estimator of each family, and every estimator in one display
    (display, estimator)
    for k, estimator in enumerate(ESTIMATORS)
    for j, display in enumerate(DISPLAYS)
    if any(estimator is one for one in FIRST) or j == k % len(DISPLAYS)
]


@pytest.mark.parametrize(("display", "estimator"), DRAWN, ids=lambda of: getattr(of, "__name__", str(of)[:40]))
def test_displays(display, estimator):
    fitted, X, y = fitted_once(estimator)
    plain = drawn(display.from_estimator(fitted, X, y))
    assert plain
    table, targets = next(frames(X, y))
    other = clone(estimator).fit(table, targets)
    for name, values in drawn(display.from_estimator(other, table, targets)).items():
        np.testing.assert_allclose(values, plain[name], atol=1e-2 * max(1.0, np.nanmax(np.abs(plain[name]))))
    piped = drawn(display.from_estimator(make_pipeline(fitted), X, y))
    assert piped.keys() == plain.keys()
    for name, values in piped.items():
        np.testing.assert_array_equal(values, plain[name])
    if takes(estimator, "categories"):
        names = ["low", "mid", "high"]
        named = clone(estimator).set_params(categories=names)
        named = named.fit(X, np.array(names)[y])
        for name, values in drawn(display.from_estimator(named, X, np.array(names)[y])).items():
            np.testing.assert_allclose(values, plain[name], atol=1e-9)
    if not is_classifier(estimator):
        small = drawn(display.from_estimator(fitted, X, 1e-9 * y))
        for name, values in small.items():  # targets in another unit: distances too
            unit = 1e-9 if name in ("y", "edges") else 1.0
            np.testing.assert_allclose(values, unit * plain[name], rtol=1e-9)


# Summaries


def test_stack_pairs():
    """Arrays, frames and lists of any values: an imputer or an encoder comes later."""
    for items in (
        np.array([[1.0, np.nan], [2.0, 3.0], [np.nan, 4.0]]),
        np.array([["a", "b"], ["c", "d"], ["a", "d"]]),
        np.array([["a", 1.0], [None, 2.0], ["b", np.nan]], dtype=object),
    ):
        rows = np.array([[0, 1], [2, 0], [1, 2]])
        pairs = rankmargin.stack_pairs(items, rows=rows)
        expected = pd.DataFrame(np.hstack([items[rows[:, 0]], items[rows[:, 1]]]))
        pd.testing.assert_frame_equal(pd.DataFrame(pairs), expected, check_dtype=False)
        same_pairs = rankmargin.stack_pairs(items[rows[:, 0]], items[rows[:, 1]])
        pd.testing.assert_frame_equal(pd.DataFrame(same_pairs), expected, check_dtype=False)
        framed = rankmargin.stack_pairs(pd.DataFrame(items, columns=["p", "q"]), rows=rows)
        assert framed.shape == pairs.shape
        if items.dtype.kind == "f":
            filled = rankmargin.PairTransformer(SimpleImputer()).fit_transform(pairs)
            assert np.isfinite(filled).all()
            np.testing.assert_array_equal(
                rankmargin.PairTransformer(SimpleImputer()).fit(pairs).transform(framed.values), filled
            )


@every
def test_summaries(estimator):
    fitted = fitted_once(estimator)[0]
    if isinstance(fitted, rankmargin.ThresholdedRanker):
        fitted = clone(fitted).set_params(ranker=rankmargin.SwappedPairsSVM()).fit(*data(estimator))
    said = inspection.summary(fitted)
    assert str(said) and (said.n_rows in (None, N) or takes(estimator, "labels"))
    assert str(inspection.summary(make_pipeline(fitted))) == str(said)
    assert str(inspection.summary(pickle.loads(pickle.dumps(fitted)))) == str(said)


@every
def test_parameters_of_inner_estimators(estimator):
    """``get_params`` names them and ``set_params`` changes them, in a copy."""
    deep = estimator.get_params(deep=True)
    for name, value in deep.items():
        if name.endswith(("__C", "__alpha")):
            changed = clone(estimator).set_params(**{name: 7.0})
            assert changed.get_params()[name] == 7.0 and estimator.get_params()[name] == value
    if takes(estimator, "estimators") or takes(estimator, "ranker"):
        assert any(name.endswith(("__C", "__alpha")) for name in deep)


@searched
def test_displays_of_searches(estimator):
    X, y = data(estimator)
    for Cs in ((0.1, 1.0), (2.0, 3.0)):  # of the last two, a sum of margins starts at its optimum
        display = inspection.SearchDisplay.from_estimator(search_over(estimator, Cs=Cs).fit(X, y))
        pyplot.close("all")
        assert display.scores.shape == (1, 2, 3) and np.isfinite(display.scores).all()


def test_every_public_display_is_crossed():
    assert len(DISPLAYS) == 2


def test_lines_along_C_ascend_whatever_the_order_of_the_values():
    scores = np.arange(9.0).reshape(1, 3, 3)  # the means of C = 10, 0.1 and 1 are 1, 4 and 7
    display = inspection.SearchDisplay(np.array([10.0, 0.1, 1.0]), scores, ["linear"], (0, 1.0))
    (mean,) = [line for line in display.plot().ax_.lines if line.get_label() == "linear"]
    assert mean.get_xydata().tolist() == [[0.1, 4.0], [1.0, 7.0], [10.0, 1.0]]
