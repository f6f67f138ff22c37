"""The columns that a search gives to a kernel: their values and their quantiles, all scaled to variance 1."""

from typing import Any

from scipy.sparse import issparse
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import QuantileTransformer, StandardScaler

from rankmargin.annotations import MatrixLike
from rankmargin.estimators.pairs import PairTransformer
from rankmargin.estimators.pairs_base import PairsMachine

QUANTILES = 100  # steps of a distribution function; more rows than that say little about its shape


def scaler_of(estimator: Any, X: MatrixLike, n_rows: int) -> Any:
    """Return a transformer that makes two columns of each column of X: its values and its quantiles.

    Quantiles are the shares of the training rows below a value: a long tail becomes short, and crowded values move
    apart. The values beside them keep the distances of columns that are well as they are. A sparse X is only scaled,
    because its zeros would not stay zeros.

    Parameters
    ----------
    estimator : an estimator of this package; of pairs, both items are transformed alike
    X : (n, d) matrix, of which only the form counts
    n_rows : int, the smallest number of rows to which the transformer will be fitted
    """
    if issparse(X):
        both: Any = StandardScaler(with_mean=False)
    else:
        quantiles = QuantileTransformer(n_quantiles=min(QUANTILES, n_rows), subsample=None)
        both = make_union(StandardScaler(), make_pipeline(quantiles, StandardScaler()))
    return PairTransformer(both, estimator.items) if isinstance(estimator, PairsMachine) else both
