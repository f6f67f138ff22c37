"""Outside rival: the boosted trees of LightGBM, as regression, as a ranker (LambdaMART) and as a classifier of grades.

The ranker wants small whole numbers as labels: targets are cut into bins of equal frequency. By default its gains grow
as 2**label and only the first 30 places of a query count, for search engines. Here gains are the labels, and all
places count, because the judge counts all pairs alike.
"""

from dataclasses import dataclass

import numpy as np

from rankmargin.problem.rows.ranks import ranks_of

from ._base import Baseline
from ._extra import optional_extra
from ._rivals import TREES, check_estimator, fit_trees

MOST_ROWS_OF_A_GROUP = 10_000  # LightGBM refuses more


@dataclass(eq=False, repr=False, kw_only=True)
class LightGBM(Baseline):
    """One ensemble of trees, fitted by one thread.

    Parameters
    ----------
    estimator : {"regressor", "ranker", "classifier"}
    n_estimators, learning_rate, num_leaves, min_child_samples : of LightGBM
    n_bins : int, labels of the ranker at most
    random_state : int
    """

    estimator: str = "regressor"
    n_estimators: int = 200
    learning_rate: float = 0.1
    num_leaves: int = 15
    min_child_samples: int = 5
    n_bins: int = 31
    random_state: int = 0

    def fit(self, X, y, groups=None):
        """Fit to X (n, d) and y (n,); ``groups`` (n,) are the queries of the ranker, None is one query.

        The classifier takes none.
        """
        check_estimator(self.estimator, TREES)
        options = {"n_estimators": self.n_estimators, "learning_rate": self.learning_rate}
        options |= {"num_leaves": self.num_leaves, "min_child_samples": self.min_child_samples}
        options |= {"random_state": self.random_state % 2**31, "n_jobs": 1, "verbosity": -1}
        with optional_extra():
            import lightgbm
        options |= {"deterministic": True, "force_row_wise": True}

        def rank(X, y, group):
            labels, sizes = np.unique(ranks_of(y, self.n_bins)[0], return_inverse=True)[1], np.bincount(group)
            if sizes.max() > MOST_ROWS_OF_A_GROUP:
                raise ValueError(f"X must have at most {MOST_ROWS_OF_A_GROUP:,} rows in a group, got {sizes.max():,}")
            all_places = {"label_gain": list(range(labels.max() + 1)), "lambdarank_truncation_level": int(sizes.max())}
            return lightgbm.LGBMRanker(**options, **all_places).fit(X, labels, group=sizes)

        machines = lightgbm.LGBMClassifier(**options), lightgbm.LGBMRegressor(**options)
        self.model_ = fit_trees(self.estimator, X, y, groups, *machines, rank)
        return self
