"""FixedMarginSVM: the scikit-learn face of :mod:`rankmargin.methods.fixed_margin`."""

from rankmargin.estimators.base import OrdinalRegressor
from rankmargin.methods import fixed_margin


class FixedMarginSVM(OrdinalRegressor):
    """Ordinal SVM with one margin between all neighbouring ranks (Shashua and Levin, section 2).

    Parameters
    ----------
    C : float > 0, weight of the hinge loss of each row
    kernel, gamma, degree, coef0, tol : as :class:`rankmargin.SwappedPairsSVM`
    max_iter : int, steps of SMO
    verbose : int, 0 is silent, 1 prints iteration, objective, gap and seconds once a second, 2 at each look at the gap
    max_seconds : float > 0 or None, after which a fit stops with the certificate it has and a ConvergenceWarning

    Attributes
    ----------
    thresholds_ : (r - 1,) array; nothing keeps them in order (:class:`rankmargin.SVOR` with explicit constraints does)
    ranks_ : (r,) the labels that ``predict`` returns: the first whose threshold is above the score
    dual_coef_, coef_, objective_, dual_bound_, gap_, n_iter_, model_ : as :class:`rankmargin.SwappedPairsSVM`
    """

    _method = fixed_margin

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

    def _method_parameters(self, X):
        return {**self._kernel_parameters(X), "tol": self.tol, "max_iter": self.max_iter}
