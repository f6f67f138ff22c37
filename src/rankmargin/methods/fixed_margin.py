"""Fixed margin (Shashua and Levin, section 2): one margin, the same between all neighbouring ranks.

    min 1/2 ||f||^2 + C sum_j (sum_{rank j} max(0, 1 - (b_j - s_i)) + sum_{rank j+1} max(0, 1 - (s_i - b_j)))    (2)-(5)

The dual (9)-(12) has twice as many variables as examples, minus the sizes of the first and the last rank.  It
determines only one b_j.  The paper's second stage, a linear program with f fixed, separates into one problem per
threshold, which :func:`rankmargin.rows.thresholds.best_thresholds` solves by sorting.  b_1 <= b_2 <= ... is not
required unless ``ordered`` is set; with it, or if the thresholds are in order anyway, this is
:mod:`rankmargin.methods.svor` with ``constraints="explicit"``.
With two ranks it is the ordinary SVM.
"""

from dataclasses import dataclass

from rankmargin.annotations import PairLossName
from rankmargin.methods.svor import ranks_of, refuse_groups, with_ranks
from rankmargin.parameters import Certified
from rankmargin.path import path_of
from rankmargin.rows.thresholds import explicit


@dataclass(eq=False, repr=False, kw_only=True)
class Parameters(Certified):
    """``ordered``: whether b_1 <= b_2 <= ... is a constraint."""

    loss: PairLossName = "hinge"
    ordered: bool = False


def problem(own, X, y, *, seed=0, groups=None, sample_weight=None):
    """Pose the problem; each distinct y is a rank. See :func:`rankmargin.methods.svor.problem`."""
    refuse_groups(groups)
    rank, ranks = ranks_of(y)
    return with_ranks(own, X, explicit(rank, len(ranks), own.ordered), ranks, sample_weight, own.loss)


fit_path = path_of(Parameters, problem)
