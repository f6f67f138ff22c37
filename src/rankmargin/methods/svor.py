"""Support vector ordinal regression (Chu and Keerthi; Diez et al. eq. 4): parallel thresholds between neighbouring
ranks.

    min 1/2 ||f||^2 + C sum of hinge losses of the threshold rows

``implicit`` compares every example with every threshold, so the optimal thresholds are in order; ``explicit`` compares
each threshold with its neighbouring ranks only and requires the order (the fixed margin of
:mod:`rankmargin.methods.fixed_margin` with ordered thresholds).
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from rankmargin.annotations import PairLossName
from rankmargin.losses import loss_named
from rankmargin.model import KernelModel
from rankmargin.parameters import Certified, kernel_of
from rankmargin.path import Posed, path_of
from rankmargin.rows import thresholds
from rankmargin.rows.pairs import NoPairError
from rankmargin.rows.places import repetitions

MOST_ROWS = 20_000_000  # a row has one example and one threshold; this number of rows takes 0.6 GB


@dataclass(eq=False, repr=False, kw_only=True)
class Parameters(Certified):
    """``constraints``: each example is compared with every threshold, or with those of its rank alone.

    ``n_bins``: first cut y into this many bins of equal frequency ("SVOR_5" of Diez et al.), see :func:`ranks_of`; with
    None each distinct y is a rank. ``bin_ties``: ``share`` puts equal y into one bin, so bins may differ in size;
    ``split`` gives all bins the same number of examples (except for a remainder), and equal y go to them in the order
    of the rows.
    """

    loss: PairLossName = "hinge"
    constraints: Literal["implicit", "explicit"] = "implicit"
    n_bins: int | None = None
    bin_ties: Literal["share", "split"] = "share"


def problem(own, X, y, *, seed=0, groups=None, sample_weight=None):
    """Pose the problem.

    Parameters
    ----------
    own : Parameters
    X : (n, d) array or CSR matrix, or (n, n) kernel matrix
    y : (n,) array
    seed : unused here; the solver of linear functions starts on a sample of rows
    groups : must be None, the thresholds are the same for all rows
    sample_weight : (n,) array > 0 or None, a weight of 2 is a row given twice

    Returns
    -------
    Posed, whose models have ``labels``
    """
    refuse_groups(groups)
    rank, ranks = ranks_of(y, own.n_bins, own.bin_ties, sample_weight)
    if own.constraints == "implicit":
        if len(rank) * (len(ranks) - 1) > MOST_ROWS:
            raise ValueError(
                f'constraints="implicit" compares every example with every threshold, here {len(rank):,} with '
                f'{len(ranks) - 1:,}, and takes at most {MOST_ROWS:,} such rows: use constraints="explicit", or n_bins'
            )
        rows = thresholds.implicit(rank, len(ranks))
    else:
        rows = thresholds.explicit(rank, len(ranks), ordered=True)
    return with_ranks(own, X, rows, ranks, sample_weight, own.loss)


def with_ranks(own, X, rows, ranks, sample_weight, loss="hinge"):
    """Return the problem of threshold rows, whose models predict ranks."""
    kernel, model = kernel_of(own, X, sample_weight), partial(KernelModel, ranks=ranks)
    rows = replace(rows.weighted(sample_weight), loss=loss_named(loss))
    return Posed(X, rows, kernel, model=model)


fit_path = path_of(Parameters, problem)


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
