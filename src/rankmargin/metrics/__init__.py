"""Metrics of a ranking or an ordinal prediction. Lower is better, unless a metric says otherwise."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from rankmargin.metrics.comparisons import comparison_auc, comparison_error
from rankmargin.metrics.grades import (
    absolute_error,
    balanced_absolute_error,
    balanced_zero_one,
    mean_absolute_error,
    quadratic_kappa,
    zero_one,
)
from rankmargin.metrics.orders import concordance_index, kendall_tau, rank_inversions, spearman, swapped_pairs
from rankmargin.metrics.tops import average_precision, mean_reciprocal_rank, ndcg, precision_at_k

__all__ = [
    "absolute_error",
    "average_precision",
    "balanced_absolute_error",
    "balanced_zero_one",
    "comparison_auc",
    "comparison_error",
    "concordance_index",
    "get_scorer",
    "kendall_tau",
    "mean_absolute_error",
    "mean_reciprocal_rank",
    "ndcg",
    "precision_at_k",
    "quadratic_kappa",
    "rank_inversions",
    "spearman",
    "swapped_pairs",
    "zero_one",
]


def get_scorer(name: str, undefined: float = float("nan"), **options: Any) -> Callable[..., float]:
    """Return a scorer for scikit-learn's ``scoring=``: higher is better.

    It takes ``groups`` and ``sample_weight`` by metadata routing; you do not need to request them.

    Parameters
    ----------
    name : str
        ``concordance``, ``kendall``, ``ndcg``, ``mean_reciprocal_rank``, ``average_precision`` and ``precision_at_k``
        judge the order of the scores, inside groups if there are any; ``neg_mean_absolute_error`` and
        ``quadratic_kappa`` judge predicted grades. If grades are names, their places 0, 1, ... are compared.
    undefined : float, default nan
        The score if there is no pair to compare. In a search of scikit-learn, one fold with the score nan makes the
        mean of every candidate nan. With any number instead, such a fold has no influence on the order of the
        candidates, because all of them get this number.
    **options
        Arguments of the metric: ``k`` of ``ndcg`` and ``precision_at_k``, ``gain`` of ``ndcg``.

    Returns
    -------
    callable
        ``scorer(estimator, X, y, groups=None, sample_weight=None)``.

    Raises
    ------
    ValueError
        If there is no scorer with this name, or its metric has no such argument.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.model_selection import cross_val_score
    >>> from rankmargin import SwappedPairsSVM
    >>> from rankmargin.metrics import get_scorer
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ranker = SwappedPairsSVM(kernel="linear")
    >>> cross_val_score(ranker, X[:200], y[:200], cv=2, scoring=get_scorer("kendall")).round(1)
    array([0.5, 0.4])
    """
    scorers = import_module("rankmargin.metrics.scorers").SCORERS  # by name, so that no job depends on it
    if name not in scorers:
        raise ValueError(f"name must be one of {', '.join(scorers)}, got {name!r}")
    return scorers[name](undefined=undefined, options=options)
