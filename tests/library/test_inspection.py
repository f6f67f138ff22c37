"""The displays hold what they say, and draw it."""

import subprocess
import sys

import matplotlib
import numpy as np
import pandas as pd
import pytest

from rankmargin import SVOR, RankPathCV, SwappedPairsSVM
from rankmargin.inspection import (
    CriticalDifferenceDisplay,
    PathDisplay,
    ScoresDisplay,
    SwappedPairsDisplay,
    TiesDisplay,
)
from rankmargin.metrics import swapped_pairs

matplotlib.use("Agg")
from matplotlib import pyplot


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    return X, np.digitize(X[:, 0] + 0.5 * rng.standard_normal(60), [-0.5, 0.5])


def test_displays_hold_what_they_draw(data):
    X, y = data
    names = np.array(["low", "middle", "high"])
    fitted = SVOR(kernel="linear", categories=names.tolist()).fit(X, names[y])
    shown = ScoresDisplay.from_estimator(fitted, X, names[y])
    np.testing.assert_array_equal(shown.ax_.collections[0].get_offsets(), np.column_stack([y, fitted.score_samples(X)]))
    assert [label.get_text() for label in shown.ax_.get_xticklabels()] == names.tolist()
    assert [line.get_ydata()[0] for line in shown.ax_.lines] == fitted.thresholds_.tolist()
    ranker = SwappedPairsSVM(kernel="linear").fit(X, y)
    swaps = SwappedPairsDisplay.from_estimator(ranker, X, y)
    assert swaps.pairs.tolist() == [
        np.sum(y == 0) * np.sum(y == 1) + np.sum(y == 1) * np.sum(y == 2),
        np.sum(y == 0) * np.sum(y == 2),
    ]
    assert swaps.swapped.sum() / swaps.pairs.sum() == pytest.approx(swapped_pairs(y, ranker.predict(X)))
    assert [bar.get_height() for bar in swaps.ax_.patches] == pytest.approx(swaps.swapped / swaps.pairs)
    groups = np.arange(60) % 4
    inside = SwappedPairsDisplay.from_estimator(ranker, X, X[:, 0], groups=groups, n_bins=5)
    assert inside.pairs.sum() == 4 * 15 * 14 / 2
    search = RankPathCV(SwappedPairsSVM(kernel="linear"), [0.01, 1.0], cv=3).fit(X, y)
    path = PathDisplay.from_estimator(search)
    np.testing.assert_allclose(path.ax_.lines[-2].get_ydata(), search.scores_.mean(axis=1))
    ties = TiesDisplay.from_estimator(ranker, X, y, n_pairs=500)
    assert len(ties.tied) > 100 and np.all(ties.tied >= 0)
    assert np.mean(ties.neighbours > 0) > 0.7
    for display in (shown, swaps, path, ties):
        _, ax = pyplot.subplots()
        assert display.plot(ax=ax).ax_ is ax


def test_critical_difference_of_a_plain_table():
    """Three methods on ten data sets, always in the same order, and a fourth that ties with the third."""
    table = pd.DataFrame(np.tile([0.1, 0.2, 0.3, 0.3], (10, 1)), columns=["a", "b", "c", "d"])
    shown = CriticalDifferenceDisplay.from_table(table)
    assert shown.average_ranks.tolist() == [1.0, 2.0, 3.5, 3.5]
    assert shown.critical_difference == pytest.approx(2.569 * (20 / 60) ** 0.5, abs=1e-3)  # 1.483: table 5 of Demsar
    assert shown.bars() == [(1.0, 2.0), (3.5, 3.5)]
    assert [text.get_text().strip() for text in shown.ax_.texts] == ["a  1.00", "b  2.00", "3.50  d", "3.50  c"]
    gains = CriticalDifferenceDisplay.from_table(-table, higher_is_better=True)
    assert gains.average_ranks.tolist() == shown.average_ranks.tolist()
    with pytest.raises(ValueError, match=r"table must have a value for each method.*got nan in row 0, column 1"):
        CriticalDifferenceDisplay.from_table([[1.0, np.nan]])


def test_matplotlib_is_imported_when_something_is_drawn():
    code = "import sys, rankmargin.inspection; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"
