"""The pairwise ranking SVM of Herbrich, Graepel and Obermayer, on all pairs or a few partners (Diez et al. eq. 3 and
section 4).

min 1/2 ||f||^2 + C sum_{(i,j)} max(0, 1 - (s_i - s_j))
"""

import numpy as np

from rankmargin.methods.swapped_pairs import all_pairs_path
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.path import over_kernels, solve_path
from rankmargin.rows.pair_weights import pair_weights, weigh_pairs
from rankmargin.rows.pairs import random_partners

PATH = "C"


@over_kernels
def fit_path(
    X,
    y,
    values,
    *,
    n_partners=5,
    kernel,
    loss="hinge",
    solver="auto",
    tol=1e-3,
    max_iter=100_000,
    seed=0,
    groups=None,
    sample_weight=None,
    pair_weight=None,
):
    """Fit one model for each C on the same pairs.

    Parameters
    ----------
    n_partners : int >= 1 or "all"
        Each example is paired with this many random examples of another rank (5 is "Herbrich_5" of Diez et al.), or
        with all of them.
    loss, solver : see :func:`rankmargin.methods.swapped_pairs.all_pairs_path`
        With random partners only the hinge and dual_cd are possible.
    seed : int, seed of the partners and of the solver's shuffles

    The other parameters and the result are those of :func:`rankmargin.methods.swapped_pairs.fit_path`.
    """
    weights = pair_weights(pair_weight, y, groups, sample_weight)
    if n_partners == "all":
        problem = PairLoss(y, groups, 1.0, 1.0, loss, sample_weight)
        return all_pairs_path(X, problem, values, kernel, solver, tol, max_iter, seed, weights=weights)
    if not isinstance(n_partners, (int, np.integer)) or n_partners < 1:
        raise ValueError(f'n_partners must be an integer >= 1 or "all", got {n_partners!r}')
    for name, value, accepted in (("loss", loss, ("hinge",)), ("solver", solver, ("auto", "dual_cd"))):
        if value not in accepted:
            raise ValueError(f'{name} must be {" or ".join(accepted)} unless n_partners is "all", got {value!r}')
    rows = random_partners(y, n_partners, np.random.default_rng(seed), groups).weighted(sample_weight)
    rows = weigh_pairs(rows, weights)
    return solve_path(X, rows, values, kernel, tol, max_iter, seed)
