"""Tables 2 and 3 of Yu et al. beside the printed numbers."""

import io
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.registry import PUBLISHED, TABLES
from rankbench.shortfalls import incomplete, missing_of

EXPERIMENT = Experiment.of(
    {
        "datasets": {"boston": {}, "bodyfat_fat": {}},
        "conditions": {"raw": {}, "standardised": {}},
        "methods": {"svr": {"label": "SVR"}, "sample_mst": {"label": "SampleMST", "sampler": "sample_mst"}},
        "metrics": ["absolute_error"],
        "seeds": 30,
        "reference_method": "svr",
    }
)
TITLES = {"boston": "Boston", "bodyfat_fat": "Bodyfat (fat)"}


@pytest.fixture
def frames(request):
    """SVR has error 8 and SampleMST 6 in every cell; one cell has no run."""
    cells = [(d, c, m) for d in EXPERIMENT.datasets for c in EXPERIMENT.conditions for m in EXPERIMENT.methods]
    summary = pd.DataFrame(cells, columns=["dataset", "condition", "method"])
    summary = summary.assign(metric="absolute_error", mean=[8.0, 6.0] * 4, sd=1.0, n_runs=30, n_missing=0, shortfall="")
    summary.loc[7, ["mean", "n_runs", "n_missing", "shortfall"]] = [np.nan, 0, 30, "0 of 30 runs, 30 timeouts"]
    ratios = summary[summary["method"] == "sample_mst"].assign(ratio=0.75, low=0.7, high=0.8)
    ratios.loc[7, ["ratio", "low", "high"]] = np.nan
    published = pd.read_csv(PUBLISHED["ranksvr_table2.csv"])
    return {"summary": summary, "ratios": ratios, "published": published}


def test_table2_sets_means_and_ratios_beside_the_printed_ones(frames):
    texts = TABLES["ranksvr_table2"].render(frames, EXPERIMENT, TITLES)
    cells = pd.read_csv(io.StringIO(texts["csv"]))
    assert cells["condition"].tolist() == ["raw"] * 4 + ["standardised"] * 4
    boston = cells.query("condition == 'raw' and dataset == 'boston'").set_index("method")
    assert boston["published_mean"].tolist() == [6.2472, 6.0173]
    assert boston.loc["sample_mst", "published_ratio"] == pytest.approx(6.0173 / 6.2472, abs=1e-6)
    assert boston.loc["sample_mst", ["ours_ratio", "ours_ratio_low", "ours_ratio_high"]].tolist() == [0.75, 0.7, 0.8]
    assert np.isnan(boston.loc["svr", "published_ratio"]) and np.isnan(boston.loc["svr", "ours_ratio"])
    assert (
        "0.750 [0.700, 0.800]" in texts["md"]
        and "**6**" in texts["md"]
        and "incomplete: 0 of 30 runs, 30 timeouts" in texts["md"]
    )
    assert "no honest estimate" not in texts["md"]
    chosen = Experiment.of(
        EXPERIMENT.document, conditions={"raw": {}, "standardised": {"tuning": {"chosen_on": "test"}}}
    )
    assert "no honest estimate" in TABLES["ranksvr_table2"].render(frames, chosen, TITLES)["md"]
    assert "<strong>6</strong>" in texts["html"] and r"\textbf{6}" in texts["tex"]


def test_table2_without_printed_numbers_says_so(frames):
    del frames["published"]
    assert "not printed" in TABLES["ranksvr_table2"].render(frames, EXPERIMENT, TITLES)["md"]


def test_table3_has_seconds_and_slopes(request):
    seconds = pd.DataFrame({"dataset": ["boston", "bodyfat_fat"], "method": "sample_mst", "condition": "default"})
    seconds = seconds.assign(
        n_pool=[501.0, 247.0], n_runs=6, n_missing=0, shortfall="", seconds=[0.02, 0.01], slope=0.98
    )
    published = pd.read_csv(PUBLISHED["ranksvr_table3.csv"])
    experiment = Experiment.of(EXPERIMENT.document, conditions={"default": {}}, seeds=6)
    texts = TABLES["ranksvr_table3"].render({"sampling_seconds": seconds, "published": published}, experiment, TITLES)
    cells = pd.read_csv(io.StringIO(texts["csv"]))
    assert cells["published_seconds"].tolist() == [0.898, 0.233]
    assert cells["times_faster"].tolist() == pytest.approx([0.898 / 0.02, 0.233 / 0.01])
    assert cells["published_slope"].tolist() == pytest.approx([np.log(0.898 / 0.233) / np.log(501 / 247)] * 2, rel=1e-4)
    assert "slope against n" in texts["md"] and "0.98" in texts["md"]


@pytest.mark.parametrize(("missing", "lacks"), [(0, ""), (2, "18 of 20 runs, 2 failed")])
def test_a_cell_says_which_runs_are_missing(missing, lacks):
    cell = SimpleNamespace(n_runs=18, n_missing=missing, shortfall=lacks)
    assert missing_of(cell) == (f" ({lacks})" if missing else "")
    assert incomplete(cell) == f"incomplete: {lacks or 'no hold-out that all have finished'}"
