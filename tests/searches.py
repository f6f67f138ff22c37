"""A search over C and a grid with every setting on every fold, and its scores as arrays."""

from functools import partial

import numpy as np

from rankmargin import RankSearchCV

every_fit = partial(RankSearchCV, param_grid=None, scale=False, cv=None, scoring="concordance", fast=False)


def chosen_C(search):
    """Return C of ``best_params_``."""
    return next(value for name, value in search.best_params_.items() if name.split("__")[-1] == "C")


def fold_scores(search):
    """Return the scores (c, folds) of the chosen setting."""
    scores = np.array([search.cv_results_[f"split{fold}_test_score"] for fold in range(search.n_splits_)]).T
    return scores.reshape(-1, len(search.Cs_), search.n_splits_)[search.best_index_ // len(search.Cs_)]
