"""Outside rival: the boosted trees of LightGBM, as regression, as a ranker (LambdaMART) and as a classifier of grades.

The ranker wants small whole numbers as labels: targets are cut into bins of equal frequency. By default its gains grow
as 2**label and only the first 30 places of a query count, for search engines. Here gains are the labels, and all
places count, because the judge counts all pairs alike.
"""

from dataclasses import dataclass

import numpy as np

from rankmargin.problem.rows.ranks import ranks_of

from ._extra import optional_extra
from ._rivals import Trees


@dataclass(eq=False, repr=False, kw_only=True)
class LightGBM(Trees):
    """The trees of LightGBM, see `rankbench.baselines._rivals.Trees`.

    Parameters
    ----------
    num_leaves, min_child_samples : of LightGBM
    n_bins : int, labels of the ranker at most
    """

    num_leaves: int = 15
    min_child_samples: int = 5
    n_bins: int = 31

    def machine(self, **more):
        """Return the ensemble, not fitted yet."""
        with optional_extra():
            import lightgbm
        kinds = {"ranker": lightgbm.LGBMRanker, "classifier": lightgbm.LGBMClassifier}
        own = {"num_leaves": self.num_leaves, "min_child_samples": self.min_child_samples}
        own |= {"verbosity": -1, "deterministic": True, "force_row_wise": True}
        return kinds.get(self.estimator, lightgbm.LGBMRegressor)(**self.options, **own, **more)

    def ranked(self, X, y, group):
        """Return the ranker, fitted to rows of one group one after the other."""
        labels, sizes = np.unique(ranks_of(y, self.n_bins)[0], return_inverse=True)[1], np.bincount(group)
        all_places = {"label_gain": list(range(labels.max() + 1)), "lambdarank_truncation_level": int(sizes.max())}
        return self.machine(**all_places).fit(X, labels, group=sizes)
