"""FixedMarginSVM: the scikit-learn estimator for :mod:`rankmargin.methods.fixed_margin`."""

from dataclasses import dataclass

from rankmargin.estimators.base import Limits
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.ordinal_base import OrdinalClassifier, OrdinalParameters
from rankmargin.methods import fixed_margin


@described
@dataclass(eq=False, repr=False, kw_only=True)
class FixedMarginSVM(OrdinalParameters, Limits, OrdinalClassifier, fixed_margin.Parameters):
    """Ordinal SVM with one margin between all neighbouring grades.

    It solves, over f with s = f(X) and thresholds theta, ::

        min   1/2 ||f||^2 + C sum_j ( sum over rows of grade j of max(0, 1 - (theta_j - s_i))
                                    + sum over rows of grade j + 1 of max(0, 1 - (s_i - theta_j)) )

    Each threshold is compared with its two neighbouring grades only. Nothing keeps the thresholds in order: if grades
    overlap much, thresholds may cross, some grades are then never predicted, and the fit warns. With ``ordered`` the
    order is a constraint, as in :class:`rankmargin.SVOR` with explicit constraints.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss of each row at each threshold next to its grade.
    loss, kernel, gamma, degree, coef0, tol, max_iter, verbose, max_seconds, random_state
    categories, class_weight, probability, prediction
    ordered : bool, default False
        Whether theta_1 <= theta_2 <= ... is a constraint.

    Attributes
    ----------
    thresholds_ : (r - 1,) array
        Scores at which the grade changes. ``predict`` returns the first grade whose threshold lies above the score.
    grades_, classes_, dual_coef_, coef_, slope_, cumulative_, objective_, dual_bound_, gap_, n_iter_, model_

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

    _method = staticmethod(fixed_margin.problem)
