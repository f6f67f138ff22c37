"""SVM_multi^SP: minimise the number of swapped pairs over all pairs (Diez, del Coz, Bahamonde, eq. 9).

    min 1/2 ||f||^2 + C xi,   xi = sum_{y_i > y_j} max(0, 1 - 2 (s_i - s_j)) = 2 sum max(0, 1/2 - (s_i - s_j))

The single slack xi of eq. 9 is the sum over all pairs, because the most violated labelling is chosen pair by pair (eq.
21).  So the problem is the all-pairs problem with margin 1/2 and cost 2, in the paper's own units.  In other units it
is the problem of :mod:`rankmargin.estimators.pairwise` and :mod:`rankmargin.estimators.rank_boundaries`, and
:func:`all_pairs_problem` poses it for all three.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankmargin.annotations import AllPairsSolver, PairLossName
from rankmargin.certificates.models import KernelModel
from rankmargin.estimators.base import MarginRanker, ScaledC
from rankmargin.estimators.descriptions import described
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.problem.checks import Certified
from rankmargin.problem.landmarks import kernel_of
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
    """``loss`` and ``solver`` of an estimator of all pairs.

    ``dual_cd`` and ``interior_point`` list the pairs and are for kernels with the hinge; the latter is for a few
    hundred rows. ``smoothed_newton`` and ``cutting_plane``, the paper's Algorithm 1, do not list them; the former has
    every loss. ``auto`` is ``smoothed_newton``, and ``dual_cd`` for kernels if pairs have weights of their own.
    """

    loss: PairLossName = "hinge"
    solver: AllPairsSolver = "auto"
    max_iter: int = 100_000


@described
@dataclass(eq=False, repr=False, kw_only=True)
class SwappedPairsSVM(ScaledC, MarginRanker, AllPairs):
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

    def _problem(self, X, y, *, seed=0, groups=None, sample_weight=None, pair_weight=None, lower=None):
        return all_pairs_problem(
            self, X, Pairs(y, groups, MARGIN, self._cost(y, groups), sample_weight, lower, pair_weight), seed
        )

    def _cost(self, y, groups):
        return COST


@dataclass(frozen=True)
class Pairs:
    """All pairs y_i > y_j of a group, and what they cost.

    Attributes
    ----------
    y, groups : (n,) array, (n,) array or None
    margin, cost : float, of each pair
    sample_weight : (n,) array or None
    lower : (n,) array or None, what a row brings to the weight of a pair as the lower one; its weight if it is None
    pair_weight : PairWeights or None, with which the pairs are listed
    """

    y: Any
    groups: Any = None
    margin: float = 1.0
    cost: float = 1.0
    sample_weight: Any = None
    lower: Any = None
    pair_weight: Any = None

    @property
    def _weight(self):
        return np.ones(len(self.y)) if self.sample_weight is None else self.sample_weight

    def check(self):
        """Refuse targets from which no pair can be learned, and too many pairs to list."""
        n_pairs = count_pairs(self.y, self.groups)
        if not n_pairs:
            check_pairs(self.y, self.groups)
        weighted = self.sample_weight is not None or self.lower is not None
        if weighted and count_pairs(self.y, self.groups, self._weight, self.lower) == 0:
            raise NoPairError(NO_EVENT)
        if self.pair_weight is not None:
            check_listed(self.y, self.groups, n_pairs)

    def listed(self, loss):
        """Return the pairs as Rows."""
        rows = all_pairs(self.y, self.groups, self.margin, self.cost).weighted(self._weight, self.lower)
        return replace(rows if self.pair_weight is None else self.pair_weight.weigh(rows), loss=loss)

    def unlisted(self, loss):
        """Return the PairLoss of the pairs."""
        return PairLoss(self.y, self.groups, self.margin, self.cost, loss, self.sample_weight, self.lower)


def all_pairs_problem(machine, X, pairs, seed, model=KernelModel, solver=None):
    """Pose a problem of all pairs.

    Parameters
    ----------
    machine : AllPairs
    pairs : Pairs
    seed : int, of landmarks
    model : class of the models
    solver : str, instead of ``machine.solver``

    Returns
    -------
    Posed; its rows are a PairLoss if the solver takes it and no pair has a weight of its own, and listed otherwise
    """
    pairs.check()
    loss, solver = loss_named(machine.loss), SOLVERS[solver or machine.solver]
    kernel = kernel_of(machine, X, pairs.sample_weight, seed)
    if pairs.pair_weight is not None:
        return Posed(X, pairs.listed(loss), kernel, solver=solver, model=model)
    solver = solver or smoothed_newton
    if solver.losses and loss not in solver.losses:
        came = f"kernel={kernel.name!r} and solver={solver.name!r}"
        raise ValueError(f'loss must be "hinge" with {came}, got {loss}')
    rows = (pairs.unlisted if PairLoss in solver.forms else pairs.listed)(loss)
    return Posed(X, rows, kernel, solver=solver, model=model)
