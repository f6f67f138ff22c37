"""SwappedPairsSVM: the scikit-learn face of :mod:`rankmargin.methods.swapped_pairs`."""

from rankmargin.estimators.base import MarginRanker
from rankmargin.methods import swapped_pairs


class SwappedPairsSVM(MarginRanker):
    """Ranking SVM that minimises the number of swapped pairs over all pairs (SVM_multi^SP, Diez et al. eq. 9).

    Parameters
    ----------
    C : float > 0, weight of the swapped-pair loss, which is a sum over pairs and not a mean
    kernel : {"rbf", "linear", "poly", "precomputed"}
    gamma : float > 0 or "scale" (1 / (d var X)); of rbf exp(-gamma ||x - z||^2) and poly (gamma x.z + coef0)^degree
    degree, coef0 : of poly
    solver : {"auto", "dual_cd", "cutting_plane"}, see :func:`rankmargin.methods.swapped_pairs.fit_path`
    tol : float > 0, relative duality gap
    max_iter : int, sweeps (dual_cd) or planes (cutting_plane)
    verbose : int, 0 is silent, 1 prints iteration, objective, gap and seconds once a second, 2 at each look at the gap
    max_seconds : float > 0 or None, after which a fit stops with the certificate it has and a ConvergenceWarning

    Attributes
    ----------
    dual_coef_ : (n,) coefficients beta of the kernel expansion
    coef_ : (d,) weights, linear kernel only
    objective_, dual_bound_, gap_ : float, the certificate: no function has an objective below dual_bound_
    n_iter_ : int
    model_ : :class:`rankmargin.model.KernelModel`
    """

    _method = swapped_pairs

    def __init__(
        self,
        C=1.0,
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=0.0,
        solver="auto",
        tol=1e-3,
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
