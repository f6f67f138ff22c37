"""What the estimators share: checked input, fitted attributes, scores."""

import numbers

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.validation import check_is_fitted, validate_data

from rankmargin.metrics import swapped_pairs
from rankmargin.model import rank_scores
from rankmargin.solvers.progress import watching


class KernelMachine(BaseEstimator):
    """A method over a kernel: its parameters checked, its tags."""

    _may_be_none = ()

    def _kernel_parameters(self, X):
        gamma = self.gamma
        if isinstance(gamma, str):
            if gamma != "scale":
                raise ValueError(f'gamma must be a number > 0 or "scale", got {gamma!r}')
            variance = _variance(X) if self.kernel in ("rbf", "poly") else 1.0
            if not np.isfinite(variance):
                raise ValueError(f"X must have a finite variance, got entries up to {float(abs(X).max()):.3g}: scale X")
            gamma = 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0
        return {"kernel": self.kernel, "gamma": gamma, "degree": self.degree, "coef0": self.coef0}

    def _check_parameters(self, X):
        for name in ("C", "tol"):
            value = getattr(self, name, 1.0)
            if name in self._may_be_none and value is None:
                continue
            if not isinstance(value, numbers.Real) or not value > 0 or not np.isfinite(value):
                raise ValueError(f"{name} must be a finite number > 0, got {value!r}")
        for name in ("max_iter", "epochs"):
            value = getattr(self, name, 1)
            if not isinstance(value, numbers.Integral) or value < 1:
                raise ValueError(f"{name} must be an integer >= 1, got {value!r}")
        if self._is_pairwise():
            _check_kernel_matrix(X)

    def _watching(self):
        """Return the context of a fit, see :func:`rankmargin.solvers.progress.watching`."""
        return watching(getattr(self, "verbose", 0), getattr(self, "max_seconds", None))

    def _set_weights(self, w):
        """Set ``coef_``; a refit with another kernel must not keep that of the fit before."""
        if w is not None:
            self.coef_ = w
        elif hasattr(self, "coef_"):
            del self.coef_

    def _set_certificate(self, solution):
        self.objective_, self.dual_bound_, self.gap_ = solution.objective, solution.dual_bound, solution.gap
        self.n_iter_ = solution.n_iter

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = not self._is_pairwise()
        tags.input_tags.pairwise = self._is_pairwise()
        return tags

    def _is_pairwise(self):
        return getattr(self, "kernel", None) == "precomputed"


class MarginRanker(KernelMachine):
    """A kernel machine that orders: subclasses name their method and pass its parameters.

    Subclasses define ``_method`` (a module of :mod:`rankmargin.methods`) and ``_method_parameters()``.
    """

    def fit(self, X, y, groups=None):
        """Fit on rows X and targets y.

        Parameters
        ----------
        X : (n, d) array, data frame or CSR matrix; (n, n) kernel matrix with ``kernel="precomputed"``
        y : (n,) array of numbers; higher means ahead
        groups : (n,) array or None
            Pairs are formed only between rows of the same group.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            When a parameter or the data are not what is accepted, or there is no pair to learn from.
        """
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, y_numeric=True, copy=True)
        check_numbers(y)
        groups = self._check_groups(X, groups)
        self._check_parameters(X)
        value = getattr(self, self._method.PATH) if self._method.PATH else None
        with self._watching():
            self.model_ = self._method.fit_path(X, y, [value], groups=groups, **self._method_parameters(X))[0]
        solution = self.model_.solution
        if solution is not None:
            self.dual_coef_ = solution.beta
            self._set_certificate(solution)
        self._set_weights(getattr(self.model_, "w", None))
        return self

    def decision_function(self, X):
        """Return the scores f(X), shape (m,): the higher, the further ahead."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return finite_scores(self.model_, X)

    def predict(self, X):
        """Return the scores f(X), shape (m,)."""
        return self.decision_function(X)

    def score(self, X, y, groups=None):
        """Return 1 - the fraction of swapped pairs (Diez et al. eq. 1): 1 is a perfect order, ties of the scores
        count as swapped."""
        scores = self.decision_function(X)
        y = column_or_1d(y)
        check_consistent_length(scores, y)
        return 1.0 - swapped_pairs(y, scores, self._check_groups(scores, groups))

    @staticmethod
    def _check_groups(X, groups):
        if groups is None:
            return None
        groups = column_or_1d(groups)
        check_consistent_length(X, groups)
        return np.unique(groups, return_inverse=True)[1]


class OrdinalRegressor(MarginRanker):
    """A ranker whose method has thresholds: ``predict`` returns ranks, ``decision_function`` the scores.

    The distinct values of y are the ranks. Fitted attributes: ``thresholds_`` (r - 1,), the scores at which the rank
    changes, and ``ranks_`` (r,), the labels that ``predict`` returns.
    """

    def fit(self, X, y):
        """Fit on rows X and ordinal targets y, (n,) numbers whose distinct values are the ranks. Thresholds are common
        to all rows, so there are no groups."""
        super().fit(X, y)
        self.thresholds_, self.ranks_ = self.model_.boundaries, self.model_.ranks
        return self

    def predict(self, X):
        """Return the rank of each row, shape (m,), one of ``ranks_``."""
        return rank_scores(self.decision_function(X), self.thresholds_, self.ranks_)


def check_numbers(y):
    """Refuse targets that are no numbers: strings have an order, but rarely the one that is meant."""
    if y.dtype.kind not in "biuf":
        raise ValueError(f"y must hold numbers, higher means ahead, got values like {y[0]!r}")


def finite_scores(model, X):
    """Return the scores of a model, shape (m,), or refuse X for which they are too large for a float64."""
    with np.errstate(over="ignore", invalid="ignore"):
        scores = model.scores(X)
    if not np.isfinite(scores).all():
        raise ValueError(f"X must have finite scores, got inf or nan for X up to {float(abs(X).max()):.3g}: scale X")
    return scores


def _variance(X):
    with np.errstate(over="ignore", invalid="ignore"):
        if hasattr(X, "multiply"):
            return float(X.multiply(X).mean() - X.mean() ** 2)
        return float(X.var())


def _check_kernel_matrix(K):
    if hasattr(K, "toarray"):
        raise ValueError('X must be a dense array with kernel="precomputed", got a sparse matrix')
    if K.shape[0] != K.shape[1]:
        raise ValueError(f'X must be a square matrix with kernel="precomputed", got shape {K.shape}')
    if not np.allclose(K, K.T, rtol=1e-8, atol=1e-10 * max(float(np.abs(K).max()), 1.0)):
        raise ValueError('X must be a symmetric matrix with kernel="precomputed", got K[i, j] != K[j, i]')
