"""What the baselines share: an estimator whose fitted ``model_`` has the scores and, if there are any, the ranks."""

from sklearn.base import BaseEstimator


class Baseline(BaseEstimator):
    """An estimator whose ``fit`` sets ``model_``, an object with ``scores(X)`` and perhaps ``labels(X)``."""

    def score_samples(self, X):
        """Return one score per row, shape (m,)."""
        return self.model_.scores(X)

    def predict(self, X):
        """Return the rank of each row, shape (m,); the score if the model has no ranks."""
        return self.model_.labels(X) if hasattr(self.model_, "labels") else self.model_.scores(X)
