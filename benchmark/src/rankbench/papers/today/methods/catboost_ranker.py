"""CatBoost as a ranker: it learns from pairs of rows of a group, all of them or a random part."""

from dataclasses import dataclass

import numpy as np

from rankbench.baselines._base import Baseline
from rankbench.baselines._extra import optional_extra
from rankbench.baselines._rivals import Fitted
from rankmargin.problem.rows.pairs import group_codes


@dataclass(eq=False, repr=False, kw_only=True)
class CatBoostRanking(Baseline):
    """Boosted trees with the loss PairLogit. (YetiRank, its default, counts the first places alone.)

    Parameters
    ----------
    iterations, learning_rate, depth, l2_leaf_reg : of CatBoost
    n_partners : int
        Pairs at most, as a multiple of the rows of all groups.
    random_state : int
    """

    iterations: int = 200
    learning_rate: float = 0.1
    depth: int = 4
    l2_leaf_reg: float = 3.0
    n_partners: int = 20
    random_state: int = 0

    def fit(self, X, y, groups=None):
        """Fit to X (n, d) and y (n,); ``groups`` (n,) are the queries, None is one query."""
        group = group_codes(groups, len(y))
        order = np.argsort(group, kind="stable")
        with optional_extra():
            import catboost
        options = {"iterations": self.iterations, "learning_rate": self.learning_rate, "depth": self.depth}
        options |= {"l2_leaf_reg": self.l2_leaf_reg, "random_seed": self.random_state % 2**31, "thread_count": 1}
        options |= {"verbose": False, "allow_writing_files": False}
        most = self.n_partners * int(np.bincount(group).max())
        machine = catboost.CatBoostRanker(loss_function=f"PairLogit:max_pairs={most}", **options)
        self.model_ = Fitted(machine.fit(X[order], y[order], group_id=group[order]))
        return self
