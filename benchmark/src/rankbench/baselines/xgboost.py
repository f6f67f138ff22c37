"""Outside rival: the boosted trees of XGBoost, as regression, as a ranker and as a classifier of grades.

By default its ranker learns from the pairs at the first places of a query only, which ruins the order of a whole
table. Here each row meets 20 others, drawn at random (``lambdarank_pair_method="mean"``).
"""

from dataclasses import dataclass

from ._base import Baseline
from ._extra import optional_extra
from ._rivals import TREES, check_estimator, fit_trees


@dataclass(eq=False, repr=False, kw_only=True)
class XGBoost(Baseline):
    """One ensemble of trees, fitted by one thread.

    Parameters
    ----------
    estimator : {"regressor", "ranker", "classifier"}
    n_estimators, learning_rate, max_depth, min_child_weight : of XGBoost
    n_partners : int, random others of its group that each row meets in the ranker
    random_state : int
    """

    estimator: str = "regressor"
    n_estimators: int = 200
    learning_rate: float = 0.1
    max_depth: int = 4
    min_child_weight: float = 1.0
    n_partners: int = 20
    random_state: int = 0

    def fit(self, X, y, groups=None):
        """Fit to X (n, d) and y (n,); ``groups`` (n,) are the queries of the ranker, None is one query.

        The classifier takes none.
        """
        check_estimator(self.estimator, TREES)
        options = {"n_estimators": self.n_estimators, "learning_rate": self.learning_rate, "max_depth": self.max_depth}
        options |= {"min_child_weight": self.min_child_weight, "random_state": self.random_state % 2**31}
        options |= {"n_jobs": 1, "verbosity": 0}
        with optional_extra():
            import xgboost

        def rank(X, y, group):
            pairs = {"lambdarank_pair_method": "mean", "lambdarank_num_pair_per_sample": self.n_partners}
            return xgboost.XGBRanker(objective="rank:pairwise", **pairs, **options).fit(X, y, qid=group)

        machines = xgboost.XGBClassifier(**options), xgboost.XGBRegressor(**options)
        self.model_ = fit_trees(self.estimator, X, y, groups, *machines, rank)
        return self
