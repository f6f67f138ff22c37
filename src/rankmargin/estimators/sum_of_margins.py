"""Sum of margins (Shashua and Levin, section 3): every gap between neighbouring ranks has its own margin.

    max sum_j (b_j - a_j) - C sum_j (sum_{rank j} max(0, s_i - a_j) + sum_{rank j+1} max(0, b_j - s_i))
    over ||f|| <= 1 and a_1 <= b_1 <= a_2 <= ... <= b_{k-1}                                                  (13)-(17)

Each rank lies between two hyperplanes; the thresholds lie on support vectors.  A new row gets the rank whose two
hyperplanes are nearest: the boundary is the middle of a_j and b_j.  With two ranks this is nu-SVM with nu = 2 / (C n).

The range of C is in the end of section 3: with N = 2 n - n_1 - n_k rows, C in [2 (k - 1) / N, 2 (k - 1)].  The problem
has an optimum only if also C >= 1 / n_1 and C >= 1 / n_k, which the paper does not say: below, the first or the last
threshold goes to infinity, as in nu-SVM with nu > 2 min(n_1, n_2) / n.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankmargin.caller import warn_caller
from rankmargin.certificates.models import ThresholdModel
from rankmargin.estimators.base import FOLDS
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.ordinal_base import (
    OrdinalClassifier,
    OrdinalParameters,
    threshold_problem,
    with_class_weight,
)
from rankmargin.problem.checks import Certified, check_targets
from rankmargin.problem.rows.ranks import ranks_of
from rankmargin.problem.rows.thresholds import sandwiched
from rankmargin.solvers.path import Posed
from rankmargin.solvers.sum_of_margins import NoMarginError, sum_of_margins

TRIED = 6  # values of C from the given one down to the smallest


class SmallerCWarning(UserWarning):
    """The given C leaves no positive sum of margins; the fit has a smaller C, or is constant."""


@described
@dataclass(eq=False, repr=False, kw_only=True)
class SumOfMarginsSVM(OrdinalParameters, OrdinalClassifier, Certified):
    r"""Ordinal SVM with one margin for each gap between neighbouring grades.

    Between grades j and j + 1 lie two thresholds, a_j <= b_j. It solves, over f of norm at most 1 with s = f(X),

    .. math::

        \max_{f, a, b}\ \sum_j \left( b_j - a_j - C \sum_{\mathrm{grade}\ j} [s_i - a_j]_+
        - C \sum_{\mathrm{grade}\ j + 1} [b_j - s_i]_+ \right)

    where ``[v]_+`` is the larger of v and 0.

    Parameters
    ----------
    C : float or None, default None
        Weight of the loss relative to the sum of the margins. Smaller values give wider margins. It must lie in
        [2 (k - 1) / N, 2 (k - 1)] for k grades and N = 2 n - n_1 - n_k constraints, where n_j rows have grade j, and be
        at least 1 / n_1 and 1 / n_k. None means 4 (k - 1) / N, with which at most half of the rows are margin
        errors, or the smallest accepted value if that is larger.
    kernel, gamma, degree, coef0, landmarks, tol, max_iter, verbose, max_seconds, random_state
    categories, class_weight, probability, prediction

    Attributes
    ----------
    C_ : float
        The C of the fit.
    lower_ : (r - 1,) array
        a_j: grade j should lie below it.
    upper_ : (r - 1,) array
        b_j: grade j + 1 should lie above it.
    thresholds_ : (r - 1,) array
        Midpoints of ``lower_`` and ``upper_``, at which ``predict`` changes the grade. In a constant fit they are -1 up
        to the middle grade, and 1 above it.
    grades_, classes_
    dual_coef_ : (n,) array
        Coefficients beta of f(x) = sum_i beta_i k(x_i, x), which has norm 1.
    coef_, x_mean_, landmarks_, landmark_coef_, slope_, cumulative_
    objective_ : float
        No function of norm 1 has a larger sum of margins minus C times the loss.
    dual_bound_ : float
        The sum of margins minus C times the loss of this function.
    gap_, n_iter_, model_

    See Also
    --------
    rankmargin.FixedMarginSVM : The same margin for all gaps.

    References
    ----------
    Shashua, Levin, "Ranking with large margin principle: two approaches" (NIPS 2002), section 3, eq. 13 to 17.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import SumOfMarginsSVM
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [7.0], [8.0]])
    >>> y = np.array([1, 1, 2, 2, 3, 3])
    >>> grader = SumOfMarginsSVM(C=2, kernel="linear").fit(X, y)
    >>> (grader.upper_ - grader.lower_).round(2)  # the second gap is wider
    array([1., 4.])
    """

    C: float | None = None

    def _problem(self, data):
        rank, ranks = ranks_of(data.y)
        low, high = range_of_C(rank, data.sample_weight)
        if low > high:
            raise ValueError(
                f"sample_weight must leave a C in [{low:g}, {high:g}], got none: the end ranks weigh too little"
            )
        limits = {"smallest": low, "largest": high, "default": default_C(rank, data.sample_weight)}
        constant = ThresholdModel(np.zeros(data.X.shape[1]), _middle(rank, data.weight), ranks)
        rows = sandwiched(rank, len(ranks))
        return threshold_problem(self, data, rows, ranks, problem=SumOfMargins, constant=constant, **limits)

    def _finish(self, model: Any, data: Any) -> None:
        super()._finish(model, data)
        if model.solution is None:  # f = 0, which is optimal with all thresholds at 0
            self.C_ = float(range_of_C(ranks_of(data.y)[0], data.sample_weight)[0])
            gaps = len(model.boundaries)
            self.lower_, self.upper_, self.dual_coef_ = np.zeros(gaps), np.zeros(gaps), np.zeros(data.n)
            self.objective_ = self.dual_bound_ = self.gap_ = 0.0
            self.n_iter_ = 1
        else:
            self.C_ = model.C
            theta = model.solution.theta + model.shift
            self.lower_, self.upper_ = theta[::2], theta[1::2]

    def _default_Cs(self, y, parts, sample_weight=None):
        """Return six values that C may have in the fits of all parts."""
        values, names = check_targets(y, self.categories)
        ranges = []
        for rows in parts:
            weight = None if sample_weight is None else sample_weight[rows]
            weight = with_class_weight(self.class_weight, values[rows], names, weight)
            weight = np.ones(len(values[rows])) if weight is None else weight
            rank, weight = np.unique(values[rows][weight > 0], return_inverse=True)[1], weight[weight > 0]
            if rank.max(initial=0) > 0:  # a fold with one grade is left out of the search
                ranges.append(range_of_C(rank, weight))
                sizes = np.bincount(rank)
                left = sizes - np.ceil(sizes / FOLDS)  # in fits without one of the parts of probabilities
                if self.probability and left.all():
                    ranges.append(range_of_C(rank, weight * (left / sizes)[rank]))
        low, high = max((low for low, _ in ranges), default=1.0), min((high for _, high in ranges), default=1.0)
        if low > high:
            raise ValueError(f"Cs must be given: no C is possible in all fits, which need >= {low:g} and <= {high:g}")
        return np.geomspace(low, high, TRIED)


@dataclass
class SumOfMargins(Posed):
    """The problem for any C in a range. If a C leaves no positive sum of margins, a smaller one takes its place.

    Attributes
    ----------
    smallest, largest, default : float, the range of C, and the C that None stands for
    constant : ThresholdModel, of f = 0
    """

    solver: Any = sum_of_margins
    smallest: float = 0.0
    largest: float = np.inf
    default: float | None = None
    constant: Any = None

    def solve(self, values):
        """Return one model for each C; if a C leaves no positive sum of margins, each is fitted alone."""
        values = [self.default if C is None else C for C in values]
        for C in values:
            if not self.smallest * (1 - 1e-12) <= C <= self.largest * (1 + 1e-12):
                raise ValueError(
                    f"C must be in [2 (k - 1) / N, 2 (k - 1)] and at least 1 / n_1 and 1 / n_k, here in "
                    f"[{self.smallest:g}, {self.largest:g}], got {C!r}"
                )
        try:
            return super().solve(values)
        except NoMarginError:
            return [self._solve_one(C) for C in values]

    def _solve_one(self, first):
        """Return the model for a C, or for the largest of a few smaller C that leaves a positive sum of margins."""
        for C in np.geomspace(first, self.smallest, TRIED):
            try:
                (model,) = super().solve([C])
            except NoMarginError:
                continue
            if first != C:
                message = f"C={first:g} leaves no positive sum of margins: fitted with C={C:g}, see C_"
                warn_caller(message, SmallerCWarning)
            return model
        message = "no C leaves a positive sum of margins: all scores are 0, and the middle grade is predicted"
        warn_caller(message, SmallerCWarning)
        return self.constant


def _middle(rank, weight):
    """Return thresholds of scores 0 that give the (weighted) median rank: -1 up to it and 1 above it."""
    share = np.cumsum(np.bincount(rank, weight)) / weight.sum()
    return np.where(np.arange(rank.max()) < int(np.searchsorted(share, 0.5)), -1.0, 1.0)


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
