"""A choice of inputs for kernels: the columns as they come (standardised), or their quantiles."""

from dataclasses import dataclass

from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.preprocessing import QuantileTransformer

KINDS = ("standard", "quantile")


@dataclass(eq=False, repr=False, kw_only=True)
class Inputs(TransformerMixin, BaseEstimator):
    """The first step of a pipeline: columns (n, d) as they come, or as the normal scores of their quantiles.

    Parameters
    ----------
    kind : {"standard", "quantile"}
    random_state : int
        The quantiles of more than 10,000 rows are those of a sample.
    """

    kind: str = "standard"
    random_state: int = 0

    def fit(self, X, y=None):
        """Learn the quantiles of the columns of X (n, d)."""
        if self.kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {self.kind!r}")
        made = {"n_quantiles": min(1000, len(X)), "output_distribution": "normal", "random_state": self.random_state}
        self.quantiles_ = QuantileTransformer(**made).fit(X) if self.kind == "quantile" else None
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X):
        """Return the columns of X (m, d) in the chosen form, shape (m, d)."""
        return X if self.quantiles_ is None else self.quantiles_.transform(X)
