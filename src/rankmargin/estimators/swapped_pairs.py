"""SVM_multi^SP: minimise the number of swapped pairs over all pairs (Diez, del Coz, Bahamonde, eq. 9).

    min 1/2 ||f||^2 + C xi,   xi = sum_{y_i > y_j} max(0, 1 - 2 (s_i - s_j)) = 2 sum max(0, 1/2 - (s_i - s_j))

The single slack xi of eq. 9 is the sum over all pairs, because the most violated labelling is chosen pair by pair (eq.
21).  So the problem is the all-pairs problem with margin 1/2 and cost 2, in the paper's own units.  In other units it
is the problem of :mod:`rankmargin.estimators.pairwise` and :mod:`rankmargin.estimators.rank_boundaries`, and
:func:`all_pairs_problem` poses it for all three.
"""

from dataclasses import dataclass, replace

from rankmargin.annotations import AllPairsSolver, CScale, PairLossName
from rankmargin.estimators.base import MarginRanker
from rankmargin.estimators.descriptions import described
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.problem.checks import Certified
from rankmargin.problem.losses import loss_named
from rankmargin.problem.rows.pairs import NoPairError, all_pairs, check_listed, check_pairs, count_pairs
from rankmargin.solvers.cutting_plane import cutting_plane
from rankmargin.solvers.dual_cd import dual_cd
from rankmargin.solvers.interior_point import interior_point
from rankmargin.solvers.path import Posed
from rankmargin.solvers.smoothed_newton import smoothed_newton

MARGIN, COST = 0.5, 2.0
NO_EVENT = "event must make a pair comparable, got none that is earlier than another row of its group"
SOLVERS = {"auto": None} | {its.name: its for its in (smoothed_newton, dual_cd, interior_point, cutting_plane)}


@dataclass(eq=False, repr=False, kw_only=True)
class AllPairs(Certified):
    """``C_scale``, ``loss`` and ``solver`` of an estimator of all pairs.

    ``dual_cd`` and ``interior_point`` list the pairs and are for kernels with the hinge; the latter is for a few
    hundred rows. ``smoothed_newton`` and ``cutting_plane``, the paper's Algorithm 1, do not list them; the former has
    every loss. ``auto`` is ``smoothed_newton``, and ``dual_cd`` for kernels if pairs have weights of their own.
    """

    C_scale: CScale = "rows"
    loss: PairLossName = "hinge"
    solver: AllPairsSolver = "auto"
    max_iter: int = 100_000

    def _unit(self, data, pairs):
        """Return the weight of all rows divided by that of all ``pairs``: then C = 1 weighs the pairs together as a
        support vector machine weighs its rows."""
        return float(data.weight.sum()) / pairs if self.C_scale == "rows" and pairs > 0 else 1.0


@described
@dataclass(eq=False, repr=False, kw_only=True)
class SwappedPairsSVM(MarginRanker, AllPairs):
    r"""Ranking SVM that minimises the number of swapped pairs over all pairs (SVM_multi^SP).

    It solves, over functions f with s = f(X),

    .. math::

        \min_f\ \frac{1}{2} {\|f\|}^2 + C\, w \sum_{y_i > y_j} \max(0,\, 1 - 2 (s_i - s_j))

    where w is the number of rows divided by the number of pairs; with ``C_scale="pairs"`` w is 1, as in the paper.
    A pair is swapped if s_i <= s_j. Its loss is then at least 1, so the sum bounds the number of swapped pairs.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss, in units of ``C_scale``: try powers of ten from 0.01 to 1,000.
    C_scale, kernel, gamma, degree, coef0, landmarks
    loss : {"hinge", "squared_hinge"} or :class:`rankmargin.losses.Loss`, default "hinge"
        The squared hinge is 2 max(0, 1/2 - (s_i - s_j))^2.
    solver, tol
    max_iter : int >= 1, default 100_000
        Largest number of Newton steps (at most 200 for ``interior_point``), sweeps (``dual_cd``) or planes
        (``cutting_plane``). A fit that stops there warns with a ``ConvergenceWarning``.
    verbose, max_seconds, random_state

    Attributes
    ----------
    dual_coef_, coef_, x_mean_, landmarks_, landmark_coef_, objective_, dual_bound_, gap_
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

    def _problem(self, data):
        return all_pairs_problem(self, data, MARGIN, COST)


def all_pairs_problem(machine, data, margin=1.0, cost=1.0, solver=None, **others):
    """Pose a problem of all pairs.

    Parameters
    ----------
    machine : AllPairs
    data : Data
    margin, cost : float, of each pair
    solver : str, instead of ``machine.solver``
    others : as of :class:`rankmargin.solvers.path.Posed`

    Returns
    -------
    Posed; its rows are a PairLoss if the solver takes it and no pair has a weight of its own, and listed otherwise
    """
    pairs = checked_weight_of_pairs(data)
    loss, solver = loss_named(machine.loss), SOLVERS[solver or machine.solver]
    y, groups, weight, lower = data.y, data.groups, data.sample_weight, data.lower
    if data.pair_weight is None:
        solver = solver or smoothed_newton
    if data.pair_weight is None and PairLoss in solver.forms:
        rows = PairLoss(y, groups, margin, cost, loss, weight, lower)
    else:
        rows = replace(all_pairs(y, groups, margin, cost).weighted(data.weight, lower), loss=loss)
    if data.pair_weight is not None:
        rows = data.pair_weight.weigh(rows)
        pairs = float(rows.cost.sum()) / cost
    return Posed.of(machine, data, rows, solver=solver, unit=machine._unit(data, pairs), **others)


def checked_weight_of_pairs(data):
    """Return the weight of all pairs; refuse targets from which none can be learned, and too many pairs to list."""
    n_pairs = pairs = count_pairs(data.y, data.groups)
    if not n_pairs:
        check_pairs(data.y, data.groups)
    if data.sample_weight is not None or data.lower is not None:
        pairs = count_pairs(data.y, data.groups, data.weight, data.lower)
        if pairs == 0:
            raise NoPairError(NO_EVENT)
    if data.pair_weight is not None:
        check_listed(data.y, data.groups)
    return pairs
