"""The comparison over all data sets under several protocols, as a table."""

import io

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rankbench.experiments.experiment import Experiment
from rankbench.registry import TABLES

EXPERIMENT = Experiment.of(
    {
        "conditions": {"one": {"preprocess": {"scaling": "minmax", "nominal": "ordinal"}}, "two": {}},
        "methods": {"ours": {"label": "Ours"}, "svor5": {"label": "SVOR_5"}},
        "reference_method": "ours",
    }
)


@pytest.fixture
def frames():
    """Means of three data sets: differences 1, 2, 3 points under one protocol, -1, 0, 4 under the other."""
    rows = []
    for condition, differences in {"one": [0.01, 0.02, 0.03], "two": [-0.01, 0.0, 0.04]}.items():
        t, p = stats.ttest_1samp(differences, 0, alternative="greater")
        row = {"condition": condition, "metric": "swapped_pairs", "method": "ours", "opponent": "svor5", "n_missing": 0}
        row |= {"n_datasets": 3, "wins": 2, "ties": 0, "losses": 1, "significant_wins": 1, "significant_losses": 0}
        rows.append({**row, "corrected_wins": 0, "mean_difference": np.mean(differences), "t": t, "p_one_sided": p})
    printed = {"opponent": "svor5", "wins": 8, "ties": 1, "losses": 3, "significant_wins": 7, "ttest_p_published": 0.02}
    return {"overall": pd.DataFrame(rows), "published": pd.DataFrame([printed])}


def test_the_table_ends_with_the_printed_counts_and_the_share(frames):
    texts = TABLES["multiverse"].render(frames, EXPERIMENT, {})
    assert pd.read_csv(io.StringIO(texts["csv"]))["wins"].tolist() == [2, 2]
    lines = [line for line in texts["md"].splitlines() if line.startswith("|")]
    assert "scaling minmax, nominal ordinal" in lines[2] and "8 / 1 / 3" in lines[4] and "1 of 2" in lines[5]
