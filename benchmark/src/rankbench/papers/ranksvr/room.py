"""What is in this room."""

from rankbench.configuration.values import NUMBERS, POSITIVE, SHARE, TEXT, several, whole
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
        Study("close_draws", {"p": SHARE, "q": SHARE, "n": whole(20), "trials": whole(10)}),
        Study(
            "cost_sweep",
            {
                "method": TEXT,
                "condition": TEXT,
                "seeds": whole(1),
                "C": several(POSITIVE, distinct=True),
                "C_rank": several(POSITIVE, distinct=True),
            },
            reads=("datasets", "conditions", "seeds", "preprocess", "tuning", "methods", "metrics", "limits"),
        ),
        Study("expansion", {"seeds": whole(1), "params": NUMBERS}),
        Study(
            "norm_seconds",
            {
                "sizes": several(whole(10), at_least=3, distinct=True),
                "seeds": whole(1),
                "C": POSITIVE,
                "C_rank": POSITIVE,
            },
            timed=True,
            file="seconds",
        ),
        Study("one_dimension_curves", {"draw": whole(0), "margin": POSITIVE, "params": NUMBERS}),
        Study("one_dimension_errors", {"draws": whole(2), "margins": several(POSITIVE), "params": NUMBERS}),
        Study(
            "sampler_growth",
            {
                "sizes": several(whole(10), at_least=3, distinct=True),
                "d": whole(1),
                "n_pairs": whole(1),
                "seeds": whole(1),
            },
            timed=True,
            file="seconds",
        ),
        Study("sampling_as_printed", {"n_pairs": whole(1), "draws": whole(1)}, timed=True, file="seconds"),
        Study(
            "slope_range",
            {
                "distances": several(POSITIVE, at_least=2, distinct=True),
                "margins": several(POSITIVE),
                "largest_slope": POSITIVE,
            },
        ),
        Study(
            "training_seconds",
            {
                "sizes": several(whole(2), at_least=3, distinct=True),
                "C": POSITIVE,
                "C_rank": POSITIVE,
                "margins": several(POSITIVE),
                "seeds": whole(1),
                "points": whole(2),
            },
            timed=True,
            file="seconds",
        ),
    ),
    figures=(
        Figure("error_ratios", needs=("summary", "ratios"), metric="absolute_error"),
        Figure("one_dimension", needs=("one_dimension_curves", "one_dimension_errors")),
        Figure("pair_curves", needs=("ratios",), each=("n_pairs",)),
    ),
    tables=(
        Table("ranksvr_table2", needs=("summary", "ratios"), metric="absolute_error"),
        Table("ranksvr_table3", needs=("sampling_seconds",), one=("conditions",)),
    ),
)
