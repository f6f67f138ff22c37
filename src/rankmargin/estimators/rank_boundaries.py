"""RankBoundarySVM: the scikit-learn estimator for :mod:`rankmargin.methods.rank_boundaries`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import ArrayLike

from rankmargin.annotations import AllPairsSolver, ClassWeight, CScale, Gamma, Kernel, MatrixLike, PairWeight
from rankmargin.estimators.base import refuse_unknown
from rankmargin.estimators.ordinal_base import NO_GROUPS, OrdinalClassifier
from rankmargin.methods import rank_boundaries


@dataclass(eq=False, repr=False)
class RankBoundarySVM(OrdinalClassifier):
    """Pairwise SVM on all pairs of different rank that returns ranks.

    It solves, over functions f with s = f(X), ::

        min   1/2 ||f||^2 + C sum over pairs with y_i > y_j of max(0, 1 - (s_i - s_j))

    Each boundary is the middle of the closest pair of neighbouring ranks that lies on its margin.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss of each pair.
    C_scale : {"rows", "pairs"}, default "rows"
        ``rows``: the weight of all pairs together is C times the number of rows, so that a C that was chosen on some
        rows also suits more rows. ``pairs``: the weight of each pair is C, as in the papers.
    kernel : {"rbf", "linear", "poly", "precomputed"}, default "rbf"
        ``rbf`` is exp(-gamma ||x - z||^2), ``linear`` x.z, ``poly`` (gamma x.z + coef0)^degree. With ``precomputed``,
        X is the matrix of kernel values: (n, n) in ``fit``, (m, n) later.
    gamma : float > 0 or "scale", default "scale"
        Parameter of ``rbf`` and ``poly``. ``scale`` is 1 / (d var(X)) for d features.
    degree : int >= 1, default 3
        Parameter of ``poly``.
    coef0 : float >= 0, default 0.0
        Parameter of ``poly``.
    solver : {"auto", "smoothed_newton", "dual_cd", "interior_point", "cutting_plane"}, default "auto"
        ``smoothed_newton`` is for linear functions, with up to millions of rows. ``dual_cd`` lists all pairs and
        changes one dual variable at a time. ``interior_point`` lists all pairs and takes Newton steps on all variables.
        ``cutting_plane`` is Algorithm 1 of the paper, which does not list them. ``auto`` chooses by kernel and number
        of pairs.
    tol : float > 0, default 1e-5
        Relative duality gap at which the solver stops. It is small because a boundary depends on single dual variables.
    max_iter : int >= 1, default 100_000
        Largest number of Newton steps (at most 200 for ``interior_point``), sweeps (``dual_cd``) or planes
        (``cutting_plane``). A fit that stops there warns with a ``ConvergenceWarning``.
    verbose : {0, 1, 2}, default 0
        0 is silent; 1 prints iteration, objective, gap and seconds once per second, 2 whenever the gap is computed.
    max_seconds : float > 0 or None, default None
        A fit that takes longer stops with the certificate that it has and a ``ConvergenceWarning``.
    categories : sequence or None, default None
        The grades from the lowest to the highest, if they are names. With None, y holds numbers or is an ordered
        categorical of pandas. Scikit-learn's stacking, voting and bagging classifiers and its ``cross_val_predict`` of
        probabilities number the names in y, also those of a categorical, in alphabetical order before they fit: give
        them numbers, ``y.cat.codes``.
    class_weight : dict, "balanced" or None, default None
        A factor of the weight of each row, by grade; ``balanced`` gives all grades the same total weight.
    probability : bool, default False
        Whether to fit ``predict_proba`` too, on scores of five more models for rows on which they were not fitted.

    Attributes
    ----------
    thresholds_ : (r - 1,) array
        The rank boundaries, eq. 2.27: scores at which the rank changes.
    grades_ : (r,) array
        The grades of y from the lowest to the highest; ``predict`` returns one of them.
    classes_ : (r,) array
        The grades in sorted order, as in scikit-learn's classifiers; columns of arrays have this order.
    dual_coef_ : (n,) array
        Coefficients beta of f(x) = sum_i beta_i k(x_i, x).
    coef_ : (d,) array
        Weights w of f(x) = w.x; only with the linear kernel.
    slope_ : float
        Slope of the cumulative link of ``predict_proba``; only with ``probability=True``.
    cumulative_ : (r - 1,) array
        Ascending thresholds of this link; only with ``probability=True``.
    objective_ : float
        Objective of the fitted function.
    dual_bound_ : float
        No function has an objective below it.
    gap_ : float
        (``objective_`` - ``dual_bound_``) / ``objective_``.
    n_iter_ : int
        Newton steps, sweeps or planes.
    model_ : rankmargin.model.KernelModel
        The function and the problem that it solves; :func:`rankmargin.certificates.judge` checks it.

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
    >>> grader.thresholds_.round(2)  # f(x) = x: neighbouring ranks are one unit apart
    array([3.5, 7.5])
    """

    _method = rank_boundaries
    _options = ("solver", "tol", "max_iter")

    C: float = 1.0
    C_scale: CScale = "rows"
    kernel: Kernel = "rbf"
    gamma: Gamma = "scale"
    degree: int = 3
    coef0: float = 0.0
    solver: AllPairsSolver = "auto"
    tol: float = 1e-5
    max_iter: int = 100_000
    verbose: int = 0
    max_seconds: float | None = None
    categories: Sequence[Any] | None = None
    class_weight: ClassWeight | None = None
    probability: bool = False

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
        refuse_unknown(self, unknown, f"sample_weight= and pair_weight=, {NO_GROUPS}")
        return self._fit(X, y, sample_weight, pair_weight)
