"""What was known about both players before each game: the 16 attributes of Venuto et al., section 4.3.

The text names some of them. The others, and the value of an undefined mean, come from the authors' program
(papers/svmcompare/published/protocol.md, section 7.2). Where the program contradicts the text, the text is followed.
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


def features(games):
    """Return what was known before each game.

    Parameters
    ----------
    games : Games

    Returns
    -------
    white, black : (N, 18) float64
        ``ATTRIBUTES + EXPECTED`` of the two players. An expected score is the player's own in this game.
    first : (N,) bool
        Whether the game is the first one of White or of Black.
    """
    start = Ratings.start(np.union1d(games.white, games.black), START, DEVIATION, False)
    by_elo = elo(games.white, games.black, games.score, start=start, k=Fide(elite_rating=ELITE))
    by_glicko = glicko(games.white, games.black, games.score, start=start, c=C)
    record = _Record(by_elo.white, by_elo.black)
    columns = (games.white, games.black, games.score)
    rows = [record.play(i, *game) for i, game in enumerate(zip(*(column.tolist() for column in columns), strict=True))]
    sides = [np.array([row[side] for row in rows]) for side in (0, 1)]
    expected = _expected(by_elo, by_glicko)
    ratings = ((by_elo.white, by_glicko.white), (by_elo.black, by_glicko.black))
    out = []
    for side, (elo_before, glicko_before), p in zip(sides, ratings, (expected, 1.0 - expected), strict=True):
        side[:, ATTRIBUTES.index("elo")], side[:, ATTRIBUTES.index("glicko")] = elo_before, glicko_before
        out.append(np.hstack([side, p.T]))
    return *out, np.array([row[2] for row in rows])


def _expected(by_elo, by_glicko):
    """Return White's expected score in each game by Elo and by Glicko, shape (2, N)."""
    deviation = np.hypot(by_glicko.white_deviation, by_glicko.black_deviation)
    ahead = [rated.white + WHITE_AHEAD - rated.black for rated in (by_elo, by_glicko)]
    return np.array([expected_score(ahead[0]), expected_score(ahead[1], deviation)])


class _Record:
    """The counts of every player so far; `play` returns them as they were before a game and adds the game."""

    def __init__(self, white_elo, black_elo):
        self.elo = white_elo.tolist(), black_elo.tolist()
        # games, won, drawn, lost, against better, of these not lost, against worse, of these not won, gaps, last
        self.counts = defaultdict(lambda: np.zeros(10))
        self.history = defaultdict(lambda: [0.0, 0.0])
        self.elite = set()

    def play(self, i, white, black, score):
        """Return the attributes of White and Black before game i and whether it is the first one of either."""
        players = white, black
        own = self.elo[0][i], self.elo[1][i]
        self.elite |= {player for player, rating in zip(players, own) if rating >= ELITE}
        history = self.history[max(players), min(players)]
        met = history[0] / history[1] if history[1] else UNDEFINED
        rows = [self._row(player, i, met, move) for player, move in zip(players, (1.0, 0.0), strict=True)]
        first = any(self.counts[player][0] == 0 for player in players)
        for side, scored in enumerate((score, 1.0 - score)):
            self._add(self.counts[players[side]], i, own[1 - side] - own[side], scored)
        history[0] += score
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
    def _add(counts, i, gap, score):
        better, worse = gap > 0, gap < 0
        results = score == 1.0, score == 0.5, score == 0.0
        counts[:-1] += 1, *results, better, better and score > 0, worse, worse and score < 1, gap
        counts[-1] = i


def _share(part, whole, undefined=UNDEFINED):
    return part / whole if whole else undefined
