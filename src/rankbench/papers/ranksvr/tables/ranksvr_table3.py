"""Table 3 of Yu et al.: seconds to sample five pairs six times, ours and the printed ones."""

import numpy as np
import pandas as pd

from rankbench.labels import method_labels
from rankbench.papers.ranksvr.printed import beside_table3
from rankbench.shortfalls import incomplete, missing_of
from rankbench.tables.markup import MARKUPS


def render(frames, experiment, titles):
    """Return the table as csv (`printed.ranksvr.TABLE3`) and as md, tex and html.

    One row per data set, below the slopes.

    Parameters
    ----------
    frames, experiment, titles
        As in `rankbench.tables`; ``published`` has ``dataset method seconds``, its methods named as the labels are.

    Raises
    ------
    ValueError
        If the experiment has several conditions.
    """
    cells = beside_table3(frames, experiment)
    texts = {"csv": cells.to_csv(index=False, na_rep="NA", float_format="%.6g", lineterminator="\n")}
    for ending, markup in MARKUPS.items():
        texts[ending] = markup.table(lay_out(cells, experiment, titles, markup), _caption(experiment))
    return texts


def lay_out(cells, experiment, titles, markup):
    """Return the grid of cell texts: one row per data set, columns (method, ours / printed); last the slopes."""
    labels, rows = method_labels(experiment, markup.label), []
    for dataset, row in cells.groupby("dataset", sort=False):
        size = row["n_pool"].max()
        texts = {("Dataset", ""): markup.text(titles[dataset]), ("n", ""): "n/a" if np.isnan(size) else f"{size:.0f}"}
        for cell in row.itertuples():
            ours = f"{cell.ours_seconds:.2g}{missing_of(cell)}" if cell.n_runs else incomplete(cell)
            texts[labels[cell.method], "ours"] = ours
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
        f"Seconds to choose the pairs {experiment.seeds} times, ours (compiled code, one core) beside the printed "
        "ones (machine unknown); for missing runs the mean of the others is taken. Slope: of log seconds against log n "
        "over the data sets, n our pool for both."
    )
