"""SVM_multi^SP: minimise the number of swapped pairs over all pairs (Diez, del Coz, Bahamonde, eq. 9).

    min 1/2 ||f||^2 + C xi,   xi = sum_{y_i > y_j} max(0, 1 - 2 (s_i - s_j)) = 2 sum max(0, 1/2 - (s_i - s_j))

The single slack xi of eq. 9 is the sum over all pairs, because the most violated labelling is chosen pair by pair (eq.
21).  So the problem is the all-pairs problem with margin 1/2 and cost 2, in the paper's own units.  In other units it
is the problem of :mod:`rankmargin.methods.pairwise` and :mod:`rankmargin.methods.rank_boundaries`, and
:func:`all_pairs_path` solves it for all three.

``C_weighs="percent"`` is not in the paper: C is then the weight of xi in percent of the pairs, 100 xi / pairs, as
SVM-perf measures its losses.
"""

from rankmargin.methods import kernel_parameters, solve_path
from rankmargin.oracles.all_pairs import count_pairs
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.rows.pair_weights import pair_weights, weigh_pairs
from rankmargin.rows.pairs import all_pairs, check_pairs
from rankmargin.solvers.cutting_plane import cutting_plane
from rankmargin.solvers.dual_cd import dual_cd
from rankmargin.solvers.interior_point import interior_point
from rankmargin.solvers.smoothed_newton import smoothed_newton

PATH = "C"
MARGIN, COST = 0.5, 2.0
C_WEIGHS = ("sum", "percent")
SOLVERS = ("auto", "smoothed_newton", "dual_cd", "interior_point", "cutting_plane")
LISTING = ("dual_cd", "interior_point")
MOST_LISTED_PAIRS = 20_000_000
MOST_NEWTON_STEPS = 200


def fit_path(
    X,
    y,
    values,
    *,
    kernel="rbf",
    gamma=1.0,
    degree=3,
    coef0=0.0,
    loss="hinge",
    C_weighs="sum",
    solver="auto",
    tol=1e-3,
    max_iter=100_000,
    seed=0,
    groups=None,
    sample_weight=None,
    pair_weight=None,
):
    """Fit one model for each C.

    Parameters
    ----------
    X : (n, d) array or CSR matrix, or (n, n) kernel matrix with ``kernel="precomputed"``
    y : (n,) array, any ordered numbers
    values : sequence of C > 0
    loss, solver : see :func:`all_pairs_path`
    C_weighs : {"sum", "percent"}, whether C weighs the sum over pairs or 100 times their mean
    tol : float, relative duality gap
    groups : (n,) array or None
    sample_weight : (n,) array > 0 or None
        The weight of a pair is the product of the weights of its rows: a weight of 2 is a row given twice.
    pair_weight : see :func:`rankmargin.rows.pair_weights.pair_weights`
        An additional weight of each pair; with it the pairs are listed.

    Returns
    -------
    list of KernelModel
    """
    if C_weighs not in C_WEIGHS:
        raise ValueError(f"C_weighs must be one of {', '.join(C_WEIGHS)}, got {C_weighs!r}")
    cost = COST * 100.0 / count_pairs(y, groups) if C_weighs == "percent" else COST
    problem = PairLoss(y, groups, MARGIN, cost, loss, sample_weight)
    parameters = kernel_parameters(kernel, gamma, degree, coef0)
    weights = pair_weights(pair_weight, y, groups)
    return all_pairs_path(X, problem, values, parameters, solver, tol, max_iter, seed, weights=weights)


def all_pairs_path(X, problem, values, parameters, solver, tol, max_iter, seed, ranks=None, weights=None):
    """Fit the all-pairs problem for each C.

    Parameters
    ----------
    problem : PairLoss
    parameters : dict of kernel, gamma, degree, coef0
    solver : {"auto", "smoothed_newton", "dual_cd", "interior_point", "cutting_plane"}
        ``smoothed_newton`` is for linear functions; no other solver has the squared hinge. ``dual_cd`` and
        ``interior_point`` list the pairs; the latter is for a few hundred examples. ``cutting_plane`` is the paper's
        Algorithm 1, which does not list them. ``auto`` uses ``smoothed_newton`` for linear functions; for others it
        uses ``dual_cd`` up to 20 million pairs, and ``cutting_plane`` above.
    weights : PairWeights or None
        Weights of single pairs, for solvers that list the pairs.

    Returns
    -------
    list of KernelModel; its ``rows`` is the problem itself if the solver lists no pairs
    """
    check_pairs(problem.y, problem.groups)
    solver = _checked(solver, problem, parameters["kernel"], weights is not None)

    def solve(rows, space, costs):
        if solver == "smoothed_newton":
            return smoothed_newton(problem, space, costs, tol, max_iter, seed)
        if solver == "cutting_plane":
            return cutting_plane(problem, space, costs, tol, max_iter)
        if solver == "interior_point":
            return interior_point(rows, space, costs, tol, min(max_iter, MOST_NEWTON_STEPS))
        return dual_cd(rows, space, costs, tol, max_iter, seed)

    rows = problem
    if solver in LISTING:
        rows = all_pairs(problem.y, problem.groups, problem.margin, problem.cost).weighted(problem.weight)
        rows = weigh_pairs(rows, weights)
    return solve_path(solve, X, rows, values, parameters, ranks)


def check_listed(y, groups=None):
    """Refuse weights of single pairs if there are too many pairs to list."""
    n_pairs = count_pairs(y, groups)
    if n_pairs > MOST_LISTED_PAIRS:
        raise ValueError(
            f"pair_weight needs a list of all pairs, of at most {MOST_LISTED_PAIRS:,}, got {n_pairs:,}: "
            "PairwiseRankSVM(n_partners=5) lists a few pairs for each row"
        )


def _checked(solver, problem, kernel, listed):
    """Return the solver to use, or refuse it."""
    if solver not in SOLVERS:
        raise ValueError(f"solver must be one of {', '.join(SOLVERS)}, got {solver!r}")
    if listed:
        check_listed(problem.y, problem.groups)
        solver = "dual_cd" if solver == "auto" else solver
        if solver not in LISTING:
            raise ValueError(f"solver must be auto or one of {', '.join(LISTING)} with pair_weight, got {solver!r}")
    if solver == "auto":
        few = kernel != "linear" and count_pairs(problem.y, problem.groups) <= MOST_LISTED_PAIRS
        solver = "smoothed_newton" if kernel == "linear" else ("dual_cd" if few else "cutting_plane")
    if solver == "smoothed_newton" and kernel != "linear":
        raise ValueError(f'kernel must be "linear" with solver="smoothed_newton", got {kernel!r}')
    if problem.loss != "hinge" and solver != "smoothed_newton":
        raise ValueError(f'loss must be "hinge" with kernel={kernel!r} and solver={solver!r}, got {problem.loss!r}')
    return solver
