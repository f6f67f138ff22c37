"""Outside rival: the boosted trees of LightGBM, as regression, as a ranker (LambdaMART) and as a classifier of grades.

The ranker wants small whole numbers as labels: targets are cut into bins of equal frequency. By default its gains grow
as 2**label and only the first 30 places of a query count, for search engines. Here gains are the labels, and all
places count, because the judge counts all pairs alike.
"""

import numpy as np

from rankmargin.methods.svor import ranks_of

from ._rivals import TREES, check_estimator, fit_trees, optional_extra

PATH = None
MOST_ROWS_OF_A_GROUP = 10_000  # LightGBM refuses more


def fit_path(
    X,
    y,
    values,
    *,
    estimator="regressor",
    n_estimators=200,
    learning_rate=0.1,
    num_leaves=15,
    min_child_samples=5,
    n_bins=31,
    seed=0,
    groups=None,
):
    """Fit one ensemble of trees, by one thread.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
    values : one model is returned for each, all the same
    estimator : {"regressor", "ranker", "classifier"}
    n_estimators, learning_rate, num_leaves, min_child_samples : of LightGBM
    n_bins : int, labels of the ranker at most
    seed : int
    groups : (n,) array or None, the queries of the ranker; None is one query. The classifier takes none.

    Returns
    -------
    list of FittedScores or FittedClasses
    """
    check_estimator(estimator, TREES)
    options = {"n_estimators": n_estimators, "learning_rate": learning_rate, "num_leaves": num_leaves}
    options |= {"min_child_samples": min_child_samples, "random_state": seed % 2**31, "n_jobs": 1, "verbosity": -1}
    with optional_extra():
        import lightgbm
    options |= {"deterministic": True, "force_row_wise": True}

    def rank(X, y, group):
        labels, sizes = np.unique(ranks_of(y, n_bins)[0], return_inverse=True)[1], np.bincount(group)
        if sizes.max() > MOST_ROWS_OF_A_GROUP:
            raise ValueError(f"X must have at most {MOST_ROWS_OF_A_GROUP:,} rows in a group, got {sizes.max():,}")
        all_places = {"label_gain": list(range(labels.max() + 1)), "lambdarank_truncation_level": int(sizes.max())}
        return lightgbm.LGBMRanker(**options, **all_places).fit(X, labels, group=sizes)

    machines = lightgbm.LGBMClassifier(**options), lightgbm.LGBMRegressor(**options)
    return [fit_trees(estimator, X, y, groups, *machines, rank)] * len(values)
