"""Figures 4 and 5 of Venuto et al.: our means and the printed ones."""

import pandas as pd

PRINTED_AS = {  # column of the printed x -> x axis, mean, sd, unit, metrics to which they may belong
    "n_train_pairs": ("n", "mean_error_pct", "sd_error_pct", 0.01, ("zero_one",)),
    "rho": ("rho", "mean_auc", "sd_auc", 1.0, ("comparison_auc", "comparison_auc_any_direction")),
}


def printed_points(published):
    """Return the printed cells as ``dataset method x mean sd``, fractions; ``attrs`` has their axis and metrics.

    Parameters
    ----------
    published : DataFrame
        ``svmcompare_fig4.csv`` or ``svmcompare_fig5.csv``.
    """
    (column,) = published.columns.intersection([*PRINTED_AS])
    x_name, mean, sd, unit, metrics = PRINTED_AS[column]
    names = published["function"].where(published["function"] == "sushi", "squared_" + published["function"])
    points = {"dataset": names, "method": published["model"], "x": published[column]}
    points = pd.DataFrame({**points, "mean": unit * published[mean], "sd": unit * published[sd]})
    points.attrs = {"x": x_name, "metrics": metrics}
    return points


def beside(summary, published, metric, names=None):
    """Return our cells of a metric with the printed ones.

    Parameters
    ----------
    summary : DataFrame
        The statistic of that name. The conditions end with the number of pairs, or with the share of ties in percent.
    published : DataFrame
        As in `printed_points`.
    metric : str
    names : mapping of str to str or None
        Method -> its name in the paper; None if they are the same.

    Returns
    -------
    DataFrame
        The rows of the summary with ``x`` and with ``mean_printed`` and ``sd_printed``, fractions, which are nan if the
        cell is not printed.
    """
    ours, printed = summary[summary["metric"] == metric], printed_points(published)
    number = ours["condition"].str.extract(r"(\d+)$")[0].astype(int)
    ours = ours.assign(
        x=number / 100 if printed.attrs["x"] == "rho" else number,
        named=ours["method"] if names is None else ours["method"].map(names),
    )
    printed = printed.rename(columns={"method": "named"})
    return ours.merge(printed, "left", ["dataset", "named", "x"], suffixes=("", "_printed")).drop(columns="named")
