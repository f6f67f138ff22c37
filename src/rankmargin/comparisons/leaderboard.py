"""Bradley and Terry: the ratings that make the results of all games most likely, whatever their order, and their
uncertainty."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from rankmargin.annotations import Array, ArrayLike
from rankmargin.comparisons.game_counts import counted, refuse_separated
from rankmargin.comparisons.rating_table import finite, known_places, players_of, present, same_lengths
from rankmargin.comparisons.strengths import (
    DENSE,
    Strengths,
    centred,
    factor_of_clusters,
    factor_of_games,
    factor_of_information,
    most_likely_strengths,
)
from rankmargin.comparisons.tie_models import result_probabilities
from rankmargin.problem.rows.pairs import floats

MOST_SQUARED = 20_000  # players of whom a covariance matrix is made
TOGETHER = 64  # equations that are solved side by side
TIES = ("davidson", "rao_kupper", "half")
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
        from scipy.stats import rankdata

        if not 0 < level < 1:
            raise ValueError(f"level must lie between 0 and 1, got {level!r}")
        tail = (1 - level) / 2
        draws = self._draws(n_draws, random_state)
        variances = np.diag(self.covariance) if len(self.players) <= DENSE else (draws**2).mean(axis=1)
        half = -ndtri(tail) * np.sqrt(variances)
        ranks = rankdata(-(self.ratings[:, None] + draws), "ordinal", axis=0)
        low = np.quantile(ranks, tail, axis=1, method="lower")
        high = np.quantile(ranks, 1 - tail, axis=1, method="higher")
        table = {
            "player": self.players,
            "rating": self.ratings,
            "low": self.ratings - half,
            "high": self.ratings + half,
            "rank": rankdata(-self.ratings, "ordinal"),
            "rank_low": low,
            "rank_high": high,
            "games": self.games,
        }
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
        a, b = np.broadcast_arrays(present("a", np.atleast_1d(a)), present("b", np.atleast_1d(b)))
        return known_places("a", a, self.players), known_places("b", b, self.players), shape

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


def bradley_terry(
    first: ArrayLike,
    second: ArrayLike,
    score: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    advantage: bool = False,
    ties: Literal["davidson", "rao_kupper", "half"] = "davidson",
    prior: float = 0.0,
    scale: float = 1.0,
) -> Leaderboard:
    """Rate players by the largest likelihood of the results of their games, with intervals. ::

        d = r_first - r_second + advantage
        davidson     P(win) : P(tie) : P(loss) = e^(d/2) : nu : e^(-d/2)
        rao_kupper   P(win) = 1 / (1 + theta e^(-d)),   P(loss) = 1 / (1 + theta e^d)
        half         P(win) = 1 / (1 + e^(-d)), a tie is half a win and half a loss

    Unlike the ratings of :func:`elo` and :func:`glicko`, these do not depend on the order of the games: the players
    are taken to be equally strong throughout.

    Parameters
    ----------
    first : (N,) array
        Ids of the first players.
    second : (N,) array
        Ids of the second players.
    score : (N,) array
        Scores of the first players: 1 for a win, 0.5 for a tie, 0 for a loss.
    weights : (N,) array >= 0 or None
        Weights of the games; a weight of 2 is a game given twice.
    cluster : (N,) array or None
        Who judged each game, if people judged several. The covariance then allows for any dependence of the games of
        one person ("sandwich", with the factor G / (G - 1) for G persons). The ratings are the same.
    advantage : bool
        Whether to estimate an advantage of the first players, such as White's or that of the home team.
    ties : {"davidson", "rao_kupper", "half"}
        How ties are modelled. With ``half`` the likelihood is not that of the results, and the covariance is the
        sandwich with each game as a cluster.
    prior : float >= 0
        Adds to each player a tie of this weight with an average player, that is, half of it a win and half a loss
        against a player of rating 0. This draws ratings towards 0, and makes them finite for any results.
    scale : float > 0
        Units of the ratings: 1 for logarithms of odds, ``400 / np.log(10)`` for the points of Elo.

    Returns
    -------
    Leaderboard

    Raises
    ------
    SeparationError
        If no finite ratings have the largest likelihood: some players never lost or tied against others, or never met
        them, and ``prior`` is 0.
    ValueError
        If a player plays against itself, a score is not 1, 0.5 or 0, or the lengths differ.

    References
    ----------
    Bradley, Terry, "Rank analysis of incomplete block designs", Biometrika 39 (1952). Davidson, JASA 65 (1970). Rao,
    Kupper, JASA 62 (1967). Ford, American Mathematical Monthly 64 (1957), on the existence of the maximum.

    Examples
    --------
    >>> from rankmargin.ratings import bradley_terry
    >>> board = bradley_terry(list("aaaabbbc"), list("bbccccaa"), [1, 0.5, 1, 1, 1, 0, 0.5, 0.5])
    >>> board.ratings.round(2)  # of a, b and c
    array([ 1.37, -0.39, -0.99])
    >>> ahead, error = board.differences("a", "b")
    >>> round(ahead, 2), round(error, 2)
    (1.76, 1.62)
    """
    if not (isinstance(ties, str) and ties in TIES):
        raise ValueError(f"ties must be one of {', '.join(TIES)}, got {ties!r}")
    if not isinstance(advantage, bool | np.bool_):
        raise ValueError(f"advantage must be True or False, got {advantage!r}: it is estimated")
    finite(single=True, prior=prior, scale=scale)
    if prior < 0 or scale <= 0:
        raise ValueError(f"prior must be >= 0 and scale > 0, got {prior!r} and {scale!r}")
    players, first, second, score, weights, cluster = _checked(first, second, score, weights, cluster)
    counts = counted(first, second, score, weights, len(players), bool(advantage))
    if prior == 0:
        refuse_separated(counts, players)
    best = most_likely_strengths(counts, ties, bool(advantage), float(prior))
    spread = None
    if cluster is not None:
        spread = factor_of_clusters(best, cluster, weights)
    elif ties == "half":
        spread = factor_of_games(best)
    free = {"davidson": np.exp(best.t), "rao_kupper": np.exp(best.t) if best.with_ties else 1.0, "half": 0.0}[ties]
    value = float(best.slopes.value.sum())
    return Leaderboard(
        players, scale * best.r, counts.games, float(free), scale * best.advantage, value, float(scale), best, spread
    )


def _checked(first, second, score, weights, cluster):
    """Return the players, those of each game as numbers, the scores, and the weights and clusters or None."""
    score = floats("score", score)
    same_lengths(first=first, second=second, score=score, weights=weights, cluster=cluster)
    players, (first, second) = players_of(present("first", first), present("second", second))
    if not len(players):
        raise ValueError("first must hold a player for each game, got no game")
    if np.any(first == second):
        raise ValueError(f"first and second must differ, got {players[first[first == second]].tolist()[0]!r} twice")
    if weights is not None:
        weights = floats("weights", weights)
        if not (np.all(np.isfinite(weights) & (weights >= 0)) and weights.any()):
            raise ValueError(
                f"weights must be finite and >= 0, and > 0 for some game, got {weights.min():g} to {weights.max():g}"
            )
    if cluster is not None:
        cluster = np.unique(present("cluster", cluster), return_inverse=True)[1]
        if cluster.max() == 0:
            raise ValueError("cluster must name at least two persons, got 1")
    return players, first, second, score, weights, cluster
