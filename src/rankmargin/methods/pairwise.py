"""The pairwise ranking SVM of Herbrich, Graepel and Obermayer, on all pairs or a few partners (Diez et al. eq. 3 and
section 4).

min 1/2 ||f||^2 + C sum_{(i,j)} max(0, 1 - (s_i - s_j))
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rankmargin.losses import loss_named
from rankmargin.methods.swapped_pairs import NO_EVENT, AllPairs, all_pairs_problem
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.parameters import kernel_of
from rankmargin.path import Posed, path_of
from rankmargin.rows.pair_weights import pair_weights, weigh_pairs
from rankmargin.rows.pairs import NoPairError, random_partners


@dataclass(eq=False, repr=False, kw_only=True)
class Parameters(AllPairs):
    """``n_partners``: each example is paired with this many random examples of another rank (5 is "Herbrich_5" of Diez
    et al.), or with all of them. With random partners the solver follows from the loss."""

    n_partners: int | Literal["all"] = 5


def problem(own, X, y, *, seed=0, groups=None, sample_weight=None, pair_weight=None, lower=None):
    """Pose the problem; ``seed`` is that of the partners. See :func:`rankmargin.methods.swapped_pairs.problem`."""
    weights = pair_weights(pair_weight, y, groups, sample_weight)
    if own.n_partners == "all":
        loss = PairLoss(y, groups, 1.0, 1.0, own.loss, sample_weight, lower)
        return all_pairs_problem(own, X, loss, weights, sample_weight)
    if own.solver not in ("auto", "dual_cd"):
        raise ValueError(f'solver must be auto or dual_cd unless n_partners is "all", got {own.solver!r}')
    rows = random_partners(y, own.n_partners, np.random.default_rng(seed), groups)
    rows = rows.weighted(np.ones(len(y)) if sample_weight is None else sample_weight, lower)
    if not len(rows):
        raise NoPairError(NO_EVENT)
    rows = replace(rows, loss=loss_named(own.loss))
    return Posed(X, weigh_pairs(rows, weights), kernel_of(own, X, sample_weight))


fit_path = path_of(Parameters, problem)
