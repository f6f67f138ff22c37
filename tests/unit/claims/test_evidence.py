"""Rules of evidence on examples that were computed by hand."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rankbench.claims.evidence import (
    Interval,
    interval,
    learned,
    mean_of,
    paired,
    slope_of_runs,
)
from rankbench.claims.ledger import registered
from rankbench.claims.rules import table
from rankbench.claims.verdict import CLAIMS, HOLDS, MIXED, Claim, Lacking, Measured, add


def agreement(difference, error, df=np.inf, **limits):
    return table(Measured(figure=(difference, error, df)), **limits)


def made_records(values, datasets=("one", "two", "three"), conditions=("default",), seeds=20, sd=0.01):
    """Return records whose metrics have given means.

    Parameters
    ----------
    values : dict of str to dict of str to float or callable
        Metric -> method -> mean of the runs, or function of (dataset, condition).
    """
    rng, methods = np.random.default_rng(0), list(next(iter(values.values())))
    places = list(itertools.product(datasets, conditions, methods))
    noise = np.array([[sd * balanced(rng, seeds) for _ in values] for _ in places])
    records = pd.DataFrame(places, columns=["dataset", "condition", "method"]).loc[np.repeat(range(len(places)), seeds)]
    records = records.assign(seed=np.tile(range(seeds), len(places)), status="ok").reset_index(drop=True)
    for at, (metric, means) in enumerate(values.items()):
        mean = [means[name](*place) if callable(means[name]) else means[name] for *place, name in places]
        records[metric] = (np.array(mean)[:, None] + noise[:, at]).ravel()
    return records


def balanced(rng, n):
    """Return n random numbers with mean 0: every second one is the negative of the one before."""
    half = rng.standard_normal((n + 1) // 2)
    noise = np.column_stack([half, -half]).ravel()[:n]
    return noise - noise.mean()


def test_an_interval_is_students():
    found = interval([1.0, 2.0, 4.0], scale=100)
    low, high = stats.t.interval(0.95, 2, loc=700 / 3, scale=100 * stats.sem([1, 2, 4]))
    assert (found.low, found.high, found.n) == (pytest.approx(low), pytest.approx(high), 3)
    with pytest.raises(ValueError, match="at least two observations, got 1"):
        interval([1.0])


def test_a_true_table_of_few_runs_holds():
    """More than a tenth of the t values of 3 and 6 degrees of freedom are beyond 2: those are no reason to be mixed."""
    rng = np.random.default_rng(0)
    for df, n_cells in ((3, 75), (6, 108)):
        t = rng.standard_t(df, (500, n_cells))
        verdicts = [agreement(one, np.ones(n_cells), df=df)[0] for one in t]
        assert verdicts.count(HOLDS) > 450 and verdicts.count(MIXED) < 25
    assert agreement([3.1, 0.0], [1.0, 1.0], df=3, chance=1e-9)[1].startswith("2 of 2 cells")  # as 1.93 of a normal
    assert agreement([3.4, 0.0], [1.0, 1.0], df=3, chance=1e-9)[1].startswith("1 of 2 cells")  # as 2.03


def test_a_test_finds_an_effect_in_eight_of_ten_samples():
    """The smallest effect that a paired t-test of twelve draws finds, by simulation."""
    rng = np.random.default_rng(0)
    drawn = rng.standard_normal((1000, 12))
    found = [interval(one) for one in drawn]
    error = np.mean([(one.high - one.low) / 2 / stats.t.ppf(0.975, 11) for one in found])
    smallest = (stats.t.ppf(0.975, 11) + stats.norm.ppf(0.8)) * error
    assert abs(np.mean([interval(one + smallest).sign == 1 for one in drawn[:500]]) - 0.8) < 0.05
    assert Interval(0, -1, 1, 12).finds(1.39) and not Interval(0, -1, 1, 12).finds(1.38)
    assert not Interval(0.5, -np.inf, np.inf, 1).finds(1e9)


def test_the_interval_of_a_mean_moves_cells_of_one_draw_together():
    """Against a bootstrap of draws as they were drawn: two data sets, two conditions that share their seeds."""
    rng = np.random.default_rng(1)
    shared = rng.standard_normal((2, 40, 1)) + 0.3 * rng.standard_normal((2, 40, 2))
    places = [(f"set{d}", f"c{c}", m, s) for d in range(2) for c in range(2) for m in "ab" for s in range(40)]
    records = pd.DataFrame(places, columns=["dataset", "condition", "method", "seed"]).assign(status="ok")
    records["loss"] = [shared[int(d[3]), s, int(c[1])] * (m == "a") for d, c, m, s in places]
    cells = paired(records, "loss", "a", "b", by=("dataset", "condition"))
    found = mean_of(cells)
    drawn = rng.integers(40, size=(4000, 2, 40))
    means = np.mean([shared[d, drawn[:, d]].mean(axis=(1, 2)) for d in range(2)], axis=0)
    assert found.mean == pytest.approx(shared.mean())
    assert (found.high - found.low) == pytest.approx(np.subtract(*np.quantile(means, [0.975, 0.025])), rel=0.06)
    independent = np.sqrt(np.mean([((cell.high - cell.low) / 2) ** 2 for cell in cells.values()]) / len(cells))
    assert found.high - found.mean > 1.25 * independent  # cells of one draw are no draws of their own


def test_a_slope_of_seconds_has_the_spread_between_runs():
    n, powers = np.array([1.0, 2.0, 4.0, 8.0]), [1.8, 1.9, 2.0, 2.1, 2.2]
    frame = pd.concat([pd.DataFrame({"n": n, "seconds": n**power, "run": run}) for run, power in enumerate(powers)])
    found = slope_of_runs(frame, "n", "seconds", "run")
    assert (found.mean, found.n) == (pytest.approx(2.0), 5) and found.lever == pytest.approx(1 / np.log(8))
    assert found.low == pytest.approx(interval(powers).low)


def test_where_no_method_beats_the_blind_answers_nothing_is_learned():
    def first(dataset, condition):
        return 0.2 if dataset == "one" else 0.5

    values = {"loss": {"a": first, "b": 0.6, "constant": 0.4, "random_answer": 0.5}}
    records = made_records(values, datasets=("one", "two"))
    runs, without = learned(records, "loss")
    assert set(runs["dataset"]) == {"one"} and without == ["two"] and set(runs["method"]) == set(values["loss"])
    above_one = made_records({"loss": {"a": 0.45, "constant": 0.4, "random_answer": 0.5}})
    assert learned(above_one, "loss")[0].empty
    assert learned(records, "loss", ("dataset", "condition"))[1] == ["two default"]
    with pytest.raises(Lacking, match="no run of constant or random_answer"):
        learned(records[records["method"].isin(["a", "b"])], "loss")


def test_pairs_are_of_one_seed_and_failed_runs_are_left_out():
    records = made_records({"loss": {"a": 0.3, "b": 0.1}}, datasets=("one", "two"), seeds=5, sd=0)
    records.loc[(records["dataset"] == "two") & (records["seed"] < 4), "status"] = "failed"
    cells = paired(records, "loss", "a", "b", scale=100)
    assert set(cells) == {"one"} and cells["one"].mean == pytest.approx(20) and cells["one"].n == 5
    assert (
        cells["one"].compared == paired(records, "loss", "b", "a")["one"].compared == {"loss of a and b on one default"}
    )
    assert set(paired(records, "loss", "a", "b", by=("dataset", "condition"))) == {"one default"}
    for lacking in (records.assign(status="failed"), records[records["seed"] == 0], records.drop(columns="loss")):
        with pytest.raises(Lacking):
            paired(lacking, "loss", "a", "b")


def test_a_claim_is_registered_once():
    registered()
    assert CLAIMS
    with pytest.raises(ValueError, match="D01 must be registered once, got two"):
        add(Claim("D01", (), len))
