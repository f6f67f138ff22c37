"""rankmargin: learning to order with large margins.

Notation, the same in every module and docstring:

====================  ===========================================================================================
X (n, d)              training inputs, one row per example
y (n,)                their targets; a higher score s should mean a higher y
groups (n,)           pairs are compared only inside a group (query id, person)
k, K                  kernel and its (n, n) matrix
f, s = f(X)           the ranking function and its scores, f = sum_i beta_i k(x_i, .), s = K beta
w                     its weights if k is linear, w = X^T beta
theta                 thresholds between neighbouring ranks
C                     weight of the loss
alpha (N,)            dual variables, one per row
====================  ===========================================================================================

Every method solves the same problem with its own set of rows t = (sign, plus, minus, threshold, margin, cost):

    min over f, theta:   1/2 ||f||^2 + C sum_t cost_t max(0, margin_t - sign_t v_t),
                         v_t = s[plus_t] - s[minus_t] - theta[threshold_t]

``rows`` builds the rows, ``solvers`` solve the problem and prove how well, and ``estimators`` translate papers into it,
with the interface of scikit-learn.  They can be imported from here; each is loaded when it is first used.
"""

from importlib import import_module

__version__ = "0.3.0"

_HOMES = {
    "ComparisonLink": "rankmargin.estimators.comparison_link",
    "ComparisonSVM": "rankmargin.estimators.compare",
    "CumulativeLink": "rankmargin.estimators.cumulative_link",
    "FixedMarginSVM": "rankmargin.estimators.fixed_margin",
    "ItemKFold": "rankmargin.estimators.pairs",
    "KernelPRank": "rankmargin.estimators.prank",
    "PRank": "rankmargin.estimators.prank",
    "PairTransformer": "rankmargin.estimators.pairs",
    "PairwiseRankSVM": "rankmargin.estimators.pairwise",
    "RankAverage": "rankmargin.search.rank_average",
    "RankBoundarySVM": "rankmargin.estimators.rank_boundaries",
    "RankSVR": "rankmargin.estimators.ranksvr",
    "RankSearchCV": "rankmargin.search.search",
    "RankThreshold": "rankmargin.estimators.rank_threshold",
    "SVOR": "rankmargin.estimators.svor",
    "SumOfMarginsSVM": "rankmargin.estimators.sum_of_margins",
    "SwappedPairsSVM": "rankmargin.estimators.swapped_pairs",
    "ThresholdedRanker": "rankmargin.estimators.thresholded_ranker",
    "rank_path": "rankmargin.estimators.path",
    "stack_pairs": "rankmargin.estimators.pairs",
}
__all__ = [*_HOMES, "__version__", "show_versions"]


def __getattr__(name):
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'rankmargin' has no attribute {name!r}")


def __dir__():
    return sorted(__all__)


def show_versions() -> None:
    """Print the versions of rankmargin and numba, and what ``sklearn.show_versions`` prints: Python, packages, threads.

    Examples
    --------
    >>> import rankmargin
    >>> rankmargin.show_versions()  # doctest: +ELLIPSIS
    rankmargin ...
    """
    import numba
    import sklearn

    print(f"rankmargin {__version__}, numba {numba.__version__}")
    sklearn.show_versions()
