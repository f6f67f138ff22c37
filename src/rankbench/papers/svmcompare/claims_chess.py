"""The claims S19 to S28 of Venuto et al. about chess: each is about several periods, but we have only one of them."""

import json
from collections import Counter

from rankbench.claims.evidence import beyond, both, having, interval, ordering, proportion, share, some
from rankbench.claims.verdict import INCONCLUSIVE, NO_DIRECTION, NOT_CHECKABLE, SUBSTITUTE, Finding, claim

SUMMARY, AUC = "svmcompare_fig6/summary", "comparison_auc"


def _areas(summary, models):
    """Return the areas: one column per model, one row per period that has all of the models."""
    areas = summary[summary["metric"] == AUC].pivot(index="dataset", columns="method", values="mean")
    return having(areas, dict.fromkeys(models))


def _wins(printed, *pairs):
    """Return the judge of whether the first model of each pair has the larger area: by intervals over the periods."""

    def judge(summary, *, enough=5):
        areas = _areas(summary, [model for pair in pairs for model in pair])
        counts = []
        gaps = {}
        for better, worse in pairs:
            gaps[f"{better} over {worse}"] = areas[better] - areas[worse]
            medians = f"{areas[better].median():.3f}, {areas[worse].median():.3f}"
            counts.append(
                f"{better} over {worse} in {(areas[better] > areas[worse]).sum()} of {len(areas)} ({medians})"
            )
        verdict, few = INCONCLUSIVE, f" At least {enough} periods are needed, and the paper has eight years."
        if len(areas) >= enough:
            (verdict, _), few = ordering({name: interval(gap) for name, gap in gaps.items()}, every=True), ""
        medians = [gap.median() for gap in gaps.values()]
        return Finding(
            verdict,
            f"periods and median areas: {'; '.join(counts)}",
            printed,
            f"The interval of the difference over the periods must lie above 0 for each pair of models.{few}",
            f"median differences {min(medians):+.3f} to {max(medians):+.3f}, {len(areas)} period(s)",
            compared=frozenset(" and ".join(sorted(pair)) for pair in pairs),
        )

    return judge


@claim("S19")
def areas_of_figure_6():
    needed = "This needs the primary training files of Chessmetrics; we have only January to March 2010."
    return Finding(NO_DIRECTION, "", "72 cells, 8 years of 9 models", needed, number=NOT_CHECKABLE)


LINEAR = [("linear_all", rating) for rating in ("elo", "glicko")]
POLYNOMIAL = [("poly_all", rating) for rating in ("elo", "glicko")]
ADDED = [("linear_all", "linear_2"), ("poly_all", "poly_2")]
SHARED = "medians 0.378 and 0.373 against 0.356 and 0.359; 6 of 8 years each (S21 and S28 have the same evidence)"
WINS = {
    "S20": _wins("medians 0.378 and 0.373 against 0.365 and 0.347; wins in 6 or 7 of 8 years", *LINEAR, *POLYNOMIAL),
    # The linear half of S20: the paper's conclusion names no kernel; the linear one is its best.
    "S27": _wins("half of S20, the same evidence: linear beats each rating in 6 of 8 years", *LINEAR),
    # Section 4.3 says this about Figure 6; Section 5 says in other words that added features raise the accuracy.
    "S21": _wins(SHARED, *ADDED),
    "S28": _wins(SHARED, *ADDED),
    "S23": _wins(
        "8 of 8 years with all features, 7 and 8 of 8 with two ratings",
        *((f"{kernel}_{part}", f"rbf_{part}") for kernel in ("linear", "poly") for part in ("all", "2")),
    ),
    "S24": _wins(
        "best by median; by mean the polynomial is, 0.3778 against 0.3768",
        ("linear_all", "poly_all"),
        ("linear_all", "rbf_all"),
    ),
}
for claim_id, judge in WINS.items():
    claim(claim_id, SUMMARY, basis=SUBSTITUTE)(judge)


@claim("S22", SUMMARY, basis=SUBSTITUTE)
def two_ratings_lie_between_elo_and_glicko(summary, *, most=0.5):
    areas = _areas(summary, ("elo", "glicko", "linear_2", "poly_2"))
    low = areas[["elo", "glicko"]].min(axis=1)
    high = areas[["elo", "glicko"]].max(axis=1)
    inside = {m: int(((areas[m] >= low) & (areas[m] <= high)).sum()) for m in ("linear_2", "poly_2")}
    ends = [proportion(count, len(areas)) for count in inside.values()]
    each = [beyond(*end, most) for end in ends]
    said = ", ".join(f"{method} in {count} of {len(areas)}" for method, count in inside.items())
    medians = ", ".join(f"{m} {areas[m].median():.3f}" for m in ("elo", "linear_2", "poly_2", "glicko"))
    return Finding(
        both(*each),
        f"between the two ratings: {said}; medians {medians}",
        "medians 0.356 and 0.359 between 0.347 and 0.365; 4 of 8 years each",
        "The periods in which the area lies between those of Elo and Glicko: the interval of their share must lie "
        f"above {most:g}.",
        f"between them in {', '.join(share(count, len(areas)) for count in inside.values())}",
    )


@claim("S25", "svmcompare_fig6/records", basis=SUBSTITUTE)
def degree_1_is_selected_most_often(records, *, most=0.5):
    chosen = records[records["method"].isin(["poly_all", "poly_2"]) & (records["status"] == "ok")]
    selected = some(chosen, "a polynomial model")["params"]
    degrees = Counter(json.loads(params)["degree"] for params in selected)
    n = len(chosen)
    low, high = proportion(degrees.get(1, 0), n)
    verdict = beyond(low, high, most)
    said = ", ".join(f"degree {degree}: {count}" for degree, count in sorted(degrees.items()))
    return Finding(
        verdict,
        f"{n} selections: {said}",
        "the final fits used degree 1, whatever was selected",
        "The degrees chosen by validation, for both sets of features: the interval of the share of degree 1 must lie "
        f"above {most:g}.",
        f"degree 1 in {share(degrees.get(1, 0), n)}",
    )


@claim("S26", "svmcompare_fig6/comparison_baseline", basis=SUBSTITUTE)
def the_baseline_is_far_from_one_half(baseline, *, far=0.1):
    """The baseline is half the share of the more frequent winner, so it always lies between 0.25 and 0.5."""
    games = (baseline["n_test"] * (1 - baseline["equality_test"])).round().astype(int)
    ends = [proportion(round(2 * auc * n), n) for auc, n in zip(baseline["auc"], games)]
    low, high = min(low for low, _ in ends) / 2, max(high for _, high in ends) / 2
    return Finding(
        beyond(0.5 - high, 0.5 - low, far),
        f"{baseline['auc'].min():.3f} to {baseline['auc'].max():.3f} over {len(baseline)} period(s)",
        "0.290 to 0.307",
        "Half the share of the more frequent direction among decisive test games, which is always between 0.25 and "
        f"0.5. Far means that the whole interval is more than {far:g} away from 0.5.",
        f"{0.5 - high:.3f} to {0.5 - low:.3f} away from one half",
    )
