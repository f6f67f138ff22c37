"""The pairwise ranking SVM of Herbrich, Graepel and Obermayer, on all pairs or a few partners (Diez et al. eq. 3 and
section 4).

min 1/2 ||f||^2 + C sum_{(i,j)} max(0, 1 - (s_i - s_j))
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rankmargin.annotations import RandomState
from rankmargin.estimators.base import MarginRanker
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.swapped_pairs import NO_EVENT, AllPairs, all_pairs_problem
from rankmargin.problem.losses import loss_named
from rankmargin.problem.rows.pairs import NoPairError, expected_weight, random_partners
from rankmargin.solvers.dual_cd import dual_cd
from rankmargin.solvers.path import Posed


@described
@dataclass(eq=False, repr=False, kw_only=True)
class PairwiseRankSVM(MarginRanker, AllPairs):
    r"""Ranking SVM on pairs: a few random partners per row, or all pairs.

    It solves, over functions f with s = f(X),

    .. math::

        \min_f\ \frac{1}{2} {\|f\|}^2 + C\, w \sum_{y_i > y_j,\ \mathrm{chosen}} \max(0,\, 1 - (s_i - s_j))

    where w is the number of rows divided by the number of pairs; with ``C_scale="pairs"`` w is 1, as in the paper.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss, in units of ``C_scale``: try powers of ten from 0.01 to 1,000.
    C_scale
    n_partners : int >= 1 or "all", default 5
        Number of random partners with another y for each row.
    loss : {"hinge", "squared_hinge"} or :class:`rankmargin.losses.Loss`, default "hinge"
        The squared hinge, max(0, 1 - (s_i - s_j))^2, is possible for all pairs.
    solver : str, default "auto"
        For all pairs, one of the solvers of :class:`rankmargin.SwappedPairsSVM`. Random partners have ``auto`` and
        ``dual_cd``.
    kernel, gamma, degree, coef0, landmarks, tol
    max_iter : int >= 1, default 100_000
        Largest number of sweeps over the pairs, or of steps of another solver. A fit that stops there warns with a
        ``ConvergenceWarning``.
    verbose, max_seconds
    random_state : int, RandomState, Generator or None, default None
        Seed for the random partners.

    Attributes
    ----------
    dual_coef_, coef_, x_mean_, landmarks_, landmark_coef_, objective_, dual_bound_, gap_
    n_iter_ : int
        Sweeps over the pairs, or steps of the solver.
    model_

    See Also
    --------
    rankmargin.SwappedPairsSVM : All pairs, with solvers that do not need to list them.

    References
    ----------
    Herbrich, Graepel, Obermayer, "Large margin rank boundaries for ordinal regression" (2000), section 2.4. Five random
    partners: Díez, del Coz, Bahamonde, "A support vector method for ranking minimizing the number of swapped pairs"
    (manuscript, posted in 2014), eq. 3 and section 4.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from rankmargin import PairwiseRankSVM
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ranker = PairwiseRankSVM(C=10, kernel="linear", random_state=0).fit(X[:300], y[:300])
    >>> round(ranker.score(X[300:], y[300:]), 2)  # share of pairs in the right order
    0.76
    """

    n_partners: int | Literal["all"] = 5
    random_state: RandomState | None = None

    def _problem(self, data):
        if self.n_partners == "all":
            return all_pairs_problem(self, data)
        if self.solver not in ("auto", "dual_cd"):
            raise ValueError(f'solver must be auto or dual_cd unless n_partners is "all", got {self.solver!r}')
        rng = np.random.default_rng(data.seed)
        rows = random_partners(data.y, self.n_partners, rng, data.groups).weighted(data.weight, data.lower)
        if not len(rows):
            raise NoPairError(NO_EVENT)
        rows = replace(rows, loss=loss_named(self.loss))
        rows = rows if data.pair_weight is None else data.pair_weight.weigh(rows)
        if data.pair_weight is None and data.lower is None:
            pairs = expected_weight(data.y, data.groups, data.weight, self.n_partners)
        else:
            pairs = float(rows.cost.sum())
        solver = None if self.solver == "auto" else dual_cd
        return Posed.of(self, data, rows, solver=solver, unit=self._unit(data, pairs))
