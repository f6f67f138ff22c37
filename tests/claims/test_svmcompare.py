"""Claims S01 to S36 on made frames."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import check, made_records, with_frames

from rankbench.claims.verdict import HOLDS, INCONCLUSIVE, MIXED, Lacking
from rankbench.ledger import registered

PUBLISHED = Path(__file__).parents[2] / "resources/published"
FIG4, FIG5 = (pd.read_csv(PUBLISHED / f"svmcompare_{name}.csv") for name in ("fig4", "fig5"))
DATASETS = ("sushi", "squared_linf", "squared_l1", "squared_l2")
SIZES, SHARES = ("n050", "n100", "n200"), tuple(f"rho{k}0" for k in range(1, 10))
AREAS = ("comparison_auc", "comparison_auc_any_direction")


def printed(published, x, mean, sd, unit, metrics, shift=0.0):
    """The printed cells as our summary, shifted."""
    prefix = published["function"].where(published["function"] == "sushi", "squared_" + published["function"])
    cells = {"dataset": prefix, "condition": x(published), "method": published["model"]}
    frame = pd.DataFrame({**cells, "mean": unit * published[mean] + shift, "sd": unit * published[sd], "n_runs": 4})
    return pd.concat([frame.assign(metric=metric) for metric in metrics], ignore_index=True)


def fig4(shift=0.0):
    names = {"x": lambda p: "n" + p["n_train_pairs"].astype(str).str.zfill(3), "mean": "mean_error_pct"}
    return printed(FIG4, **names, sd="sd_error_pct", unit=0.01, metrics=["zero_one"], shift=shift)


def fig5(shift=0.0):
    names = {"x": lambda p: "rho" + (100 * p["rho"]).round().astype(int).astype(str), "mean": "mean_auc"}
    return printed(FIG5, **names, sd="sd_auc", unit=1.0, metrics=AREAS, shift=shift)


def curves(power):
    """Errors that fall with a power of n."""
    frame = fig4()
    n = frame["condition"].str[1:].astype(float)
    return frame.assign(mean=0.3 * (n / 50) ** power * np.where(n == 100, 1.01, 1.0))


def errors(rank, rank2, compare, truth=0.07):
    values = {"zero_one": {"rank": rank, "rank2": rank2, "compare": compare, "truth": truth}}
    return made_records(values, DATASETS, SIZES, seeds=40)


def areas(rank, rank2, compare, sd=0.005):
    """Records of areas, and errors that are 1 - area; rank may depend on the share."""
    values = {AREAS[0]: {"rank": rank, "rank2": rank2, "compare": compare, "truth": 0.97}}
    records = made_records(values, DATASETS, SHARES, seeds=4, sd=sd)
    return records.assign(zero_one=1 - records[AREAS[0]])


def means(**values):
    """A summary of areas of every data set and share."""
    rows = [(d, c, a, m, v, 0.01, 4) for d in DATASETS for c in SHARES for a in AREAS for m, v in values.items()]
    return pd.DataFrame(rows, columns=["dataset", "condition", "metric", "method", "mean", "sd", "n_runs"])


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


def selections(degree):
    rows = [(f"year{k}", m, "ok", json.dumps({"degree": degree})) for k in range(4) for m in ("poly_all", "poly_2")]
    return pd.DataFrame(rows, columns=["dataset", "method", "status", "params"])


def levels(rank, others):
    """Level curves of three methods: the truth turned by so much noise."""
    x1, x2 = (axis.ravel() for axis in np.meshgrid(np.arange(9.0), np.arange(9.0)))
    noise = np.random.default_rng(0).standard_normal(81) * 10
    frames = [pd.DataFrame({"method": "truth", "seed": -1, "x1": x1, "x2": x2, "r": x1 + x2})]
    for method, share in (("rank", rank), ("rank2", others), ("compare", others)):
        r = x1 + x2 + share * noise
        frames += [pd.DataFrame({"method": method, "seed": seed, "x1": x1, "x2": x2, "r": r}) for seed in (0, 1)]
    return pd.concat(frames, ignore_index=True)


def programs(unscaled, scaled, violation=0.0):
    rows = [(seed, False, 0.5, 0.5 - unscaled, 1.0, violation) for seed in range(10)]
    rows += [(seed, True, 0.5, 0.5 - scaled, 1.0, violation) for seed in range(10)]
    return pd.DataFrame(rows, columns=["seed", "scaled", "lp", "qp", "angle", "violation"])


def duals(primal=100.0, power=-0.3, fpr=1.0, more=0):
    n = np.array([50, 100, 200, 400] * 3)
    frame = {"dataset": np.repeat(DATASETS[1:], 4), "n": n, "n_equality": n // 2, "rows_rank": n // 2 + more}
    frame |= {"rows_rank2": 2 * n, "rows_compare": n + n // 2, "dual_bound": 100.0, "primal": primal}
    share = 0.5 * (n / 50.0) ** power * np.where(n == 100, 1.01, 1.0)
    return pd.DataFrame({**frame, "support_share": share, "fpr_at_0": fpr, "fnr_at_infinity": 1.0})


def counts(n):
    return pd.DataFrame({"dataset": ["sushi"], "n_equality": [n], "n_inequality": [25000 - n]})


def baseline(auc):
    return pd.DataFrame({"dataset": ["year"], "seed": [0], "auc": [auc]})


WORSE = errors(0.2, 0.15, 0.1), errors(0.1, 0.15, 0.2)
LESS = areas(worse_when_many, 0.95, 0.95), areas(best_when_many, 0.95, 0.90)
CASES = {
    "S01": ([fig4(), FIG4], [fig4(0.2), FIG4]),
    "S02": ([curves(-0.5)], [curves(0.3)]),
    **{name: ([WORSE[0]], [WORSE[1]]) for name in ("S03", "S04", "S05", "S07", "S18")},
    "S06": ([errors(0.2, 0.2, 0.07)], [errors(0.2, 0.2, 0.1)]),
    "S08": ([fig5(), FIG5], [fig5(0.2), FIG5]),
    "S09": (
        [means(rank=0.96, rank2=0.97, compare=0.97, truth=0.97)],
        [means(rank=0.8, rank2=0.9, compare=0.9, truth=1)],
    ),
    **{
        name: ([means(rank=0.96, rank2=0.965, compare=0.96)], [means(rank=0.8, rank2=0.9, compare=0.95)])
        for name in ("S10", "S12", "S13")
    },
    "S11": ([LESS[0]], [LESS[1]]),
    "S14": ([WORSE[0], LESS[0]], [WORSE[1], LESS[1]]),
    "S15": ([counts(17832)], [counts(17000)]),
    "S16": ([levels(0.9, 0.1)], [levels(0.1, 0.9)]),
    "S17": ([LESS[0]], [LESS[1]]),
    "S20": ([chess()], [chess(linear_all=0.3, poly_all=0.3)]),
    "S21": ([chess()], [chess(linear_all=0.3, poly_all=0.3)]),
    "S22": ([chess()], [chess(linear_2=0.3, poly_2=0.3)]),
    "S23": ([chess()], [chess(rbf_all=0.4, rbf_2=0.4)]),
    "S24": ([chess()], [chess(linear_all=0.2)]),
    "S25": ([selections(1)], [selections(2)]),
    "S26": ([baseline(0.29)], [baseline(0.48)]),
    "S27": ([chess()], [chess(linear_all=0.2)]),
    "S28": ([chess()], [chess(linear_all=0.3, poly_all=0.3)]),
    "S30": ([programs(0.1, 0.0)], [programs(0.0, 0.0)]),
    "S31": ([programs(0.1, 0.0)], [programs(0.1, 0.1)]),
    "S32": ([programs(0.1, 0.0)], [programs(0.1, 0.0, 0.01)]),
    "S33": ([duals()], [duals(primal=90.0)]),
    "S34": ([duals()], [duals(power=0.1)]),
    "S35": ([duals()], [duals(fpr=0.9)]),
    "S36": ([duals()], [duals(more=1)]),
}


def test_every_claim_with_frames_has_a_case():
    assert set(CASES) == with_frames("S")


@pytest.mark.parametrize("claim_id", CASES)
def test_a_claim_follows_its_frames(claim_id):
    check(claim_id, *CASES[claim_id])


def on_sushi(dataset, condition):
    return 0.1 if dataset == "sushi" else 0.2


def test_a_claim_that_names_sushi_does_not_hold_without_it():
    found = registered()["S18"].judge(errors(on_sushi, 0.15, 0.1))
    assert found.verdict == MIXED and "undecided: rank over compare on sushi" in found.ours


@pytest.mark.parametrize("claim_id", ["S03", "S07", "S14", "S18"])
def test_other_data_sets_do_not_count(claim_id):
    frames = CASES[claim_id][0]
    more = [pd.concat([frame, frame.assign(dataset="sushi_2016", zero_one=0.5)]) for frame in frames]
    assert registered()[claim_id].judge(*more) == registered()[claim_id].judge(*frames)


@pytest.mark.parametrize("claim_id", ["S03", "S18"])
def test_a_named_data_set_without_runs_is_missed(claim_id):
    frame = CASES[claim_id][0][0]
    with pytest.raises(Lacking, match="squared_l1"):
        registered()[claim_id].judge(frame[frame["dataset"] != "squared_l1"])


def test_a_curve_of_another_data_set_does_not_count():
    rising = curves(0.3).assign(dataset="sushi_2016")
    assert registered()["S02"].judge(pd.concat([curves(-0.5), rising])).verdict == HOLDS


def test_a_cost_that_the_interval_does_not_exclude_is_not_none():
    """Sets whose areas at a share of 0.1 differ by chance, far more than two hundredths."""
    frame = areas(worse_when_many, 0.95, 0.95)
    rng, few = np.random.default_rng(1), frame["condition"] == "rho10"
    frame.loc[few, [AREAS[0], "zero_one"]] += 0.1 * rng.standard_normal((few.sum(), 1)) * [1, -1]
    assert registered()["S17"].judge(frame).verdict == INCONCLUSIVE


@pytest.mark.parametrize(("ahead", "verdict"), [(4, MIXED), (5, HOLDS)])
def test_chess_asks_for_most_periods_and_the_median(ahead, verdict):
    """The better median alone does not do: four of eight periods are not most."""
    summary = chess()
    behind = [f"year{k}" for k in range(8 - ahead)]
    summary.loc[summary["dataset"].isin(behind) & (summary["method"] == "linear_all"), "mean"] = 0.352
    summary.loc[summary["dataset"].isin(behind) & summary["method"].isin(["elo", "glicko"]), "mean"] = 0.353
    assert registered()["S27"].judge(summary).verdict == verdict


def test_chess_asks_for_the_median_too():
    """Three of five periods with a smaller median are not enough."""
    summary, rating = chess(5), [0.10, 0.20, 0.30, 0.40, 0.50]
    for method, values in {"elo": rating, "glicko": rating, "linear_all": [0.11, 0.21, 0.29, 0.28, 0.51]}.items():
        summary.loc[summary["method"] == method, "mean"] = values
    assert registered()["S27"].judge(summary).verdict == MIXED


@pytest.mark.parametrize("claim_id", ["S20", "S21", "S22", "S23", "S24", "S27", "S28"])
def test_one_period_of_chess_settles_nothing(claim_id):
    assert registered()[claim_id].judge(chess(1)).verdict == "inconclusive"
