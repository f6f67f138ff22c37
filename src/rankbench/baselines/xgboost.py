"""Outside rival: the boosted trees of XGBoost, as regression, as a ranker and as a classifier of grades.

By default its ranker learns from the pairs at the first places of a query only, which ruins the order of a whole
table. Here each row meets 20 others, drawn at random (``lambdarank_pair_method="mean"``).
"""

from ._rivals import TREES, check_estimator, fit_trees, optional_extra

PATH = None


def fit_path(
    X,
    y,
    values,
    *,
    estimator="regressor",
    n_estimators=200,
    learning_rate=0.1,
    max_depth=4,
    min_child_weight=1.0,
    n_partners=20,
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
    n_estimators, learning_rate, max_depth, min_child_weight : of XGBoost
    n_partners : int, random others of its group that each row meets in the ranker
    seed : int
    groups : (n,) array or None, the queries of the ranker; None is one query. The classifier takes none.

    Returns
    -------
    list of FittedScores or FittedClasses
    """
    check_estimator(estimator, TREES)
    options = {"n_estimators": n_estimators, "learning_rate": learning_rate, "max_depth": max_depth}
    options |= {"min_child_weight": min_child_weight, "random_state": seed % 2**31, "n_jobs": 1, "verbosity": 0}
    with optional_extra():
        import xgboost

    def rank(X, y, group):
        pairs = {"lambdarank_pair_method": "mean", "lambdarank_num_pair_per_sample": n_partners}
        return xgboost.XGBRanker(objective="rank:pairwise", **pairs, **options).fit(X, y, qid=group)

    machines = xgboost.XGBClassifier(**options), xgboost.XGBRegressor(**options)
    return [fit_trees(estimator, X, y, groups, *machines, rank)] * len(values)
