"""What is in this room."""

from rankbench.configuration.values import several, whole
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
        Study("pair_growth", {"sizes": several(whole(10), at_least=3, distinct=True), "samples": whole(1)}, timed=True),
        Study("problem_sizes", {"sizes": several(whole(10), distinct=True), "ranks": several(whole(2), distinct=True)}),
        Study("relaxed_norm", {"size": whole(10), "ranks": several(whole(2), distinct=True), "samples": whole(1)}),
        Study(
            "sum_of_margins_sweep", {"size": whole(20), "ranks": several(whole(2), distinct=True), "samples": whole(1)}
        ),
        Study(
            "threshold_recovery", {"size": whole(20), "ranks": several(whole(2), distinct=True), "samples": whole(1)}
        ),
        Study("two_rank_equalities", {"size": whole(10), "samples": whole(1)}),
    ),
    figures=(
        Figure("shashua_levin_users", needs=("summary",), each=("n_train",), metric="mean_absolute_error"),
        Figure("shashua_levin_vehicle", needs=("summary",), one=("datasets", "conditions")),
    ),
)
