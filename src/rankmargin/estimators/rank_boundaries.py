"""RankBoundarySVM: the scikit-learn estimator for :mod:`rankmargin.methods.rank_boundaries`."""

from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import ArrayLike

from rankmargin.annotations import MatrixLike, PairWeight
from rankmargin.estimators.base import Limits, ScaledC, refuse_unknown
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.one_fit import in_one_step
from rankmargin.estimators.ordinal_base import NO_GROUPS, OrdinalClassifier, OrdinalParameters
from rankmargin.methods import rank_boundaries


@described
@dataclass(eq=False, repr=False, kw_only=True)
class RankBoundarySVM(OrdinalParameters, ScaledC, Limits, OrdinalClassifier, rank_boundaries.Parameters):
    """Pairwise SVM on all pairs of different grades that predicts grades.

    It solves, over functions f with s = f(X), ::

        min   1/2 ||f||^2 + C sum over pairs with y_i > y_j of max(0, 1 - (s_i - s_j))

    Each boundary is the middle of the closest pair of neighbouring grades that lies on its margin.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss of each pair.
    C_scale, kernel, gamma, degree, coef0, loss, solver
    tol : float > 0, default 1e-5
        Relative duality gap at which the solver stops. It is small because a boundary depends on single dual variables.
    max_iter : int >= 1, default 100_000
        Largest number of Newton steps (at most 200 for ``interior_point``), sweeps (``dual_cd``) or planes
        (``cutting_plane``). A fit that stops there warns with a ``ConvergenceWarning``.
    verbose, max_seconds, random_state, categories, class_weight, probability, prediction

    Attributes
    ----------
    thresholds_ : (r - 1,) array
        The rank boundaries of eq. 2.27: scores at which the grade changes.
    grades_, classes_, dual_coef_, coef_, slope_, cumulative_, objective_, dual_bound_, gap_
    n_iter_ : int
        Newton steps, sweeps or planes.
    model_

    See Also
    --------
    rankmargin.ThresholdedRanker : Cuts the scores of any ranker where the training error is smallest.
    rankmargin.bounds.margin_bound : The bound that the margin of a ranking without errors proves.

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

    _method = staticmethod(rank_boundaries.problem)

    @in_one_step
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

    def _prepare(self, X, y, sample_weight=None, pair_weight=None, **unknown):
        refuse_unknown(self, unknown, f"sample_weight= and pair_weight=, {NO_GROUPS}")
        return self._prepare_grades(X, y, sample_weight, pair_weight)
