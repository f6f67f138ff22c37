"""Fixed margin (Shashua and Levin, section 2): one margin, the same between all neighbouring ranks.

    min 1/2 ||f||^2 + C sum_j (sum_{rank j} max(0, 1 - (b_j - s_i)) + sum_{rank j+1} max(0, 1 - (s_i - b_j)))    (2)-(5)

The dual (9)-(12) has twice as many variables as examples, minus the sizes of the first and the last rank.  It
determines only one b_j.  The paper's second stage, a linear program with f fixed, separates into one problem per
threshold, which :func:`rankmargin.problem.rows.thresholds.best_thresholds` solves by sorting.  b_1 <= b_2 <= ... is not
required unless ``ordered`` is set; with it, or if the thresholds are in order anyway, this is
:mod:`rankmargin.estimators.svor` with ``constraints="explicit"``.
With two ranks it is the ordinary SVM.
"""

from dataclasses import dataclass

from rankmargin.annotations import PairLossName
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.ordinal_base import OrdinalClassifier, OrdinalParameters, threshold_problem
from rankmargin.problem.checks import Certified
from rankmargin.problem.rows.ranks import ranks_of
from rankmargin.problem.rows.thresholds import explicit


@described
@dataclass(eq=False, repr=False, kw_only=True)
class FixedMarginSVM(OrdinalParameters, OrdinalClassifier, Certified):
    r"""Ordinal SVM with one margin between all neighbouring grades.

    It solves, over f with s = f(X) and thresholds theta,

    .. math::

        \min_{f, \theta}\ \frac{1}{2} {\|f\|}^2 + C \sum_j \left( \sum_{\mathrm{grade}\ j} [1 - \theta_j + s_i]_+
        + \sum_{\mathrm{grade}\ j + 1} [1 + \theta_j - s_i]_+ \right)

    where ``[v]_+`` is the larger of v and 0.
    Each threshold is compared with its two neighbouring grades only. Nothing keeps the thresholds in order: if grades
    overlap much, thresholds may cross, some grades are then never predicted, and the fit warns. With ``ordered`` the
    order is a constraint, as in :class:`rankmargin.SVOR` with explicit constraints.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss of each row at each threshold next to its grade.
    loss, kernel, gamma, degree, coef0, landmarks, tol, max_iter, verbose, max_seconds, random_state
    categories, class_weight, probability, prediction
    ordered : bool, default False
        Whether theta_1 <= theta_2 <= ... is a constraint.

    Attributes
    ----------
    thresholds_ : (r - 1,) array
        Scores at which the grade changes. ``predict`` returns the first grade whose threshold lies above the score.
    grades_, classes_, dual_coef_, coef_, x_mean_, landmarks_, landmark_coef_, slope_, cumulative_
    objective_, dual_bound_, gap_, n_iter_, model_

    See Also
    --------
    rankmargin.SumOfMarginsSVM : One margin for each gap between grades.

    References
    ----------
    Shashua, Levin, "Ranking with large margin principle: two approaches" (NIPS 2002), section 2, eq. 2 to 5.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import FixedMarginSVM
    >>> X = np.arange(12.0).reshape(-1, 1)
    >>> y = np.repeat([1, 2, 3], 4)
    >>> grader = FixedMarginSVM(C=10, kernel="linear").fit(X, y)
    >>> grader.predict([[0.0], [5.0], [11.0]])
    array([1, 2, 3])
    """

    loss: PairLossName = "hinge"
    ordered: bool = False

    def _problem(self, data):
        rank, ranks = ranks_of(data.y)
        return threshold_problem(self, data, explicit(rank, len(ranks), self.ordered), ranks, self.loss)
