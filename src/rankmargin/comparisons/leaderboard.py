"""Ratings of all players with their uncertainty: what :func:`rankmargin.ratings.bradley_terry` returns."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rankmargin.annotations import Array, ArrayLike
from rankmargin.comparisons.rating_table import finite, known_places, present
from rankmargin.comparisons.strengths import DENSE, Strengths, centred, factor_of_information
from rankmargin.comparisons.tie_models import result_probabilities

MOST_SQUARED = 20_000  # players of whom a covariance matrix is made
TOGETHER = 64  # equations that are solved side by side
SHOWN = 20  # players that a printed leaderboard shows


@dataclass(frozen=True, eq=False, repr=False)
class Leaderboard:
    """Ratings, their uncertainty and predictions; ``print`` shows the best players.

    Attributes
    ----------
    players : (P,) array
        Ids in ascending order; the other arrays have this order too.
    ratings : (P,) array
        In units of ``scale``, with mean 0.
    games : (P,) array of integers
        Number of games played.
    ties : float
        Davidson's nu >= 0, with which two equal players tie with probability nu / (2 + nu); or theta >= 1 of Rao and
        Kupper, (theta - 1) / (theta + 1). With ``ties="half"`` 0, since there is no probability of a tie.
    advantage : float
        By how much the first player is ahead because of being the first, in units of the ratings; 0 if it was not
        asked for.
    log_likelihood : float
        Of the results, in natural units, without the prior.
    scale : float
        Rating units of a factor e of the odds.
    strengths : rankmargin.comparisons.strengths.Strengths
        The parameters of the likelihood and its derivatives.
    spread : sparse array or None
        A factor of the covariance of the gradient; None if that is the information.

    Examples
    --------
    >>> from rankmargin.ratings import bradley_terry
    >>> board = bradley_terry(list("aaaabbbc"), list("bbccccaa"), [1, 0.5, 1, 1, 1, 0, 0.5, 0.5])
    >>> board.predict_proba("a", "b").round(2)  # a loses, there is a tie, a wins
    array([0.09, 0.38, 0.53])
    """

    players: Array
    ratings: Array
    games: Array
    ties: float
    advantage: float
    log_likelihood: float
    scale: float
    strengths: Strengths
    spread: Any = None

    @property
    def covariance(self) -> Array:
        """Return the covariance of the ratings, shape (P, P); its rows sum to 0, as only differences are known."""
        return self._covariance[: len(self.players), : len(self.players)]

    @property
    def advantage_error(self) -> float:
        """Return the standard error of the advantage; 0 if it was not asked for."""
        if not self.strengths.with_advantage:
            return 0.0
        place = np.zeros((len(self.strengths.parameters), 1))
        place[len(self.players)] = 1.0
        return float(self._errors_along(place)[0])

    def differences(self, a: ArrayLike, b: ArrayLike) -> tuple[Any, Any]:
        """Return how far the players a are ahead of the players b, and the standard errors of these numbers.

        Parameters
        ----------
        a, b : id, or (m,) array of ids

        Returns
        -------
        two floats, or two (m,) arrays
        """
        first, second, shape = self._places(a, b)
        errors = np.empty(len(first))
        if len(self.players) <= DENSE:
            C = self._covariance
            errors = np.sqrt(np.maximum(C[first, first] + C[second, second] - 2 * C[first, second], 0.0))
        for start in range(0, len(first) if len(self.players) > DENSE else 0, TOGETHER):
            part = slice(start, start + TOGETHER)
            columns = np.zeros((len(self.strengths.parameters), len(first[part])))
            every = np.arange(columns.shape[1])
            columns[first[part], every] += 1.0
            columns[second[part], every] -= 1.0
            errors[part] = self._errors_along(columns)
        ahead = self.ratings[first] - self.ratings[second]
        return (ahead, errors) if shape else (float(ahead[0]), float(errors[0]))

    def predict_proba(self, a: ArrayLike, b: ArrayLike) -> Array:
        """Return the probabilities that a loses, ties and wins against b, shape (3,) or (m, 3); a is the first player.

        With ``ties="half"`` a tie has no probability, and that of a win is the expected score.
        """
        first, second, shape = self._places(a, b)
        fitted = self.strengths
        found = result_probabilities(fitted.model, fitted.r[first] - fitted.r[second] + fitted.advantage, fitted.t)
        return found if shape else found[0]

    def table(self, level: float = 0.95, n_draws: int = 1000, random_state: int = 0) -> dict[str, Array]:
        """Return the leaderboard as columns, the best player first: ``pandas.DataFrame`` takes it.

        Parameters
        ----------
        level : float between 0 and 1, the probability of the intervals
        n_draws : int >= 1
            The intervals of ranks are from so many draws of the normal approximation; above 1,500 players the
            intervals of ratings too, so that no covariance matrix is needed. Each draw then solves equations.
        random_state : int, seed of the draws

        Returns
        -------
        dict of (P,) arrays ``player, rating, low, high, rank, rank_low, rank_high, games``
        """
        from scipy.special import ndtri

        finite(single=True, level=level)
        if not 0 < level < 1:
            raise ValueError(f"level must lie between 0 and 1, got {level!r}")
        tail = (1 - level) / 2
        draws = self._draws(n_draws, random_state)
        if len(self.players) <= DENSE:
            half = -ndtri(tail) * np.sqrt(np.diag(self.covariance))
        else:
            half = -ndtri(tail) * np.sqrt((draws**2).mean(axis=1))
        ranks = _ranks(self.ratings[:, None] + draws)
        low = np.quantile(ranks, tail, axis=1, method="lower")
        high = np.quantile(ranks, 1 - tail, axis=1, method="higher")
        rank = _ranks(self.ratings[:, None])[:, 0]
        table = {"player": self.players, "rating": self.ratings, "low": self.ratings - half}
        table |= {"high": self.ratings + half, "rank": rank, "rank_low": low, "rank_high": high, "games": self.games}
        order = np.argsort(-self.ratings, kind="stable")
        return {name: column[order] for name, column in table.items()}

    def __repr__(self) -> str:
        table = {name: column[:SHOWN] for name, column in self.table().items()} if len(self.players) <= DENSE else {}
        if not table:
            return f"Leaderboard of {len(self.players)} players"
        width = max(6, *(len(str(player)) for player in table["player"]))
        lines = [f"{'player':{width}} {'rating':>9}  {'interval':^20}  {'rank':16} {'games':>7}"]
        for player, rating, low, high, rank, first, last, games in zip(*table.values()):
            ranked = f"{rank}, from {first} to {last}"
            lines.append(f"{player!s:{width}} {rating:9.3f}  {low:9.3f} {high:9.3f}   {ranked:16} {games:7}")
        more = len(self.players) - SHOWN
        return "\n".join(lines + [f"and {more} more"] * (more > 0))

    def _places(self, a, b):
        """Return the places of both players of each pair, two arrays (m,), and the common shape of a and b."""
        shape = np.broadcast_shapes(np.shape(a), np.shape(b))
        if len(shape) > 1:
            raise ValueError(f"a and b must be ids, or have one dimension, got shapes {np.shape(a)} and {np.shape(b)}")
        size = shape or (1,)
        ids = (np.broadcast_to(present(name, np.atleast_1d(given)), size) for name, given in (("a", a), ("b", b)))
        return *(known_places(name, given, self.players) for name, given in zip("ab", ids)), shape

    @cached_property
    def _covariance(self):
        """Return the covariance of all parameters, in units of the ratings, shape (P + k, P + k)."""
        n = len(self.players)
        if n > MOST_SQUARED:
            raise ValueError(
                f"players must be at most {MOST_SQUARED} for a covariance matrix, got {n}: differences(a, b) has the "
                "standard errors of pairs"
            )
        found = np.linalg.inv(self.strengths.dense)
        if self.spread is not None:
            found = found @ ((self.spread @ self.spread.T) @ found)
        found[:n] = centred(found[:n])
        found[:, :n] = centred(found[:, :n].T).T
        return self.scale**2 * found

    def _errors_along(self, columns):
        """Return the standard errors of the products of the parameters and columns (P + k, m), shape (m,)."""
        columns[: len(self.players)] = centred(columns[: len(self.players)])
        solved = self.strengths.solve(columns)
        squares = (columns * solved).sum(axis=0) if self.spread is None else ((self.spread.T @ solved) ** 2).sum(axis=0)
        return self.scale * np.sqrt(np.maximum(squares, 0.0))

    def _draws(self, n_draws, random_state):
        """Return draws of the errors of the ratings, shape (P, n_draws)."""
        if not isinstance(n_draws, int | np.integer) or n_draws < 1:
            raise ValueError(f"n_draws must be an integer >= 1, got {n_draws!r}")
        rng, n = np.random.default_rng(random_state), len(self.players)
        if n <= DENSE:
            values, vectors = np.linalg.eigh(self.covariance)
            return vectors @ (np.sqrt(np.maximum(values, 0.0))[:, None] * rng.standard_normal((n, n_draws)))
        factor = factor_of_information(self.strengths) if self.spread is None else self.spread
        draws = np.empty((n, n_draws))
        for start in range(0, n_draws, TOGETHER):
            part = slice(start, min(start + TOGETHER, n_draws))
            right = factor @ rng.standard_normal((factor.shape[1], part.stop - part.start))
            right[:n] = centred(right[:n])
            draws[:, part] = self.scale * self.strengths.solve(right)[:n]
        return draws


def _ranks(ratings):
    """Return the rank of each player in each column, 1 is the best, shape (P, m)."""
    ranks = np.empty(ratings.shape, dtype=np.int64)
    np.put_along_axis(ranks, np.argsort(-ratings, axis=0, kind="stable"), np.arange(1, len(ratings) + 1)[:, None], 0)
    return ranks
