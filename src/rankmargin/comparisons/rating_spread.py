"""Factors F of the covariance F F' of the gradient of a likelihood of games: that of the parameters is H^-1 F F' H^-1,
with the information H.

Each column is the gradient of a pair, of a game or of all games of a person; a factor is sparse, (P + k, m).
"""

import numpy as np

from rankmargin.comparisons.strengths import SCORES


def of_information(fitted):
    """Return a factor of the information itself, with two columns for each pair, and one for each player of a prior."""
    from scipy.sparse import diags_array, hstack, vstack

    along, size = fitted.slopes.dd**0.5, len(fitted.parameters)
    across = fitted.slopes.dt / np.maximum(along, 1e-300)
    rest = np.sqrt(np.maximum(fitted.slopes.tt - across**2, 0.0))
    parts = [_columns(fitted, along, across), _columns(fitted, 0.0 * rest, rest)]
    if fitted.prior:
        prior = diags_array(fitted.slopes_of_prior.dd**0.5)
        parts.append(
            vstack([prior, diags_array(np.zeros(size - len(fitted.r)), shape=(size - len(fitted.r), len(fitted.r)))])
        )
    return hstack(parts, format="csr")


def of_games(fitted):
    """Return a factor in which each game is independent of all others."""
    by_d, _ = _slopes_of_results(fitted)
    return _columns(fitted, np.sqrt((fitted.counts.results * by_d**2).sum(axis=1)), np.zeros(len(by_d)))


def of_clusters(fitted, cluster, weights):
    """Return a factor in which the games of each cluster (N,) are one observation."""
    by_d, by_t = (slopes.ravel()[fitted.counts.cell] for slopes in _slopes_of_results(fitted))
    weights = 1.0 if weights is None else weights
    n_clusters = cluster.max() + 1
    correction = np.sqrt(n_clusters / (n_clusters - 1))
    pair = fitted.counts.cell // 3
    return _columns(fitted, correction * weights * by_d, correction * weights * by_t, pair, cluster)


def _slopes_of_results(fitted):
    """Return the slopes by d and by t of each result of each pair, two arrays (n, 3)."""
    scores = SCORES.get(fitted.ties, np.eye(3))
    found = [fitted.model(fitted.d, fitted.t, np.tile(score, (len(fitted.d), 1))) for score in scores]
    return np.stack([slopes.d for slopes in found], axis=1), np.stack([slopes.t for slopes in found], axis=1)


def _columns(fitted, by_d, by_t, pair=slice(None), column=None):
    """Return a CSR array (P + k, m) of slopes by the d and the t of pairs, each in a column, which may be shared."""
    from scipy.sparse import coo_array

    first, second = fitted.counts.first[pair], fitted.counts.second[pair]
    column, n = np.arange(len(first)) if column is None else column, len(fitted.r)
    entries = [(first, by_d), (second, -by_d)]
    entries += [(np.full(len(first), n), by_d)] * fitted.with_advantage
    entries += [(np.full(len(first), len(fitted.parameters) - 1), by_t)] * fitted.with_ties
    rows, values = np.concatenate([row for row, _ in entries]), np.concatenate([value for _, value in entries])
    shape = len(fitted.parameters), int(column.max()) + 1
    return coo_array((values, (rows, np.tile(column, len(entries)))), shape=shape).tocsr()
