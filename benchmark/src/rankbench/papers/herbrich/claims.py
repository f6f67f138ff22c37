"""The claims H01 to H16 of Herbrich, Graepel and Obermayer: curves, maps, documents; `claims_theory` has the rest."""

import numpy as np

from rankbench.claims.evidence import BLIND, finished, having, interval, learned, mean_of, paired, slope, some
from rankbench.claims.rules import about, alike, each, far, mostly, on_seconds, sometimes, together
from rankbench.claims.verdict import NOT_CHECKABLE, SUBSTITUTE, Claim, Lacking, Measured, add

CURVES, QUERY, MAPS, THEORY = "herbrich_fig2_2", "herbrich_ohsumed", "herbrich_fig2_3", "herbrich_theory"
CELLS, INVERSIONS = ("dataset", "condition"), "rank_inversions"
READINGS = {"herbrich_utility": "sd 0.125", "herbrich_utility_variance": "variance 0.125"}
LARGEST, RIGHT, MARGIN = 25, 90.0, 5.0
MAPPED = ("ordinal", "multiclass", "svr", "svr_exp")
SHARES = ("right", "right_near", "right_far", "inversions")


def _by_reading(measure, name="dataset"):
    """Return the measure of each reading of the noise by itself: two readings have no mean."""

    def of_all(*frames):
        parts = frames[0].groupby(name, sort=False)
        return Measured(readings={READINGS.get(key, key): measure(part, *frames[1:]) for key, part in parts})

    return of_all


def _paired(metric, worse, better):
    """Return the measure of `worse` minus `better` in each cell, in points."""

    def measure(records):
        cells = paired(records, metric, worse, better, scale=100, by=CELLS)
        return Measured(cells, whole=100 * finished(records, metric).query("method == @worse")[metric].mean())

    return measure


def _on_documents(metric, worse, better):
    """Return the same for those documents from which some method learns."""

    def measure(records):
        runs, without = learned(records, metric)
        if runs.empty:
            return Measured(
                said="nothing learned: no method beats a constant and a random answer", settled=NOT_CHECKABLE
            )
        found = _paired(metric, worse, better)(runs)
        return Measured(found.cells, f"{{counts}}; nothing learned from {len(without)} sets", whole=found.whole)

    return measure


def _falling(records):
    ok = finished(records, INVERSIONS)
    means = ok[~ok["method"].isin(BLIND)].groupby(["method", "n_train"])[INVERSIONS].mean()
    parts = {name: part.droplevel(0) for name, part in means.groupby(level=0)}
    return Measured({name: slope(part.index, part).minus for name, part in parts.items()})


def _seconds(records):
    logs = records.assign(log=np.log(records["fit_seconds"]))
    cells = paired(logs, "log", "ordinal", "svr", by=CELLS)
    said = f"the ordinal machine takes {np.exp(mean_of(cells).mean):.1f} times the seconds; {{counts}}"
    return Measured({name: type(cell)(**{**vars(cell), "lever": 1.0}) for name, cell in cells.items()}, said)


def _tube(svr_tube):
    """The explanation predicts agreement where the tube fits the gaps, and no agreement where it does not."""
    by_place = (svr_tube["svr"] - svr_tube["ordinal"]).groupby([svr_tube["spacing"], svr_tube["epsilon"]])
    gaps = {key: interval(values, 100) for key, values in by_place}
    if (1, 0.5) not in gaps:
        raise Lacking("no fit with a tube of 0.5 at the paper's spacing")
    away = {key: max((gap, gap.minus), key=lambda one: one.mean).plus(-2.0) for key, gap in gaps.items()}
    cells = {f"tube {key[1]:g} spacing x{key[0]:g}": one.minus if key == (1, 0.5) else one for key, one in away.items()}
    return Measured(cells, f"at the tube 0.5 they differ by {gaps[1, 0.5].text(1)} points; {{counts}}")


def _at_largest(judge):
    """Return the measure of the agreement with the truth after 25 examples under each reading of the noise."""

    def measure(agreement):
        at = some(agreement[agreement["size"] == LARGEST], f"samples of {LARGEST}")
        wide = at.drop(columns="dataset").set_index(["seed", "method"]).unstack("method")
        return judge(100 * having(wide, [(column, method) for column in SHARES for method in MAPPED]))

    return _by_reading(measure)


def _close_to_the_truth(at):
    right = interval(at["right", "ordinal"])
    return Measured({"": right.plus(-RIGHT)}, f"the rank is right on {right.text(1)} percent of the square")


def _worse_far_from_examples(at):
    near, far = (at[half, "ordinal"] - at[half, "multiclass"] for half in ("right_near", "right_far"))
    return Measured({"far from examples": interval(far), "more than near": interval(far - near)})


def _comparable(at):
    return Measured({"SVR minus ordinal": interval(at["right", "svr"] - at["right", "ordinal"])})


def _depends_on_the_numbers(at):
    right = interval(at["right", "svr"] - at["right", "svr_exp"])
    return Measured({"": right.plus(-MARGIN)}, f"{right.text(1)} points fewer right ranks")


def _query_1(records):
    first = some(records[records["dataset"].str.endswith("query_1")], "query 1")
    sizes = (first["n_train"] + first["n_test"]).groupby(first["seed"]).first()
    return Measured(
        said=f"LETOR has {sizes.iloc[0]} judged documents of query 1", figure=(interval(sizes), 107, 0, " documents")
    )


def clearness(cell):
    """Return the mean in half widths of the interval: above 1 it lies above 0, below -1 below 0."""
    half = (cell.high - cell.low) / 2
    return cell.mean / half if half else np.copysign(np.inf, cell.mean) if cell.mean else 0.0


def _another_best(records):
    """Return a cell for each query and size that lies above 0 if multi-class has fewer wrong ranks than the ordinal
    machine and more inversions: of the two intervals the one that is less clear."""
    ranks = paired(records, "zero_one", "ordinal", "multiclass", scale=100, by=CELLS)
    pairs = paired(records, INVERSIONS, "multiclass", "ordinal", scale=100, by=CELLS)
    cells = {name: min(ranks[name], pairs[name], key=clearness) for name in ranks if name in pairs}
    return Measured(cells, "fewer wrong ranks and more inversions {counts}")


def _abstract(query):
    """Return inversions of multi-class and of SVR minus those of the ordinal machine, each by itself."""
    return Measured(
        readings={other: _on_documents(INVERSIONS, other, "ordinal")(query) for other in ("multiclass", "svr")}
    )


CURVE, DOCUMENT, AGREEMENT = (f"{CURVES}/records",), (f"{QUERY}/records",), (f"{MAPS}/rank_map_agreement",)
BOTH = " Each reading of the noise N(0, 0.125) has its verdict."
LETOR = " On LETOR's 45 match scores instead of the bag of words, six sets of documents, seven sizes."
POINTS = {"unit": " points"}
DOCUMENTS = {**POINTS, "decimals": 2, "basis": SUBSTITUTE}
LEAST, LOST = {"least": 2.0}, "plot lost"
add(
    Claim(
        "H01",
        CURVE,
        _by_reading(_paired(INVERSIONS, "multiclass", "ordinal")),
        far,
        f"Fewer inversions at most sizes, on average by at least a tenth.{BOTH}",
        LOST,
        LEAST,
        **POINTS,
    ),
    Claim(
        "H02",
        CURVE,
        _by_reading(_paired(INVERSIONS, "svr", "ordinal")),
        alike,
        f"SVR minus ordinal within +-{{margin:g}} points of inversions at nine of ten sizes.{BOTH}",
        LOST,
        {"margin": 2.0, "off": 0.1},
        **POINTS,
    ),
    Claim(
        "H03",
        (f"{THEORY}/svr_tube",),
        _tube,
        each,
        "SVR and ordinal differ by less than 2 points at the tube 0.5, and by more with other tubes and spacings.",
        "thresholds about 0.5 apart",
        LEAST,
        **POINTS,
    ),
    Claim(
        "H04",
        CURVE,
        _by_reading(_falling),
        each,
        f"Slope of log mean inversions against log size, a curve for each method.{BOTH}",
        LOST,
        {"least": 0.1},
        word="falls with the power",
        decimals=2,
    ),
    Claim(
        "H05",
        AGREEMENT,
        _at_largest(_close_to_the_truth),
        each,
        f"Right on more than {RIGHT:g} percent of the square after {LARGEST} examples, mean of 100 samples.{BOTH}",
        "one drawing",
        LEAST,
        word=f"minus {RIGHT:g}:",
        **POINTS,
    ),
    Claim(
        "H06",
        AGREEMENT,
        _at_largest(_worse_far_from_examples),
        together,
        f"Ordinal minus multi-class: better far from the examples, and more so than near.{BOTH}",
        "one drawing",
        LEAST,
        **POINTS,
    ),
    Claim(
        "H07",
        AGREEMENT,
        _at_largest(_comparable),
        alike,
        f"Points of right ranks, within +-{{margin:g}}.{BOTH}",
        "one drawing",
        {"margin": MARGIN},
        **POINTS,
    ),
    Claim(
        "H08",
        AGREEMENT,
        _at_largest(_depends_on_the_numbers),
        each,
        f"More than {MARGIN:g} points fewer right ranks with exp(i) than with i.{BOTH}",
        "one drawing",
        LEAST,
        word=f"minus {MARGIN:g}:",
        **POINTS,
    ),
    Claim(
        "H09",
        DOCUMENT,
        _on_documents(INVERSIONS, "multiclass", "ordinal"),
        far,
        f"Fewer inversions in most cells, on average by at least a tenth.{LETOR}",
        LOST,
        LEAST,
        **DOCUMENTS,
    ),
    Claim(
        "H10",
        DOCUMENT,
        _on_documents("zero_one", "ordinal", "multiclass"),
        far,
        f"Fewer wrong ranks in most cells, on average by at least a tenth.{LETOR}",
        LOST,
        LEAST,
        **DOCUMENTS,
    ),
    Claim(
        "H11",
        DOCUMENT,
        _on_documents(INVERSIONS, "svr", "ordinal"),
        mostly,
        f"More inversions in most cells.{LETOR}",
        LOST,
        LEAST,
        **DOCUMENTS,
    ),
    Claim(
        "H12",
        DOCUMENT,
        _on_documents("zero_one", "svr", "ordinal"),
        mostly,
        f"More wrong ranks in most cells.{LETOR}",
        LOST,
        LEAST,
        **DOCUMENTS,
    ),
    Claim(
        "H13",
        DOCUMENT,
        _query_1,
        None,
        "A number of other documents: LETOR merged repeated judgements.",
        "107 documents",
        number=about,
        basis=SUBSTITUTE,
    ),
    Claim(
        "H14",
        DOCUMENT,
        _another_best,
        sometimes,
        f"One cell in which both differences are clear is enough.{LETOR}",
        LOST,
        word="both",
        basis=SUBSTITUTE,
    ),
    Claim(
        "H15",
        CURVE,
        _by_reading(_seconds),
        on_seconds(mostly),
        f"Logarithm of the seconds of a fit, ordinal over SVR; both use the same interior point method.{BOTH}",
        "more time-consuming",
        {"least": 0.4},
        word="log of the multiple",
        decimals=2,
    ),
    Claim(
        "H16",
        DOCUMENT,
        _abstract,
        mostly,
        f"More inversions in most cells, of each opponent.{LETOR}",
        LOST,
        LEAST,
        **DOCUMENTS,
    ),
)
