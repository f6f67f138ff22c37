"""The figure of errors against seconds: what its bars are, and that its names can be read."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.papers.today.figures import describe_contest_trade, draw_contest_trade, trade_of

SECONDS = {
    "a": 0.01,
    "b": 0.012,
    "c": 0.1,
    "catboost_default": 0.4,
    "d": 0.41,
    "self_tuning": 0.5,
    "svr": 0.6,
    "catboost": 9.0,
}
FACTORS = (0.5, 0.9, 1.0, 2.0, 8.0)  # of the seconds, one for each table


@pytest.fixture(scope="module")
def best():
    rows = [
        (f"table{at}", "default", "concordance_index", name, 0.7 + 0.004 * place, 0.02 * at + factor * seconds)
        for place, (name, seconds) in enumerate(SECONDS.items())
        for at, factor in enumerate(FACTORS)
    ]
    columns = ["dataset", "condition", "metric", "method", "mean", "seconds"]
    return pd.DataFrame(rows, columns=columns).assign(n_runs=3)


def test_bars_are_the_quartiles_of_the_seconds_over_the_tables(best):
    seconds = best.pivot(index="dataset", columns="method", values="seconds")
    points = trade_of(best)
    for share, column in ((25, "low"), (50, "seconds"), (75, "high")):
        np.testing.assert_allclose(points[column], np.percentile(seconds[points.index], share, axis=0))


@pytest.mark.parametrize(("methods", "named"), [(["self_tuning", "a", "b", "svr"], 4), ([*SECONDS], 4)])
def test_of_few_points_all_are_named(best, methods, named):
    """Ours is the best and the fastest; of many points the others have a name if they are in `NAMES`."""
    best = best[best["method"].isin(methods)]
    best = best.assign(mean=best["mean"] + (best["method"] == "self_tuning"))
    best.loc[best["method"] == "self_tuning", "seconds"] = 1e-3
    document = {"datasets": {}, "conditions": {}, "methods": {name: {"label": name} for name in methods}}
    figure = draw_contest_trade({"best": best}, Experiment.of(document), {})
    names = [words.get_text() for words in figure.axes[0].texts if words.get_text()]
    assert len(names) == named and "those on the line" not in figure.get_supxlabel()


def test_no_name_covers_another_or_leaves_the_panel(best):
    labels = {name: {"label": f"{name}, a rather long name"} for name in SECONDS}
    document = {"datasets": {}, "conditions": {}, "methods": labels}
    experiment = Experiment.of(document)
    (axis,) = draw_contest_trade({"best": best}, experiment, {}).axes
    boxes = [words.get_window_extent() for words in axis.texts if words.get_text()]
    assert len(boxes) == len(SECONDS)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(axis.bbox.x0 < box.x0 and box.x1 < axis.bbox.x1 for box in boxes)
    assert "No method is better and faster than these" in describe_contest_trade({"best": best}, experiment, {})
