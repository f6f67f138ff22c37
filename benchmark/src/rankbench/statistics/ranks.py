"""All methods over all data sets: average ranks, the Friedman test and Nemenyi's critical difference."""

import pandas as pd

from rankbench.configuration.labels import sign_of

from . import significance
from .common import on_common_datasets
from .runs import rivals
from .summary import summary


def ranks(records, experiment):
    """Rank the methods on each data set and test whether they differ.

    The means are ranked before they are rounded (ties share their rank), rank 1 is the best: the lowest error, the
    highest value of what is better higher.

    Returns
    -------
    DataFrame
        ``condition metric method average_rank n_datasets n_missing n_compared friedman friedman_p
        critical_difference``, one row per method, best first. Methods are ranked on the `n_datasets` where all of them
        are compared, see `rankbench.statistics.common`; `n_missing` counts the other data sets. A method that is
        compared on too few, `n_compared`, has no rank and comes last. NaN: Friedman below three methods or two data
        sets.
    """
    methods, rows = list(rivals(experiment).methods), []
    for (condition, metric), here in summary(records, experiment).groupby(["condition", "metric"], sort=False):
        means = on_common_datasets(here).pivot(index="dataset", columns="method", values="mean")
        means = means[[method for method in methods if method in means]] * sign_of(metric)
        planned, compared = here["dataset"].nunique(), here.groupby("method", sort=False)["mean"].count()
        n_datasets, n_methods = means.shape
        average = pd.Series(significance.average_ranks(means), means.columns).sort_values(kind="stable")
        statistic, p = significance.friedman(means)
        counts = {"n_datasets": n_datasets, "n_missing": planned - n_datasets}
        shared = counts | {"friedman": statistic, "friedman_p": p}
        shared["critical_difference"] = significance.critical_difference(n_methods, n_datasets)
        for method, rank in average.reindex([*average.index, *compared.index.difference(average.index)]).items():
            own = {"method": method, "average_rank": rank, "n_compared": compared[method]}
            rows.append({"condition": condition, "metric": metric} | own | shared)
    return pd.DataFrame(rows)
