"""What is in this room."""

from rankbench.room import Figure, Reader, Room, Statistic, Study, Table

ROOM = Room(
    __package__,
    short="Yu et al.",
    authors="Yu, Kim, Na",
    reference="H. Yu, S. Kim, S. Na: RankSVR: can preference data help regression? CIKM 2010",
    published=(
        "ranksvr_table2.csv",
        "ranksvr_table3.csv",
    ),
    claims=("claims", "claims_theory"),
    readers=(Reader("yu_synthetic"),),
    statistics=(Statistic("sampling_seconds"),),
    studies=(
        Study("close_draws"),
        Study(
            "cost_sweep",
            reads=("datasets", "conditions", "seeds", "preprocess", "tuning", "methods", "metrics", "limits"),
        ),
        Study("expansion"),
        Study(
            "norm_seconds",
            timed=True,
            file="seconds",
        ),
        Study("one_dimension_curves"),
        Study("one_dimension_errors"),
        Study(
            "sampler_growth",
            timed=True,
            file="seconds",
        ),
        Study("sampling_as_printed", timed=True, file="seconds"),
        Study(
            "slope_range",
        ),
        Study(
            "training_seconds",
            timed=True,
            file="seconds",
        ),
    ),
    figures=(
        Figure("error_ratios", needs=("summary", "ratios"), metric="absolute_error"),
        Figure("one_dimension", needs=("one_dimension_curves", "one_dimension_errors")),
        Figure("pair_curves", needs=("ratios",)),
    ),
    tables=(
        Table("ranksvr_table2", needs=("summary", "ratios"), metric="absolute_error"),
        Table("ranksvr_table3", needs=("sampling_seconds",), one=("conditions",)),
    ),
)
