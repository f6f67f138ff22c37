"""What estimators on labelled pairs share: two ways to hand over pairs, fitted attributes, predictions."""

import warnings

import numpy as np
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.validation import check_is_fitted, validate_data

from rankmargin.estimators.base import MarginRanker, finite_scores


class NoScalingWarning(UserWarning):
    """The separator calls every pair different (beta >= 0): no scaling of Lemma 1 is valid."""


class PairsMachine(MarginRanker):
    """A kernel machine that learns from pairs (x, x') with labels -1, 0, 1: 1 says that x' is better."""

    def fit(self, X, X2=None, y=None):
        """Fit on pairs: ``fit(X, X2, y)``, or ``fit(pairs, y)`` with x beside x' in one array.

        Parameters
        ----------
        X, X2 : (n, d) arrays, the two items of each pair; or one (n, 2 d) array of pairs; or one (n, n) kernel of
            differences with ``kernel="precomputed"``
        y : (n,) labels, -1 if x is better, 0 if neither is, 1 if x' is better

        Returns
        -------
        self

        Raises
        ------
        ValueError
            When a parameter or the data are not what is accepted, or there is no comparison to learn from.
        """
        if y is None:
            X2, y = None, X2
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None: fit(X, X2, y) or fit(pairs, y)")
        pairs, y = self._checked(X, X2, y)
        self._check_parameters(pairs)
        with self._watching():
            self.model_ = self._method.fit_path(pairs, y, [self.C], **self._method_parameters(pairs))[0]
        solution = self.model_.solution
        self.dual_coef_, self.classes_ = solution.beta, np.array([-1, 0, 1])
        self._set_certificate(solution)
        linear = self.kernel == "linear"
        scale = self.model_.threshold or 1.0
        self._set_weights(self.model_.space.weights(solution.beta) / scale if linear else None)
        if not self.model_.scaled:
            warnings.warn(
                f"beta = {-float(solution.theta[0]):.3g} >= 0 with C={self.C:g}: no scaling of the ranking function is "
                "valid (Lemma 1), so every difference counts and decision_function is not in units of the threshold 1",
                NoScalingWarning,
                stacklevel=2,
            )
        return self

    def decision_function(self, X, X2=None):
        """Return r(x') - r(x) of each pair, shape (m,); beyond -1 and 1 it counts as a difference."""
        check_is_fitted(self)
        return finite_scores(self.model_, self._checked(X, X2))

    def predict(self, X, X2=None):
        """Return -1 where x is better, 1 where x' is, 0 where neither is, shape (m,)."""
        scores = self.decision_function(X, X2)
        return self.model_.labels_of(scores)

    def rank(self, X):
        """Return the ranking function r(x) of each item (eq. 13), shape (m,), up to a constant."""
        check_is_fitted(self)
        X = check_array(X, dtype=np.float64)
        if self.kernel != "precomputed" and 2 * X.shape[1] != self.n_features_in_:
            raise ValueError(f"X must have {self.n_features_in_ // 2} features an item, got {X.shape[1]}")
        return self.model_.ranks(X)

    def score(self, X, X2=None, y=None):
        """Return the share of labels predicted, 1 - eq. (2): ``score(X, X2, y)`` or ``score(pairs, y)``."""
        if y is None:
            X2, y = None, X2
        if y is None:
            raise ValueError("y must be given: score(X, X2, y) or score(pairs, y)")
        predicted, y = self.predict(X, X2), column_or_1d(y)
        check_consistent_length(predicted, y)
        return float(np.mean(predicted == y))

    def _checked(self, X, X2, y=None):
        if X2 is not None:
            if self.kernel == "precomputed":
                raise ValueError('X2 must be None with kernel="precomputed": the kernel is over whole pairs')
            X, X2 = check_array(X, dtype=np.float64), check_array(X2, dtype=np.float64)
            check_consistent_length(X, X2)
            if X.shape[1] != X2.shape[1]:
                raise ValueError(f"X and X2 must have the same number of columns, got {X.shape[1]} and {X2.shape[1]}")
            X = np.hstack([X, X2])
        if y is None:
            return validate_data(self, X, dtype=np.float64, reset=False)
        return validate_data(self, X, y, dtype=np.float64, copy=True)

    def _kernel_parameters(self, X):
        """As for single items; ``gamma="scale"`` reads the variance of the items, x and x' stacked."""
        items = np.vstack(np.hsplit(X, 2)) if self.kernel != "precomputed" and X.shape[1] % 2 == 0 else X
        return super()._kernel_parameters(items)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags
