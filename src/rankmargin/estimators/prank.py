"""PRank and KernelPRank: the scikit-learn faces of :mod:`rankmargin.methods.prank` and its kernel form."""

import numpy as np
from scipy.sparse import vstack
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from rankmargin.estimators.base import OrdinalRegressor, check_numbers
from rankmargin.kernels import LinearSpace, gram
from rankmargin.methods import kernel_prank, prank
from rankmargin.model import ThresholdModel


class _OnlineRanker(OrdinalRegressor):
    """What both forms share: ranks that are declared first, examples shown in the order they come."""

    def partial_fit(self, X, y, ranks=None):
        """Show the examples once, in the order given.

        Parameters
        ----------
        X : (n, d) array or CSR matrix
        y : (n,) array of ranks
        ranks : (r,) array or None
            All ranks that will ever come, looked at in the first call; None takes the distinct values of its y.

        Returns
        -------
        self
        """
        first = not hasattr(self, "model_")
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, y_numeric=True, reset=first, copy=True)
        check_numbers(y)
        self._check_parameters(X)
        if first:
            self.ranks_ = np.unique(y if ranks is None else ranks)
            if len(self.ranks_) < 2:
                raise ValueError(f"ranks must hold at least two values, got {len(self.ranks_)}")
            self.thresholds_ = np.zeros(len(self.ranks_) - 1)
        elif ranks is not None and not np.array_equal(np.unique(ranks), self.ranks_):
            raise ValueError(f"ranks must stay what they were in the first call, got {ranks!r}")
        unknown = np.setdiff1d(y, self.ranks_)
        if len(unknown):
            raise ValueError(f"y must hold ranks of the first call of partial_fit, got {unknown[0]:g} besides")
        self.thresholds_ = self.thresholds_.copy()  # models of earlier calls stay what they were
        self._show(X, np.searchsorted(self.ranks_, y), first)
        return self

    def _seed(self):
        return int(check_random_state(self.random_state).randint(2**31 - 1))


class PRank(_OnlineRanker):
    """Perceptron for ranks, online (Crammer and Singer).

    Parameters
    ----------
    epochs : int >= 1, runs of ``fit`` through the examples, each in a new random order
    random_state : int, RandomState or None, of the orders; ``partial_fit`` keeps the order of its examples

    Attributes
    ----------
    coef_ : (d,) weights
    thresholds_ : (r - 1,) ordered thresholds
    ranks_ : (r,) the labels that ``predict`` returns
    model_ : :class:`rankmargin.model.ThresholdModel`
    """

    _method = prank

    def __init__(self, epochs=1, random_state=None):
        self.epochs = epochs
        self.random_state = random_state

    def fit(self, X, y):
        """Fit anew on rows X and ordinal targets y; see :meth:`OrdinalRegressor.fit`."""
        super().fit(X, y)
        self.coef_ = self.model_.coefficients
        return self

    def _show(self, X, rank, first):
        self.coef_ = np.zeros(X.shape[1]) if first else self.coef_.copy()
        prank.learn(LinearSpace(X), rank, self.coef_, self.thresholds_, np.arange(len(rank)))
        self.model_ = ThresholdModel(self.coef_, boundaries=self.thresholds_, ranks=self.ranks_)

    def _method_parameters(self, X):
        return {"epochs": self.epochs, "seed": self._seed()}


class KernelPRank(_OnlineRanker):
    """PRank with a kernel.

    Parameters
    ----------
    kernel, gamma, degree, coef0 : as :class:`rankmargin.SwappedPairsSVM`; gamma="scale" looks at the first examples
    epochs, random_state : as :class:`PRank`

    Attributes
    ----------
    dual_coef_ : (n,) coefficients of the examples seen
    thresholds_, ranks_, model_ : as :class:`PRank`
    """

    _method = kernel_prank

    def __init__(self, kernel="rbf", gamma="scale", degree=3, coef0=0.0, epochs=1, random_state=None):
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.epochs = epochs
        self.random_state = random_state

    def fit(self, X, y):
        """Fit anew on rows X and ordinal targets y; see :meth:`OrdinalRegressor.fit`."""
        super().fit(X, y)
        self.dual_coef_ = self.model_.coefficients
        return self

    def _show(self, X, rank, first):
        if self.kernel == "precomputed":
            raise ValueError('kernel must not be "precomputed" for partial_fit: new examples need a kernel')
        parameters = self._kernel_parameters(X) if first else self.model_.kernel
        beta, scores = np.zeros(len(rank)), np.zeros(len(rank)) if first else self.model_.scores(X)
        K = np.ascontiguousarray(gram(X, X, **parameters))
        kernel_prank.learn(K, rank, beta, scores, self.thresholds_, np.arange(len(rank)))
        if not first:
            beta = np.concatenate([self.model_.coefficients, beta])
            sparse = hasattr(X, "tocsr") or hasattr(self.model_.X, "tocsr")
            X = vstack([self.model_.X, X], format="csr") if sparse else np.concatenate([self.model_.X, X])
        self.dual_coef_ = beta
        self.model_ = ThresholdModel(beta, X, parameters, self.thresholds_, self.ranks_)

    def _method_parameters(self, X):
        return {**self._kernel_parameters(X), "epochs": self.epochs, "seed": self._seed()}
