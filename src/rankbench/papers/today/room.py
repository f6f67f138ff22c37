"""What is in this room."""

from rankbench.room import Room, Table

ROOM = Room(
    __package__,
    keeper="kept",
    tables=(Table("ranking", needs=("ranks", "bayes", "best"), one=("conditions",), file="tables.ranking"),),
)
