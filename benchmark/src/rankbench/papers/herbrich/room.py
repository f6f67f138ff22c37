"""What is in this room."""

from rankbench.configuration.values import POSITIVE, several, whole
from rankbench.room import Figure, Reader, Room, Study

ROOM = Room(
    __package__,
    short="Herbrich et al.",
    authors="Herbrich, Graepel, Obermayer",
    reference="R. Herbrich, T. Graepel, K. Obermayer: Large margin rank boundaries for ordinal regression. In Advances "
    "in Large Margin Classifiers, MIT Press",
    kept_seconds=("herbrich_fig2_2",),
    claims=("claims", "claims_theory"),
    readers=(
        Reader("herbrich_utility"),
        Reader("herbrich_utility_variance"),
        Reader("ohsumed_text"),
    ),
    studies=(
        Study("cited_methods", {"draws": whole(2), "trees": whole(2)}),
        Study("leave_one_out", {"costs": several(POSITIVE), "size": whole(10), "samples": whole(1)}),
        Study(
            "margin_bounds",
            {"sizes": several(whole(10)), "samples": whole(2), "line": whole(100), "dimensions": several(whole(2))},
            file="rank_maps",
        ),
        Study("pair_loss", {"size": whole(5), "samples": whole(2)}, file="rank_maps"),
        Study("perceptron_updates", {"size": whole(3), "samples": whole(2)}),
        Study("qp_growth", {"sizes": several(whole(50), at_least=3, distinct=True), "runs": whole(1)}, timed=True),
        Study(
            "rank_map_agreement",
            {"sizes": several(whole(5), distinct=True), "cells": whole(10), "samples": whole(2)},
            file="rank_maps",
        ),
        Study("rank_maps", {"sizes": several(whole(5), distinct=True), "cells": whole(10)}, file="rank_maps"),
        Study("rank_noise", file="rank_maps"),
        Study(
            "svr_tube",
            {
                "epsilons": several(POSITIVE, at_least=2),
                "spacings": several(POSITIVE, at_least=2),
                "size": whole(10),
                "samples": whole(2),
            },
            file="rank_maps",
        ),
    ),
    figures=(Figure("rank_maps", needs=("rank_maps",)),),
)
