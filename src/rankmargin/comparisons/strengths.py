"""The likelihood of counts of games by the strengths of the players, with its derivatives, dense or sparse.

The parameters are the strengths r (P,), which sum to 0, and behind them those of the advantage of the first player and
of ties, if there are any.  Of a pair (i, j), d = r_i - r_j + advantage.  The information of the strengths is a
Laplacian of the graph of games; its null vector, a common shift, is left out.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankmargin.annotations import Array
from rankmargin.comparisons.tie_models import MODELS, davidson
from rankmargin.problem.laplacian import conjugate_gradients

DENSE = 1500  # players; with more, equations are solved by conjugate gradients
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
        from scipy.sparse import coo_array

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
