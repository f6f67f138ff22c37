"""All methods over all data sets: average ranks, the Friedman test and Nemenyi's critical difference."""

import itertools

import pandas as pd

from rankmargin import significance

from ..labels import sign_of
from .overall import PRINTED_DECIMALS
from .runs import rivals
from .summary import summary


def ranks(records, experiment):
    """Rank the methods on each data set and test whether they differ.

    The means are ranked as printed (two decimals of a percentage; ties share their rank), rank 1 is the best: the
    lowest error, the highest value of what is better higher.

    Returns
    -------
    DataFrame
        ``condition metric method average_rank n_datasets n_missing friedman friedman_p critical_difference``, one row
        per method, best first. `n_missing` counts the data sets left out because some method has no mean. NaN: Friedman
        below three methods or two data sets.
    """
    rows = []
    for identity, means, n_missing in _blocks(records, experiment):
        n_datasets, n_methods = means.shape
        average = pd.Series(significance.average_ranks(means), means.columns).sort_values(kind="stable")
        statistic, p = significance.friedman(means)
        shared = {"n_datasets": n_datasets, "n_missing": n_missing, "friedman": statistic, "friedman_p": p}
        shared["critical_difference"] = significance.critical_difference(n_methods, n_datasets)
        rows += [identity | {"method": method, "average_rank": rank} | shared for method, rank in average.items()]
    return pd.DataFrame(rows)


def nemenyi(records, experiment):
    """Return Nemenyi's p of each pair of methods: ``condition metric method other p`` (NaN without data sets)."""
    rows = []
    for identity, means, _ in _blocks(records, experiment):
        p = pd.DataFrame(significance.nemenyi(means), means.columns, means.columns)
        pairs = itertools.combinations(means.columns, 2)
        rows += [identity | {"method": method, "other": other, "p": p.loc[method, other]} for method, other in pairs]
    return pd.DataFrame(rows, columns=["condition", "metric", "method", "other", "p"])


def _blocks(records, experiment):
    """Yield each condition and metric, its means as printed on complete data sets, and the number of the others."""
    cells, methods = summary(records, experiment), list(rivals(experiment).methods)
    for (condition, metric), here in cells.groupby(["condition", "metric"], sort=False):
        means = here.pivot(index="dataset", columns="method", values="mean")[methods].round(PRINTED_DECIMALS)
        complete = means.dropna() * sign_of(metric)
        yield {"condition": condition, "metric": metric}, complete, len(means) - len(complete)
