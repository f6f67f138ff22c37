"""SVM_multi^SP whose C weighs percents of the pairs, as SVM-perf measures its losses."""

from dataclasses import dataclass

from rankmargin import SwappedPairsSVM


@dataclass(eq=False, repr=False, kw_only=True)
class PercentOfPairsSVM(SwappedPairsSVM):
    """SwappedPairsSVM in which C is the weight of 100 xi / pairs; ``C_scale`` has to be "pairs"."""

    C_weighs = "percent"
