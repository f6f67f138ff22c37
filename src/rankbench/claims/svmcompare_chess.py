"""The claims S19 to S28 of Venuto et al. about chess: each is about several periods, but we have only one of them."""

import json
from collections import Counter

from .evidence import having, share, some
from .verdict import EXACT, FAILS, HOLDS, INCONCLUSIVE, MIXED, NOT_CHECKABLE, SUBSTITUTE, Finding, claim

SUMMARY, AUC = "svmcompare_fig6/summary", "comparison_auc"


def _areas(summary, models):
    """Return the areas: one column per model, one row per period that has all of the models."""
    areas = summary[summary["metric"] == AUC].pivot(index="dataset", columns="method", values="mean")
    return having(areas, dict.fromkeys(models))


def _wins(summary, pairs, printed, enough):
    """Judge whether the first model of each pair has the larger area, both in most periods and by median."""
    areas, counts, signs, gaps = _areas(summary, [model for pair in pairs for model in pair]), [], [], []
    for better, worse in pairs:
        wins, losses = int((areas[better] > areas[worse]).sum()), int((areas[better] < areas[worse]).sum())
        medians = areas[better].median(), areas[worse].median()
        n_half = len(areas) / 2
        signs.append(int(wins > n_half and medians[0] > medians[1]) - int(losses > n_half and medians[0] < medians[1]))
        gaps.append(medians[0] - medians[1])
        counts.append(f"{better} over {worse} in {wins} of {len(areas)} ({medians[0]:.3f}, {medians[1]:.3f})")
    if len(areas) < enough:
        verdict = INCONCLUSIVE
    else:
        verdict = HOLDS if min(signs) > 0 else FAILS if max(signs) < 0 else MIXED
    few = f" One period is too few; at least {enough} are needed, and the paper has eight years."
    return Finding(
        verdict,
        f"periods and median areas: {'; '.join(counts)}",
        printed,
        "The area must be larger both in most periods and by median." + (few if verdict == INCONCLUSIVE else ""),
        f"median areas differ by {min(gaps):+.3f} to {max(gaps):+.3f}, {len(areas)} period(s)",
    )


@claim("S19")
def areas_of_figure_6():
    needed = "This needs the primary training files of Chessmetrics; we have only January to March 2010."
    return Finding(NOT_CHECKABLE, "", "72 cells, 8 years of 9 models", needed)


def _against_ratings(model):
    return [(model, rating) for rating in ("elo", "glicko")]


@claim("S20", SUMMARY, basis=SUBSTITUTE)
def all_features_beat_the_ratings(summary, *, enough=5):
    pairs = [*_against_ratings("linear_all"), *_against_ratings("poly_all")]
    return _wins(summary, pairs, "medians 0.378 and 0.373 against 0.365 and 0.347; wins in 6 or 7 of 8 years", enough)


@claim("S27", SUMMARY, basis=SUBSTITUTE, again="S20")
def comparisons_predict_better_than_ratings(summary, *, enough=5):
    """The linear half of S20, no evidence of its own: the paper's conclusion names no kernel; the linear one is its
    best."""
    return _wins(
        summary,
        _against_ratings("linear_all"),
        "half of S20, the same evidence: linear beats each rating in 6 of 8 years",
        enough,
    )


@claim("S21", SUMMARY, basis=SUBSTITUTE)
@claim("S28", SUMMARY, basis=SUBSTITUTE, again="S21")
def two_ratings_are_worse_than_all_features(summary, *, enough=5):
    """Section 4.3 says this about Figure 6; Section 5 says in other words that added features raise the accuracy."""
    pairs = [("linear_all", "linear_2"), ("poly_all", "poly_2")]
    printed = "medians 0.378 and 0.373 against 0.356 and 0.359; 6 of 8 years each (S21 and S28 have the same evidence)"
    return _wins(summary, pairs, printed, enough)


@claim("S22", SUMMARY, basis=SUBSTITUTE)
def two_ratings_lie_between_elo_and_glicko(summary, *, enough=5):
    areas = _areas(summary, ("elo", "glicko", "linear_2", "poly_2"))
    low, high = areas[["elo", "glicko"]].min(axis=1), areas[["elo", "glicko"]].max(axis=1)
    inside = {m: int(((areas[m] >= low) & (areas[m] <= high)).sum()) for m in ("linear_2", "poly_2")}
    shares = [count / len(areas) for count in inside.values()]
    verdict = HOLDS if min(shares) > 0.5 else FAILS if max(shares) < 0.5 else MIXED
    verdict = verdict if len(areas) >= enough else INCONCLUSIVE
    said = ", ".join(f"{method} in {count} of {len(areas)}" for method, count in inside.items())
    medians = ", ".join(f"{m} {areas[m].median():.3f}" for m in ("elo", "linear_2", "poly_2", "glicko"))
    return Finding(
        verdict,
        f"between the two ratings: {said}; medians {medians}",
        "medians 0.356 and 0.359 between 0.347 and 0.365; 4 of 8 years each",
        f"The periods in which the area lies between those of Elo and Glicko; at least {enough} periods are needed.",
        f"between them in {', '.join(share(count, len(areas)) for count in inside.values())}",
    )


@claim("S23", SUMMARY, basis=SUBSTITUTE)
def the_gaussian_kernel_is_worse(summary, *, enough=5):
    pairs = [(f"{kernel}_{part}", f"rbf_{part}") for kernel in ("linear", "poly") for part in ("all", "2")]
    return _wins(summary, pairs, "8 of 8 years with all features, 7 and 8 of 8 with two ratings", enough)


@claim("S24", SUMMARY, basis=SUBSTITUTE)
def the_linear_kernel_is_best(summary, *, enough=5):
    pairs = [("linear_all", "poly_all"), ("linear_all", "rbf_all")]
    return _wins(summary, pairs, "best by median; by mean the polynomial is, 0.3778 against 0.3768", enough)


@claim("S25", "svmcompare_fig6/records", basis=SUBSTITUTE)
def degree_1_is_selected_most_often(records, *, enough=5):
    chosen = records[records["method"].isin(["poly_all", "poly_2"]) & (records["status"] == "ok")]
    selected = some(chosen, "a polynomial model")["params"]
    degrees = Counter(json.loads(params)["degree"] for params in selected)
    most, n = [degree for degree, count in degrees.items() if count == max(degrees.values())], len(chosen)
    verdict = INCONCLUSIVE if n < enough else HOLDS if most == [1] else MIXED if 1 in most else FAILS
    said = ", ".join(f"degree {degree}: {count}" for degree, count in sorted(degrees.items()))
    return Finding(
        verdict,
        f"{n} selections: {said}",
        "the final fits used degree 1, whatever was selected",
        f"The degrees chosen by validation, for both sets of features; at least {enough} selections are needed.",
        f"degree 1 in {share(degrees.get(1, 0), n)}",
    )


@claim("S26", "svmcompare_fig6/comparison_baseline", basis=EXACT)
def the_baseline_is_far_from_one_half(baseline, *, far=0.1):
    """A count of the games: half the share of the more frequent winner, so by definition between 0.25 and 0.5."""
    low, high = baseline["auc"].min(), baseline["auc"].max()
    verdict = HOLDS if 0.5 - high > far else FAILS
    return Finding(
        verdict,
        f"{low:.3f} to {high:.3f} over {len(baseline)} period(s)",
        "0.290 to 0.307",
        "Half the share of the more frequent direction among decisive test games, which is always between 0.25 and "
        f"0.5. Far means more than {far:g} away from 0.5.",
        f"{0.5 - high:.3f} away from one half",
    )
