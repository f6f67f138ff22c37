"""The plot of ratings with their intervals."""

from typing import Any, Self

from rankmargin.annotations import Array
from rankmargin.inspection.scores import axes


class LeaderboardDisplay:
    """The ratings of players with their intervals, the best on top.

    Parameters
    ----------
    table : dict of (P,) arrays
        Columns as :meth:`rankmargin.leaderboard.Leaderboard.table` returns them.

    Examples
    --------
    >>> from rankmargin.inspection import LeaderboardDisplay
    >>> from rankmargin.ratings import bradley_terry
    >>> board = bradley_terry(list("aaaabbbc"), list("bbccccaa"), [1, 0.5, 1, 1, 1, 0, 0.5, 0.5])
    >>> LeaderboardDisplay(board.table(level=0.9)).table["player"].tolist()
    ['a', 'b', 'c']
    """

    def __init__(self, table: dict[str, Array]) -> None:
        self.table = table

    @classmethod
    def from_ratings(cls, leaderboard: Any, *, level: float = 0.95, ax: Any = None) -> Self:
        """Draw the result of :func:`rankmargin.ratings.bradley_terry`."""
        return cls(leaderboard.table(level)).plot(ax=ax)

    def plot(self, *, ax: Any = None, **line: Any) -> Self:
        """Draw on ``ax`` or on a new figure, and return self; ``line`` goes to matplotlib."""
        self.ax_ = ax = axes(ax)
        rating = self.table["rating"]
        places, beside = range(len(rating)), [rating - self.table["low"], self.table["high"] - rating]
        ax.errorbar(rating, places, xerr=beside, **{"linestyle": "", "marker": "o", "markersize": 4, **line})
        ax.set_yticks(places, [f"{rank}  {player}" for rank, player in zip(self.table["rank"], self.table["player"])])
        ax.invert_yaxis()
        ax.set(xlabel="rating")
        return self
