"""What was known about both players before each game: the 16 attributes of Venuto et al., section 4.3.

The text names some of them. The others, and the value of an undefined mean, come from the authors' program
(papers/svmcompare/published/protocol.md, section 7.2). Where the program contradicts the text, `Quirks` says which
of the two is followed.
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from rankmargin.ratings import Fide, Ratings, elo, expected_score, glicko

START, DEVIATION = 1200.0, 200.0  # rating of everybody before the first game
C = 15.0  # growth of the deviation per period
WHITE_AHEAD = 30.0  # rating points, in predictions only: the default of the package that the authors used
ELITE = 2400
UNDEFINED = 0.5
ATTRIBUTES = (
    "elo", "beat_better", "lost_worse", "percent_beat_better", "percent_lost_worse", "games", "win", "draw", "loss",
    "lag", "elite", "match_history", "avg_score_diff", "glicko", "player_move", "percent_norm",
)  # fmt: skip
EXPECTED = ("elo_expected", "glicko_expected")


@dataclass(frozen=True)
class Games:
    """Games in the order in which they were played.

    Attributes
    ----------
    month : (N,) int, ascending
    white, black : (N,) int, the players
    score : (N,) float, of White: 1, 0.5 or 0
    """

    month: np.ndarray
    white: np.ndarray
    black: np.ndarray
    score: np.ndarray

    def where(self, chosen):
        """Return the chosen games."""
        return Games(*(column[chosen] for column in vars(self).values()))


@dataclass(frozen=True)
class Quirks:
    """Points in which the authors' program differs from the text; true follows the program, false the text.

    Attributes
    ----------
    elite_by_id : bool
        A player is elite (K = 10) if the player's number, and not the rating, is at least 2400.
    deviation_reset : bool
        Every Glicko deviation becomes 200 again after each game.
    stale_results : bool
        In the test part the counts of upsets use the result of the last training game for every game.
    history_of_test : bool
        If White has the smaller player number in training game i, the result that is stored is that of test game i, if
        there is one.
    batch_baselines : bool
        The two expected scores start from one update by all training games at once.
    """

    elite_by_id: bool = False
    deviation_reset: bool = False
    stale_results: bool = False
    history_of_test: bool = False
    batch_baselines: bool = False


def features(games, n_train, quirks):
    """Return what was known before each game.

    Parameters
    ----------
    games : Games
    n_train : int
        Number of games in the training part, which come first.
    quirks : Quirks

    Returns
    -------
    white, black : (N, 18) float64
        ``ATTRIBUTES + EXPECTED`` of the two players. An expected score is the player's own in this game.
    first : (N,) bool
        Whether the game is the first one of White or of Black.
    """
    start = _start(games, quirks)
    by_elo = elo(games.white, games.black, games.score, start=start, k=_k(quirks))
    reset = DEVIATION if quirks.deviation_reset else None
    by_glicko = glicko(games.white, games.black, games.score, start=start, c=C, reset_deviation=reset)
    record = _Record(by_elo.white, by_elo.black)
    counted = games.score.copy()
    if quirks.stale_results:
        counted[n_train:] = games.score[n_train - 1]
    stored = _stored(games, n_train, quirks)
    columns = (games.white, games.black, games.score, counted, stored)
    rows = [record.play(i, *game) for i, game in enumerate(zip(*(column.tolist() for column in columns), strict=True))]
    sides = [np.array([row[side] for row in rows]) for side in (0, 1)]
    expected = _expected(games, n_train, quirks, by_elo, by_glicko)
    ratings = ((by_elo.white, by_glicko.white), (by_elo.black, by_glicko.black))
    out = []
    for side, (elo_before, glicko_before), p in zip(sides, ratings, (expected, 1.0 - expected), strict=True):
        side[:, ATTRIBUTES.index("elo")], side[:, ATTRIBUTES.index("glicko")] = elo_before, glicko_before
        out.append(np.hstack([side, p.T]))
    return *out, np.array([row[2] for row in rows])


def _start(games, quirks):
    players = np.union1d(games.white, games.black)
    elite = players >= ELITE if quirks.elite_by_id else False
    return Ratings.start(players, START, DEVIATION, elite)


def _k(quirks):
    return Fide(elite_rating=np.inf if quirks.elite_by_id else ELITE)


def _stored(games, n_train, quirks):
    """Return White's score as it is stored for the history of two players."""
    stored = np.array(games.score)
    if quirks.history_of_test:
        test = games.score[n_train:]
        wrong = np.flatnonzero(games.white[:n_train] < games.black[:n_train])
        wrong = wrong[wrong < len(test)]
        stored[wrong] = test[wrong]
    return stored


def _expected(games, n_train, quirks, by_elo, by_glicko):
    """Return White's expected score in each game by Elo and by Glicko, shape (2, N)."""
    if quirks.batch_baselines:
        by_elo, by_glicko = (_from_batch(games, n_train, quirks, system) for system in (elo, glicko))
    deviation = np.hypot(by_glicko.white_deviation, by_glicko.black_deviation)
    ahead = [rated.white + WHITE_AHEAD - rated.black for rated in (by_elo, by_glicko)]
    return np.array([expected_score(ahead[0]), expected_score(ahead[1], deviation)])


def _from_batch(games, n_train, quirks, system):
    """Rate all training games as one period, then each test game as one more period."""
    options = {"k": _k(quirks)} if system is elo else {"c": C, "reset_deviation": DEVIATION}
    n = len(games.score)
    periods = np.append(np.zeros(n_train, dtype=int), 1 + np.arange(n - n_train))
    return system(games.white, games.black, games.score, periods, start=_start(games, quirks), **options)


class _Record:
    """The counts of every player so far; `play` returns them as they were before a game and adds the game."""

    def __init__(self, white_elo, black_elo):
        self.elo = white_elo.tolist(), black_elo.tolist()
        # games, won, drawn, lost, against better, of these not lost, against worse, of these not won, gaps, last
        self.counts = defaultdict(lambda: [0.0] * 10)
        self.history = defaultdict(lambda: [0.0, 0.0])
        self.elite = set()

    def play(self, i, white, black, score, counted, stored):
        """Return the attributes of White and Black before game i and whether it is the first one of either."""
        players = white, black
        own = self.elo[0][i], self.elo[1][i]
        self.elite |= {player for player, rating in zip(players, own) if rating >= ELITE}
        history = self.history[max(players), min(players)]
        met = history[0] / history[1] if history[1] else UNDEFINED
        rows = [self._row(player, i, met, move) for player, move in zip(players, (1.0, 0.0), strict=True)]
        first = any(self.counts[player][0] == 0 for player in players)
        scores = (score, 1.0 - score), (counted, 1.0 - counted)
        for side in (0, 1):
            gap = own[1 - side] - own[side]
            self._add(self.counts[players[side]], i, gap, scores[0][side], scores[1][side])
        history[0] += stored
        history[1] += 1.0
        return *rows, first

    def _row(self, player, i, met, move):
        played, win, draw, loss, better, beaten, worse, lost, gaps, last = self.counts[player]
        return (
            0.0, beaten, lost, _share(beaten, better), _share(lost, worse), played, win, draw, loss,
            i - 1 - last if played else 0.0, float(player in self.elite), met, _share(gaps, played), 0.0, move,
            _share(win + draw, played, 0.0),
        )  # fmt: skip

    @staticmethod
    def _add(counts, i, gap, score, counted):
        counts[0] += 1
        counts[1 + (1.0, 0.5, 0.0).index(score)] += 1
        counts[4] += gap > 0
        counts[5] += gap > 0 and counted > 0
        counts[6] += gap < 0
        counts[7] += gap < 0 and counted < 1
        counts[8] += gap
        counts[9] = i


def _share(part, whole, undefined=UNDEFINED):
    return part / whole if whole else undefined
