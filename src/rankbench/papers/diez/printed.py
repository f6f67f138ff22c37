"""Table 1 of Diez et al.: our percentages of swapped pairs and the printed ones."""

import numpy as np
import pandas as pd

from rankbench.statistics.paired import mark

METRIC = "swapped_pairs"
PUBLISHED_RUNS = 20  # "average over 20 trials", caption of Table 1
COLUMNS = ["dataset", "method", "n_runs", "ours_mean", "ours_sd", "published_mean", "published_sd"]
COLUMNS += ["difference", "standard_error", "significance"]
PRINTED = ["dataset", "method", "mean_swapped_pct", "sd_swapped_pct", "significance"]


NAMES = {"mean_swapped_pct": "published_mean", "sd_swapped_pct": "published_sd"}
NAMES["significance_printed"] = "published_significance"


def with_difference(cells):
    """Add ``difference``, our mean minus the printed one, and its ``standard_error``, in percent of swapped pairs.

    ``standard_error = sqrt(sd^2 / n_runs + printed_sd^2 / 20)``, because the two means come from different splits and
    are treated as independent.

    Parameters
    ----------
    cells : DataFrame
        ``mean sd n_runs`` of ours (fractions) and the printed ``mean_swapped_pct sd_swapped_pct``.
    """
    ours_variance = (100 * cells["sd"]) ** 2 / cells["n_runs"].replace(0, np.nan)
    error = np.sqrt(ours_variance + cells["sd_swapped_pct"] ** 2 / PUBLISHED_RUNS)
    return cells.assign(difference=100 * cells["mean"] - cells["mean_swapped_pct"], standard_error=error)


def beside_table1(frames, experiment, titles):
    """Return each of our cells with the printed one.

    Parameters
    ----------
    frames, experiment, titles
        As in `rankbench.tables`; `frames` holds ``summary``, ``per_dataset`` and, if there are printed numbers,
        ``published``.

    Returns
    -------
    DataFrame
        One row per data set (in the order of the experiment) and method (first those of the paper in its order, then
        the others). Columns: `COLUMNS`, then ``n_missing shortfall published_significance``. Means, sds, ``difference``
        and ``standard_error`` are those of `with_difference`. ``significance`` is the mark of our paired t-test against
        the reference method.
    """
    published = frames.get("published", pd.DataFrame(columns=PRINTED))[PRINTED]
    published = published.astype({"mean_swapped_pct": float, "sd_swapped_pct": float})
    ours = _ours(frames, experiment, titles)
    cells = with_difference(ours.merge(published, "left", ["dataset", "method"], suffixes=("", "_printed")))
    cells = cells.rename(columns=NAMES).assign(ours_mean=100 * cells["mean"], ours_sd=100 * cells["sd"])
    marks = cells["published_significance"]
    cells["published_significance"] = [f"{level:g}" if level > 0 else "" for level in marks.astype(float)]
    paper_order = [method for method in published["method"].unique() if method in experiment.methods]
    methods = [*paper_order, *(method for method in experiment.methods if method not in paper_order)]
    index = pd.MultiIndex.from_product([[titles[key] for key in experiment.datasets], methods])
    cells = cells.set_index(["dataset", "method"]).loc[index].rename_axis(["dataset", "method"]).reset_index()
    return cells[[*COLUMNS, "n_missing", "shortfall", "published_significance"]]


def _ours(frames, experiment, titles):
    """Return our cells in percent, with the title of the data set and the mark of the paired t-test."""
    tests = frames["per_dataset"].query("metric == @METRIC")[["dataset", "method", "t_p"]]
    cells = frames["summary"].query("metric == @METRIC").merge(tests, "left", ["dataset", "method"])
    competitor = cells["method"] != experiment.reference_method
    return pd.DataFrame(
        {
            "dataset": cells["dataset"].map(titles),
            "method": cells["method"],
            "n_runs": cells["n_runs"],
            "n_missing": cells["n_missing"],
            "shortfall": cells["shortfall"],
            "mean": cells["mean"],
            "sd": cells["sd"],
            "significance": cells["t_p"].map(mark).where(competitor, ""),
        }
    )
