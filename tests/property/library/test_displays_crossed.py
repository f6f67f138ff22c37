"""Every display and summary crossed with the public estimators."""

import inspect
import pickle

import numpy as np
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
    takes,
)
from matplotlib import pyplot
from sklearn.base import clone, is_classifier
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
    options = (
        {"train_sizes": [0.5, 1.0], "cv": 2} if "cv" in inspect.signature(display.from_estimator).parameters else {}
    )
    refits = bool(options)
    plain = drawn(display.from_estimator(fitted, X, y, **options))
    assert plain
    table, targets = next(frames(X, y))
    other = clone(estimator) if refits else clone(estimator).fit(table, targets)
    for name, values in drawn(display.from_estimator(other, table, targets, **options)).items():
        np.testing.assert_allclose(values, plain[name], atol=1e-2 * max(1.0, np.nanmax(np.abs(plain[name]))))
    if not refits:
        piped = drawn(display.from_estimator(make_pipeline(fitted), X, y))
        assert piped.keys() == plain.keys()
        for name, values in piped.items():
            np.testing.assert_array_equal(values, plain[name])
    if takes(estimator, "categories"):
        names = ["low", "mid", "high"]
        named = clone(estimator).set_params(categories=names)
        named = named if refits else named.fit(X, np.array(names)[y])
        for name, values in drawn(display.from_estimator(named, X, np.array(names)[y], **options)).items():
            np.testing.assert_allclose(values, plain[name], atol=1e-9)
    if not refits and not is_classifier(estimator):
        small = drawn(display.from_estimator(fitted, X, 1e-9 * y))
        for name, values in small.items():  # targets in another unit: distances too
            unit = 1e-9 if name in ("y", "edges") else 1.0
            np.testing.assert_allclose(values, unit * plain[name], rtol=1e-9)


# Summaries


@every
def test_summaries(estimator):
    fitted = fitted_once(estimator)[0]
    if isinstance(fitted, rankmargin.ThresholdedRanker):
        fitted = clone(fitted).set_params(ranker=rankmargin.SwappedPairsSVM()).fit(*data(estimator))
    said = inspection.summary(fitted)
    assert str(said) and (said.n_rows in (None, N) or takes(estimator, "labels"))
    assert str(inspection.summary(make_pipeline(fitted))) == str(said)
    assert str(inspection.summary(pickle.loads(pickle.dumps(fitted)))) == str(said)


def test_lines_along_C_ascend_whatever_the_order_of_the_values():
    scores = np.arange(9.0).reshape(1, 3, 3)  # the means of C = 10, 0.1 and 1 are 1, 4 and 7
    display = inspection.SearchDisplay(np.array([10.0, 0.1, 1.0]), scores, ["linear"], (0, 1.0))
    (mean,) = [line for line in display.plot().ax_.lines if line.get_label() == "linear"]
    assert mean.get_xydata().tolist() == [[0.1, 4.0], [1.0, 7.0], [10.0, 1.0]]
