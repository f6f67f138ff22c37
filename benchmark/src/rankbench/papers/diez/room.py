"""What is in this room."""

from rankbench.configuration.values import POSITIVE, TOLERANCE, several, whole
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
        Study("count_vectors", {"trials": whole(1)}),
        Study(
            "oracle_growth",
            {
                "sizes": several(whole(2), at_least=3),
                "ranks": several(whole(2), at_least=3),
                "trials": whole(1),
                "runs": whole(1),
            },
            timed=True,
        ),
        Study(
            "problem_growth",
            {
                "sizes": several(whole(10), at_least=3),
                "C": POSITIVE,
                "gamma": POSITIVE,
                "tolerances": several(TOLERANCE),
            },
            timed=True,
        ),
        Study("slack_bound", {"trials": whole(1)}),
    ),
    figures=(Figure("dot_plot", needs=("summary", "per_dataset"), one=("conditions",), metric="swapped_pairs"),),
    tables=(
        Table("draws", needs=("draws",)),
        Table("multiverse", needs=("overall",)),
        Table("riddles", needs=("halves",)),
        Table("table1", needs=("summary", "per_dataset"), one=("conditions",), metric="swapped_pairs"),
    ),
)
