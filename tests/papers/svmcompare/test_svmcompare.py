"""Claims S01 to S36 on made frames."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest
from made_frames import check, made_records, spread, with_frames
from scipy import stats

from rankbench.claims.verdict import FAILS, HOLDS, INCONCLUSIVE, MIXED, Lacking
from rankbench.ledger import registered
from rankbench.registry import PUBLISHED

FIG4, FIG5 = (pd.read_csv(PUBLISHED[f"svmcompare_{name}.csv"]) for name in ("fig4", "fig5"))
DATASETS = ("sushi", "squared_linf", "squared_l1", "squared_l2")
SIZES, SHARES = ("n050", "n100", "n200"), tuple(f"rho{k}0" for k in range(1, 10))
AREAS = ("comparison_auc", "comparison_auc_any_direction")


def printed(published, x, mean, sd, unit, metrics, shift=0.0):
    """The printed cells as our summary, shifted."""
    prefix = published["function"].where(published["function"] == "sushi", "squared_" + published["function"])
    cells = {"dataset": prefix, "condition": x(published), "method": published["model"]}
    frame = pd.DataFrame({**cells, "mean": unit * published[mean] + shift, "sd": unit * published[sd], "n_runs": 4})
    return pd.concat([frame.assign(metric=metric) for metric in metrics], ignore_index=True)


def fig4(shift=0.0, cells=75):
    names = {"x": lambda p: "n" + p["n_train_pairs"].astype(str).str.zfill(3), "mean": "mean_error_pct"}
    return printed(
        FIG4,
        **names,
        sd="sd_error_pct",
        unit=0.01,
        metrics=["zero_one"],
        shift=np.where(np.arange(75) < cells, shift, 0.0),
    )


def fig5(shift=0.0, cells=108):
    names = {"x": lambda p: "rho" + (100 * p["rho"]).round().astype(int).astype(str), "mean": "mean_auc"}
    return printed(
        FIG5, **names, sd="sd_auc", unit=1.0, metrics=AREAS, shift=np.where(np.arange(108) < cells, shift, 0.0)
    )


def t_of(z, df):
    """Return the t value that is as improbable as a normal z."""
    return stats.t.isf(stats.norm.sf(z), df)


def shifted(make, cells, t, sd):
    """The printed cells, a number of them so many standard errors off, which come from sets with this sd."""
    return make(t * sd / 2, cells)


def cells_of(make, published, sd, df, n):
    """Verdicts on a printed figure: a tenth of its n cells may be far, and all together must not be rejected."""
    some = n // 10
    return [
        (HOLDS, [make(), published]),
        (HOLDS, [shifted(make, some, 2.1, sd), published]),
        (MIXED, [shifted(make, some + 1, 2.1, sd), published]),
        (HOLDS, [shifted(make, some + 1, 1.9, sd), published]),
        (MIXED, [shifted(make, some * 2 + 1, 2.1, sd), published]),
        (HOLDS, [shifted(make, n, t_of(np.sqrt(stats.chi2.isf(0.07, n) / n), df), sd), published]),
        (FAILS, [shifted(make, n, t_of(np.sqrt(stats.chi2.isf(0.04, n) / n), df), sd), published]),
        (FAILS, [shifted(make, some, 1000.0, sd), published]),
    ]


def curves(power):
    """Errors that fall with a power of n."""
    frame = fig4()
    n = frame["condition"].str[1:].astype(float)
    return frame.assign(mean=0.3 * (n / 50) ** power * np.where(n == 100, 1.01, 1.0))


def errors(rank, rank2, compare, truth=0.07, sd=0.01):
    values = {"zero_one": {"rank": rank, "rank2": rank2, "compare": compare, "truth": truth}}
    return made_records(values, DATASETS, SIZES, seeds=40, sd=sd)


def lower_by_a_tenth(half):
    """The errors of compare are 0.1 lower than those of the others, with an interval of +- half."""
    records = errors(0.2, 0.2, 0.1, sd=0.0)
    wave = np.where(records["method"] == "compare", spread(40, half)[records["seed"]], 0.0)
    return records.assign(zero_one=records["zero_one"] + wave)


def areas(rank, rank2, compare, sd=0.005, truth=0.97):
    """Records of areas, and errors that are 1 - area; rank may depend on the share."""
    values = {"rank": rank, "rank2": rank2, "compare": compare, "truth": truth}
    records = made_records({AREAS[0]: values}, DATASETS, SHARES, seeds=4, sd=sd)
    return records.assign(zero_one=1 - records[AREAS[0]], **{AREAS[1]: records[AREAS[0]]})


def few_unsettled(half):
    """Areas of rank at a share of 0.1 with an interval of +- half over the three simulations, and errors alike."""
    records = areas(worse_when_many, 0.95, 0.95, sd=0.0)
    places = {(dataset, seed): at for at, (dataset, seed) in enumerate(itertools.product(DATASETS[1:], range(4)))}
    at = [places.get(key, -1) for key in zip(records["dataset"], records["seed"])]
    few = (records["method"] == "rank") & (records["condition"] == "rho10") & (np.array(at) >= 0)
    area = records[AREAS[0]] + np.where(few, spread(12, half)[at], 0.0)
    return records.assign(zero_one=1 - area, **{AREAS[0]: area})


def alike(gap, cells, named, lower):
    """Equal areas of all methods, but those of some are lower by a gap in so many of the named cells."""
    places = list(itertools.product(*named))[:cells]

    def low(*place):
        return 0.96 - gap * (place in places)

    return [areas(*(low if name in lower else 0.96 for name in ("rank", "rank2", "compare")), sd=1e-5, truth=0.96)]


def unsettled():
    """Equal areas; the interval of the difference of any two methods is wide."""
    records, noise = areas(0.96, 0.96, 0.96, sd=0.0, truth=0.96), spread(4, 0.05)
    wave = records["method"].map({"rank": 1, "rank2": -1, "compare": 3, "truth": -3}) * noise[records["seed"]]
    return [records.assign(**{name: records[name] + wave for name in AREAS})]


def gaps(named, margin, most, lower=("compare",)):
    """Verdicts on gaps around a margin; if `most` named cells have one above it, half of the intervals lie outside."""
    return [
        (HOLDS, alike(margin - 1e-4, 99, named, lower)),
        (MIXED, alike(margin + 1e-4, 1, named, lower)),
        (MIXED, alike(margin + 1e-4, most - 1, named, lower)),
        (FAILS, alike(margin + 1e-4, most, named, lower)),
        (INCONCLUSIVE, unsettled()),
    ]


def tenth(*values):
    """Errors of compare above a truth of 0.07 by so many points at each size."""
    sizes = ("n050", "n100", "n200", "n400")
    made = {"compare": lambda _, size: 0.07 + values[sizes.index(size)] / 100, "truth": 0.07}
    return [made_records({"zero_one": made}, ("squared_l2",), sizes[: len(values)], seeds=40, sd=1e-4)]


def worse_when_many(dataset, condition):
    return 0.87 if condition in ("rho70", "rho80", "rho90") else 0.95


def best_when_many(dataset, condition):
    return 0.97 if condition in ("rho70", "rho80", "rho90") else 0.95


def chess(n=8, **values):
    """A summary of so many periods."""
    known = {"elo": 0.36, "glicko": 0.35, "linear_2": 0.355, "poly_2": 0.355, "rbf_2": 0.31}
    known |= {"linear_all": 0.38, "poly_all": 0.375, "rbf_all": 0.28} | values
    rows = [(f"year{k}", "default", AREAS[0], m, v + 0.001 * k, 1) for k in range(n) for m, v in known.items()]
    return pd.DataFrame(rows, columns=["dataset", "condition", "metric", "method", "mean", "n_runs"])


def selections(degrees):
    rows = [(f"year{k}", "poly_all", "ok", json.dumps({"degree": degree})) for k, degree in enumerate(degrees)]
    return pd.DataFrame(rows, columns=["dataset", "method", "status", "params"])


def levels(rank, others, shown=None, odd=None):
    """Level curves of three methods on six sets: truth and so much noise; of rank `shown` on the set that is shown and
    `odd` on another."""
    x1, x2 = (axis.ravel() for axis in np.meshgrid(np.arange(9.0), np.arange(9.0)))
    noise = np.random.default_rng(0).standard_normal(81) * 10
    frames = [pd.DataFrame({"method": "truth", "seed": -1, "x1": x1, "x2": x2, "r": x1 + x2})]
    for method, share in (("rank", rank), ("rank2", others), ("compare", others)):
        for seed in range(6):
            other = {1: shown, 3: odd}.get(seed) if method == "rank" else None
            much = share + 0.01 * seed if other is None else other
            r = x1 + x2 + much * noise
            frames.append(pd.DataFrame({"method": method, "seed": seed, "x1": x1, "x2": x2, "r": r}))
    return pd.concat(frames, ignore_index=True)


def programs(unscaled, scaled, violation=0.0):
    rows = [(seed, False, 0.5, 0.5 - unscaled, 1.0, violation) for seed in range(10)]
    rows += [(seed, True, 0.5, 0.5 - scaled, 1.0, violation) for seed in range(10)]
    return pd.DataFrame(rows, columns=["seed", "scaled", "lp", "qp", "angle", "violation"])


def one_differs():
    frame = programs(0.1, 0.0)
    return frame.assign(qp=frame["qp"] - 0.1 * (frame.index == len(frame) - 1))


def duals(primal=100.0, power=-0.3, fpr=1.0, more=0, share=0.5, wave=1.01):
    n = np.array([50, 100, 200, 400] * 3)
    frame = {"dataset": np.repeat(DATASETS[1:], 4), "n": n, "n_equality": n // 2, "rows_rank": n // 2 + more}
    frame |= {"rows_rank2": 2 * n, "rows_compare": n + n // 2, "dual_bound": 100.0, "primal": primal}
    share = share * (n / 50.0) ** np.repeat(np.broadcast_to(power, 3), 4) * np.where(n == 100, wave, 1.0)
    return pd.DataFrame({**frame, "support_share": share, "fpr_at_0": fpr, "fnr_at_infinity": 1.0})


def counts(n):
    return pd.DataFrame({"dataset": ["sushi"], "n_equality": [n], "n_inequality": [25000 - n]})


def baseline(auc, games=1_000_000):
    return pd.DataFrame({"dataset": ["year"], "seed": [0], "auc": [auc], "n_test": 2 * games, "equality_test": 0.5})


def in_order(*order):
    """Every verdict on errors that fall from the first to the last method on every set."""
    high, middle, low = order
    return [
        (HOLDS, [errors(**{high: 0.2, middle: 0.15, low: 0.1})]),
        (FAILS, [errors(**{high: 0.1, middle: 0.15, low: 0.2})]),
        (INCONCLUSIVE, [errors(**{high: 0.1, middle: 0.1, low: 0.1})]),
        (MIXED, [errors(**{high: lambda d, c: 0.2 if d in ("squared_l1", "sushi") else 0.05, middle: 0.15, low: 0.1})]),
    ]


def years(behind, models, value, of=8):
    """Chess where models are at a value in the first years."""
    frame = chess(of)
    rows = frame["dataset"].isin([f"year{k}" for k in range(behind)]) & frame["method"].isin(models)
    return [frame.assign(mean=frame["mean"].where(~rows, value))]


ONE_PERIOD = [(INCONCLUSIVE, [chess(1)]), (INCONCLUSIVE, [chess(4)])]
LINEAR_POLY = [
    (HOLDS, [chess()]),
    (HOLDS, [chess(5)]),
    (FAILS, [chess(linear_all=0.3, poly_all=0.3)]),
    (MIXED, [chess(linear_all=0.3)]),
    *ONE_PERIOD,
]
LESS = areas(worse_when_many, 0.95, 0.95), areas(best_when_many, 0.95, 0.90)
CASES = {
    "S01": cells_of(fig4, FIG4, 0.01 * FIG4["sd_error_pct"].to_numpy(), 3, 75),
    "S02": [
        (HOLDS, [curves(-0.5)]),
        (FAILS, [curves(0.3)]),
        (INCONCLUSIVE, [curves(0.0)]),
        (MIXED, [pd.concat([curves(-0.5).query("dataset != 'sushi'"), curves(0.3).query("dataset == 'sushi'")])]),
    ],
    "S03": in_order("rank", "rank2", "compare"),
    "S04": in_order("rank", "rank2", "compare"),
    "S05": [*in_order("rank", "rank2", "compare")[:3], (MIXED, [errors(0.2, 0.1, 0.15)])],
    "S07": [*in_order("rank", "rank2", "compare")[:3], (MIXED, [errors(0.2, 0.1, 0.15)])],
    "S18": in_order("rank", "rank2", "compare"),
    "S06": [
        (HOLDS, tenth(0.9, 0.9, 0.9, 0.9)),
        (MIXED, tenth(1.1, 0.9, 0.9, 0.9)),
        (FAILS, tenth(1.1, 1.1, 0.9, 0.9)),
        (FAILS, tenth(3.0, 2.0, 1.5, 1.1)),
        (INCONCLUSIVE, tenth(1.0, 1.0)),
    ],
    "S08": cells_of(fig5, FIG5, np.sqrt(2) * np.tile(FIG5["sd_auc"], 1), 6, 108),
    "S09": gaps((("squared_l2",), SHARES), 0.02, 5, ("rank", "rank2", "compare")),
    "S10": gaps((DATASETS[1:], ("rho10",)), 0.02, 3),
    "S12": gaps((DATASETS[1:], SHARES), 0.02, 14),
    "S13": gaps((("sushi",), SHARES), 0.04, 7),
    "S11": [
        (HOLDS, [LESS[0]]),
        (FAILS, [areas(0.99, 0.95, 0.95)]),
        (MIXED, [areas(worse_when_many, 0.95, 0.80)]),
        (INCONCLUSIVE, [areas(0.95, 0.95, 0.95)]),
    ],
    "S14": [
        (HOLDS, [errors(0.2, 0.15, 0.1), LESS[0]]),
        (HOLDS, [errors(0.2, 0.15, 0.1), areas(0.95, 0.95, 0.935, sd=1e-4)]),
        (FAILS, [errors(0.2, 0.15, 0.1), areas(0.95, 0.95, 0.92, sd=1e-4)]),
        (INCONCLUSIVE, [errors(0.2, 0.15, 0.1), unsettled()[0]]),  # a wide interval of the loss is not as good
        (FAILS, [errors(0.1, 0.15, 0.2), LESS[1]]),
        (FAILS, [errors(0.1, 0.15, 0.2), LESS[0]]),
        (MIXED, [errors(0.2, 0.05, 0.1), LESS[0]]),
        (INCONCLUSIVE, [errors(0.1, 0.1, 0.1), LESS[0]]),
        (HOLDS, [lower_by_a_tenth(0.095), LESS[0]]),  # p = 0.04
        (INCONCLUSIVE, [lower_by_a_tenth(0.105), LESS[0]]),  # 0.06
    ],
    "S15": [
        (HOLDS, [counts(17832)]),
        (FAILS, [counts(17831)]),
        (FAILS, [counts(17832).assign(n_inequality=7167)]),
        (FAILS, [counts(17832).assign(n_equality=17831)]),
    ],
    "S16": [
        (HOLDS, [levels(0.9, 0.1)]),
        (FAILS, [levels(0.1, 0.9)]),
        (MIXED, [levels(0.9, 0.1, shown=0.01)]),
        (HOLDS, [levels(0.9, 0.3, odd=0.1)]),  # p = 0.04
        (MIXED, [levels(0.9, 0.4, odd=0.15)]),  # 0.08
    ],
    "S17": [
        (HOLDS, [LESS[0]]),
        (FAILS, [LESS[1]]),
        (INCONCLUSIVE, [areas(0.95, 0.95, 0.95)]),
        (HOLDS, [few_unsettled(0.019)]),
        (INCONCLUSIVE, [few_unsettled(0.021)]),
        (MIXED, [areas(worse_when_many, 0.95, 0.95).assign(zero_one=lambda f: f["comparison_auc"])]),
    ],
    "S20": LINEAR_POLY,
    "S21": LINEAR_POLY,
    "S28": LINEAR_POLY,
    "S27": [
        (HOLDS, [chess()]),
        (MIXED, [chess(glicko=0.39)]),
        (FAILS, [chess(linear_all=0.2)]),
        (INCONCLUSIVE, years(3, ["linear_all"], 0.2)),  # five of eight periods are too few
        *ONE_PERIOD,
    ],
    "S22": [
        (HOLDS, [chess()]),
        (HOLDS, [chess(6)]),
        (INCONCLUSIVE, [chess(5)]),  # five of five: the interval begins at 0.48
        (INCONCLUSIVE, years(3, ["linear_2", "poly_2"], 0.2)),
        (FAILS, [chess(linear_2=0.3)]),
        (FAILS, years(8, ["linear_2", "poly_2"], 0.2)),
        (INCONCLUSIVE, [chess(1)]),
    ],
    "S23": [
        (HOLDS, [chess()]),
        (FAILS, [chess(rbf_all=0.4, rbf_2=0.4)]),
        (MIXED, [chess(rbf_all=0.4)]),
        *ONE_PERIOD,
    ],
    "S24": [(HOLDS, [chess()]), (FAILS, [chess(linear_all=0.2)]), (MIXED, [chess(poly_all=0.4)]), *ONE_PERIOD],
    "S25": [
        (HOLDS, [selections([1] * 8)]),
        (HOLDS, [selections([1] * 6)]),
        (INCONCLUSIVE, [selections([1] * 5)]),
        (INCONCLUSIVE, [selections([1] * 4 + [2] * 4)]),
        (FAILS, [selections([2] * 8)]),
        (FAILS, [selections([1] * 18 + [2] * 40)]),
    ],
    "S26": [
        (HOLDS, [baseline(0.35)]),
        (HOLDS, [baseline(0.399)]),
        (FAILS, [baseline(0.401)]),
        (INCONCLUSIVE, [baseline(0.399, games=1000)]),
    ],
    "S30": [(HOLDS, [programs(1.1e-4, 0.0)]), (FAILS, [programs(0.9e-4, 0.0)])],
    "S31": [(HOLDS, [programs(0.1, 0.9e-4)]), (FAILS, [programs(0.1, 1.1e-4)]), (FAILS, [one_differs()])],
    "S32": [(HOLDS, [programs(0.1, 0.0, 0.9e-6)]), (FAILS, [programs(0.1, 0.0, 1.1e-6)])],
    "S33": [(HOLDS, [duals(primal=100.009)]), (FAILS, [duals(primal=100.011)])],
    "S34": [
        (HOLDS, [duals()]),
        (FAILS, [duals(power=0.1)]),
        (FAILS, [duals(share=2.0)]),
        (INCONCLUSIVE, [duals(power=0.0)]),
        (HOLDS, [duals(wave=1.18)]),  # p = 0.04
        (INCONCLUSIVE, [duals(wave=1.25)]),  # 0.06
        (MIXED, [duals(power=[-0.3, -0.3, 0.3])]),
        (HOLDS, [duals(power=[-0.3, -0.3, 0.0])]),
        (MIXED, [duals(power=[-0.3, 0.0, 0.0])]),
    ],
    "S35": [(HOLDS, [duals()]), (FAILS, [duals(fpr=0.999)])],
    "S36": [(HOLDS, [duals()]), (FAILS, [duals(more=1)])],
}


def test_every_claim_with_frames_has_a_case():
    assert set(CASES) == with_frames("S")


@pytest.mark.parametrize("claim_id", CASES)
def test_a_claim_follows_its_frames(claim_id):
    check(claim_id, CASES[claim_id])


def on_sushi(dataset, condition):
    return 0.1 if dataset == "sushi" else 0.2


def test_the_numbers_of_pairs_are_compared_each_with_its_own():
    found = registered()["S15"].judge(counts(17832).assign(n_equality=17830, n_inequality=7169))
    assert (found.number, found.difference) == (FAILS, "differs by -2 and +1 pairs")


def test_a_claim_that_names_sushi_does_not_hold_without_it():
    found = registered()["S18"].judge(errors(on_sushi, 0.15, 0.1))
    assert found.direction == MIXED and "undecided: rank over compare on sushi" in found.ours


@pytest.mark.parametrize("claim_id", ["S03", "S07", "S14", "S18"])
def test_other_data_sets_do_not_count(claim_id):
    frames = CASES[claim_id][0][1]
    more = [pd.concat([frame, frame.assign(dataset="sushi_2016", zero_one=0.5)]) for frame in frames]
    assert registered()[claim_id].judge(*more) == registered()[claim_id].judge(*frames)


@pytest.mark.parametrize("claim_id", ["S03", "S18"])
def test_a_named_data_set_without_runs_is_missed(claim_id):
    frame = CASES[claim_id][0][1][0]
    with pytest.raises(Lacking, match="squared_l1"):
        registered()[claim_id].judge(frame[frame["dataset"] != "squared_l1"])


def test_a_curve_of_another_data_set_does_not_count():
    rising = curves(0.3).assign(dataset="sushi_2016")
    assert registered()["S02"].judge(pd.concat([curves(-0.5), rising])).direction == HOLDS


def test_chess_asks_for_the_interval_over_the_periods():
    """Differences of 0.01 to 0.05 over five periods: the interval of their mean is that of Student."""
    summary, ahead = chess(5), np.array([0.01, 0.02, 0.03, 0.04, 0.05])
    summary.loc[summary["method"] == "linear_all", "mean"] = 0.36 + ahead
    for level, verdict in ((0.36 + 0.03 - 0.0197, HOLDS), (0.36 + 0.03 - 0.0195, INCONCLUSIVE)):  # 0.0196
        summary.loc[summary["method"].isin(["elo", "glicko"]), "mean"] = level
        assert registered()["S27"].judge(summary).direction == verdict


@pytest.mark.parametrize("claim_id", ["S20", "S21", "S22", "S23", "S24", "S27", "S28"])
def test_one_period_of_chess_settles_nothing(claim_id):
    assert registered()[claim_id].judge(chess(1)).direction == "inconclusive"
