"""Failed runs never decide an order: made records whose true order is known, with failures of every kind."""

import numpy as np
import pandas as pd
import pytest
from fault_cases import how_many
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rankbench.compare.report import answers
from rankbench.experiments.experiment import Experiment
from rankbench.registry import STATISTICS
from rankbench.statistics.best import best
from rankbench.statistics.common import ENOUGH, on_common
from rankbench.statistics.overall import overall
from rankbench.statistics.per_dataset import per_dataset
from rankbench.statistics.ranks import ranks
from rankbench.statistics.summary import summary

METHODS = ["a", "b", "c"]
N_SEEDS = 20


def experiment_of(n_datasets=1, seeds=N_SEEDS, metrics=("swapped_pairs",), methods=METHODS):
    return Experiment.of(
        {
            "datasets": {f"set_{at}": {} for at in range(n_datasets)},
            "conditions": {"default": {}},
            "methods": {name: {"label": name.upper()} for name in methods},
            "metrics": list(metrics),
            "seeds": seeds,
            "reference_method": methods[0],
        }
    )


def records_of(errors, lost=None, status="timeout"):
    """Return records of errors (data sets, methods, seeds); a run is lost where `lost`, of this shape, is true."""
    lost = np.zeros(errors.shape, bool) if lost is None else lost
    costs = {"tune_seconds": 1.0, "fit_seconds": 0.5, "peak_megabytes": 90.0, "params": "{}"}
    rows = [
        {"dataset": f"set_{d}", "condition": "default", "method": METHODS[m], "seed": s, "n_train": 200, "n_test": 100}
        | {
            "status": status if lost[d, m, s] else "ok",
            "reason": "",
            "swapped_pairs": np.nan if lost[d, m, s] else error,
        }
        | costs
        for (d, m, s), error in np.ndenumerate(errors)
    ]
    return pd.DataFrame(rows)


def rising(n_datasets=1, step=0.05):
    """Return errors of three methods on hold-outs of rising difficulty: each is `step` worse than the one before, on
    every hold-out, and the noise is much smaller."""
    noise = np.random.default_rng(0).normal(0, 0.001, (n_datasets, len(METHODS), N_SEEDS))
    return 0.1 + 0.02 * np.arange(N_SEEDS) + step * np.arange(len(METHODS))[:, None] + noise


HARD, EASY = np.arange(N_SEEDS) >= N_SEEDS // 2, np.arange(N_SEEDS) < N_SEEDS // 2
BUT_ONE, ALL = np.arange(N_SEEDS) > 0, np.ones(N_SEEDS, bool)
LOSSES = {"hard": HARD, "easy": EASY, "all but one": BUT_ONE, "all": ALL}


@pytest.mark.parametrize(("which", "method"), list(zip(LOSSES, [*METHODS, "a"])))
def test_a_method_that_fails_often_is_compared_with_none_and_changes_nothing(which, method):
    """Statistics of the others are those without it, to the last digit."""
    lost = np.zeros((2, 3, N_SEEDS), bool)
    lost[:, METHODS.index(method)] = LOSSES[which]
    experiment, records = experiment_of(2), records_of(rising(2), lost)
    others = [name for name in METHODS if name != method]
    frame = best(records, experiment).set_index("method")
    n_left = N_SEEDS - LOSSES[which].sum()
    assert set(frame.loc[method, "verdict"]) == {"incomplete"}
    assert set(frame.loc[method, "shortfall"]) == {f"{n_left} of 20 runs, {20 - n_left} timeouts"}
    assert frame.loc[method, ["mean", "difference", "p", "seconds"]].isna().all(axis=None)
    assert (
        list(frame.loc[others[0], "verdict"]) == ["best"] * 2 and list(frame.loc[others[1], "verdict"]) == ["worse"] * 2
    )
    alone, without = experiment_of(2, methods=others), records[records["method"] != method]
    for name in ("best", "summary", "ranks"):
        full, expected = STATISTICS[name](records, experiment), STATISTICS[name](without, alone)
        pd.testing.assert_frame_equal(full[full["method"] != method].reset_index(drop=True), expected)
    ranked = ranks(records, experiment).set_index("method")
    assert np.isnan(ranked.loc[method, "average_rank"]) and ranked.index[-1] == method


def test_few_lost_runs_take_their_hold_outs_from_all_methods():
    """Two of 20 runs of C, the hard ones: all means are over the other 18."""
    errors, lost = rising(), np.zeros((1, 3, N_SEEDS), bool)
    lost[0, 2, -2:] = True
    records, experiment = records_of(errors, lost, "failed"), experiment_of()
    for frame in (best(records, experiment), summary(records, experiment)):
        assert list(frame["n_runs"]) == [18] * 3 and list(frame["n_missing"]) == [0, 0, 2]
        assert list(frame["shortfall"]) == ["", "", "18 of 20 runs, 2 failed"]
        np.testing.assert_allclose(frame["mean"], errors[0, :, :18].mean(axis=1))
        np.testing.assert_allclose(frame["sd"], errors[0, :, :18].std(axis=1, ddof=1))
    tests = per_dataset(records, experiment)
    assert list(tests["n_pairs"]) == [18, 18]
    lost[0, 2, -2] = False
    assert overall(records_of(errors, lost), experiment).set_index("opponent").loc["c", "n_incomplete"] == 1
    (told,) = answers(best(records, experiment), experiment).values()
    assert any(text.startswith("Runs are missing: C (18 of 20 runs, 2 failed); there all methods") for text in told)


@st.composite
def cases(draw):
    """Return errors on a lattice, so that ties are common, and lost runs: few, half, or nearly all of a method."""
    n_seeds = draw(st.integers(2, 12))
    values = st.lists(st.integers(0, 3), min_size=n_seeds, max_size=n_seeds)
    errors = np.array([[draw(values) for _ in METHODS] for _ in range(draw(st.integers(1, 3)))]) / 7
    share = st.sampled_from([0.0, 0.05, 0.5, 0.9, 1.0])
    shares = np.array([[draw(share) for _ in METHODS] for _ in errors])[:, :, None]
    chance = np.random.default_rng(draw(st.integers(0, 10**6))).random(errors.shape)
    hard = draw(st.booleans())  # whether the lost hold-outs are the hard ones of each method
    return errors, (np.argsort(np.argsort(-errors, axis=2), axis=2) / n_seeds if hard else chance) < shares


def enough(lost):
    """Return which methods have enough runs, (data sets, methods)."""
    return 100 * (~lost).sum(axis=2) >= ENOUGH * lost.shape[2]


@settings(max_examples=how_many(10, 1000))
@given(cases())
def test_the_order_is_that_of_the_common_hold_outs(case):
    """By brute force: who is compared, on what, in which order, and that worse is worse."""
    errors, lost = case
    experiment, records = experiment_of(len(errors), errors.shape[2]), records_of(errors, lost)
    frame = best(records, experiment).set_index(["dataset", "method"])
    for d, (part, gone, complete) in enumerate(zip(errors, lost, enough(lost), strict=True)):
        common = ~gone[complete].any(axis=0) if complete.any() else np.zeros(errors.shape[2], bool)
        cells = frame.loc[f"set_{d}"].loc[METHODS]
        shown = complete & common.any()
        assert list(cells["n_runs"]) == list(np.where(shown, common.sum(), 0))
        assert list(cells["verdict"] == "incomplete") == list(~shown)
        assert list(cells["n_missing"]) == list(gone.sum(axis=1))
        if not shown.any():
            continue
        means = part[:, common].mean(axis=1)
        np.testing.assert_allclose(cells["mean"][shown], means[shown], atol=1e-12)
        first = cells.index[cells["verdict"] == "best"]
        assert len(first) == 1 and means[METHODS.index(first[0])] <= means[shown].min() + 1e-9
        assert first[0] == next(
            m for m, ok, mean in zip(METHODS, shown, means) if ok and mean <= means[shown].min() + 1e-9
        )
        others = cells[shown & (cells["verdict"] != "best")]
        assert (others["difference"] >= 0).all() and (others["difference"][others["verdict"] == "worse"] > 0).all()
        assert ((others["low"] > 0) == (others["verdict"] == "worse"))[others["low"].notna()].all()


@settings(max_examples=how_many(10, 1000))
@given(cases())
def test_ranks_and_counts_are_those_of_common_data_sets(case):
    errors, lost = case
    experiment, records = experiment_of(len(errors), errors.shape[2]), records_of(errors, lost)
    shown = np.array(
        [
            complete & bool((~gone[complete].any(axis=0)).any())
            for gone, complete in zip(lost, enough(lost), strict=True)
        ]
    )
    planned = shown.any(axis=1)
    ranked = 100 * shown[planned].sum(axis=0) >= ENOUGH * max(planned.sum(), 1)
    frame = ranks(records, experiment).set_index("method").loc[METHODS]
    used = shown[:, ranked].all(axis=1) & planned
    has_rank = ranked & used.any()
    assert list(frame["average_rank"].notna()) == list(has_rank)
    assert set(frame["n_datasets"]) == {used.sum() if ranked.any() else 0}
    assert list(frame["n_compared"]) == list(shown.sum(axis=0))
    counts = overall(records, experiment).set_index("opponent")
    for at, method in enumerate(METHODS[1:], 1):
        both, either = shown[:, [0, at]].all(axis=1), shown[:, [0, at]].any(axis=1)
        fair = (100 * shown[:, [0, at]].sum(axis=0) >= ENOUGH * either.sum()).all()
        row = counts.loc[method]
        assert row["n_datasets"] == row["wins"] + row["ties"] + row["losses"] == (both.sum() if fair else 0)
        assert row["significant_wins"] <= row["wins"] + row["ties"]


@settings(max_examples=how_many(10, 1000))
@given(cases(), st.permutations(METHODS))
def test_the_order_of_methods_and_rows_decides_nothing_but_ties(case, order):
    errors, lost = case
    experiment, records = experiment_of(len(errors), errors.shape[2]), records_of(errors, lost)
    frame = best(records, experiment).set_index(["dataset", "method"])
    other = best(records[::-1], experiment_of(len(errors), errors.shape[2], methods=order))
    other = other.set_index(["dataset", "method"]).loc[frame.index]
    same = ["n_runs", "n_missing", "shortfall", "mean", "sd"]
    pd.testing.assert_frame_equal(frame[same], other[same])
    assume(all(len(set(part.dropna().round(9))) == part.count() for _, part in frame.groupby("dataset")["mean"]))
    assert list(frame["verdict"]) == list(other["verdict"])


def test_a_gain_is_an_error_with_the_other_sign():
    """Of AUCs the higher is better: all differences, signs and verdicts are those of 1 minus the AUC."""
    lost = np.zeros((2, 3, N_SEEDS), bool)
    lost[0, 1, :2] = lost[1, 2] = True
    errors = records_of(rising(2), lost)
    gains = errors.assign(comparison_auc=1 - errors["swapped_pairs"])
    asked = experiment_of(2, metrics=["comparison_auc"])
    tests, expected = per_dataset(gains, asked), per_dataset(errors, experiment_of(2))
    assert (expected["mean_difference"].dropna() > 0.04).all() and (expected["t"].dropna() > 0).all()
    pd.testing.assert_frame_equal(tests.drop(columns="metric"), expected.drop(columns="metric"))
    for name in ("overall", "ranks"):
        frame, other = STATISTICS[name](gains, asked), STATISTICS[name](errors, experiment_of(2))
        pd.testing.assert_frame_equal(frame.drop(columns="metric"), other.drop(columns="metric"))


def test_hold_outs_that_nobody_shares_compare_nobody():
    """Ten methods of which each lacks another of ten hold-outs have none in common."""
    runs = pd.DataFrame([(m, s) for m in range(10) for s in range(10) if m != s], columns=["method", "seed"])
    assert on_common(runs.assign(cell=0), "seed", ["cell"], 10).empty
    assert len(on_common(runs.assign(cell=0)[runs["method"] > 6], "seed", ["cell"], 10)) == 3 * 7
    assert on_common(runs.assign(cell=0)[runs["method"] > 6], "seed", ["cell"], 11).empty
