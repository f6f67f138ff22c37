"""What is in this room."""

from rankbench.room import PAIRS, Figure, Reader, Room, Statistic, Table

ROOM = Room(
    __package__,
    keeper="kept",
    contest="enter",
    readers=(Reader("comparisons", kind=PAIRS),),
    statistics=(Statistic("averages", file="averages", reads="test_scores"), Statistic("elo", file="elo")),
    figures=(
        Figure("contest_duels", needs=("summary",), one=("conditions",), metric="concordance_index"),
        Figure("contest_trade", needs=("best",), one=("conditions",), metric="concordance_index"),
    ),
    tables=(Table("ranking", needs=("ranks", "bayes", "best", "elo"), one=("conditions",), file="tables.ranking"),),
)
