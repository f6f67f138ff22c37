"""The likelihood of counts of games by the strengths of the players, with its derivatives, dense or sparse; the most
likely strengths, by Newton's method; and factors of the covariance of its gradient.

The parameters are the strengths r (P,), which sum to 0, and behind them those of the advantage of the first player and
of ties, if there are any.  Of a pair (i, j), d = r_i - r_j + advantage.  The information of the strengths is a
Laplacian of the graph of games; its null vector, a common shift, is left out.

A factor F of the covariance F F' of the gradient, which makes that of the parameters H^-1 F F' H^-1 with the
information H, has a column for each pair, each game or all games of a person: a sparse (P + k, m) array.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import coo_array, diags_array, hstack, vstack

from rankmargin.annotations import Array
from rankmargin.comparisons.game_counts import CURE, SeparationError
from rankmargin.comparisons.tie_models import MODELS, davidson, first_guess

DENSE = 1500  # players; with more, equations are solved by conjugate gradients
MAX_STEPS, LONGEST = 200, 20.0  # of Newton's method, and the largest change of a parameter in one of them
CLOSE = 1e-8  # a step of this length is the last: the next is about its square
FAR, NOTHING = 1e-3, 1e-13  # a longer step that gains less, for each game, leads away to infinity
ACCURATE, PATIENCE = 1e-11, 500  # relative residual at which conjugate gradients stop, and steps without a smaller one
SCORES = {"half": np.array([[1.0, 0.0, 0.0], [0.5, 0.0, 0.5], [0.0, 0.0, 1.0]])}  # a tie is half a loss and half a win


@dataclass(frozen=True)
class Strengths:
    """What is learned from games, at some parameters.

    Attributes
    ----------
    counts : Counts
    ties : {"davidson", "rao_kupper", "half"}
    with_advantage, with_ties : bool, whether there are these parameters
    prior : float >= 0, weight of a tie of each player with an average one
    parameters : (P + k,) array
    """

    counts: object
    ties: str
    with_advantage: bool
    with_ties: bool
    prior: float
    parameters: Array

    @property
    def r(self):
        """Return the strengths, shape (P,)."""
        return self.parameters[: len(self.counts.games)]

    @property
    def advantage(self):
        return float(self.parameters[len(self.r)]) if self.with_advantage else 0.0

    @property
    def t(self):
        """Return the parameter of ties; -inf without ties."""
        return float(self.parameters[-1]) if self.with_ties else -np.inf

    @property
    def d(self):
        """Return the difference of each pair, shape (n,)."""
        return self.r[self.counts.first] - self.r[self.counts.second] + self.advantage

    @property
    def model(self):
        return MODELS[self.ties] if self.with_ties else davidson

    @cached_property
    def slopes(self):
        """Return the :class:`rankmargin.comparisons.tie_models.Slopes` of the pairs."""
        return self.model(self.d, self.t, self.counts.results @ SCORES.get(self.ties, np.eye(3)))

    @cached_property
    def slopes_of_prior(self):
        """Return those of the ties with an average player, half a win and half a loss, shape (P,)."""
        return davidson(self.r, -np.inf, np.tile([self.prior / 2, 0.0, self.prior / 2], (len(self.r), 1)))

    @property
    def value(self):
        """Return the log-likelihood, with that of the prior."""
        if self.ties == "rao_kupper" and self.with_ties and self.t <= 0:
            return -np.inf
        return float(self.slopes.value.sum() + self.slopes_of_prior.value.sum())

    @cached_property
    def gradient(self):
        """Return the slopes by the parameters, shape (P + k,); those by the strengths sum to 0."""
        slope = self._of_players(self.slopes.d) + self.slopes_of_prior.d
        return np.r_[slope - slope.mean(), self._of_others(self.slopes.d, self.slopes.t)]

    @cached_property
    def border(self):
        """Return the information of strengths and the other parameters, shape (P, k)."""
        by = [self.slopes.dd] * self.with_advantage + [self.slopes.dt] * self.with_ties
        return np.array([self._of_players(bend) for bend in by]).reshape(len(by), len(self.r)).T

    @cached_property
    def corner(self):
        """Return the information of the other parameters, shape (k, k)."""
        rows = [(self.slopes.dd, self.slopes.dt)] * self.with_advantage
        rows += [(self.slopes.dt, self.slopes.tt)] * self.with_ties
        return np.array([self._of_others(*row) for row in rows]).reshape(len(rows), len(rows))

    @cached_property
    def dense(self):
        """Return the information of all parameters, shape (P + k, P + k), with that of a common shift in addition."""
        n = len(self.r)
        met = np.bincount(self.counts.first * n + self.counts.second, self.slopes.dd, n * n).reshape(n, n)
        met += met.T
        H = np.diag(met.sum(axis=1) + self.slopes_of_prior.dd) - met
        H += np.trace(H) / n**2 - H.mean(axis=0) - H.mean(axis=1)[:, None] + H.mean()
        return np.block([[H, self.border], [self.border.T, self.corner]])

    @cached_property
    def sparse(self):
        """Return the information of the strengths, a CSR array (P, P)."""
        first, second, every, bend = self.counts.first, self.counts.second, np.arange(len(self.r)), self.slopes.dd
        total = np.bincount(first, bend, len(every)) + np.bincount(second, bend, len(every)) + self.slopes_of_prior.dd
        places = np.r_[first, second, every], np.r_[second, first, every]
        return coo_array((np.r_[-bend, -bend, total], places), shape=(len(every), len(every))).tocsr()

    def solve(self, right):
        """Return the solution of information times x = right, shape (P + k, m); the first P rows of both sum to 0."""
        n = len(self.r)
        if n <= DENSE:
            return np.linalg.solve(self.dense, right)
        found = conjugate_gradients(self.sparse, right[:n])
        if not self.border.size:
            return found
        of_border = self._of_border
        others = np.linalg.solve(self.corner - self.border.T @ of_border, right[n:] - self.border.T @ found)
        return np.vstack([found - of_border @ others, others])

    @cached_property
    def _of_border(self):
        return conjugate_gradients(self.sparse, self.border)

    def moved(self, step):
        """Return the same at other parameters."""
        parameters = self.parameters + step
        parameters[: len(self.r)] -= parameters[: len(self.r)].mean()
        return Strengths(self.counts, self.ties, self.with_advantage, self.with_ties, self.prior, parameters)

    def _of_players(self, bend):
        """Return the sums over the pairs of each player, the second one with a minus, shape (P,)."""
        n = len(self.counts.games)
        return np.bincount(self.counts.first, bend, n) - np.bincount(self.counts.second, bend, n)

    def _of_others(self, by_d, by_t):
        return np.array([by_d.sum()] * self.with_advantage + [by_t.sum()] * self.with_ties)


def most_likely_strengths(counts, ties, advantage, prior):
    """Return the :class:`Strengths` of the largest likelihood; players must not be separated, or the prior > 0.

    Raises
    ------
    SeparationError
        If the advantage or the parameter of ties grows without bound, or no game tells the advantage from strengths.
    """
    results = counts.results.sum(axis=0)
    with_ties = ties != "half" and bool(results[1] > 0)
    if with_ties and not results[[0, 2]].any():
        raise SeparationError('score must hold a win, got ties only, so that a tie has the probability 1: ties="half"')
    start = np.zeros(len(counts.games) + advantage + with_ties)
    if with_ties:
        start[-1] = first_guess(ties, results[1] / results.sum())
    here = Strengths(counts, ties, advantage, with_ties, prior, start)
    if advantage and prior == 0:
        _refuse_confounded(here)
    for _ in range(MAX_STEPS):
        try:
            step = here.solve(here.gradient[:, None])[:, 0]
        except np.linalg.LinAlgError:
            break
        longest, gain = np.abs(step).max(), float(here.gradient @ step)
        if not gain >= 0 or (longest > FAR and gain < NOTHING * results.sum()):
            break  # the likelihood grows no more, but the parameters do
        part, least = min(1.0, LONGEST / longest) if longest else 1.0, here.value - 1e-12 * abs(here.value)
        while not (there := here.moved(part * step)).value >= least and part > 1e-6:
            part /= 2
        here = there
        if longest < CLOSE:
            return here
    raise SeparationError(
        "score must have most likely ratings, got results that leave them, the advantage or the ties without a bound: "
        f'advantage=False, ties="half", or {CURE}'
    )


def _refuse_confounded(here):
    """Refuse an advantage that some strengths replace in all games: without ties its information beside them is 0."""
    along = conjugate_gradients(here.sparse, here.border[:, :1])
    if here.corner[0, 0] - float(here.border[:, 0] @ along[:, 0]) < 1e-9 * here.corner[0, 0]:
        raise SeparationError(
            "advantage must be False, got True: no games tell it from the ratings, as no player is first in some games "
            "and second in others of the same strength"
        )


def factor_of_information(fitted):
    """Return a factor of the information itself, with two columns for each pair, and one for each player of a prior."""
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


def factor_of_games(fitted):
    """Return a factor in which each game is independent of all others."""
    by_d, _ = _slopes_of_results(fitted)
    return _columns(fitted, np.sqrt((fitted.counts.results * by_d**2).sum(axis=1)), np.zeros(len(by_d)))


def factor_of_clusters(fitted, cluster, weights):
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
    first, second = fitted.counts.first[pair], fitted.counts.second[pair]
    column, n = np.arange(len(first)) if column is None else column, len(fitted.r)
    entries = [(first, by_d), (second, -by_d)]
    entries += [(np.full(len(first), n), by_d)] * fitted.with_advantage
    entries += [(np.full(len(first), len(fitted.parameters) - 1), by_t)] * fitted.with_ties
    rows, values = np.concatenate([row for row, _ in entries]), np.concatenate([value for _, value in entries])
    shape = len(fitted.parameters), int(column.max()) + 1
    return coo_array((values, (rows, np.tile(column, len(entries)))), shape=shape).tocsr()


def conjugate_gradients(matrix, right):
    """Return x (n, m) with matrix x = right, whose columns sum to 0, for the Laplacian of a graph; its null vector is a
    common shift. All columns are solved side by side."""
    inverse = 1.0 / matrix.diagonal()[:, None]
    x, residual = np.zeros_like(right), right - right.mean(axis=0)
    stop = ACCURATE * np.linalg.norm(residual, axis=0)
    along = centred(inverse * residual)
    product = (residual * along).sum(axis=0)
    least, since = np.inf, 0  # rounding may keep residuals above the limit
    while since < PATIENCE:
        size = np.linalg.norm(residual, axis=0)
        if np.all(size <= stop):
            break
        least, since = (size.sum(), 0) if size.sum() < least else (least, since + 1)
        image = centred(matrix @ along)
        length = product / np.maximum((along * image).sum(axis=0), 1e-300)
        x += length * along
        residual -= length * image
        better = centred(inverse * residual)
        product, before = (residual * better).sum(axis=0), product
        along = better + product / np.maximum(before, 1e-300) * along
    return x


def centred(columns):
    return columns - columns.mean(axis=0)
