"""Sum of margins (Shashua and Levin, section 3): every gap between neighbouring ranks has its own margin.

    max sum_j (b_j - a_j) - C sum_j (sum_{rank j} max(0, s_i - a_j) + sum_{rank j+1} max(0, b_j - s_i))
    over ||f|| <= 1 and a_1 <= b_1 <= a_2 <= ... <= b_{k-1}                                                  (13)-(17)

Each rank lies between two hyperplanes; the thresholds lie on support vectors.  A new row gets the rank whose two
hyperplanes are nearest: the boundary is the middle of a_j and b_j.  With two ranks this is nu-SVM with nu = 2 / (C n).

The range of C is in the end of section 3: with N = 2 n - n_1 - n_k rows, C in [2 (k - 1) / N, 2 (k - 1)].  The problem
has an optimum only if also C >= 1 / n_1 and C >= 1 / n_k, which the paper does not say: below, the first or the last
threshold goes to infinity, as in nu-SVM with nu > 2 min(n_1, n_2) / n.
"""

from dataclasses import dataclass, replace

import numpy as np

from rankmargin.methods.svor import ranks_of, refuse_groups, with_ranks
from rankmargin.parameters import Certified
from rankmargin.path import path_of
from rankmargin.rows.thresholds import sandwiched
from rankmargin.solvers.sum_of_margins import sum_of_margins


@dataclass(eq=False, repr=False, kw_only=True)
class Parameters(Certified):
    """``C`` lies in :func:`range_of_C`; None means :func:`default_C`."""

    C: float | None = None


def problem(own, X, y, *, seed=0, groups=None, sample_weight=None):
    """Pose the problem; see :func:`rankmargin.methods.svor.problem`. Nothing is random.

    Returns
    -------
    Posed, whose models have ``labels``; f has norm 1 and ``solution.theta`` is a_1, b_1, a_2, ...

    Raises
    ------
    ValueError
        If no C is possible; :func:`rankmargin.path.solve` raises it for a C outside the range, and a NoMarginError for
        one that leaves no positive sum of margins.
    """
    refuse_groups(groups)
    rank, ranks = ranks_of(y)
    low, high = range_of_C(rank, sample_weight)
    if low > high:
        raise ValueError(
            f"sample_weight must leave a C in [{low:g}, {high:g}], got none: the end ranks weigh too little"
        )

    def choose(C, control):
        if not low * (1 - 1e-12) <= C <= high * (1 + 1e-12):
            raise ValueError(
                f"C must be in [2 (k - 1) / N, 2 (k - 1)] and at least 1 / n_1 and 1 / n_k, here in "
                f"[{low:g}, {high:g}], got {C!r}"
            )
        return sum_of_margins

    posed = with_ranks(own, X, sandwiched(rank, len(ranks)), ranks, sample_weight)
    return replace(posed, choose=choose, default=default_C(rank, sample_weight))


fit_path = path_of(Parameters, problem)


def range_of_C(rank, sample_weight=None):
    """Return the smallest and the largest C that are accepted for these 0-based ranks; sizes are sums of weights."""
    sizes = np.bincount(rank, sample_weight)
    gaps = len(sizes) - 1
    n_rows = 2 * sizes.sum() - sizes[0] - sizes[-1]
    return max(2.0 * gaps / n_rows, 1.0 / sizes[0], 1.0 / sizes[-1]), 2.0 * gaps


def default_C(rank, sample_weight=None):
    """Return the C with which at most half of the rows are margin errors (nu = 1/2 of nu-SVM), or the smallest C if
    that is larger."""
    low, high = range_of_C(rank, sample_weight)
    sizes = np.bincount(rank, sample_weight)
    return max(low, 2.0 * high / (2 * sizes.sum() - sizes[0] - sizes[-1]))
