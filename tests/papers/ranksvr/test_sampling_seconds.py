"""Seconds of the samplers and their slope."""

import numpy as np
import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.papers.ranksvr.statistics import sampling_seconds

EXPERIMENT = Experiment.of(
    {
        "datasets": {"small": {}, "large": {}},
        "conditions": {"default": {}},
        "methods": {"svr": {"label": "SVR"}, "mst": {"label": "SampleMST", "sampler": "sample_mst"}},
        "seeds": 2,
    }
)


def records():
    """Two runs of each: 1 second for 100 rows, 4 seconds for 200."""
    rows = [
        {
            "dataset": name,
            "condition": "default",
            "method": method,
            "seed": seed,
            "status": "ok",
            "reason": "",
            "n_pool": n,
        }
        | {"sample_seconds": seconds if method == "mst" else np.nan}
        for name, n, seconds in (("small", 100, 0.5), ("large", 200, 2.0))
        for method in EXPERIMENT.methods
        for seed in range(2)
    ]
    return pd.DataFrame(rows)


def test_seconds_are_added_up_and_their_slope_is_that_of_a_square():
    frame = sampling_seconds(records(), EXPERIMENT).query("method == 'mst'")
    assert frame["dataset"].tolist() == ["small", "large"] and frame["seconds"].tolist() == [1.0, 4.0]
    assert frame["slope"].tolist() == pytest.approx([2, 2])


def test_what_is_missing_is_counted():
    """Of 20 runs two are lost: the sum is that of all 20 by the mean of the others."""
    many = pd.concat([records().assign(seed=lambda r, at=at: r["seed"] + at) for at in range(0, 20, 2)])
    many.loc[(many["dataset"] == "small") & (many["seed"] > 17), "status"] = "timeout"
    frame = sampling_seconds(many, Experiment.of(EXPERIMENT.document, seeds=20)).query("method == 'mst'")
    assert frame["seconds"].tolist() == pytest.approx([10.0, 40.0]) and frame["n_runs"].tolist() == [18, 20]
    assert frame["shortfall"].tolist() == ["18 of 20 runs, 2 timeouts", ""]
