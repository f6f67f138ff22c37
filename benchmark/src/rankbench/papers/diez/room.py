"""What is in this room."""

from rankbench.room import Figure, Room, Statistic, Study, Table

ROOM = Room(
    __package__,
    short="Díez et al.",
    authors="Díez, del Coz, Bahamonde",
    reference="J. Díez, J. J. del Coz, A. Bahamonde: A support vector method for ranking minimizing the number of "
    "swapped pairs",
    published=(
        "diez_overall.csv",
        "diez_table1.csv",
    ),
    kept_tables=(
        "diez_table1/tables/table1.md",
        "diez_second_draw/tables/draws.md",
        "diez_riddles/tables/riddles.md",
    ),
    claims=("claims",),
    statistics=(Statistic("draws"), Statistic("halves")),
    studies=(
        Study("count_vectors"),
        Study(
            "oracle_growth",
            timed=True,
        ),
        Study(
            "problem_growth",
            timed=True,
        ),
        Study("slack_bound"),
    ),
    figures=(Figure("dot_plot", needs=("summary", "per_dataset"), one=("conditions",), metric="swapped_pairs"),),
    tables=(
        Table("draws", needs=("draws",)),
        Table("multiverse", needs=("overall",)),
        Table("riddles", needs=("halves",)),
        Table("table1", needs=("summary", "per_dataset"), one=("conditions",), metric="swapped_pairs"),
    ),
)
