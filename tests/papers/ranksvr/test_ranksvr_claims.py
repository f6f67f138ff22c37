"""Claims R01 to R23 on made frames."""

import itertools

import numpy as np
import pandas as pd
import pytest
from made_frames import balanced, check, made_records, spread, with_frames

from rankbench.claims.verdict import FAILS, HOLDS, INCONCLUSIVE, MIXED
from rankbench.intervals import quantile
from rankbench.papers.ranksvr.claims import (
    AS_PRINTED,
    ERROR,
    HONEST,
    MARGIN_01,
    MARGIN_1,
    NONE_WRONG,
    PRINTED_AS,
    SAMPLERS,
    _rises,
)
from rankbench.registry import PUBLISHED

TABLE2, TABLE3 = (pd.read_csv(PUBLISHED[f"ranksvr_table{k}.csv"]) for k in (2, 3))
METHODS = ("svr", *SAMPLERS)


def runs(conditions, n_pairs=None, sd=0.01, **errors):
    """Runs of all methods with the mean errors given, 1 for the others; a number or a function of data set and
    condition."""
    means = {method: errors.get(method, 1.0) for method in METHODS}
    frame = made_records({"absolute_error": means}, datasets=("one", "two"), conditions=conditions, sd=sd)
    counts = dict(zip(conditions, n_pairs or [5] * len(conditions)))
    return frame.assign(n_pairs=frame["condition"].map(counts).where(frame["method"] != "svr", 0))


def table2(**errors):
    return runs((*HONEST[:2], "raw_best_on_test"), **errors)


def fig4(**errors):
    return runs((*MARGIN_01[::3], *MARGIN_1[::3]), [3, 90] * 2, **errors)


def fig5(**errors):
    return runs(("k002", "k005", "k015"), [2, 5, 15], **errors)


def everywhere(**errors):
    return table2(**errors), fig5(**errors), fig4(**errors)


def ratios(shift, cells=32, second=None):
    """The printed ratios, a given number of them shifted, and a second reading of the protocol with another shift."""
    wide = TABLE2.pivot(index="dataset", columns="method", values="mae")
    rows = [
        (key, method, wide.loc[name, label] / wide.loc[name, "SVR"])
        for key, name in PRINTED_AS.items()
        for method, label in SAMPLERS.items()
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "method", "ratio"])
    frame["ratio"] += np.where(np.arange(len(frame)) < cells, shift, 0.0)
    frame = frame.assign(condition="raw_validation", n_pairs=30)
    if second is not None:
        other = frame.assign(condition="other", ratio=frame["ratio"] - shift + second)
        frame = pd.concat([frame, other], ignore_index=True)
    return frame.assign(low=frame["ratio"] - 0.02, high=frame["ratio"] + 0.02)


SIZES = {"Abalone": 4177, "Bodyfat": 252, "Concrete": 1030, "Cpusmall": 8192, "Forest fires": 517, "Housing": 506}
SIZES["Space_ga"] = 3107


def seconds(factor=1.0, cells=21, mst=None, power=None, one=None, noise=0.0):
    """The printed seconds; so many others times a factor; ClosePair over SampleMST or the power of PClosePair given;
    SampleMST takes more in the first draw and less in the second."""
    names = {name: key for key, name in PRINTED_AS.items()}
    printed = {label: method for method, label in AS_PRINTED.items()}
    frame = TABLE3.assign(n_pool=TABLE3["dataset"].map(SIZES), sampler=TABLE3["method"].map(printed))
    others = (frame["sampler"] != "close_pair_as_printed").to_numpy()
    frame["seconds"] *= np.where(others & (np.cumsum(others) <= cells), factor, 1.0)
    close = frame[frame["sampler"] == "close_pair_as_printed"]
    if mst is not None:
        ratio = close.assign(ratio=mst).set_index("dataset")["ratio"]
        if one is not None:
            ratio.iloc[0] = one
        mine = frame["sampler"] == "sample_mst"
        fast = close.set_index("dataset")["seconds"] / ratio
        frame.loc[mine, "seconds"] = frame.loc[mine, "dataset"].map(fast)
    if power is not None:
        mine = frame["sampler"] == "p_close_pair"
        wave = np.array([1.0, 1.02, 0.98, 1.0, 1.01, 0.99, 1.0])
        frame.loc[mine, "seconds"] = 1e-4 * frame.loc[mine, "n_pool"] ** power * wave
    frame = pd.concat([frame, close.assign(sampler="close_pair")])
    frame["dataset"] = frame["dataset"].map(names)
    frames, drawn = [], frame["sampler"] == "sample_mst"
    for seed, sign in enumerate((1, -1)):
        frames.append(frame.assign(seed=seed, seconds=frame["seconds"] * np.exp(sign * noise * drawn)))
    return pd.concat(frames, ignore_index=True)


def worse(half):
    """SampleMST worse by 0.1 with an interval of +- half."""
    records = table2(sample_mst=1.1, sd=0.0)
    wave = np.where(records["method"] == "sample_mst", spread(20, half)[records["seed"]], 0.0)
    return records.assign(absolute_error=records["absolute_error"] + wave)


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
    grid = (("one", "two"), (0.1, 1.0, 10.0), (0.1, 1.0, 10.0), range(10))
    frame = pd.DataFrame(itertools.product(*grid), columns=["dataset", "C", "C_rank", "seed"])
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


def some_sets(**errors):
    """Errors other than 1 on one of the two data sets only."""
    return {name: (lambda dataset, _, at=at: at if dataset == "one" else 1.0) for name, at in errors.items()}


def ordered(make, good, bad, some):
    """Every verdict on methods that have lower errors than others."""
    return [(HOLDS, make(**good)), (FAILS, make(**bad)), (MIXED, make(**some)), (INCONCLUSIVE, make())]


def alone(make):
    return lambda **errors: (make(**errors),)


def made(margin01, margin1):
    """Figure 4 with errors of ClosePair and SampleMST for each margin."""

    def at(dataset, condition):
        return margin01 if condition in MARGIN_01 else margin1

    return (fig4(close_pair=at, sample_mst=at),)


def steep(power, noise):
    """Seconds of ClosePair as printed that grow with a power, with so much noise of their logarithms."""
    frame = growth(power)
    wave = np.where(frame["n"] == 2000, np.exp(noise), np.exp(-noise / 2))
    return (frame.assign(seconds=frame["seconds"] / (1 + 0.01 * frame["seed"]) * wave),)


def longer(*factors):
    """One-norm seconds over two-norm seconds, one factor for all three sizes or one each."""
    slow, fast = timed("n", [("1-norm",)], 1), timed("n", [("2-norm",)], 1)
    factor = np.repeat(np.broadcast_to(factors, 3), 2)
    slow = slow.assign(form="1-norm", seconds=factor * slow["seconds"] * (1 + 1e-4 * slow["seed"]))
    return (pd.concat([slow, fast.assign(form="2-norm")]),)


def drawn(worse, better):
    """Verdicts on a scene that has the larger error, under two margins."""
    up, down = scenes(worse, better, 1), scenes(worse, better, -1)
    split = pd.concat([up[up["margin"] == 0.1], down[down["margin"] == 1.0]])
    rng = np.random.default_rng(0)
    level = up.assign(ranksvr_error=0.5 + 0.01 * np.concatenate([balanced(rng, 40), balanced(rng, 40)]))
    return [(HOLDS, (up,)), (FAILS, (down,)), (MIXED, (split,)), (INCONCLUSIVE, (level,))]


def solvers(*powers, wave=1.0):
    """Seconds under two margins that grow with powers; those at the middle size are a factor off."""
    frame = pd.concat([timed("n_pairs", [name], power) for name, power in zip(MARGINS, powers)])
    return (frame.assign(seconds=frame["seconds"] * np.where(frame["n_pairs"] == 300, wave, 1.0)),)


def sweeps(first, second, noise=0.0):
    """Worst over best error of two functions, with noise of the worst on draws with an odd seed."""
    frame, wave = sweep(first), np.exp(noise * np.array([1, -1, 2, -2, 0]))
    high = frame["C_rank"] < 1
    errors = np.where((frame["dataset"] == "two") & high, second, frame["error"])
    return (frame.assign(error=errors * np.where(high & (frame["seed"] % 2 == 1), wave[frame["seed"] // 2], 1.0)),)


def share_of(number):
    return (draws(59, number),)


def up_and_down():
    return widths(1).assign(width=[5.0, 7.0, 6.0])


LOW, HIGH = dict.fromkeys(SAMPLERS, 0.5), dict.fromkeys(SAMPLERS, 1.5)
BETTER, WORSE = {**dict.fromkeys(SAMPLERS, 0.5), "random": 0.8}, {**dict.fromkeys(SAMPLERS, 1.5), "random": 0.8}
MARGINS = [(0.1,), (1.0,)]
ERROR_OF_RATIOS = np.sqrt(2) * 0.02 / quantile(29)
CASES = {
    "R01": [
        (HOLDS, (ratios(0.0), TABLE2)),
        (HOLDS, (ratios(0.3, second=0.0), TABLE2)),
        (HOLDS, (ratios(2.1 * ERROR_OF_RATIOS, cells=3), TABLE2)),
        (MIXED, (ratios(2.1 * ERROR_OF_RATIOS, cells=4), TABLE2)),
        (HOLDS, (ratios(1.9 * ERROR_OF_RATIOS, cells=4), TABLE2)),
        (MIXED, (ratios(2.1 * ERROR_OF_RATIOS, cells=7), TABLE2)),
        (HOLDS, (ratios(1.17 * ERROR_OF_RATIOS), TABLE2)),  # chi-squared 43.8 on 32, p = 0.08
        (FAILS, (ratios(1.22 * ERROR_OF_RATIOS), TABLE2)),  # 47.6, 0.04
        (FAILS, (ratios(0.3, cells=3), TABLE2)),
    ],
    "R02": ordered(alone(table2), LOW, HIGH, {"random": 0.5, "close_pair": 1.5}),
    "R03": ordered(everywhere, BETTER, WORSE, {"sample_mst": 0.5, "close_pair": 1.5}),
    "R04": ordered(alone(table2), {"sample_mst": 0.5}, {"sample_mst": 1.5}, some_sets(sample_mst=0.5)),
    "R05": [
        (HOLDS, (table2(sample_mst=1.0, close_pair=0.9),)),
        (HOLDS, (table2(sample_mst=1.0, **some_sets(close_pair=1.5)),)),
        (HOLDS, (table2(close_pair=1.015),)),
        (FAILS, (table2(close_pair=1.03),)),
        (INCONCLUSIVE, (runs((*HONEST, "raw_best_on_test"), sd=0.3, close_pair=1.05),)),
    ],
    "R06": [
        (HOLDS, (seconds(), TABLE3)),
        (HOLDS, (seconds(1.99), TABLE3)),
        (HOLDS, (seconds(0.51), TABLE3)),
        (HOLDS, (seconds(3, cells=2), TABLE3)),
        (MIXED, (seconds(2.01, cells=3), TABLE3)),
        (MIXED, (seconds(3, cells=10), TABLE3)),
        (FAILS, (seconds(3, cells=11), TABLE3)),
        (FAILS, (seconds(0.49), TABLE3)),
    ],
    "R07": [
        (HOLDS, (seconds(),)),
        (HOLDS, (seconds(mst=10.1),)),
        (MIXED, (seconds(mst=10.1, one=9.9),)),
        (MIXED, (seconds(mst=0.9, one=1.1),)),
        (FAILS, (seconds(mst=0.99),)),
        (INCONCLUSIVE, (seconds(mst=10.1, noise=2.0),)),
    ],
    "R08": [
        (HOLDS, (growth(2),)),
        (HOLDS, (growth(1.85),)),
        (HOLDS, (growth(2.15),)),
        (FAILS, (growth(1.75),)),
        (FAILS, (growth(2.25),)),
        (INCONCLUSIVE, steep(2, 0.5)),
    ],
    "R09": [
        (HOLDS, (seconds(power=0.0),)),
        (HOLDS, (seconds(power=0.45),)),
        (FAILS, (seconds(power=0.55),)),
        (FAILS, (seconds(power=-0.55),)),
        (INCONCLUSIVE, (seconds(power=0.5),)),
    ],
    "R10": ordered(everywhere, {"p_close_pair": 0.5}, {"p_close_pair": 1.5}, some_sets(p_close_pair=0.5)),
    "R11": [
        (HOLDS, (table2(sample_mst=0.5), seconds())),
        (HOLDS, (table2(sd=1e-3), seconds(mst=10.1))),
        (HOLDS, (table2(sample_mst=1.015, sd=1e-3), seconds())),
        (FAILS, (table2(sample_mst=1.03, sd=1e-3), seconds())),
        (FAILS, (table2(sample_mst=1.5), seconds())),
        (FAILS, (table2(sample_mst=0.5), seconds(mst=0.9))),
        (MIXED, (table2(sample_mst=0.5), seconds(mst=10.1, one=9.9))),
        (INCONCLUSIVE, (worse(0.2), seconds())),  # no clear loss, which is not as accurate
        (INCONCLUSIVE, (worse(0.4), seconds())),
    ],
    "R12": [
        (HOLDS, made(0.5, 0.5)),
        (FAILS, made(1.5, 1.5)),
        (MIXED, made(0.5, 1.5)),
        (MIXED, made(0.5, 1.0)),
        (INCONCLUSIVE, made(1.0, 1.0)),
    ],
    "R13": [
        (HOLDS, sweeps(1.05, 1.09)),
        (MIXED, sweeps(1.05, 1.11)),
        (MIXED, sweeps(1.24, 2.0)),
        (FAILS, sweeps(1.26, 2.0)),
        (INCONCLUSIVE, sweeps(1.2, 1.2)),
        (INCONCLUSIVE, sweeps(1.05, 1.05, noise=0.3)),
    ],
    "R14": [
        (HOLDS, share_of(0.955)),
        (INCONCLUSIVE, share_of(0.94)),
        (FAILS, share_of(0.91)),
        (FAILS, share_of(0.99)),
        (FAILS, (draws(58, 0.955),)),
    ],
    "R15": ordered(alone(fig5), {"sample_mst": 0.5}, {"sample_mst": 1.5}, some_sets(sample_mst=0.5)),
    "R16": drawn("fig1_few", "fig1_many"),
    "R17": drawn("fig2_long", "fig2_short"),
    "R18": drawn("fig3_dense", "fig3_spread"),
    "R19": [
        (HOLDS, solvers(2, 2)),
        (HOLDS, solvers(1.85, 2.15)),
        (MIXED, solvers(2, 1.75)),
        (MIXED, solvers(2.25, 2)),
        (FAILS, solvers(1, 1.75)),
        (INCONCLUSIVE, solvers(2, 2, wave=1.5)),  # a wider interval is no longer quadratic
        (INCONCLUSIVE, solvers(2, 2, wave=3.0)),
    ],
    "R20": [
        (HOLDS, curves(rising)),
        (FAILS, curves(lambda dataset, condition: 2.0 - rising(dataset, condition))),
        (INCONCLUSIVE, curves(1.0)),
    ],
    "R21": [
        (HOLDS, (problems(0.9e-6),)),
        (FAILS, (problems(1.1e-6),)),
        (FAILS, (problems(1e-9).assign(svr_share=0.0),)),
    ],
    "R22": [
        (HOLDS, longer(2.8)),
        (HOLDS, longer(2.8, 2.8, np.e)),
        (MIXED, longer(2.8, np.e, np.e)),
        (MIXED, longer(1.4, 2.8, 2.8)),
        (FAILS, longer(2.6)),
        (HOLDS, longer(np.exp(1.0009))),  # p = 0.03 with two draws
        (INCONCLUSIVE, longer(np.exp(1.00045))),  # 0.06
        (INCONCLUSIVE, longer(np.e)),
    ],
    "R23": [
        (HOLDS, (widths(1),)),
        (FAILS, (widths(-1),)),
        (MIXED, (up_and_down(),)),
        (MIXED, (widths(1).assign(width=[5.0, 5.5, 5.2]),)),
        (MIXED, (widths(1).assign(width=[5.0, 6.0, 6.0]),)),
    ],
}


@pytest.mark.parametrize("claim_id", CASES)
def test_the_verdict_follows_the_frames(claim_id):
    check(claim_id, CASES[claim_id])


def test_every_claim_has_its_case():
    assert with_frames("R") == set(CASES)


@pytest.mark.parametrize(("seeds", "n_curves"), [((0, 2, 1, 3), 1), ((0, 2, 4, 1), 0), ((0, 1, 3, 5), 0)])
def test_a_curve_needs_two_seeds_to_choose_by_and_two_to_judge_by(seeds, n_curves):
    rows = [("a", "svr", seed, n, "ok", n + 0.1 * seed * n) for seed in seeds for n in (1, 2)]
    records = pd.DataFrame(rows, columns=["dataset", "method", "seed", "n_pairs", "status", ERROR])
    records["condition"] = [f"n{n}" for n in records["n_pairs"]]
    assert len(_rises(records)) == n_curves
