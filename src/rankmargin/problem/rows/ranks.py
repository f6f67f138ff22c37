"""Grades as 0-based ranks, or targets cut into bins that are grades."""

import numpy as np

from rankmargin.problem.rows.pairs import NoPairError
from rankmargin.problem.rows.places import repetitions


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
    position = (max(ends[-1], 1.0) - 1.0) * shares
    below, part = np.divmod(position, 1.0)
    rows = np.searchsorted(ends, np.stack([below, below + 1.0]), side="right")
    low, high = y[np.minimum(rows, len(y) - 1)]
    return np.where(part < 0.5, low + (high - low) * part, high - (high - low) * (1.0 - part))
