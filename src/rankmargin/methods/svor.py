"""Support vector ordinal regression (Chu and Keerthi; Diez et al. eq. 4): parallel thresholds between neighbouring
ranks.

    min 1/2 ||f||^2 + C sum of hinge losses of the threshold rows

``implicit`` compares every example with every threshold, so the optimal thresholds are in order; ``explicit`` compares
each threshold with its neighbouring ranks only and requires the order (the fixed margin of
:mod:`rankmargin.methods.fixed_margin` with ordered thresholds).
"""

import numpy as np

from rankmargin.path import over_kernels, solve_path
from rankmargin.rows import thresholds
from rankmargin.rows.pairs import NoPairError
from rankmargin.rows.places import repetitions

PATH = "C"
MOST_ROWS = 20_000_000  # a row has one example and one threshold; this number of rows takes 0.6 GB
ORDINAL = True
CONSTRAINTS = ("implicit", "explicit")
BIN_TIES = ("share", "split")


@over_kernels
def fit_path(
    X,
    y,
    values,
    *,
    constraints="implicit",
    n_bins=None,
    bin_ties="share",
    kernel,
    tol=1e-3,
    max_iter=10_000_000,
    seed=0,
    groups=None,
    sample_weight=None,
):
    """Fit one model for each C.

    Parameters
    ----------
    constraints : {"implicit", "explicit"}
    n_bins : int >= 2 or None
        First cut y into this many bins of equal frequency ("SVOR_5" of Diez et al.), see :func:`ranks_of`. With None
        each distinct y is a rank.
    bin_ties : {"share", "split"}
        What happens to equal y: ``share`` puts them into one bin, so bins may differ in size; ``split`` gives all bins
        the same number of examples (except for a remainder), and equal y go to them in the order of the rows.
    seed : int, seed of the samples of rows on which the solver of linear functions starts
    groups : must be None, the thresholds are the same for all rows
    sample_weight : (n,) array > 0 or None, a weight of 2 is a row given twice

    The other parameters and the result are those of :func:`rankmargin.methods.swapped_pairs.fit_path`; the models have
    ``labels``.
    """
    if constraints not in CONSTRAINTS:
        raise ValueError(f"constraints must be one of {', '.join(CONSTRAINTS)}, got {constraints!r}")
    refuse_groups(groups)
    rank, ranks = ranks_of(y, n_bins, bin_ties, sample_weight)
    if constraints == "implicit":
        if len(rank) * (len(ranks) - 1) > MOST_ROWS:
            raise ValueError(
                f'constraints="implicit" compares every example with every threshold, here {len(rank):,} with '
                f'{len(ranks) - 1:,}, and takes at most {MOST_ROWS:,} such rows: use constraints="explicit", or n_bins'
            )
        rows = thresholds.implicit(rank, len(ranks))
    else:
        rows = thresholds.explicit(rank, len(ranks), ordered=True)
    rows = rows.weighted(sample_weight)
    return solve_path(X, rows, values, kernel, tol, max_iter, seed, ranks=ranks)


def refuse_groups(groups):
    """Raise a ValueError if there are groups."""
    if groups is not None:
        raise ValueError("groups must be None: the thresholds of ordinal regression are the same for all examples")


def ranks_of(y, n_bins=None, bin_ties="share", sample_weight=None):
    """Return the 0-based rank of each y and the label of each rank.

    With ``n_bins``, the edges are the training quantiles k / n_bins, and equal values share a bin; or the bins have
    equal counts. Bins that are empty because of ties are dropped, and the labels are 1, 2, ... Without ``n_bins``, the
    labels are the distinct values of y. In the quantiles a weight of 2 is a row given twice; a row is never divided, so
    with ``split`` it belongs to the bin where its weight begins.

    Raises
    ------
    ValueError
        If fewer than two ranks remain.
    """
    if n_bins is None:
        ranks, rank = np.unique(y, return_inverse=True)
    else:
        if not isinstance(n_bins, (int, np.integer)) or n_bins < 2:
            raise ValueError(f"n_bins must be an integer >= 2 or None, got {n_bins!r}")
        if bin_ties not in BIN_TIES:
            raise ValueError(f"bin_ties must be one of {', '.join(BIN_TIES)}, got {bin_ties!r}")
        y = np.asarray(y, dtype=np.float64)  # differences of int8 overflow, and bool has no differences
        order = np.argsort(y, kind="stable")
        weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        ends = np.round(np.cumsum(repetitions(weight)[order]), 6)  # a sum that should be whole is whole
        if bin_ties == "split":
            bins = np.empty(len(y), dtype=np.int64)
            bins[order] = np.append(0.0, ends[:-1]) * n_bins // ends[-1]
        else:
            bins = np.searchsorted(_quantiles(y[order], ends, np.arange(1, n_bins) / n_bins), y, side="left")
        used, rank = np.unique(bins, return_inverse=True)
        ranks = np.arange(1, len(used) + 1)
    if len(ranks) < 2:
        raise NoPairError(f"y must hold at least two ranks, got {len(ranks)} (one distinct value or 1 class)")
    return rank.astype(np.int64), ranks


def _quantiles(y, ends, shares):
    """Return ``np.quantile`` of ascending y (n,), each of which stands at the places up to its end (n,)."""
    at = (max(ends[-1], 1.0) - 1.0) * shares
    below, part = np.divmod(at, 1.0)
    rows = np.searchsorted(ends, np.stack([below, below + 1.0]), side="right")
    low, high = y[np.minimum(rows, len(y) - 1)]
    return np.where(part < 0.5, low + (high - low) * part, high - (high - low) * (1.0 - part))
