"""RankBoundarySVM: the scikit-learn face of :mod:`rankmargin.methods.rank_boundaries`."""

from rankmargin.estimators.base import OrdinalRegressor
from rankmargin.methods import rank_boundaries


class RankBoundarySVM(OrdinalRegressor):
    """Pairwise SVM on all pairs that returns ranks (Herbrich, Graepel and Obermayer, section 2.4).

    Parameters
    ----------
    C : float > 0, weight of the hinge loss of each pair
    kernel, gamma, degree, coef0 : as :class:`rankmargin.SwappedPairsSVM`
    solver : {"auto", "dual_cd", "interior_point"}, see :func:`rankmargin.methods.rank_boundaries.fit_path`
    tol : float > 0, relative duality gap; small, because a boundary is read off single dual variables
    max_iter : int, sweeps of dual_cd, Newton steps (at most 200) of interior_point
    verbose : int, 0 is silent, 1 prints iteration, objective, gap and seconds once a second, 2 at each look at the gap
    max_seconds : float > 0 or None, after which a fit stops with the certificate it has and a ConvergenceWarning

    Attributes
    ----------
    thresholds_ : (r - 1,) array, the rank boundaries (2.27)
    ranks_ : (r,) the labels that ``predict`` returns
    dual_coef_, coef_, objective_, dual_bound_, gap_, n_iter_, model_ : as :class:`rankmargin.SwappedPairsSVM`
    """

    _method = rank_boundaries

    def __init__(
        self,
        C=1.0,
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=0.0,
        solver="auto",
        tol=1e-5,
        max_iter=100_000,
        verbose=0,
        max_seconds=None,
    ):
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.verbose = verbose
        self.max_seconds = max_seconds

    def _method_parameters(self, X):
        return {**self._kernel_parameters(X), "solver": self.solver, "tol": self.tol, "max_iter": self.max_iter}
