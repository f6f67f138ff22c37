"""What is in this room."""

from rankbench.room import Figure, Reader, Room, Study

ROOM = Room(
    __package__,
    short="Shashua, Levin",
    authors="Shashua, Levin",
    reference="A. Shashua, A. Levin: Ranking with large margin principle: two approaches. Advances in Neural "
    "Information Processing Systems",
    published=("shashua_levin.csv",),
    claims=("claims",),
    readers=(
        Reader("movielens"),
        Reader("statlog_vehicle"),
    ),
    studies=(
        Study("pair_growth", timed=True),
        Study("problem_sizes"),
        Study("relaxed_norm"),
        Study("sum_of_margins_sweep"),
        Study("threshold_recovery"),
        Study("two_rank_equalities"),
    ),
    figures=(
        Figure("shashua_levin_users", needs=("summary",), metric="mean_absolute_error"),
        Figure("shashua_levin_vehicle", needs=("summary",), one=("datasets", "conditions")),
    ),
)
