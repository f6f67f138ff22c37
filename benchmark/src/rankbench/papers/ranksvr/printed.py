"""Tables 2 and 3 of Yu et al.: our errors and sampling times and the printed ones."""

import numpy as np
import pandas as pd

from rankbench.configuration.labels import method_labels
from rankbench.statistics.slopes import log_slope

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
TABLE2 = ["dataset", "condition", "method", "n_runs", "n_missing", "shortfall", "ours_mean", "ours_sd"]
TABLE2 += ["published_mean", "ours_ratio", "ours_ratio_low", "ours_ratio_high", "published_ratio"]
TABLE3 = ["dataset", "method", "n_pool", "n_runs", "n_missing", "shortfall", "ours_seconds", "published_seconds"]
TABLE3 += ["times_faster", "ours_slope", "published_slope"]


def beside_table2(frames, experiment):
    """Return `TABLE2`, one row per condition, data set and method, in the order of the yaml."""
    keys, reference = ["dataset", "condition", "method"], experiment.reference_method
    ours = frames["summary"].query("metric == @METRIC").rename(columns={"mean": "ours_mean", "sd": "ours_sd"})
    ratios = frames["ratios"].query("metric == @METRIC")[[*keys, "ratio", "low", "high"]]
    ratios = ratios.set_axis([*keys, "ours_ratio", "ours_ratio_low", "ours_ratio_high"], axis=1)
    cells = ours.merge(ratios, "left", keys)
    cells["published_mean"] = _printed(frames, experiment, "mae", cells["dataset"], cells["method"])
    of_reference = _printed(frames, experiment, "mae", cells["dataset"], [reference] * len(cells))
    cells["published_ratio"] = (cells["published_mean"] / of_reference).where(cells["method"] != reference)
    place = {name: at for at, name in enumerate(experiment.conditions)}
    return cells.sort_values("condition", key=lambda names: names.map(place), kind="stable", ignore_index=True)[TABLE2]


def _printed(frames, experiment, column, datasets, methods):
    """Return the printed number of each data set and method, an array; NaN where nothing is printed."""
    published = frames.get("published", pd.DataFrame(columns=["dataset", "method", column]))
    known, labels = published.set_index(["dataset", "method"])[column].to_dict(), method_labels(experiment)
    keys = zip(datasets, methods, strict=True)
    return np.array([known.get((PRINTED_AS.get(name), labels[method]), np.nan) for name, method in keys], dtype=float)


def beside_table3(frames, experiment):
    """Return `TABLE3`, one row per data set and method, in the order of the yaml.

    The slope of the printed seconds is computed with our sizes, because the sizes of the paper are not known.
    """
    cells = frames["sampling_seconds"].rename(columns={"seconds": "ours_seconds", "slope": "ours_slope"})
    cells["published_seconds"] = _printed(frames, experiment, "seconds", cells["dataset"], cells["method"])
    cells["times_faster"] = cells["published_seconds"] / cells["ours_seconds"]
    parts = cells.groupby("method")
    slopes = {method: log_slope(part["n_pool"], part["published_seconds"]) for method, part in parts}
    cells["published_slope"] = cells["method"].map(slopes)
    return cells[TABLE3]
