"""SVM_multi^SP whose C weighs percents of the pairs, as SVM-perf measures its losses."""

from dataclasses import dataclass

from rankmargin import SwappedPairsSVM
from rankmargin.estimators.swapped_pairs import COST, MARGIN, all_pairs_problem
from rankmargin.problem.rows.pairs import count_pairs


@dataclass(eq=False, repr=False, kw_only=True)
class PercentOfPairsSVM(SwappedPairsSVM):
    """SwappedPairsSVM in which C is the weight of 100 xi / pairs; ``C_scale`` has to be "pairs"."""

    def _problem(self, data):
        return all_pairs_problem(self, data, MARGIN, COST * 100.0 / count_pairs(data.y, data.groups))
