"""SVOR: the scikit-learn face of :mod:`rankmargin.methods.svor`."""

from rankmargin.estimators.base import OrdinalRegressor
from rankmargin.methods import svor


class SVOR(OrdinalRegressor):
    """Support vector ordinal regression: one function, ordered thresholds (Chu and Keerthi; Diez et al. eq. 4).

    Parameters
    ----------
    C : float > 0, weight of the hinge loss of each threshold row
    constraints : {"implicit", "explicit"}, all thresholds against all examples, or neighbours only with ordered
        thresholds
    n_bins : int >= 2 or None
        Cut y into bins of equal frequency first; ``predict`` then returns the bin 1, 2, ...
    bin_ties : {"share", "split"}, whether equal y share a bin, or bins have equal counts
    kernel, gamma, degree, coef0, tol : as :class:`rankmargin.SwappedPairsSVM`
    max_iter : int, steps of SMO
    verbose : int, 0 is silent, 1 prints iteration, objective, gap and seconds once a second, 2 at each look at the gap
    max_seconds : float > 0 or None, after which a fit stops with the certificate it has and a ConvergenceWarning

    Attributes
    ----------
    thresholds_ : (r - 1,) ordered thresholds
    ranks_ : (r,) the labels that ``predict`` returns
    dual_coef_, coef_, objective_, dual_bound_, gap_, n_iter_, model_ : as :class:`rankmargin.SwappedPairsSVM`
    """

    _method = svor

    def __init__(
        self,
        C=1.0,
        constraints="implicit",
        n_bins=None,
        bin_ties="share",
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
        self.constraints = constraints
        self.n_bins = n_bins
        self.bin_ties = bin_ties
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter
        self.verbose = verbose
        self.max_seconds = max_seconds

    def _method_parameters(self, X):
        return {
            **self._kernel_parameters(X),
            "constraints": self.constraints,
            "n_bins": self.n_bins,
            "bin_ties": self.bin_ties,
            "tol": self.tol,
            "max_iter": self.max_iter,
        }
