"""Support vector ordinal regression (Chu and Keerthi; Diez et al. eq. 4): parallel thresholds between neighbouring
ranks.

    min 1/2 ||f||^2 + C sum of hinge losses of the threshold rows

``implicit`` compares every example with every threshold, so the optimal thresholds are in order; ``explicit`` compares
each threshold with its neighbouring ranks only and requires the order (the fixed margin of
:mod:`rankmargin.estimators.fixed_margin` with ordered thresholds).
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankmargin.annotations import Array, ArrayLike, MatrixLike, PairLossName
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.ordinal_base import OrdinalClassifier, OrdinalParameters, threshold_problem
from rankmargin.metrics.scorers import RankScorer
from rankmargin.problem.checks import Certified
from rankmargin.problem.rows import thresholds
from rankmargin.problem.rows.ranks import ranks_of

MOST_ROWS = 20_000_000  # a row has one example and one threshold; this number of rows takes 0.6 GB


@described
@dataclass(eq=False, repr=False, kw_only=True)
class SVOR(OrdinalParameters, OrdinalClassifier, Certified):
    r"""Support vector ordinal regression: one function and ordered thresholds.

    Grade r lies between two thresholds. With implicit constraints it solves, over f with s = f(X) and theta,

    .. math::

        \min_{f, \theta}\ \frac{1}{2} {\|f\|}^2 + C \sum_i \sum_j \max(0,\, 1 - \sigma_{ij} (s_i - \theta_j))

    where sigma_ij is 1 if the grade of row i is above threshold j, otherwise -1.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss of each row at each threshold.
    constraints : {"implicit", "explicit"}, default "implicit"
        ``implicit``: each row is compared with all thresholds, and the optimal thresholds are in order. ``explicit``:
        each row is compared with the thresholds of its own grade, and theta_1 <= theta_2 <= ... is a constraint.
    n_bins : int >= 2 or None, default None
        First cut y into bins of equal frequency; ``predict`` then returns the bin 1, 2, ..., and ``class_weight`` is by
        bin. Sample weights count as repeated rows; if not all of them are whole numbers, they are divided by their mean
        first.
    bin_ties : {"share", "split"}, default "share"
        Whether equal values of y share a bin, or bins have equal counts (equal weights, up to that of a row).
    loss, kernel, gamma, degree, coef0, landmarks, tol, max_iter, verbose, max_seconds, random_state
    categories, class_weight, probability, prediction

    Attributes
    ----------
    thresholds_ : (r - 1,) array
        Scores at which the grade changes.
    bin_edges_ : (r - 1,) array
        The largest y of each bin but the last; only with ``n_bins``.
    grades_, classes_, dual_coef_, coef_, x_mean_, landmarks_, landmark_coef_, slope_, cumulative_
    objective_, dual_bound_, gap_, n_iter_, model_

    See Also
    --------
    rankmargin.CumulativeLink : Probabilities of the grades.
    rankmargin.FixedMarginSVM : Explicit constraints without the order of the thresholds.

    References
    ----------
    Chu, Keerthi, "Support vector ordinal regression", Neural Computation 19 (2007). With bins as a ranker: Díez, del
    Coz, Bahamonde, "A support vector method for ranking minimizing the number of swapped pairs" (manuscript, posted in
    2014), eq. 4.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import SVOR
    >>> X = np.arange(12.0).reshape(-1, 1)
    >>> y = np.repeat([1, 2, 3], 4)
    >>> grader = SVOR(C=10, kernel="linear").fit(X, y)
    >>> grader.predict([[0.0], [5.0], [11.0]])
    array([1, 2, 3])
    >>> grader.thresholds_.round(2)
    array([ 7., 15.])
    """

    loss: PairLossName = "hinge"
    constraints: Literal["implicit", "explicit"] = "implicit"
    n_bins: int | None = None
    bin_ties: Literal["share", "split"] = "share"

    def _problem(self, data):
        rank, ranks = ranks_of(data.y)  # y holds the bins, if there are any
        if self.n_bins is not None and len(ranks) > self.n_bins:
            raise ValueError(f"y must hold at most n_bins={self.n_bins} bins, got {len(ranks)} values: use fit")
        if self.constraints == "implicit":
            if len(rank) * (len(ranks) - 1) > MOST_ROWS:
                raise ValueError(
                    f'constraints="implicit" compares every row with every threshold, got {len(rank):,} with '
                    f'{len(ranks) - 1:,}, and takes at most {MOST_ROWS:,} such rows: use constraints="explicit", or '
                    "n_bins"
                )
            rows = thresholds.implicit(rank, len(ranks))
        else:
            rows = thresholds.explicit(rank, len(ranks), ordered=True)
        return threshold_problem(self, data, rows, ranks, self.loss)

    def score(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the share of grades that are predicted correctly; with ``n_bins``, when y holds numbers instead of
        grades, return 1 - the fraction of swapped pairs."""
        if self.n_bins is not None:
            return RankScorer("concordance")(self, X, y, None, sample_weight)
        return super().score(X, y, sample_weight)

    def _graded(self, y: Array, names: Array | None, sample_weight: Array | None) -> tuple[Array, Array | None]:
        if self.n_bins is None:
            return super()._graded(y, names, sample_weight)
        rows = np.arange(len(y)) if sample_weight is None else np.flatnonzero(sample_weight)
        weight = None if sample_weight is None else sample_weight[rows]
        rank, ranks = ranks_of(y[rows], self.n_bins, self.bin_ties, weight)
        self.bin_edges_ = np.array([y[rows][rank == j].max() for j in range(len(ranks) - 1)])
        bins = self._bins(y)
        bins[rows] = ranks[rank]
        return bins, None

    def _bins(self, y: Array) -> Array:
        """Return the bin 1, 2, ... of each y, shape (n,)."""
        return np.searchsorted(self.bin_edges_, y, side="left") + 1
