"""Tables 2 and 3 of Yu et al.: our errors and sampling times and the printed ones."""

import numpy as np
import pandas as pd

from rankbench.labels import method_labels
from rankbench.slopes import log_slope

METRIC = "absolute_error"
# The names in the paper, which does not say which column of Bodyfat is the target.
PRINTED_AS = {
    "abalone": "Abalone",
    "bodyfat_density": "Bodyfat",
    "bodyfat_fat": "Bodyfat",
    "concrete": "Concrete",
    "cpusmall": "Cpusmall",
    "forest_fires": "Forest fires",
    "boston": "Housing",
    "space_ga": "Space_ga",
}
TABLE2 = [
    "dataset",
    "condition",
    "method",
    "n_runs",
    "n_missing",
    "shortfall",
    "ours_mean",
    "ours_sd",
    "published_mean",
]
TABLE2 += ["ours_ratio", "ours_ratio_low", "ours_ratio_high", "published_ratio"]
TABLE3 = ["dataset", "method", "n_pool", "n_runs", "n_missing", "shortfall", "ours_seconds", "published_seconds"]
TABLE3 += ["times_faster", "ours_slope", "published_slope"]


def beside_table2(frames, experiment):
    """Return `TABLE2`, one row per condition, data set and method, in the order of the yaml."""
    keys = ["dataset", "condition", "method"]
    ours = frames["summary"].query("metric == @METRIC").rename(columns={"mean": "ours_mean", "sd": "ours_sd"})
    ratios = frames["ratios"].query("metric == @METRIC")[[*keys, "ratio", "low", "high"]]
    ratios = ratios.set_axis([*keys, "ours_ratio", "ours_ratio_low", "ours_ratio_high"], axis=1)
    cells = ours.merge(ratios, "left", keys)
    printed = frames.get("published", pd.DataFrame({"dataset": [], "method": [], "mae": []}))
    printed = printed.set_index(["dataset", "method"])["mae"].to_dict()
    labels, reference = method_labels(experiment), experiment.reference_method
    names = [PRINTED_AS.get(dataset) for dataset in cells["dataset"]]
    cells["published_mean"] = [
        printed.get((name, labels[method]), np.nan) for name, method in zip(names, cells["method"], strict=True)
    ]
    of_reference = np.array([printed.get((name, labels[reference]), np.nan) for name in names], dtype=float)
    competitor = cells["method"] != reference
    cells["published_ratio"] = (cells["published_mean"] / of_reference).where(competitor)
    axes = (experiment.conditions, experiment.datasets, experiment.methods)
    place = {key: at for axis in axes for at, key in enumerate(axis)}
    in_order = cells.assign(**{f"{key}_": cells[key].map(place) for key in keys})
    return in_order.sort_values(["condition_", "dataset_", "method_"], kind="stable", ignore_index=True)[TABLE2]


def beside_table3(frames, experiment):
    """Return `TABLE3`, one row per data set and method, in the order of the yaml.

    The slope of the printed seconds is computed with our sizes, because the sizes of the paper are not known.
    """
    cells = frames["sampling_seconds"].rename(columns={"seconds": "ours_seconds", "slope": "ours_slope"})
    printed = frames.get("published", pd.DataFrame({"dataset": [], "method": [], "seconds": []}))
    printed, labels = printed.set_index(["dataset", "method"])["seconds"].to_dict(), method_labels(experiment)
    cells["published_seconds"] = [
        printed.get((PRINTED_AS.get(dataset), labels[method]), np.nan)
        for dataset, method in zip(cells["dataset"], cells["method"], strict=True)
    ]
    cells["times_faster"] = cells["published_seconds"] / cells["ours_seconds"]
    for method, part in cells.groupby("method"):
        slope = log_slope(part["n_pool"], part["published_seconds"])
        cells.loc[cells["method"] == method, "published_slope"] = slope
    return cells[TABLE3]
