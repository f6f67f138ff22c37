"""How far an answer of the contest stands: many questions, dependent tables, and how many tables would settle it.

The tables are the observations: a difference of the errors of each, mean over its hold-outs.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from rankbench.intervals import runs_to_settle
from rankbench.statistics.paired import DECIMALS
from rankmargin.significance import t_test

from .contest_tables import chosen

CLEAR = 0.95  # a probability of a side, or of equivalence, from which it is called clear
DRAWS = 10_000  # of tables or packages, for an interval


def bootstrap_interval(sums, counts=None):
    """Return the 95 percent bootstrap interval of the mean of numbers that are drawn one by one, or in clusters.

    Parameters
    ----------
    sums : ndarray (m,)
        The numbers, or the sum of each cluster.
    counts : ndarray (m,), optional
        How many numbers are in each cluster.
    """
    counts = np.ones(len(sums)) if counts is None else counts
    draws = np.random.default_rng(0).integers(len(sums), size=(DRAWS, len(sums)))
    return np.quantile(sums[draws].sum(axis=1) / counts[draws].sum(axis=1), (0.025, 0.975))


def p_of(differences):
    """Return the two-sided p of the t test over the tables, differences (m,); NaN of one table."""
    return t_test(np.round(differences, DECIMALS))[2]


def to_settle(differences):
    """Return how many tables would have a 95 percent t interval without 0, if mean and spread stayed; inf if none."""
    rounded = np.round(np.asarray(differences, dtype=float), DECIMALS)
    return runs_to_settle(rounded.mean(), rounded.std(ddof=1))


def settled(tables):
    """Return the sentence about the tables that would settle an open question."""
    many = f"About {tables:,}" if np.isfinite(tables) else "No number of"
    return f"{many} tables would settle it, if mean and spread stay."


def clearness(shares):
    """Return which of the probabilities better, alike and worse is at least 0.95; ``none`` if no one is."""
    named = dict(zip(("better", "alike", "worse"), shares, strict=True))
    return next((name for name, share in named.items() if share >= CLEAR), "none")


def packages():
    """Return the name of each chosen table in the sheet -> the R package that it comes from."""
    return {f"r_{row['name']}": item.split("/")[0] for item, row in chosen().items()}


@dataclass(frozen=True)
class Clustered:
    """A mean over tables whose packages are the independent draws.

    Attributes
    ----------
    n : int
        Packages.
    low, high : float
        95 percent bootstrap interval: whole packages are drawn.
    p : float
        Two-sided, of the t test with the standard error of clusters (CR1) and n - 1 degrees of freedom.
    """

    n: int
    low: float
    high: float
    p: float


def by_package(differences, package_of):
    """Return the mean of differences (a Series by table) as a `Clustered`.

    Parameters
    ----------
    differences : Series
    package_of : mapping
        Table -> its package.
    """
    groups = differences.groupby([package_of[name] for name in differences.index])
    sums, counts, n = groups.sum().to_numpy(), groups.size().to_numpy(), groups.ngroups
    low, high = bootstrap_interval(sums, counts)
    mean = np.round(differences.mean(), DECIMALS)
    error = np.sqrt(n / (n - 1) * np.sum((sums - counts * mean) ** 2)) / len(differences)
    t = np.divide(abs(mean), error, out=np.array(np.inf if mean else 0.0), where=error > 10.0**-DECIMALS)
    return Clustered(n, low, high, 2 * stats.t.sf(t, n - 1))
