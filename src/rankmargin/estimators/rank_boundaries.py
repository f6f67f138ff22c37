"""Large margin rank boundaries (Herbrich, Graepel and Obermayer, section 2.4): a pairwise SVM that returns ranks.

    min 1/2 ||f||^2 + C sum_{y_i > y_j} max(0, 1 - (f(x_i) - f(x_j)))   over pairs of unequal rank    (2.22)-(2.25)

The dual (2.23) is printed with the equality constraint (alpha . t) = 0, which belongs to the bias of a classifier of
pairs.  Two readings:

* *With the constraint*, the pairs (x_i, x_j) with their labels t = +-1 have some orientation.  If all are oriented in
  the same way, every t is +1 and only alpha = 0 is feasible.  If each pair occurs in both orientations, the constraint
  holds by symmetry and changes only the scale of C.
* *Without the constraint*, as here: f(x_i) - f(x_j) has no bias, and the orientation of a pair does not matter.  The
  primal function (2.21) has no bias either.

The boundary between ranks r_k and r_{k+1} is the middle of the closest pair of those two ranks with 0 < alpha < C
(2.26)-(2.28).  (The argmin of (2.28) is over f(x_1) - f(x_2) with y_1 = r_k below y_2: taken literally it would be the
*farthest* pair, but the sentence after it says the closest.)  A pair with 0 < alpha < C lies exactly on the margin, so
at the optimum all of these pairs are equally close, at distance 1, and rounding decides which one is the closest and,
for dual variables that are not unique, which pairs these are.  The scores are unique: here the boundary is the mean of
the middles of all pairs near the margin, each with the weight 1 - |d - 1| / NEAR for its distance d, whatever the
solver.  (A pair that counted in full or not at all would move the boundary by rounding.)  The paper has no rule for a
boundary without such a pair.  Here it is the cut along the score axis with the fewest training rows on the wrong
side, rank <= r_k against rank > r_k.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np

from rankmargin.annotations import ArrayLike, MatrixLike, PairWeight
from rankmargin.certificates.models import KernelModel
from rankmargin.estimators.base import refuse_unknown
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.ordinal_base import NO_GROUPS, OrdinalClassifier, OrdinalParameters
from rankmargin.estimators.swapped_pairs import AllPairs, all_pairs_problem
from rankmargin.oracles import all_pairs
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.problem.losses import HINGE, loss_named
from rankmargin.problem.rows.ranks import ranks_of
from rankmargin.solvers.cut_points import best_cut_points

FEW_EXAMPLES = 300
NEAR = 0.005  # pairs at a distance of 1 up to this are near the margin
EQUAL = 1e-9  # scores that differ by this share of their spread are equal
LEAST = 1e-6  # weight of all pairs near the margin, in weights of a pair, below which there is none


@described
@dataclass(eq=False, repr=False, kw_only=True)
class RankBoundarySVM(OrdinalParameters, OrdinalClassifier, AllPairs):
    r"""Pairwise SVM on all pairs of different grades that predicts grades.

    It solves, over functions f with s = f(X),

    .. math::

        \min_f\ \frac{1}{2} {\|f\|}^2 + C\, w \sum_{y_i > y_j} \max(0,\, 1 - (s_i - s_j))

    where w is the number of rows divided by the number of pairs; with ``C_scale="pairs"`` w is 1, as in the paper.
    Each boundary is the mean of the middles of the pairs of neighbouring grades that lie on their margin; without such
    a pair it is the cut with the fewest errors.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss, in units of ``C_scale``: try powers of ten from 0.01 to 1,000.
    C_scale, kernel, gamma, degree, coef0, landmarks, loss, solver
    tol : float > 0, default 1e-5
        Relative duality gap at which the solver stops. It is small because a boundary depends on the pairs that lie
        on their margin.
    max_iter : int >= 1, default 100_000
        Largest number of Newton steps (at most 200 for ``interior_point``), sweeps (``dual_cd``) or planes
        (``cutting_plane``). A fit that stops there warns with a ``ConvergenceWarning``.
    verbose, max_seconds, random_state, categories, class_weight, probability, prediction

    Attributes
    ----------
    thresholds_ : (r - 1,) array
        The rank boundaries of eq. 2.27: scores at which the grade changes.
    grades_, classes_, dual_coef_, coef_, x_mean_, landmarks_, landmark_coef_, slope_, cumulative_
    objective_, dual_bound_, gap_
    n_iter_ : int
        Newton steps, sweeps or planes.
    model_

    See Also
    --------
    rankmargin.ThresholdedRanker : Cuts the scores of any ranker where the training error is smallest.

    References
    ----------
    Herbrich, Graepel, Obermayer, "Large margin rank boundaries for ordinal regression" (2000), section 2.4,
    eq. 2.26 to 2.28.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import RankBoundarySVM
    >>> X = np.arange(12.0).reshape(-1, 1)
    >>> y = np.repeat([1, 2, 3], 4)
    >>> grader = RankBoundarySVM(C=10, kernel="linear").fit(X, y)
    >>> grader.predict([[0.0], [5.0], [11.0]])
    array([1, 2, 3])
    >>> grader.thresholds_.round(2)  # f(x) = x: neighbouring grades are one unit apart
    array([3.5, 7.5])
    """

    tol: float = 1e-5

    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        pair_weight: PairWeight | None = None,
        **unknown: Any,
    ) -> Self:
        """Fit on rows X and grades y; see :meth:`rankmargin.SVOR.fit`, and :meth:`rankmargin.SwappedPairsSVM.fit` for
        ``pair_weight``. If grades are names, its callable gets their places 0, 1, ..."""
        return self._fit(X, y, sample_weight=sample_weight, pair_weight=pair_weight, **unknown)

    def _data(self, X, y, sample_weight=None, pair_weight=None, **unknown):
        refuse_unknown(self, unknown, f"sample_weight= and pair_weight=, {NO_GROUPS}")
        return self._graded_data(X, y, sample_weight, pair_weight)

    def _problem(self, data):
        """Return the problem; for the hinge, kernels and few rows ``auto`` is ``interior_point``, which is as fast with
        a C of 1,000,000 and takes O(n^3)."""
        rank, ranks = ranks_of(data.y)
        few = len(rank) <= FEW_EXAMPLES and loss_named(self.loss) == HINGE and self._keeps_rows()
        solver = "interior_point" if few and self.solver == "auto" else self.solver
        return all_pairs_problem(self, data, solver=solver, model=partial(_with_boundaries, rank, ranks, data.weight))


def _with_boundaries(rank, ranks, weight, *solved):
    """Return the model of a solved problem, with its boundaries as thresholds."""
    model = KernelModel(*solved, ranks=ranks)
    rows, space = model.problem.rows, model.problem.space
    listed = not isinstance(rows, PairLoss)
    s = space.scores(model.solution.beta) if model.w is None else model.scores(model.X)
    theta = boundaries_of_listed(rank, rows, s, weight) if listed else boundaries_on_the_margin(rank, s, weight)
    return replace(model, solution=replace(model.solution, theta=theta))


def boundaries_of_listed(rank, rows, s, weight):
    """Return the boundaries (k - 1,) of listed pairs: the mean of the middles of those on their margin, each with the
    weight of its pair.

    Parameters
    ----------
    rank : (n,) int array, 0-based ranks
    rows : Rows of all pairs
    s : (n,) scores of the training rows
    weight : (n,) array > 0 or None
    """
    upper, lower = s[rows.plus], s[rows.minus]
    nearness = rows.cost * np.maximum(1.0 - np.abs(upper - lower - 1.0) / NEAR, 0.0)
    nearness[rank[rows.plus] != rank[rows.minus] + 1] = 0.0
    total = np.bincount(rank[rows.minus], nearness, rank.max() + 1)
    sums = np.bincount(rank[rows.minus], nearness * 0.5 * (upper + lower), rank.max() + 1)
    return _means_or_cuts(rank, s, weight, sums[:-1], total[:-1], rows.cost.max())


def boundaries_on_the_margin(rank, s, weight):
    """Return the same boundaries (k - 1,) if no pair is listed, in O(n log n)."""
    sums, total = np.zeros(rank.max()), np.zeros(rank.max())
    for k in range(len(total)):
        rows = np.flatnonzero((rank == k) | (rank == k + 1))
        pairs = all_pairs.AllPairs(rank[rows])
        in_order = pairs.sort(s[rows])
        w, upper = weight[rows][in_order.order], in_order.s
        cuts = np.stack([pairs.cuts(in_order, 1.0 + step) for step in (NEAR, 0.0, -NEAR)])
        below = pairs.sums(in_order, cuts, w[:, None] * np.vander(upper, 3, increasing=True))[0]
        for zone, slope in ((below[0] - below[1], -1.0 / NEAR), (below[1] - below[2], 1.0 / NEAR)):
            ones, lower, squares = zone.T  # sums over the lower rows of pairs whose weight is rest - slope lower
            rest = 1.0 + slope * (upper - 1.0)
            total[k] += w @ (rest * ones - slope * lower)
            sums[k] += 0.5 * w @ (rest * (upper * ones + lower) - slope * (upper * lower + squares))
    return _means_or_cuts(rank, s, weight, sums, total, weight.max() ** 2)


def _means_or_cuts(rank, s, weight, sums, total, largest):
    """Return the boundaries (k - 1,): means of middles, or the cut with the fewest errors where no pair is near."""
    near = total > LEAST * largest
    means = np.divide(sums, total, out=np.zeros(len(total)), where=near)
    return np.array([means[k] if near[k] else _fewest_errors(rank, s, k, weight) for k in range(len(total))])


def _fewest_errors(rank, s, k, sample_weight):
    """Return the cut between the ranks up to k and those above with the fewest examples on the wrong side.

    Rows on a margin have equal scores up to rounding, and no cut passes between them.
    """
    unit = EQUAL * (float(np.ptp(s)) or 1.0)
    return best_cut_points(unit * np.round(s / unit), (rank > k).astype(np.int64), 2, "zero_one", sample_weight)[0]
