"""Table 3 of Yu et al.: seconds to sample five pairs six times, ours beside the printed ones."""

import numpy as np
import pandas as pd

from ..labels import method_labels
from ..slopes import log_slope
from .markup import MARKUPS
from .ranksvr_table2 import PRINTED_AS

NEEDS = ("sampling_seconds",)
COLUMNS = ["dataset", "method", "n_pool", "n_runs", "n_missing", "ours_seconds", "published_seconds"]
COLUMNS += ["times_faster", "ours_slope", "published_slope"]


def render(frames, experiment, titles):
    """Return the table as csv (tidy, `COLUMNS`) and as md, tex and html: a row a data set, and the slopes below.

    Parameters
    ----------
    frames, experiment, titles
        As in `rankbench.tables`; ``published`` has ``dataset method seconds``, its methods named as the labels are.

    Raises
    ------
    ValueError
        If the experiment has several conditions.
    """
    cells = side_by_side(frames, experiment)
    texts = {"csv": cells.to_csv(index=False, na_rep="NA", float_format="%.6g", lineterminator="\n")}
    for ending, markup in MARKUPS.items():
        texts[ending] = markup.table(lay_out(cells, experiment, titles, markup), _caption(experiment))
    return texts


def side_by_side(frames, experiment):
    """Return `COLUMNS`, a row a data set and method, in the order of the yaml.

    The slope of the printed seconds is taken against our sizes: the paper's are lost.
    """
    if len(experiment["conditions"]) != 1:
        raise ValueError(f"experiment must have one condition, got {list(experiment['conditions'])}")
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
    return cells[COLUMNS]


def lay_out(cells, experiment, titles, markup):
    """Return the grid of cell texts: a row a data set, columns (method, ours / printed); last the slopes."""
    labels, rows = method_labels(experiment, markup.label), []
    for dataset, row in cells.groupby("dataset", sort=False):
        size = row["n_pool"].max()
        texts = {("Dataset", ""): markup.text(titles[dataset]), ("n", ""): "n/a" if np.isnan(size) else f"{size:.0f}"}
        for cell in row.itertuples():
            missing = f" ({cell.n_missing} of {cell.n_runs + cell.n_missing} missing)" if cell.n_missing else ""
            texts[labels[cell.method], "ours"] = _number(cell.ours_seconds, "no run", ".2g") + missing
            texts[labels[cell.method], "printed"] = _number(cell.published_seconds, "not printed", ".4g")
        rows.append(texts)
    slopes = {("Dataset", ""): "slope against n", ("n", ""): ""}
    for method, row in cells.groupby("method", sort=False):
        slopes[labels[method], "ours"] = _number(row["ours_slope"].iloc[0], "n/a", ".2f")
        slopes[labels[method], "printed"] = _number(row["published_slope"].iloc[0], "n/a", ".2f")
    grid = pd.DataFrame([*rows, slopes])
    grid.columns = pd.MultiIndex.from_tuples(grid.columns)
    return grid


def _number(value, otherwise, pattern):
    return otherwise if np.isnan(value) else format(value, pattern)


def _caption(experiment):
    """Return how to read the table."""
    return (
        f"Seconds to choose the pairs {experiment['seeds']} times, ours (compiled code, one core) beside the printed "
        "ones (machine unknown). Slope: of log seconds against log n over the data sets, n our pool for both."
    )
