"""ComparisonSVM: the scikit-learn face of :mod:`rankmargin.methods.compare`."""

from rankmargin.estimators.pairs_base import PairsMachine
from rankmargin.methods import compare


class ComparisonSVM(PairsMachine):
    """SVMcompare: learns from pairs of which one is better or neither is (Venuto et al., Algorithm 1).

    Parameters
    ----------
    C : float > 0, weight of the hinge loss of each row of the flipped data (eq. 8)
    kernel, gamma, degree, coef0, tol : as :class:`rankmargin.SwappedPairsSVM`, over single items;
        ``kernel="precomputed"`` takes the kernel of differences of :func:`rankmargin.kernels.pair_gram`
    max_iter : int, steps of SMO
    verbose : int, 0 is silent, 1 prints iteration, objective, gap and seconds once a second, 2 at each look at the gap
    max_seconds : float > 0 or None, after which a fit stops with the certificate it has and a ConvergenceWarning

    Attributes
    ----------
    beta_ : float, bias of the separator; no scaling is valid unless it is < 0, and fit warns
    dual_coef_ : (n,) coefficients of the differences phi(x') - phi(x)
    coef_ : (d,) weights of the ranking function, linear kernel only
    classes_ : (-1, 0, 1)
    objective_, dual_bound_, gap_, n_iter_, model_ : as :class:`rankmargin.SwappedPairsSVM`
    """

    _method = compare

    def __init__(
        self,
        C=1.0,
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=0.0,
        tol=1e-3,
        max_iter=10_000_000,
        verbose=0,
        max_seconds=None,
    ):
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter
        self.verbose = verbose
        self.max_seconds = max_seconds

    def fit(self, X, X2=None, y=None):
        """Fit on pairs; see :meth:`PairsMachine.fit`."""
        super().fit(X, X2, y)
        self.beta_ = -float(self.model_.solution.theta[0])
        return self

    def _method_parameters(self, X):
        return {**self._kernel_parameters(X), "tol": self.tol, "max_iter": self.max_iter}
