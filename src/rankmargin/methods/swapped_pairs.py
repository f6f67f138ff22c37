"""SVM_multi^SP: minimise the number of swapped pairs over all pairs (Diez, del Coz, Bahamonde, eq. 9).

    min 1/2 ||f||^2 + C xi,   xi = sum_{y_i > y_j} max(0, 1 - 2 (s_i - s_j)) = 2 sum max(0, 1/2 - (s_i - s_j))

The one slack xi of eq. 9 is the sum over all pairs because the most violated labelling is chosen pair by pair (eq.
21).  So the problem is the all-pairs row problem with margin 1/2 and cost 2, in the paper's own units.

``loss="percent"`` is not the paper's: C then weighs xi in percent of the pairs, 100 xi / pairs, as SVM-perf measures
its losses.
"""

from rankmargin.methods import kernel_parameters, solve_path
from rankmargin.oracles.swapped_pairs import count_pairs
from rankmargin.rows.pairs import all_pairs, check_pairs
from rankmargin.solvers.cutting_plane import cutting_plane
from rankmargin.solvers.dual_cd import dual_cd

PATH = "C"
MARGIN, COST = 0.5, 2.0
LOSSES = ("sum", "percent")
SOLVERS = ("auto", "dual_cd", "cutting_plane")
MOST_LISTED_PAIRS = 20_000_000
MOST_JUDGED_PAIRS = 2_000_000  # of which Algorithm 1 tells the dual variables, so that the judge sees them


def fit_path(
    X,
    y,
    values,
    *,
    loss="sum",
    kernel="rbf",
    gamma=1.0,
    degree=3,
    coef0=0.0,
    solver="auto",
    tol=1e-3,
    max_iter=100_000,
    seed=0,
    groups=None,
    sample_weight=None,
):
    """Fit one model for each C.

    Parameters
    ----------
    X : (n, d) array or CSR matrix, or (n, n) kernel matrix with ``kernel="precomputed"``
    y : (n,) array, any ordered numbers
    values : sequence of C > 0
    loss : {"sum", "percent"}
        What C weighs: the sum over pairs, or 100 times its mean.
    solver : {"auto", "dual_cd", "cutting_plane"}
        ``dual_cd`` lists the pairs, ``cutting_plane`` is the paper's Algorithm 1 and asks the O(n log n) oracle;
        ``auto`` lists up to 20 million pairs. For linear functions of up to 20 features Algorithm 1 needs about ten
        planes a feature however large C is, and is the faster one there.
    tol : float, relative duality gap
    groups : (n,) array or None
    sample_weight : (n,) array > 0 or None
        A pair weighs the product of the weights of its rows: a weight of 2 is a row given twice.

    Returns
    -------
    list of KernelModel
    """
    if solver not in SOLVERS:
        raise ValueError(f"solver must be one of {', '.join(SOLVERS)}, got {solver!r}")
    check_pairs(y, groups)
    parameters = kernel_parameters(kernel, gamma, degree, coef0)
    n_pairs = count_pairs(y, groups)
    if loss not in LOSSES:
        raise ValueError(f"loss must be one of {', '.join(LOSSES)}, got {loss!r}")
    cost = COST * 100.0 / n_pairs if loss == "percent" else COST
    if solver == "auto":
        solver = "dual_cd" if n_pairs <= MOST_LISTED_PAIRS else "cutting_plane"
    if sample_weight is not None and solver == "cutting_plane":
        raise ValueError('sample_weight must be None with solver="cutting_plane", which counts pairs')
    if solver == "cutting_plane":
        listed = all_pairs(y, groups, MARGIN, cost) if n_pairs <= MOST_JUDGED_PAIRS else None

        def solve(rows, space, costs):
            return cutting_plane(y, space, costs, MARGIN, cost, groups, tol, max_iter, rows=rows)

        return solve_path(solve, X, listed, values, parameters)

    def solve(rows, space, costs):
        return dual_cd(rows, space, costs, tol, max_iter, seed)

    rows = all_pairs(y, groups, MARGIN, cost).weighted(sample_weight)
    return solve_path(solve, X, rows, values, parameters)
