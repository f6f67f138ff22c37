"""What is in this room."""

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
    ),
    studies=(
        Study("cited_methods"),
        Study("leave_one_out"),
        Study(
            "margin_bounds",
            file="rank_maps",
        ),
        Study("pair_loss", file="rank_maps"),
        Study("perceptron_updates"),
        Study("qp_growth", timed=True),
        Study(
            "rank_map_agreement",
            file="rank_maps",
        ),
        Study("rank_maps", file="rank_maps"),
        Study("rank_noise", file="rank_maps"),
        Study(
            "svr_tube",
            file="rank_maps",
        ),
    ),
    figures=(Figure("rank_maps", needs=("rank_maps",)),),
)
