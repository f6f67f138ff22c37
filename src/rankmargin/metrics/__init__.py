"""Metrics of a ranking or an ordinal prediction. Lower is better, except for those in ``HIGHER_IS_BETTER``."""

from collections.abc import Callable
from importlib import import_module

from rankmargin.metrics.comparisons import (
    comparison_auc,
    comparison_auc_any_direction,
    comparison_baseline_auc,
    comparison_error,
    comparison_roc,
)
from rankmargin.metrics.grades import (
    absolute_error,
    balanced_absolute_error,
    balanced_zero_one,
    mean_absolute_error,
    quadratic_kappa,
    zero_one,
)
from rankmargin.metrics.orders import concordance_index, kendall_tau, ndcg, rank_inversions, spearman, swapped_pairs

__all__ = [
    "absolute_error",
    "balanced_absolute_error",
    "balanced_zero_one",
    "comparison_auc",
    "comparison_auc_any_direction",
    "comparison_baseline_auc",
    "comparison_error",
    "comparison_roc",
    "concordance_index",
    "get_scorer",
    "kendall_tau",
    "mean_absolute_error",
    "ndcg",
    "quadratic_kappa",
    "rank_inversions",
    "spearman",
    "swapped_pairs",
    "zero_one",
]

HIGHER_IS_BETTER = (
    "comparison_auc",
    "comparison_auc_any_direction",
    "concordance_index",
    "kendall_tau",
    "ndcg",
    "quadratic_kappa",
    "spearman",
)


def get_scorer(name: str, undefined: float = float("nan")) -> Callable[..., float]:
    """Return a scorer for scikit-learn's ``scoring=``: higher is better.

    It takes ``groups`` and ``sample_weight`` by metadata routing; you do not need to request them.

    Parameters
    ----------
    name : {"concordance", "kendall", "ndcg", "neg_mean_absolute_error", "quadratic_kappa"}
        The first three judge the order of the scores, inside groups if there are any; the last two judge predicted
        grades. If grades are names, their places 0, 1, ... are compared.
    undefined : float, default nan
        The score if there is no pair to compare. In a search of scikit-learn, one fold with the score nan makes the
        mean of every candidate nan. With any number instead, such a fold has no influence on the order of the
        candidates, because all of them get this number.

    Returns
    -------
    callable
        ``scorer(estimator, X, y, groups=None, sample_weight=None)``.

    Raises
    ------
    ValueError
        If there is no scorer with this name.

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
    scorers = import_module("rankmargin.estimators.scorers").SCORERS  # by name, so that no job depends on it
    if name not in scorers:
        raise ValueError(f"name must be one of {', '.join(scorers)}, got {name!r}")
    return scorers[name](undefined=undefined)
