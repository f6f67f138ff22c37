"""Fixed margin (Shashua and Levin, section 2): one margin, the same between all neighbouring ranks.

    min 1/2 ||f||^2 + C sum_j (sum_{rank j} max(0, 1 - (b_j - s_i)) + sum_{rank j+1} max(0, 1 - (s_i - b_j)))    (2)-(5)

The dual (9)-(12) has twice as many variables as examples, minus the sizes of the first and the last rank.  It
determines only one b_j.  The paper's second stage, a linear program with f fixed, separates into one problem per
threshold, which :func:`rankmargin.rows.thresholds.best_thresholds` solves by sorting.  b_1 <= b_2 <= ... is not
required here; if the thresholds are in order, this is :mod:`rankmargin.methods.svor` with ``constraints="explicit"``.
With two ranks it is the ordinary SVM.
"""

from rankmargin.kernels import make_block_space
from rankmargin.methods import kernel_parameters, solve_path, solve_rows
from rankmargin.methods.svor import ranks_of, refuse_groups
from rankmargin.rows.thresholds import explicit

PATH = "C"
ORDINAL = True


def fit_path(
    X,
    y,
    values,
    *,
    kernel="rbf",
    gamma=1.0,
    degree=3,
    coef0=0.0,
    tol=1e-3,
    max_iter=10_000_000,
    seed=0,
    groups=None,
    sample_weight=None,
):
    """Fit one model for each C.

    Parameters
    ----------
    y : (n,) array, each distinct value is a rank
    seed : int, seed of the samples of rows on which the solver of linear functions starts
    groups : must be None, the thresholds are the same for all rows
    sample_weight : (n,) array > 0 or None, a weight of 2 is a row given twice

    The other parameters and the result are those of :func:`rankmargin.methods.swapped_pairs.fit_path`; the models have
    ``labels``.
    """
    refuse_groups(groups)
    parameters = kernel_parameters(kernel, gamma, degree, coef0)
    rank, ranks = ranks_of(y)

    def solve(rows, space, costs):
        return solve_rows(rows, space, costs, tol, max_iter, seed)

    rows = explicit(rank, len(ranks)).weighted(sample_weight)
    return solve_path(solve, X, rows, values, parameters, ranks=ranks, make_space=make_block_space)
