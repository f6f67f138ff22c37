"""Claims R01 to R23 on made frames."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import check, made_records, with_frames

from rankbench.claims.ranksvr import HONEST, MARGIN_01, MARGIN_1, NONE_WRONG, PRINTED_AS, SAMPLERS
from rankbench.claims.verdict import INCONCLUSIVE
from rankbench.ledger import registered

PUBLISHED = Path(__file__).parents[2] / "resources/published"
TABLE2, TABLE3 = (pd.read_csv(PUBLISHED / f"ranksvr_table{k}.csv") for k in (2, 3))
METHODS = ("svr", *SAMPLERS)


def runs(conditions, n_pairs=None, **errors):
    """Runs of all methods with the mean errors given, 1 for the others; a number or a function of data set and
    condition."""
    means = {method: errors.get(method, 1.0) for method in METHODS}
    frame = made_records({"absolute_error": means}, datasets=("one", "two"), conditions=conditions)
    counts = dict(zip(conditions, n_pairs or [5] * len(conditions)))
    return frame.assign(n_pairs=frame["condition"].map(counts).where(frame["method"] != "svr", 0))


def table2(**errors):
    return runs((*HONEST, "raw_best_on_test"), **errors)


def fig4(**errors):
    return runs((*MARGIN_01, *MARGIN_1), [3, 10, 30, 90] * 2, **errors)


def fig5(**errors):
    return runs(("k002", "k005", "k015"), [2, 5, 15], **errors)


def everywhere(**errors):
    return table2(**errors), fig5(**errors), fig4(**errors)


def ratios(shift):
    """The printed ratios, all shifted."""
    wide = TABLE2.pivot(index="dataset", columns="method", values="mae")
    cells = [
        (key, method, wide.loc[name, label] / wide.loc[name, "SVR"] + shift)
        for key, name in PRINTED_AS.items()
        for method, label in SAMPLERS.items()
    ]
    frame = pd.DataFrame(cells, columns=["dataset", "method", "ratio"])
    return frame.assign(condition="raw_validation", n_pairs=30, low=frame["ratio"] - 0.02, high=frame["ratio"] + 0.02)


def seconds(change):
    """The printed seconds with the factor of ``change(method, n)``, at the usual sizes."""
    sizes = {"Abalone": 4177, "Bodyfat": 252, "Concrete": 1030, "Cpusmall": 8192, "Forest fires": 517, "Housing": 506}
    sizes["Space_ga"] = 3107
    names = {name: key for key, name in PRINTED_AS.items()}
    methods = {label: method for method, label in SAMPLERS.items()}
    frame = TABLE3.assign(n_pool=TABLE3["dataset"].map(sizes), method=TABLE3["method"].map(methods))
    frame["seconds"] *= [change(row.method, row.n_pool) for row in frame.itertuples()]
    return frame.assign(dataset=frame["dataset"].map(names))


def growth(power, mst=1e-7):
    """Seconds of samplers: ClosePair as printed grows with a power, the others with n."""
    rows = [
        (sampler, n, seed, (1e-8 * n**power if sampler == "close_pair_as_printed" else mst * n) * (1 + 0.01 * seed))
        for n in (1000, 2000, 4000)
        for seed in range(3)
        for sampler in ("close_pair", "close_pair_as_printed", "sample_mst")
    ]
    return pd.DataFrame(rows, columns=["sampler", "n", "seed", "seconds"])


def sweep(factor):
    costs = [(name, C, R) for name in ("one", "two") for C in (0.1, 1.0, 10.0) for R in (0.1, 1.0, 10.0)]
    frame = pd.DataFrame(costs, columns=["dataset", "C", "C_rank"])
    return frame.assign(error=np.where(frame["C_rank"] < 1, factor, 1.0))


def draws(n_draws, share):
    row = {"p": 0.05, "q": 0.95, "exact": 58.4, "draws": n_draws, "trials": 2000, "share": share}
    return pd.DataFrame([row])


def scenes(worse, better, sign):
    rng, rows = np.random.default_rng(0), []
    for margin in (0.1, 1.0):
        for draw in range(20):
            rows += [
                (worse, margin, draw, 0.5 + 0.2 * sign + 0.01 * rng.standard_normal()),
                (better, margin, draw, 0.5),
            ]
    return pd.DataFrame(rows, columns=["scene", "margin", "draw", "ranksvr_error"])


def timed(column, series, power):
    rows = [
        (*name, n, seed, 1e-6 * n**power * (1 + 0.01 * seed))
        for name in series
        for n in (100, 300, 900)
        for seed in (0, 1)
    ]
    names = ["form"] if isinstance(series[0][0], str) else ["margin"]
    return pd.DataFrame(rows, columns=[*names, column, "seed", "seconds"])


def norms(faster):
    slow, fast = timed("n", [("1-norm",)], 2), timed("n", [("2-norm",)], 1)
    return pd.concat([slow.assign(form=faster[0]), fast.assign(form=faster[1])])


def problems(difference):
    frame = pd.DataFrame({"kernel": ["rbf", "linear"], "largest_difference": [1e-9, difference]})
    return frame.assign(svr_share=0.5, rank_share=0.5)


def widths(sign):
    frame = pd.DataFrame({"margin": 1.0, "distance": [0.5, 1.0, 2.0]})
    return frame.assign(width=5 + sign * frame["distance"])


def rising(dataset, condition):
    """The error with 90, 15 or 5000 pairs is twice that with fewer."""
    return 2.0 if condition.endswith(("k90", "k015", "k5000_wrong00")) else 1.0


def curves(error):
    errors = dict.fromkeys(SAMPLERS, error)
    return fig5(**errors), fig4(**errors), runs(NONE_WRONG, [5, 50, 500, 5000], **errors)


def corrected():
    """Tests of all samplers against SVR, none of which is clear."""
    frame = pd.DataFrame({"method": list(SAMPLERS), "reference": "svr", "metric": "absolute_error"})
    return frame.assign(condition=HONEST[0], mean_difference=-0.1, corrected_p=0.9)


LOW, HIGH = dict.fromkeys(SAMPLERS, 0.5), dict.fromkeys(SAMPLERS, 1.5)
BETTER, WORSE = {**dict.fromkeys(SAMPLERS, 0.5), "random": 0.8}, {**dict.fromkeys(SAMPLERS, 1.5), "random": 0.8}
MARGINS = [(0.1,), (1.0,)]
SLOW, FAST = (lambda method, n: 1.0), (lambda method, n: 0.01 if method == "close_pair" else 1.0)
CASES = {
    "R01": ((ratios(0.0), TABLE2), (ratios(0.3), TABLE2)),
    "R02": ((table2(**LOW), corrected()), (table2(**HIGH), corrected())),
    "R03": (everywhere(**BETTER), everywhere(**WORSE)),
    "R04": ((table2(sample_mst=0.5),), (table2(sample_mst=1.5),)),
    "R05": ((table2(close_pair=0.9),), (table2(close_pair=1.5),)),
    "R06": ((seconds(SLOW), TABLE3), (seconds(FAST), TABLE3)),
    "R07": ((seconds(SLOW), growth(2)), (seconds(FAST), growth(1))),
    "R08": ((growth(2),), (growth(1),)),
    "R09": ((seconds(lambda method, n: n**-0.85),), (seconds(SLOW),)),
    "R10": (everywhere(p_close_pair=0.5), everywhere(p_close_pair=1.5)),
    "R11": ((table2(sample_mst=0.5), seconds(SLOW)), (table2(sample_mst=1.5), seconds(FAST))),
    "R12": ((fig4(close_pair=0.5, sample_mst=0.5),), (fig4(close_pair=1.5, sample_mst=1.5),)),
    "R13": ((sweep(1.05),), (sweep(2.0),)),
    "R14": ((draws(59, 0.955),), (draws(40, 0.87),)),
    "R15": ((fig5(sample_mst=0.5),), (fig5(sample_mst=1.5),)),
    "R16": ((scenes("fig1_few", "fig1_many", 1),), (scenes("fig1_few", "fig1_many", -1),)),
    "R17": ((scenes("fig2_long", "fig2_short", 1),), (scenes("fig2_long", "fig2_short", -1),)),
    "R18": ((scenes("fig3_dense", "fig3_spread", 1),), (scenes("fig3_dense", "fig3_spread", -1),)),
    "R19": ((timed("n_pairs", MARGINS, 2),), (timed("n_pairs", MARGINS, 1),)),
    "R20": (curves(rising), curves(lambda dataset, condition: 2.0 - rising(dataset, condition))),
    "R21": ((problems(1e-9),), (problems(0.1),)),
    "R22": ((norms(("1-norm", "2-norm")),), (norms(("2-norm", "1-norm")),)),
    "R23": ((widths(1),), (widths(-1),)),
}


@pytest.mark.parametrize("claim_id", CASES)
def test_the_verdict_follows_the_frames(claim_id):
    check(claim_id, *CASES[claim_id])


def test_errors_that_do_not_depend_on_the_pairs_do_not_rise():
    """The best number is chosen on other draws than those that judge it."""
    assert registered()["R20"].judge(*curves(1.0)).verdict == INCONCLUSIVE


def test_every_claim_has_its_case():
    assert with_frames("R") == set(CASES)
