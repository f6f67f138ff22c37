"""What is in this room."""

from rankbench.room import Room

ROOM = Room(
    __package__,
    short="Doe",
    authors="Doe",
    reference="J. Doe: All pairs and five partners. A Journal",
    claims=("claims",),
)
