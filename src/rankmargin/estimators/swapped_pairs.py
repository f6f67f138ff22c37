"""SVM_multi^SP: minimise the number of swapped pairs over all pairs (Diez, del Coz, Bahamonde, eq. 9).

    min 1/2 ||f||^2 + C xi,   xi = sum_{y_i > y_j} max(0, 1 - 2 (s_i - s_j)) = 2 sum max(0, 1/2 - (s_i - s_j))

The single slack xi of eq. 9 is the sum over all pairs, because the most violated labelling is chosen pair by pair (eq.
21).  So the problem is the all-pairs problem with margin 1/2 and cost 2, in the paper's own units.  In other units it
is the problem of :mod:`rankmargin.estimators.pairwise` and :mod:`rankmargin.estimators.rank_boundaries`, and
:func:`all_pairs_problem` poses it for all three.
"""

from dataclasses import dataclass, replace

from rankmargin.annotations import AllPairsSolver, PairLossName
from rankmargin.estimators.base import MarginRanker, ScaledC
from rankmargin.estimators.descriptions import described
from rankmargin.losses import HINGE
from rankmargin.model import KernelModel
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.parameters import Certified, kernel_of
from rankmargin.path import WIDE, Posed
from rankmargin.rows.pair_weights import pair_weights, weigh_pairs
from rankmargin.rows.pairs import NoPairError, all_pairs, check_listed, check_pairs, count_pairs
from rankmargin.solvers.cutting_plane import cutting_plane
from rankmargin.solvers.dual_cd import dual_cd
from rankmargin.solvers.interior_point import interior_point
from rankmargin.solvers.smoothed_newton import smoothed_newton
from rankmargin.spaces import MOST_HELD

MARGIN, COST = 0.5, 2.0
FEW_PAIRS = 100_000  # with more pairs a list is slower, for every C and tol
NO_EVENT = "no comparable pair in event: no event is earlier than another row of its group"
SOLVERS = {"auto": None} | {its.name: its for its in (smoothed_newton, dual_cd, interior_point, cutting_plane)}


@dataclass(eq=False, repr=False, kw_only=True)
class AllPairs(Certified):
    """``loss`` and ``solver`` of an estimator of all pairs.

    ``dual_cd`` and ``interior_point`` list the pairs and are for kernels with the hinge; the latter is for a few
    hundred examples. ``smoothed_newton`` and ``cutting_plane``, the paper's Algorithm 1, do not list them; the former
    has every loss. ``auto`` uses ``dual_cd`` with the hinge and at most 100,000 pairs for kernels, and for linear
    functions of fewer than two rows per feature; ``smoothed_newton`` for everything else.
    """

    loss: PairLossName = "hinge"
    solver: AllPairsSolver = "auto"
    max_iter: int = 100_000


@described
@dataclass(eq=False, repr=False, kw_only=True)
class SwappedPairsSVM(ScaledC, MarginRanker, AllPairs):
    """Ranking SVM that minimises the number of swapped pairs over all pairs (SVM_multi^SP).

    It solves, over functions f with s = f(X), ::

        min   1/2 ||f||^2 + C w sum over pairs with y_i > y_j of max(0, 1 - 2 (s_i - s_j))

    where w is the number of rows divided by the number of pairs; with ``C_scale="pairs"`` w is 1, as in the paper.
    A pair is swapped if s_i <= s_j. Its loss is then at least 1, so the sum bounds the number of swapped pairs.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss, in units of ``C_scale``: try powers of ten from 0.01 to 1,000.
    C_scale, kernel, gamma, degree, coef0
    loss : {"hinge", "squared_hinge"} or :class:`rankmargin.losses.Loss`, default "hinge"
        The squared hinge is 2 max(0, 1/2 - (s_i - s_j))^2.
    solver, tol
    max_iter : int >= 1, default 100_000
        Largest number of Newton steps (at most 200 for ``interior_point``), sweeps (``dual_cd``) or planes
        (``cutting_plane``). A fit that stops there warns with a ``ConvergenceWarning``.
    verbose, max_seconds, random_state

    Attributes
    ----------
    dual_coef_, coef_, objective_, dual_bound_, gap_
    n_iter_ : int
        Newton steps, sweeps or planes.
    model_

    See Also
    --------
    rankmargin.PairwiseRankSVM : A few random partners per row instead of all pairs.
    rankmargin.RankSVR : If the size of y matters too, and orderings of other rows are known.

    References
    ----------
    Díez, del Coz, Bahamonde, "A support vector method for ranking minimizing the number of swapped pairs" (manuscript,
    posted in 2014), eq. 9 and Algorithms 1 and 2.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from rankmargin import SwappedPairsSVM
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ranker = SwappedPairsSVM(kernel="linear").fit(X[:300], y[:300])
    >>> round(ranker.score(X[300:], y[300:]), 2)  # share of pairs in the right order
    0.75
    >>> bool(ranker.gap_ <= 1e-3)
    True
    """

    def _problem(self, X, y, *, seed=0, groups=None, sample_weight=None, pair_weight=None, lower=None):
        """Return the problem; ``lower`` (n,) is what a row brings to the weight of a pair as the lower one, and its
        weight if it is None."""
        loss = PairLoss(y, groups, MARGIN, self._cost(y, groups), self.loss, sample_weight, lower)
        return all_pairs_problem(self, X, loss, pair_weights(pair_weight, y, groups, sample_weight), sample_weight)

    def _cost(self, y, groups):
        """Return the weight of a pair with C = 1."""
        return COST


def all_pairs_problem(own, X, loss, weights=None, sample_weight=None, model=KernelModel, solver=None):
    """Pose a problem of all pairs.

    Parameters
    ----------
    own : AllPairs
    loss : PairLoss
    weights : PairWeights or None
        Weights of single pairs, which are listed then.
    sample_weight : (n,) array or None, for the scale of the kernel
    model : class of the models
    solver : str, instead of ``own.solver``

    Returns
    -------
    Posed; the rows of a solved problem are the PairLoss itself if no pairs are listed
    """
    check_pairs(loss.y, loss.groups)
    if loss.total_weight == 0:
        raise NoPairError(NO_EVENT)
    if weights is not None:
        check_listed(loss.y, loss.groups)
    kernel = kernel_of(own, X, sample_weight)

    def listed():
        rows = all_pairs(loss.y, loss.groups, loss.margin, loss.cost).weighted(loss.weight, loss.lower)
        return weigh_pairs(replace(rows, loss=loss.loss), weights)

    name = solver or own.solver
    if name not in SOLVERS:
        raise ValueError(f"solver must be one of {', '.join(SOLVERS)}, got {name!r}")
    if weights is not None:
        choose = None if name == "auto" else lambda C, control: SOLVERS[name]
        return Posed(X, listed(), kernel, choose=choose, model=model)
    n, d = X.shape
    wide = n < WIDE * d and n <= MOST_HELD  # dual_cd holds the products of all rows
    chosen = _chosen(name, loss, kernel, count_pairs(loss.y, loss.groups), wide)
    return Posed(X, loss, kernel, choose=lambda C, control: chosen, listed=listed, model=model)


def _chosen(name, loss, kernel, n_pairs, wide):
    """Return the Solver of this name; ``wide`` says whether a linear function has many features for its rows."""
    solver = SOLVERS[name]
    if name == "auto":
        few = loss.loss == HINGE and n_pairs <= FEW_PAIRS
        solver = dual_cd if few and (kernel.name != "linear" or wide) else smoothed_newton
    if solver.losses and loss.loss not in solver.losses:
        came = f"kernel={kernel.name!r} and solver={solver.name!r}"
        raise ValueError(f'loss must be "hinge" with {came}, got {loss.loss}')
    return solver
