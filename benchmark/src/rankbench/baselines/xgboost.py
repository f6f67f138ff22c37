"""Outside rival: the boosted trees of XGBoost, as regression, as a ranker and as a classifier of grades.

By default its ranker learns from the pairs at the first places of a query only, which ruins the order of a whole
table. Here each row meets 20 others, drawn at random (``lambdarank_pair_method="mean"``).
"""

from dataclasses import dataclass

from ._extra import optional_extra
from ._rivals import Trees


@dataclass(eq=False, repr=False, kw_only=True)
class XGBoost(Trees):
    """The trees of XGBoost, see `rankbench.baselines._rivals.Trees`.

    Parameters
    ----------
    max_depth, min_child_weight : of XGBoost
    n_partners : int, random others of its group that each row meets in the ranker
    """

    max_depth: int = 4
    min_child_weight: float = 1.0
    n_partners: int = 20

    def machine(self, **more):
        """Return the ensemble, not fitted yet."""
        with optional_extra():
            import xgboost
        kinds = {"ranker": xgboost.XGBRanker, "classifier": xgboost.XGBClassifier}
        own = {"max_depth": self.max_depth, "min_child_weight": self.min_child_weight, "verbosity": 0}
        return kinds.get(self.estimator, xgboost.XGBRegressor)(**self.options, **own, **more)

    def ranked(self, X, y, group):
        """Return the ranker, fitted to rows of one group one after the other."""
        pairs = {"lambdarank_pair_method": "mean", "lambdarank_num_pair_per_sample": self.n_partners}
        return self.machine(objective="rank:pairwise", **pairs).fit(X, y, qid=group)
