"""What is in this room."""

from rankbench.room import PAIRS, Figure, Reader, Room, Study, Table

OF_METHODS = ("datasets", "conditions", "seeds", "preprocess", "tuning", "methods", "metrics", "limits")
ROOM = Room(
    __package__,
    short="Venuto et al.",
    authors="Venuto, Hocking, Spanurattana, Sugiyama",
    reference="D. Venuto, T. D. Hocking, S. Spanurattana, M. Sugiyama: Support vector comparison machines",
    published=(
        "svmcompare_fig3_train_pairs.csv",
        "svmcompare_fig4.csv",
        "svmcompare_fig4_rerun2018.csv",
        "svmcompare_fig5.csv",
        "svmcompare_fig6.csv",
    ),
    kept_tables=("svmcompare_fig4_program/tables/printed_errors.md",),
    claims=("claims", "claims_chess", "claims_theory"),
    readers=(
        Reader("chess", kind=PAIRS),
        Reader("sushi", kind=PAIRS),
        Reader("squared_norm_pairs", kind=PAIRS),
    ),
    studies=(
        Study("comparison_baseline"),
        Study("comparison_counts"),
        Study(
            "comparison_dual",
        ),
        Study(
            "level_curves",
            reads=OF_METHODS,
        ),
        Study("recovery", reads=OF_METHODS),
        Study("without_scaling", reads=OF_METHODS),
        Study("max_margin_panels"),
        Study("separable_programs"),
    ),
    figures=(
        Figure("chess_auc", needs=("summary", "comparison_baseline"), metric="comparison_auc"),
        Figure("comparison_curves", needs=("summary",)),
        Figure("level_curves", needs=("level_curves", "recovery")),
        Figure("max_margin_panels", needs=("max_margin_panels",)),
    ),
    tables=(Table("printed_errors", needs=("summary",), metric="zero_one"),),
)
