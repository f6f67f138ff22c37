"""What is in this room."""

from rankbench.room import Room, Table

ROOM = Room(
    __package__,
    tables=(Table("ranking", needs=("ranks", "bayes", "best"), one=("conditions",)),),
)
