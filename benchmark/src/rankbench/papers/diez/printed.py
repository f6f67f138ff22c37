"""Table 1 of Diez et al.: our percentages of swapped pairs and the printed ones."""

import numpy as np
import pandas as pd

from rankbench.statistics.significance import mark

METRIC = "swapped_pairs"
PUBLISHED_RUNS = 20  # "average over 20 trials", caption of Table 1
COLUMNS = ["dataset", "method", "n_runs", "ours_mean", "ours_sd", "published_mean", "published_sd"]
COLUMNS += ["difference", "standard_error", "significance"]
PRINTED = {"mean_swapped_pct": float, "sd_swapped_pct": float, "significance": float}
NAMES = {"mean_swapped_pct": "published_mean", "sd_swapped_pct": "published_sd"}


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
        One row per data set and method, in the order of the experiment. Columns: `COLUMNS`, then ``n_missing shortfall
        published_significance``. Means, sds, ``difference`` and ``standard_error`` are those of `with_difference`.
        ``significance`` is the mark of our paired t-test against the reference method.
    """
    printed = frames.get("published", pd.DataFrame(columns=["dataset", "method", *PRINTED]))
    printed = printed[["dataset", "method", *PRINTED]].astype(PRINTED)
    tests = frames["per_dataset"].query("metric == @METRIC")[["dataset", "method", "t_p"]]
    cells = frames["summary"].query("metric == @METRIC").merge(tests, "left", ["dataset", "method"])
    cells["dataset"] = cells["dataset"].map(titles)
    cells = with_difference(cells.merge(printed, "left", ["dataset", "method"]))
    cells = cells.rename(columns=NAMES).assign(ours_mean=100 * cells["mean"], ours_sd=100 * cells["sd"])
    cells["published_significance"] = [f"{level:g}" if level > 0 else "" for level in cells["significance"]]
    cells["significance"] = cells["t_p"].map(mark).where(cells["method"] != experiment.reference_method, "")
    return cells[[*COLUMNS, "n_missing", "shortfall", "published_significance"]]
