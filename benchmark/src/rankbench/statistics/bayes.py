"""Probabilities, over the data sets, that a method is better than the reference, alike, or worse."""

from functools import cache

import numpy as np
import pandas as pd

from .ranks import blocks
from .runs import rivals

COLUMNS = ["condition", "metric", "method", "reference", "n_datasets", "n_missing", "rope", "better", "alike", "worse"]
# Differences that do not matter: of errors in grades and of fractions (half a percent of the pairs) as the protocol of
# the contest says, of correlations, whose range is twice as wide, twice as much, and of log losses.
ROPE = dict.fromkeys(["mean_absolute_error", "balanced_absolute_error", "ranked_probability_score"], 0.05)
ROPE |= dict.fromkeys(["kendall_tau", "spearman", "quadratic_kappa", "comparison_log_loss"], 0.01)
ROPE_OF_FRACTIONS = 0.005
SAMPLES = 20_000


def bayes(records, experiment):
    """Compare each method's means with those of the reference by the Bayesian signed-rank test.

    Differences inside the region of practical equivalence, ``rope``, do not matter to a user.

    Returns
    -------
    DataFrame
        `COLUMNS`, one row per condition, metric and method but the reference: the probabilities, which sum to 1, that
        the method is ``better`` than the reference by more than the rope, ``alike``, or ``worse``, over the data sets
        on which the methods are ranked (see `rankbench.statistics.ranks`); `n_missing` counts the others. NaN below two
        data sets and for a method that is not ranked.

    References
    ----------
    A. Benavoli, G. Corani, J. Demsar, M. Zaffalon (2017), Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis, JMLR 18, section 4.3.
    """
    reference, rows, methods = experiment.reference_method, [], list(rivals(experiment).methods)
    for identity, means, planned, _ in blocks(records, experiment):
        rope, means = rope_of(identity["metric"]), means.reindex(columns=methods)
        for method in methods:
            if method != reference:
                both = means[[method, reference]].dropna()
                counts = len(both), planned - len(both)
                shares = probabilities(both[method].to_numpy(), both[reference].to_numpy(), rope)
                rows.append((*identity.values(), method, reference, *counts, rope, *shares))
    return pd.DataFrame(rows, columns=COLUMNS)


def rope_of(metric):
    """Return the largest difference of a metric that does not matter to a user."""
    return ROPE.get(metric, ROPE_OF_FRACTIONS)


def probabilities(errors, others, rope):
    """Return the probabilities that the first errors are lower, alike and higher; NaN below two data sets."""
    if len(errors) < 2:
        return (np.nan,) * 3
    return _probabilities(tuple(errors), tuple(others), rope)


@cache  # it takes half a second, and the pages show the same comparison in several places
def _probabilities(errors, others, rope):
    import baycomp  # takes half a second, which only this statistic needs

    # baycomp takes scores, higher is better, and says of its first argument: better, alike, worse.
    scores = -np.array(errors), -np.array(others)
    return baycomp.SignedRankTest.probs(*scores, rope, nsamples=SAMPLES, random_state=0)
