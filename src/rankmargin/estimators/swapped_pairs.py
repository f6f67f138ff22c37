"""SwappedPairsSVM: the scikit-learn estimator for :mod:`rankmargin.methods.swapped_pairs`."""

from dataclasses import dataclass
from typing import Literal

from rankmargin.annotations import AllPairsSolver, CScale, Gamma, Kernel
from rankmargin.estimators.base import MarginRanker
from rankmargin.methods import swapped_pairs


@dataclass(eq=False, repr=False)
class SwappedPairsSVM(MarginRanker):
    """Ranking SVM that minimises the number of swapped pairs over all pairs (SVM_multi^SP).

    It solves, over functions f with s = f(X), ::

        min   1/2 ||f||^2 + C sum over pairs with y_i > y_j of max(0, 1 - 2 (s_i - s_j))

    A pair is swapped if s_i <= s_j. Its loss is then at least 1, so the sum bounds the number of swapped pairs.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss, in units of ``C_scale``: try powers of ten from 0.01 to 100.
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
    loss : {"hinge", "squared_hinge"}, default "hinge"
        The squared hinge, 2 max(0, 1/2 - (s_i - s_j))^2, is possible with the linear kernel.
    solver : {"auto", "smoothed_newton", "dual_cd", "interior_point", "cutting_plane"}, default "auto"
        ``smoothed_newton`` is for linear functions, with up to millions of rows. ``dual_cd`` lists all pairs and
        changes one dual variable at a time. ``interior_point`` lists all pairs and takes Newton steps on all variables.
        ``cutting_plane`` is Algorithm 1 of the paper, which does not list them. ``auto`` chooses by kernel and number
        of pairs.
    tol : float > 0, default 1e-3
        Relative duality gap at which the solver stops.
    max_iter : int >= 1, default 100_000
        Largest number of Newton steps (at most 200 for ``interior_point``), sweeps (``dual_cd``) or planes
        (``cutting_plane``). A fit that stops there warns with a ``ConvergenceWarning``.
    verbose : {0, 1, 2}, default 0
        0 is silent; 1 prints iteration, objective, gap and seconds once per second, 2 whenever the gap is computed.
    max_seconds : float > 0 or None, default None
        A fit that takes longer stops with the certificate that it has and a ``ConvergenceWarning``.

    Attributes
    ----------
    dual_coef_ : (n,) array
        Coefficients beta of f(x) = sum_i beta_i k(x_i, x).
    coef_ : (d,) array
        Weights w of f(x) = w.x; only with the linear kernel.
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
    rankmargin.PairwiseRankSVM : A few random partners per row instead of all pairs.
    rankmargin.RankSVR : If the size of y matters too, and orderings of other rows are known.

    References
    ----------
    Díez, del Coz, Bahamonde, "A support vector method for ranking minimizing the number of swapped pairs" (manuscript,
    posted in 2014), eq. 9 and Algorithms 1 and 2.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from rankmargin import SwappedPairsSVM
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ranker = SwappedPairsSVM(kernel="linear").fit(X[:300], y[:300])
    >>> round(ranker.score(X[300:], y[300:]), 2)  # share of pairs in the right order
    0.75
    >>> bool(ranker.gap_ <= 1e-3)
    True
    """

    _method = swapped_pairs
    _options = ("loss", "solver", "tol", "max_iter")

    C: float = 1.0
    C_scale: CScale = "rows"
    kernel: Kernel = "rbf"
    gamma: Gamma = "scale"
    degree: int = 3
    coef0: float = 0.0
    loss: Literal["hinge", "squared_hinge"] = "hinge"
    solver: AllPairsSolver = "auto"
    tol: float = 1e-3
    max_iter: int = 100_000
    verbose: int = 0
    max_seconds: float | None = None
