"""PairwiseRankSVM: the scikit-learn face of :mod:`rankmargin.methods.pairwise`."""

from sklearn.utils import check_random_state

from rankmargin.estimators.base import MarginRanker
from rankmargin.methods import pairwise


class PairwiseRankSVM(MarginRanker):
    """Pairwise ranking SVM (Herbrich et al.; Diez et al. eq. 3) on all pairs or on a few random partners an example.

    Parameters
    ----------
    C : float > 0, weight of the hinge loss of each pair
    n_partners : int >= 1 or "all"
    random_state : int, RandomState or None, draws the partners
    kernel, gamma, degree, coef0, tol, max_iter, verbose, max_seconds : as :class:`rankmargin.SwappedPairsSVM`

    Attributes
    ----------
    dual_coef_, coef_, objective_, dual_bound_, gap_, n_iter_, model_ : as :class:`rankmargin.SwappedPairsSVM`
    """

    _method = pairwise

    def __init__(
        self,
        C=1.0,
        n_partners=5,
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=0.0,
        tol=1e-3,
        max_iter=100_000,
        verbose=0,
        max_seconds=None,
        random_state=None,
    ):
        self.C = C
        self.n_partners = n_partners
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter
        self.verbose = verbose
        self.max_seconds = max_seconds
        self.random_state = random_state

    def _method_parameters(self, X):
        return {
            **self._kernel_parameters(X),
            "n_partners": self.n_partners,
            "tol": self.tol,
            "max_iter": self.max_iter,
            "seed": int(check_random_state(self.random_state).randint(2**31 - 1)),
        }
