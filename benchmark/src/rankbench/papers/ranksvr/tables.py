"""Tables 2 and 3 of Yu et al.: errors and sampling times, ours and the printed ones."""

import numpy as np

from rankbench.configuration.labels import method_labels
from rankbench.papers.ranksvr.printed import beside_table2, beside_table3
from rankbench.tables.cells import explained, number, ours
from rankbench.tables.markup import grid_of, written


def ranksvr_table2(frames, experiment, titles):
    """Return the mean absolute error of SVR and of RankSVR with each sampler: one row per condition and data set.

    Each method has its mean, the printed one, and both as multiples of the reference method's: the paper's scaling of
    the targets is lost, so only the multiples can be compared. The csv is tidy (`TABLE2` of ``printed``).

    Parameters
    ----------
    frames, experiment, titles
        As in `rankbench.room.Table`; `frames` holds ``summary``, ``ratios`` and, if there are printed numbers,
        ``published`` (``dataset method mae``; its methods are named as the labels are).

    Raises
    ------
    ValueError
        If the experiment does not measure ``absolute_error``.
    """
    cells = beside_table2(frames, experiment)

    def lay_out(markup):
        return _errors(cells, experiment, titles, markup), explained(_errors_caption(experiment, markup), cells)

    return written(cells, lay_out)


def _errors(cells, experiment, titles, markup):
    """Return the grid of cell texts: one row per condition and data set, columns (method, ours / printed / ratios)."""
    labels, rows = method_labels(experiment, markup.label), []
    for (condition, dataset), row in cells.groupby(["condition", "dataset"], sort=False):
        name = condition.replace("_", " ")
        texts = {("Condition", ""): markup.text(name), ("Dataset", ""): markup.text(titles[dataset])}
        lowest = {kind: row[f"{kind}_mean"].min() for kind in ("ours", "published")}
        for cell in row.itertuples():
            label = labels[cell.method]
            texts[label, "ours"] = ours(cell, _mean(cell.ours_mean, lowest["ours"], markup))
            texts[label, "printed"] = _mean(cell.published_mean, lowest["published"], markup)
            if cell.method != experiment.reference_method:
                interval = f" [{cell.ours_ratio_low:.3f}, {cell.ours_ratio_high:.3f}]"
                interval *= not np.isnan(cell.ours_ratio_low)
                texts[label, "ratio"] = number(cell.ours_ratio, ".3f") + interval
                texts[label, "printed ratio"] = number(cell.published_ratio, ".3f")
        rows.append(texts)
    return grid_of(rows)


def _mean(value, lowest, markup):
    text = number(value, ".4g", "not printed")
    return markup.bold(text) if value == lowest else text


def _errors_caption(experiment, markup):
    """Return how to read the table, in the given markup."""
    reference = method_labels(experiment, markup.label)[experiment.reference_method]
    on_test = any(condition.tuning.chosen_on == "test" for condition in experiment.conditions.values())
    return (
        f"Mean absolute error on the test part over {experiment.seeds} draws, in the unit of the data set (the "
        f"paper's unit is lost); bold: the lowest of the row. Ratio: the mean divided by that of {reference}, with the "
        "95 percent interval over paired draws; printed ratio: the same of the printed means, which have no interval."
        + (" Best on test: parameters chosen on the test part of each draw, which is no honest estimate." * on_test)
    )


def ranksvr_table3(frames, experiment, titles):
    """Return the seconds to sample five pairs six times: one row per data set, below the slopes.

    The csv is tidy (`TABLE3` of ``printed``).

    Parameters
    ----------
    frames, experiment, titles
        As in `rankbench.room.Table`; ``published`` has ``dataset method seconds``, its methods named as the labels are.

    Raises
    ------
    ValueError
        If the experiment has several conditions.
    """
    cells = beside_table3(frames, experiment)
    caption = (
        f"Seconds to choose the pairs {experiment.seeds} times, ours (compiled code, one core) beside the printed "
        "ones (machine unknown); for missing runs the mean of the others is taken. Slope: of log seconds against log n "
        "over the data sets, n our pool for both."
    )
    return written(cells, lambda markup: (_seconds(cells, experiment, titles, markup), caption))


def _seconds(cells, experiment, titles, markup):
    """Return the grid of cell texts: one row per data set, columns (method, ours / printed); last the slopes."""
    labels, rows = method_labels(experiment, markup.label), []
    for dataset, row in cells.groupby("dataset", sort=False):
        texts = {("Dataset", ""): markup.text(titles[dataset]), ("n", ""): number(row["n_pool"].max(), ".0f")}
        for cell in row.itertuples():
            texts[labels[cell.method], "ours"] = ours(cell, f"{cell.ours_seconds:.2g}")
            texts[labels[cell.method], "printed"] = number(cell.published_seconds, ".4g", "not printed")
        rows.append(texts)
    slopes = {("Dataset", ""): "slope against n", ("n", ""): ""}
    for method, row in cells.groupby("method", sort=False):
        slopes[labels[method], "ours"] = number(row["ours_slope"].iloc[0], ".2f")
        slopes[labels[method], "printed"] = number(row["published_slope"].iloc[0], ".2f")
    return grid_of([*rows, slopes])
