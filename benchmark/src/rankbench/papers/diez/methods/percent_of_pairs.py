"""SVM_multi^SP whose C weighs percents of the pairs, as SVM-perf measures its losses."""

from dataclasses import dataclass

from rankmargin import SwappedPairsSVM
from rankmargin.problem.rows.pairs import count_pairs


@dataclass(eq=False, repr=False, kw_only=True)
class PercentOfPairsSVM(SwappedPairsSVM):
    """SwappedPairsSVM in which C is the weight of 100 xi / pairs; ``C_scale`` has to be "pairs"."""

    def _cost(self, y, groups):
        return super()._cost(y, groups) * 100.0 / count_pairs(y, groups)
