"""The claims of Venuto, Hocking, Spanurattana and Sugiyama about Figures 4 and 5 (S01 to S14, S17, S18).

`claims_chess` has those about chess, `claims_theory` the others.
"""

import itertools

import numpy as np

from rankbench.claims.evidence import Interval, paired, slope, some
from rankbench.claims.rules import alike, each, table, together
from rankbench.claims.verdict import Claim, Lacking, Measured, add
from rankbench.papers.svmcompare.printed import beside
from rankbench.statistics.intervals import quantile

ERRORS, FRESH, AREAS, FRESH_AREAS = (
    "svmcompare_fig4",
    "svmcompare_fig4_fresh",
    "svmcompare_fig5",
    "svmcompare_fig5_fresh",
)
NORMS, LEARNED = ("squared_linf", "squared_l1", "squared_l2"), ("rank", "rank2", "compare")
ERROR, AUC, ANY = "zero_one", "comparison_auc", "comparison_auc_any_direction"
POINTS, SETS = 100.0, 4  # sets of each cell of Figures 4 and 5
FEW, MANY = ("rho10",), ("rho90",)


def _figure_4(summary, published):
    cells = beside(summary, published, ERROR).dropna(subset=["mean", "mean_printed"])
    difference = POINTS * (cells["mean"] - cells["mean_printed"])
    exact = difference[cells["method"] == "truth"].abs() < 1e-6
    said = f"{{counts}}; {exact.sum()} of {len(exact)} cells of the truth are exact"
    return Measured(said=said, figure=(difference, POINTS * cells["sd_printed"] / np.sqrt(SETS), SETS - 1))


def _figure_5(metric, summary, published):
    cells = beside(summary, published, metric).dropna(subset=["mean", "mean_printed"])
    error = np.hypot(cells["sd"], cells["sd_printed"]) / np.sqrt(SETS)
    return cells["mean"] - cells["mean_printed"], error, 2 * (SETS - 1)


def _areas_of_figure_5(summary, published):
    """By the definition of a true positive that gives areas nearer to the printed ones: no independent test."""
    figures = {
        name: _figure_5(metric, summary, published)
        for name, metric in (("right direction", AUC), ("any direction", ANY))
    }
    told = {name: table(Measured(figure=figure))[1] for name, figure in figures.items()}
    nearest = min(figures, key=lambda name: np.median(np.abs(figures[name][0])))
    return Measured(said="; ".join(f"{name}: {one}" for name, one in told.items()), figure=figures[nearest])


def _tally(records, metric, pairs, datasets, by=("dataset",)):
    """Return ``worse over better on data set`` -> interval, in points, for pairs (worse, better).

    Raises
    ------
    Lacking
        If one of the named data sets has no runs of both methods of a pair.
    """
    chosen, cells = records[records["dataset"].isin(datasets)], {}
    for worse, better in pairs:
        differences = paired(chosen, metric, worse, better, POINTS, by=by)
        if missing := {*datasets} - {name.split(" ")[0] for name in differences}:
            raise Lacking(f"{metric} of {worse} and {better} on {', '.join(sorted(missing))}")
        cells |= {f"{worse} over {better} on {name}": cell for name, cell in differences.items()}
    return cells


def _worse(metric, pairs, datasets, conditions=None, by=("dataset",)):
    """Return the measure of the first minus the second method of each pair on data sets, pooled over conditions."""
    return lambda records: Measured(_tally(_under(records, conditions), metric, pairs, datasets, by))


def _under(records, conditions):
    return records if conditions is None else records[records["condition"].isin(conditions)]


def _both_areas(pairs, datasets, conditions=None):
    """Return the measure of the differences between areas at each share, in hundredths, by both definitions."""

    def measure(records):
        parts = [
            _worse(metric, pairs, datasets, conditions, ("dataset", "condition"))(records) for metric in (AUC, ANY)
        ]
        return Measured(parts[0].cells, beside={"areas by any direction": parts[1]})

    return measure


def _falling(summary):
    named = summary["dataset"].isin((*NORMS, "sushi"))
    cells = summary[named & (summary["metric"] == ERROR) & summary["method"].isin(LEARNED)]
    curves = cells.assign(n=cells["condition"].str[1:].astype(int)).groupby(["dataset", "method"], sort=False)
    return Measured({" ".join(key): slope(curve["n"], curve["mean"]).minus for key, curve in curves})


def _rules(none):
    """Return in words what each rule gives for models without scaling, at the share where they are frequent."""
    by_rule, n = none.groupby("rule"), none["seed"].nunique()
    means = (100 * by_rule[[AUC, ERROR]].mean()).assign(without=by_rule["unscaled"].sum())
    said = ", ".join(
        f"{name} {row[AUC]:.1f} and {row[ERROR]:.1f} ({row['without']:.0f} of {n})" for name, row in means.iterrows()
    )
    return f"area and error of compare at a share of 0.1 by each rule for models without scaling (how many): {said}"


def _loss_of_area(summary, other):
    """Return the interval of how much lower the area of compare is than that of another method on sushi, in hundredths:
    the mean over the shares of Figure 5, whose sets are few and taken as independent."""
    areas = summary[(summary["dataset"] == "sushi") & (summary["metric"] == AUC)].set_index("condition")
    ours, theirs = (some(areas[areas["method"] == name], name) for name in ("compare", other))
    n = areas["n_runs"].min()
    losses = POINTS * (theirs["mean"] - ours["mean"])
    error = POINTS * np.sqrt(((theirs["sd"] ** 2 + ours["sd"] ** 2) / n).sum()) / len(losses)
    df = 2 * (n - 1) * len(losses)
    return Interval(
        losses.mean(), *(losses.mean() + sign * quantile(df) * error for sign in (-1, 1)), len(losses) * n, df
    )


def _overall_on_sushi(errors, areas, none):
    """The error must be lower, and the loss of area at most two hundredths, on average over the shares of Figure 5."""
    cells = {f"error, {name}": cell for name, cell in _tally(errors, ERROR, LAST, ("sushi",)).items()}
    losses = {other: _loss_of_area(areas, other) for other, _ in LAST}
    cells |= {f"2 minus the loss of area against {name}": cell.minus.plus(2) for name, cell in losses.items()}
    said = ", ".join(f"{name} {cell.text(1)}" for name, cell in losses.items())
    return Measured(cells, f"{{counts}}; loss of area over nine shares against {said}; {_rules(none)}")


def _same_areas(areas, none):
    found = _both_areas(ALL, ("sushi",))(areas)
    return Measured(found.cells, f"{{counts}}; {_rules(none)}", beside=found.beside)


def _helps(records):
    simulated = records[records["dataset"].isin(NORMS)]
    many, few = (paired(_under(simulated, names), AUC, "compare", "rank", POINTS, by=())[""] for names in (MANY, FEW))
    said = f"gain of compare over rank in area {many.text(1)} at a share of 0.9, {few.text(1)} at 0.1"
    return Measured({"gain with many": many, "2 plus the gain with few": few.plus(2)}, said)


FIRST, ORDER = [("rank", "rank2"), ("rank", "compare")], [("rank", "rank2"), ("rank2", "compare")]
LAST, ALL = [("rank", "compare"), ("rank2", "compare")], list(itertools.combinations(LEARNED, 2))
TRUTH = [("truth", method) for method in LEARNED]
RECORDS, AREA = (f"{FRESH}/records",), (f"{FRESH_AREAS}/records",)
NONE = "svmcompare_scaling/without_scaling"
HIGHER = (
    "Paired differences of test errors, averaged over the five sizes of a set, on forty fresh sets; every cell counts."
)
SIMILAR = "Areas within +-{margin:g} hundredths at shares of 0.1, 0.5 and 0.9, on twelve fresh sets."
IN_POINTS, HUNDREDTHS = {"unit": " points"}, {"unit": " hundredths"}
LEAST = {"least": 1.0}
add(
    Claim(
        "S01",
        (f"{ERRORS}/summary", "published/svmcompare_fig4"),
        _figure_4,
        None,
        "The same sets, so an exact repetition would give the printed values: the test is lenient.",
        "75 cells",
        number=table,
    ),
    Claim(
        "S02",
        (f"{ERRORS}/summary",),
        _falling,
        each,
        "Slope of log error against log n for each curve.",
        "falls on 12 of 12 curves from 50 to 800 pairs",
        {"least": 0.2},
        word="falls with the power",
        decimals=2,
    ),
    Claim("S03", RECORDS, _worse(ERROR, FIRST, NORMS), each, HIGHER, "highest in 11 of 15 cells", LEAST, **IN_POINTS),
    Claim(
        "S04",
        RECORDS,
        _worse(ERROR, ORDER, NORMS),
        each,
        HIGHER,
        "compare < rank2 < rank in 9 of 15 cells",
        LEAST,
        **IN_POINTS,
    ),
    Claim(
        "S05",
        RECORDS,
        _worse(ERROR, LAST, NORMS),
        each,
        HIGHER,
        "strictly lowest in 12 of 15 cells",
        LEAST,
        **IN_POINTS,
    ),
    Claim(
        "S06",
        RECORDS,
        _worse(ERROR, [("compare", "truth")], ("squared_l2",), None, ("dataset", "condition")),
        alike,
        "As good: within +-{margin:g} point of the truth at every size, on forty fresh sets.",
        "0.65 to 3.5 points, always above 0",
        {"margin": 1.0},
        **IN_POINTS,
    ),
    Claim(
        "S07",
        RECORDS,
        _worse(ERROR, ORDER, ("sushi",)),
        each,
        HIGHER,
        "in that order at 4 of 5 sizes",
        LEAST,
        **IN_POINTS,
    ),
    Claim(
        "S08",
        (f"{AREAS}/summary", "published/svmcompare_fig5"),
        _areas_of_figure_5,
        None,
        "Judged by the definition of a true positive whose areas are nearer to the printed ones.",
        "108 cells",
        number=table,
    ),
    Claim(
        "S09",
        AREA,
        _both_areas(TRUTH, ("squared_l2",)),
        alike,
        f"The truth against each method. {SIMILAR}",
        "areas 0.962 to 0.985",
        {"margin": 2.0},
        **HUNDREDTHS,
    ),
    Claim(
        "S10",
        AREA,
        _both_areas(ALL, ("squared_linf", "squared_l1"), FEW),
        alike,
        f"At a share of 0.1, on the other two patterns. {SIMILAR}",
        "gaps 0.002, 0.027 and 0.015",
        {"margin": 2.0},
        **HUNDREDTHS,
    ),
    Claim(
        "S11",
        AREA,
        _worse(AUC, [("compare", "rank"), ("rank2", "rank")], ("squared_l1", "squared_linf"), MANY),
        each,
        "Areas at a share of 0.9, on twelve fresh sets.",
        "0.07 to 0.08 above rank",
        LEAST,
        **HUNDREDTHS,
    ),
    Claim(
        "S12",
        AREA,
        _both_areas([("rank2", "compare")], NORMS),
        alike,
        SIMILAR,
        "gaps at most 0.010",
        {"margin": 2.0},
        **HUNDREDTHS,
    ),
    Claim(
        "S13",
        (*AREA, NONE),
        _same_areas,
        alike,
        f"{SIMILAR} The margin is the largest gap that the paper calls about the same.",
        "compare is 0.03 to 0.04 lower at three shares",
        {"margin": 4.0},
        **HUNDREDTHS,
    ),
    Claim(
        "S14",
        (*RECORDS, f"{AREAS}/summary", NONE),
        _overall_on_sushi,
        together,
        "The error is lower than that of each other method, and the loss of area below "
        "2 hundredths, over all nine shares.",
        "lower error at 4 of 5 sizes, areas within one sd",
        LEAST,
    ),
    Claim(
        "S17",
        AREA,
        _helps,
        together,
        "Figure 5 shows areas: a gain with many equality pairs, and a loss below 2 hundredths with few.",
        "0.08 above at 0.9 on two simulations, about equal at 0.1",
        LEAST,
        **HUNDREDTHS,
    ),
    Claim(
        "S18",
        RECORDS,
        _worse(ERROR, LAST[:1], (*NORMS, "sushi")),
        each,
        HIGHER,
        "lower error in most of 20 cells",
        LEAST,
        **IN_POINTS,
    ),
)
