"""SVM_multi^SP: minimise the number of swapped pairs over all pairs (Diez, del Coz, Bahamonde, eq. 9).

    min 1/2 ||f||^2 + C xi,   xi = sum_{y_i > y_j} max(0, 1 - 2 (s_i - s_j)) = 2 sum max(0, 1/2 - (s_i - s_j))

The single slack xi of eq. 9 is the sum over all pairs, because the most violated labelling is chosen pair by pair (eq.
21).  So the problem is the all-pairs problem with margin 1/2 and cost 2, in the paper's own units.  In other units it
is the problem of :mod:`rankmargin.methods.pairwise` and :mod:`rankmargin.methods.rank_boundaries`, and
:func:`all_pairs_path` solves it for all three.

``C_weighs="percent"`` is not in the paper: C is then the weight of xi in percent of the pairs, 100 xi / pairs, as
SVM-perf measures its losses.
"""

from numbers import Real

from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.path import over_kernels, solve_path
from rankmargin.rows.pair_weights import pair_weights, weigh_pairs
from rankmargin.rows.pairs import MOST_LISTED_PAIRS, all_pairs, check_listed, check_pairs, count_pairs
from rankmargin.solvers.cutting_plane import cutting_plane
from rankmargin.solvers.dual_cd import dual_cd
from rankmargin.solvers.interior_point import interior_point
from rankmargin.solvers.progress import current
from rankmargin.solvers.smoothed_newton import smoothed_newton

PATH = "C"
MARGIN, COST = 0.5, 2.0
C_WEIGHS = ("sum", "percent")
SOFT, MANY_ROWS = 20.0, 1000  # C times pairs for each row, and rows, from which on Algorithm 1 is chosen
PER_PAIR, PER_CUBE = 3e-7, 2e-10  # seconds of a fit by dual_cd, for each pair and for each row to the third power
LISTING = dual_cd, interior_point
SOLVERS = {"auto": None} | {solver.name: solver for solver in (smoothed_newton, *LISTING, cutting_plane)}


@over_kernels
def fit_path(
    X,
    y,
    values,
    *,
    kernel,
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
    weights = pair_weights(pair_weight, y, groups, sample_weight)
    return all_pairs_path(X, problem, values, kernel, solver, tol, max_iter, seed, weights=weights)


def all_pairs_path(X, pairs, values, kernel, solver, tol, max_iter, seed, ranks=None, weights=None):
    """Fit the all-pairs problem for each C.

    Parameters
    ----------
    pairs : PairLoss
    kernel : Kernel
    solver : {"auto", "smoothed_newton", "dual_cd", "interior_point", "cutting_plane"}
        ``smoothed_newton`` is for linear functions; no other solver has the squared hinge. ``dual_cd`` and
        ``interior_point`` list the pairs; the latter is for a few hundred examples. ``cutting_plane`` is the paper's
        Algorithm 1, which does not list them. ``auto`` uses ``smoothed_newton`` for linear functions. For others it
        uses ``dual_cd`` up to 20 million pairs, and ``cutting_plane`` above; also below, for a C for which Algorithm 1
        needs few planes (see :func:`_needs_few_planes`), and if there is not enough time for a list of pairs.
    weights : PairWeights or None
        Weights of single pairs, for solvers that list the pairs.

    Returns
    -------
    list of KernelModel; the rows of its problem are the PairLoss itself if the solver lists no pairs
    """
    check_pairs(pairs.y, pairs.groups)
    if weights is not None:
        check_listed(pairs.y, pairs.groups)
    chosen = [_chosen(solver, pairs, kernel, weights is not None, C, tol) for C in values]
    models = [None] * len(chosen)
    for one in dict.fromkeys(chosen):
        if pairs.loss not in one.losses:
            came = f"kernel={kernel.name!r} and solver={one.name!r}"
            raise ValueError(f'loss must be "hinge" with {came}, got {pairs.loss!r}')
        rows, places = pairs, [place for place, its in enumerate(chosen) if its is one]
        if one in LISTING:
            rows = all_pairs(pairs.y, pairs.groups, pairs.margin, pairs.cost).weighted(pairs.weight)
            rows = weigh_pairs(rows, weights)
        part = [values[place] for place in places]
        with current().share(models.count(None) / len(part)):
            solved = solve_path(X, rows, part, kernel, tol, max_iter, seed, solver=one, ranks=ranks)
        for place, model in zip(places, solved, strict=True):
            models[place] = model
    return models


def _chosen(name, pairs, kernel, listed, C, tol):
    """Return the Solver of this name for this C; ``listed`` says whether the pairs have to be listed."""
    if name not in SOLVERS:
        raise ValueError(f"solver must be one of {', '.join(SOLVERS)}, got {name!r}")
    if name == "auto" and not listed and kernel.name == "linear":
        return smoothed_newton
    if name == "auto":
        if listed:
            return dual_cd
        n_pairs = count_pairs(pairs.y, pairs.groups)
        seconds = PER_PAIR * n_pairs + PER_CUBE * pairs.n**3
        many = n_pairs > MOST_LISTED_PAIRS or seconds > current().left
        return cutting_plane if many or _needs_few_planes(pairs, kernel, C, tol) else dual_cd
    if listed and SOLVERS[name] not in LISTING:
        names = ", ".join(solver.name for solver in LISTING)
        raise ValueError(f"solver must be auto or one of {names} with pair_weight, got {name!r}")
    return SOLVERS[name]


def _needs_few_planes(pairs, kernel, C, tol):
    """Return whether Algorithm 1 is faster than a list of pairs for this C, as measured.

    The number of planes grows with C times the number of pairs, in units in which the margin and the kernel are 1, and
    with 1 / tol. On 600 to 3,000 rows of made data, bank32, abalone and cpusmall, Gaussian kernels with gamma from 0.01
    to 1, Algorithm 1 took 0.03 to 0.7 of the seconds of ``dual_cd`` up to 4 times the number of rows, and 0.1 to 1.4 at
    40 times (``benchmarks/overview.py`` has the extremes).
    """
    if kernel.name != "rbf" or tol < 1e-3 or pairs.n <= MANY_ROWS or not isinstance(C, Real):
        return False
    return C * pairs.cost / pairs.margin * pairs.total_weight <= SOFT * pairs.n
