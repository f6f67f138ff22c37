"""Folds of searches and averages."""

import numbers
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold, check_cv

from rankmargin.annotations import Array, ArrayLike
from rankmargin.caller import HintWarning, warn_caller
from rankmargin.estimators.ordinal_base import OrdinalPredictions
from rankmargin.estimators.pairs import ItemKFold
from rankmargin.estimators.pairs_base import PairsMachine
from rankmargin.estimators.path import last_step, learns_pairs
from rankmargin.problem.checks import check_targets
from rankmargin.problem.rows.pairs import NoPairError, check_groups


def splits_of(estimator: Any, cv: Any, X: Any, y: Any, groups: ArrayLike | None = None) -> list[tuple[Array, Array]]:
    """Return the training and the test rows of each fold that has both; refuse folds of which none has."""
    check_groups(X, np.asarray(groups)[:, 0] if _names_items(estimator, groups) else groups)
    splits = list(splitter_of(estimator, cv, y, groups).split(X, y, groups))
    rows = np.arange(len(np.asarray(y)))
    # a splitter may give numbers or masks
    parts = [[rows[np.asarray(part)] if len(part) else rows[:0] for part in fold] for fold in splits]
    if not (folds := [(train, test) for train, test in parts if len(train) and len(test)]):
        raise NoPairError("cv and groups must leave rows in the training and in the test part of some fold, got none")
    return folds


def _names_items(estimator, groups):
    """Return whether groups are the names of both items of labelled pairs, (n, 2)."""
    return groups is not None and learns_pairs(estimator) and np.ndim(groups) == 2


def tell_labels(estimator: Any, y: ArrayLike) -> None:
    """Fix the labels to those of all rows: a fold that lacks a label could be read in two ways."""
    last = last_step(estimator)[0]
    if isinstance(last, PairsMachine) and isinstance(last.labels, str):
        last.labels = last._checked_labels(y)[0].tolist()


def splitter_of(estimator: Any, cv: Any, y: ArrayLike, groups: ArrayLike | None = None) -> Any:
    """Return the splitter. For a number, and for None, which means five folds, they keep groups whole, and both items
    of pairs apart; without groups the rows are shuffled, as many tables are sorted, and the folds are stratified for
    grades. With fewer groups than folds there is a fold for each group, and a hint says so."""
    cv = 5 if cv is None else cv
    if not isinstance(cv, numbers.Integral):
        return check_cv(cv)
    n_folds = int(cv)
    if groups is not None:
        if _names_items(estimator, groups):
            return ItemKFold(n_folds, random_state=0)
        n_groups = len(np.unique(np.asarray(groups)))
        if n_groups < n_folds:
            warn_caller(f"{n_groups} groups make {n_groups} folds, not {n_folds}", HintWarning)
        return GroupKFold(min(n_folds, n_groups))
    last = last_step(estimator)[0]
    binned = getattr(last, "n_bins", None) is not None
    if is_classifier(estimator) and not binned:  # scikit-learn takes grades such as 0.5, 1, 1.5 for a continuous target
        if isinstance(last, PairsMachine):  # our labels may be of several types
            y = last._checked_labels(y)[1]
        elif isinstance(last, OrdinalPredictions):
            y = check_targets(y, getattr(last, "categories", None))[0]
        y = np.unique(np.asarray(y), return_inverse=True)[1]
    kind = type(check_cv(n_folds, y, classifier=is_classifier(estimator)))
    if kind is StratifiedKFold and np.unique(np.asarray(y), return_counts=True)[1].max() < n_folds:
        kind = KFold
        if not binned:
            warn_caller(f"no grade has {n_folds} rows, one for each fold: the folds are not stratified", HintWarning)
    return check_cv(_stratified(y, n_folds)) if kind is StratifiedKFold else kind(n_folds, shuffle=True, random_state=0)


def _stratified(y, n_folds):
    """Return the training and the test rows of folds with equal shares of each grade: those of StratifiedKFold, which
    warns of a rare grade that only some folds have."""
    _, first, grade = np.unique(y, return_index=True, return_inverse=True)
    grade, rng = np.argsort(np.argsort(first))[grade], np.random.RandomState(0)
    in_order, fold = np.sort(grade), np.empty(len(grade), dtype=np.int64)
    sizes = np.array([np.bincount(in_order[k::n_folds], minlength=len(first)) for k in range(n_folds)])
    for k in range(len(first)):
        of_grade = np.arange(n_folds).repeat(sizes[:, k])
        rng.shuffle(of_grade)
        fold[grade == k] = of_grade
    return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(n_folds)]
