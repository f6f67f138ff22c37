"""The reference method against each opponent over all data sets, counted and tested."""

import numpy as np
import pandas as pd
from scipy import stats

from rankbench.configuration.labels import sign_of

from .common import on_common_datasets
from .per_dataset import per_dataset
from .significance import DECIMALS
from .summary import summary

IDENTITY = ["condition", "metric", "method", "opponent"]
PRINTED_DECIMALS = 4  # of the metric: two decimals of a percentage


def overall(records, experiment):
    """Count and test the reference against each opponent over the data sets.

    A metric that is better higher is taken with a minus sign, so that lower is better throughout. An opponent that
    cannot be ranked beside the reference (see `rankbench.statistics.common`) is compared on no data set.

    Returns
    -------
    DataFrame
        One row per condition, metric and `opponent` of the reference `method`: the columns of `compare_means`, then
        `n_incomplete`, data sets where a pair of runs is missing, then the marks of the paired t-tests on the data sets
        that are compared.
        `significant_wins` and `significant_losses` (p < 0.05) split by sign what ``n_sig_0.05`` (p in [0.01, 0.05))
        and ``n_sig_0.01`` split by mark; `holm_wins` and `bh_wins` are those whose adjusted p is below
        0.05; `corrected_wins` and `corrected_losses` are those of the corrected test, which is defined on
        `n_correctable` of the data sets.

    Raises
    ------
    ValueError
        As `per_dataset`.
    """
    means, tests = summary(records, experiment), per_dataset(records, experiment)
    reference = experiment.reference_method
    rows = []
    for (condition, metric, opponent), test in tests.groupby(["condition", "metric", "method"], sort=False):
        here = means[(means["condition"] == condition) & (means["metric"] == metric)]
        two = here[here["method"].isin([reference, opponent])]
        wide = on_common_datasets(two).pivot(index="dataset", columns="method", values="mean") * sign_of(metric)
        wide = wide.reindex(here["dataset"].unique(), columns=[reference, opponent])
        compared = wide.dropna().index
        rows.append(
            {"condition": condition, "metric": metric, "method": reference, "opponent": opponent}
            | compare_means(wide[reference], wide[opponent])
            | {"n_incomplete": int((test["n_missing"] > 0).sum())}
            | count_marks(test[test["dataset"].isin(compared)])
        )
    nothing = pd.Series(dtype=float)
    columns = [*IDENTITY, *compare_means(nothing, nothing), "n_incomplete", *count_marks(tests.iloc[:0])]
    return pd.DataFrame(rows, columns=columns)


def compare_means(reference, opponent):
    """Compare the means of two methods over data sets (errors: the lower one wins).

    Wins, ties and losses are those of the means as printed, rounded to two decimals of a percentage. The test is
    a paired t-test on the means, one-sided, with the alternative that the reference has the lower error.

    Parameters
    ----------
    reference, opponent : Series
        Mean of each method, indexed by data set, in the unit of the metric; NaN where a method has no run.

    Returns
    -------
    dict
        ``n_datasets`` compared, ``n_missing`` data sets where a side has no mean, ``wins ties losses``,
        ``mean_difference`` (opponent minus reference), ``t p_one_sided`` (NaN below two data sets and where all
        differences are alike).
    """
    both = pd.DataFrame({"reference": reference, "opponent": opponent})
    compared = both.dropna()
    printed = compared.round(PRINTED_DECIMALS)
    sign = np.sign(printed["opponent"] - printed["reference"])
    difference = (compared["opponent"] - compared["reference"]).round(DECIMALS)
    t, p = np.nan, np.nan
    if difference.nunique() > 1:
        t, p = stats.ttest_1samp(difference, 0, alternative="greater")
    return {
        "n_datasets": len(compared),
        "n_missing": len(both) - len(compared),
        "wins": int((sign > 0).sum()),
        "ties": int((sign == 0).sum()),
        "losses": int((sign < 0).sum()),
        "mean_difference": difference.mean(),
        "t": t,
        "p_one_sided": p,
    }


def count_marks(tests):
    """Count the significant data sets of one opponent by sign and by mark."""
    better = tests["mean_difference"] > 0
    significant, corrected = tests["t_p"] < 0.05, tests["corrected_p"] < 0.05
    return {
        "significant_wins": int((significant & better).sum()),
        "significant_losses": int((significant & ~better).sum()),
        "n_sig_0.05": int((tests["t_mark"] == "0.05").sum()),
        "n_sig_0.01": int((tests["t_mark"] == "0.01").sum()),
        "holm_wins": int(((tests["holm_p"] < 0.05) & better).sum()),
        "bh_wins": int(((tests["bh_p"] < 0.05) & better).sum()),
        "n_correctable": int(tests["corrected_p"].notna().sum()),
        "corrected_wins": int((corrected & better).sum()),
        "corrected_losses": int((corrected & ~better).sum()),
    }
