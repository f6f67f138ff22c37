"""SumOfMarginsSVM: the scikit-learn face of :mod:`rankmargin.methods.sum_of_margins`."""

from rankmargin.estimators.base import OrdinalRegressor
from rankmargin.methods import sum_of_margins


class SumOfMarginsSVM(OrdinalRegressor):
    """Ordinal SVM with a margin of its own in every gap between neighbouring ranks (Shashua and Levin, section 3).

    Parameters
    ----------
    C : float or None
        Weight of the hinge loss of each row against the sum of the margins, in [2 (k - 1) / N, 2 (k - 1)] for k ranks
        and N = 2 n - n_1 - n_k rows, and at least 1 / n_1 and 1 / n_k. Smaller C, wider margins. None
        is 4 (k - 1) / N, at which up to half of the rows may be margin errors, or the smallest that is accepted.
    kernel, gamma, degree, coef0, tol : as :class:`rankmargin.SwappedPairsSVM`
    max_iter : int, steps of SMO
    verbose : int, 0 is silent, 1 prints iteration, objective, gap and seconds once a second, 2 at each look at the gap
    max_seconds : float > 0 or None, after which a fit stops with the certificate it has and a ConvergenceWarning

    Attributes
    ----------
    lower_, upper_ : (r - 1,) arrays, a_j and b_j: rank j is to lie below a_j, rank j + 1 above b_j
    thresholds_ : (r - 1,) array, their middles, at which ``predict`` changes the rank
    ranks_ : (r,) the labels that ``predict`` returns
    objective_ : float, no function of norm 1 has a sum of margins less C sum hinge above it
    dual_bound_ : float, what this one has
    gap_, n_iter_, dual_coef_, coef_, model_ : as :class:`rankmargin.SwappedPairsSVM`; the function has norm 1
    """

    _method = sum_of_margins
    _may_be_none = ("C",)

    def __init__(
        self,
        C=None,
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

    def fit(self, X, y):
        """Fit on rows X and ordinal targets y; see :meth:`OrdinalRegressor.fit`."""
        super().fit(X, y)
        self.lower_, self.upper_ = self.model_.solution.theta[::2], self.model_.solution.theta[1::2]
        return self

    def _method_parameters(self, X):
        return {**self._kernel_parameters(X), "tol": self.tol, "max_iter": self.max_iter}
