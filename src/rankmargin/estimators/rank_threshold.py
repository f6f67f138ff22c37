"""RankThreshold: the scikit-learn face of :mod:`rankmargin.methods.rank_threshold`."""

from sklearn.utils import check_random_state

from rankmargin.estimators.pairs_base import PairsMachine
from rankmargin.methods import rank_threshold


class RankThreshold(PairsMachine):
    """Ranking SVM on labelled pairs, then the threshold of fewest training errors (Venuto et al., section 2.2).

    Parameters
    ----------
    C : float > 0, weight of the hinge loss of each pair
    equality : {"drop", "oppose"}, "rank" and "rank2" of the paper, see
        :func:`rankmargin.methods.rank_threshold.fit_path`
    ties : {"widest", "authors"}, which of the equally good thresholds
    kernel, gamma, degree, coef0, tol : as :class:`rankmargin.ComparisonSVM`
    max_iter : int, sweeps of dual coordinate descent
    verbose : int, 0 is silent, 1 prints iteration, objective, gap and seconds once a second, 2 at each look at the gap
    max_seconds : float > 0 or None, after which a fit stops with the certificate it has and a ConvergenceWarning
    random_state : int, RandomState or None, of the solver's shuffles

    Attributes
    ----------
    threshold_ : float > 0, tau of eq. (6) in units of the ranking SVM; ``decision_function`` and ``rank`` are divided
        by it, so that 1 is the threshold here too
    dual_coef_, coef_, classes_, objective_, dual_bound_, gap_, n_iter_, model_ : as :class:`rankmargin.ComparisonSVM`
    """

    _method = rank_threshold

    def __init__(
        self,
        C=1.0,
        equality="drop",
        ties="widest",
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
        self.equality = equality
        self.ties = ties
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter
        self.verbose = verbose
        self.max_seconds = max_seconds
        self.random_state = random_state

    def fit(self, X, X2=None, y=None):
        """Fit on pairs; see :meth:`PairsMachine.fit`."""
        super().fit(X, X2, y)
        self.threshold_ = self.model_.threshold
        return self

    def _method_parameters(self, X):
        return {
            **self._kernel_parameters(X),
            "equality": self.equality,
            "ties": self.ties,
            "tol": self.tol,
            "max_iter": self.max_iter,
            "seed": int(check_random_state(self.random_state).randint(2**31 - 1)),
        }
