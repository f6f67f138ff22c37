"""SVM_multi^SP: minimise the number of swapped pairs over all pairs (Diez, del Coz, Bahamonde, eq. 9).

    min 1/2 ||f||^2 + C xi,   xi = sum_{y_i > y_j} max(0, 1 - 2 (s_i - s_j)) = 2 sum max(0, 1/2 - (s_i - s_j))

The single slack xi of eq. 9 is the sum over all pairs, because the most violated labelling is chosen pair by pair (eq.
21).  So the problem is the all-pairs problem with margin 1/2 and cost 2, in the paper's own units.  In other units it
is the problem of :mod:`rankmargin.methods.pairwise` and :mod:`rankmargin.methods.rank_boundaries`, and
:func:`all_pairs_problem` poses it for all three.

``C_weighs="percent"`` is not in the paper: C is then the weight of xi in percent of the pairs, 100 xi / pairs, as
SVM-perf measures its losses.
"""

from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Literal

from rankmargin.annotations import AllPairsSolver
from rankmargin.model import KernelModel
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.parameters import Certified, kernel_of
from rankmargin.path import Posed, path_of
from rankmargin.rows.pair_weights import pair_weights, weigh_pairs
from rankmargin.rows.pairs import MOST_LISTED_PAIRS, all_pairs, check_listed, check_pairs, count_pairs
from rankmargin.solvers.cutting_plane import cutting_plane
from rankmargin.solvers.dual_cd import dual_cd
from rankmargin.solvers.interior_point import interior_point
from rankmargin.solvers.progress import current
from rankmargin.solvers.smoothed_newton import smoothed_newton

PATH = "C"
MARGIN, COST = 0.5, 2.0
SOFT, MANY_ROWS = 20.0, 1000  # C times pairs for each row, and rows, from which on Algorithm 1 is chosen
PER_PAIR, PER_CUBE = 3e-7, 2e-10  # seconds of a fit by dual_cd, for each pair and for each row to the third power
LISTING = dual_cd, interior_point
SOLVERS = {"auto": None} | {solver.name: solver for solver in (smoothed_newton, *LISTING, cutting_plane)}


@dataclass(eq=False, repr=False, kw_only=True)
class AllPairs(Certified):
    """``loss`` and ``solver`` of a method of all pairs.

    ``dual_cd`` and ``interior_point`` list the pairs; the latter is for a few hundred examples. ``cutting_plane`` is
    the paper's Algorithm 1, which does not list them. ``auto`` uses ``smoothed_newton`` for linear functions. For
    others it uses ``dual_cd`` up to 20 million pairs, and ``cutting_plane`` above; also below, for a C for which
    Algorithm 1 needs few planes (see :func:`_needs_few_planes`), and if there is not enough time for a list of pairs.
    """

    loss: Literal["hinge", "squared_hinge"] = "hinge"
    solver: AllPairsSolver = "auto"
    max_iter: int = 100_000


@dataclass(eq=False, repr=False, kw_only=True)
class Parameters(AllPairs):
    """``C_weighs``: whether C weighs the sum over pairs or 100 times their mean."""

    C_weighs: Literal["sum", "percent"] = "sum"


def problem(own, X, y, *, seed=0, groups=None, sample_weight=None, pair_weight=None):
    """Pose the problem.

    Parameters
    ----------
    own : Parameters
    X : (n, d) array or CSR matrix, or (n, n) kernel matrix with ``kernel="precomputed"``
    y : (n,) array, any ordered numbers
    seed : unused here
    groups : (n,) array or None
    sample_weight : (n,) array > 0 or None
        The weight of a pair is the product of the weights of its rows: a weight of 2 is a row given twice.
    pair_weight : see :func:`rankmargin.rows.pair_weights.pair_weights`
        An additional weight of each pair; with it the pairs are listed.

    Returns
    -------
    Posed
    """
    cost = COST * 100.0 / count_pairs(y, groups) if own.C_weighs == "percent" else COST
    loss = PairLoss(y, groups, MARGIN, cost, own.loss, sample_weight)
    return all_pairs_problem(own, X, loss, pair_weights(pair_weight, y, groups, sample_weight), sample_weight)


fit_path = path_of(Parameters, problem)


def all_pairs_problem(own, X, loss, weights=None, sample_weight=None, model=KernelModel):
    """Pose a problem of all pairs.

    Parameters
    ----------
    own : AllPairs
    loss : PairLoss
    weights : PairWeights or None
        Weights of single pairs, for solvers that list the pairs.
    sample_weight : (n,) array or None, for the scale of the kernel
    model : class of the models

    Returns
    -------
    Posed; the rows of a solved problem are the PairLoss itself if its solver lists no pairs
    """
    check_pairs(loss.y, loss.groups)
    if weights is not None:
        check_listed(loss.y, loss.groups)
    kernel = kernel_of(own, X, sample_weight)

    def listed():
        rows = all_pairs(loss.y, loss.groups, loss.margin, loss.cost).weighted(loss.weight)
        return weigh_pairs(rows, weights)

    choose = partial(_chosen, own.solver, loss, kernel, weights is not None)
    return Posed(X, loss, kernel, choose=choose, listed=listed, model=model)


def _chosen(name, loss, kernel, listed, C, control):
    """Return the Solver of this name for this C; ``listed`` says whether the pairs have to be listed."""
    solver = _solver_named(name, loss, kernel, listed, C, control.tol)
    if loss.loss not in solver.losses:
        came = f"kernel={kernel.name!r} and solver={solver.name!r}"
        raise ValueError(f'loss must be "hinge" with {came}, got {loss.loss!r}')
    return solver


def _solver_named(name, loss, kernel, listed, C, tol):
    if name not in SOLVERS:
        raise ValueError(f"solver must be one of {', '.join(SOLVERS)}, got {name!r}")
    if name == "auto" and not listed and kernel.name == "linear":
        return smoothed_newton
    if name == "auto":
        if listed:
            return dual_cd
        n_pairs = count_pairs(loss.y, loss.groups)
        seconds = PER_PAIR * n_pairs + PER_CUBE * loss.n**3
        many = n_pairs > MOST_LISTED_PAIRS or seconds > current().left
        return cutting_plane if many or _needs_few_planes(loss, kernel, C, tol) else dual_cd
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
