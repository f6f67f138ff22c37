"""What is in this room."""

from rankbench.room import Method, Room, Table

ROOM = Room(
    __package__,
    keeper="kept",
    methods=(Method("gaussian_process"),),
    tables=(Table("ranking", needs=("ranks", "bayes", "best"), one=("conditions",), file="tables.ranking"),),
)
