"""Fixed margin (Shashua and Levin, section 2): one margin, the same between all neighbouring ranks.

    min 1/2 ||f||^2 + C sum_j (sum_{rank j} max(0, 1 - (b_j - s_i)) + sum_{rank j+1} max(0, 1 - (s_i - b_j)))    (2)-(5)

The dual (9)-(12) has twice as many variables as examples, minus the sizes of the first and the last rank.  It
determines only one b_j.  The paper's second stage, a linear program with f fixed, separates into one problem per
threshold, which :func:`rankmargin.rows.thresholds.best_thresholds` solves by sorting.  b_1 <= b_2 <= ... is not
required unless ``ordered`` is set; with it, or if the thresholds are in order anyway, this is
:mod:`rankmargin.methods.svor` with ``constraints="explicit"``.
With two ranks it is the ordinary SVM.
"""

from rankmargin.methods.svor import ranks_of, refuse_groups
from rankmargin.path import over_kernels, solve_path
from rankmargin.rows.thresholds import explicit

PATH = "C"
ORDINAL = True


@over_kernels
def fit_path(
    X, y, values, *, kernel, ordered=False, tol=1e-3, max_iter=10_000_000, seed=0, groups=None, sample_weight=None
):
    """Fit one model for each C.

    Parameters
    ----------
    y : (n,) array, each distinct value is a rank
    ordered : bool, whether b_1 <= b_2 <= ... is a constraint
    seed : int, seed of the samples of rows on which the solver of linear functions starts
    groups : must be None, the thresholds are the same for all rows
    sample_weight : (n,) array > 0 or None, a weight of 2 is a row given twice

    The other parameters and the result are those of :func:`rankmargin.methods.swapped_pairs.fit_path`; the models have
    ``labels``.
    """
    refuse_groups(groups)
    rank, ranks = ranks_of(y)
    rows = explicit(rank, len(ranks), ordered).weighted(sample_weight)
    return solve_path(X, rows, values, kernel, tol, max_iter, seed, ranks=ranks)
