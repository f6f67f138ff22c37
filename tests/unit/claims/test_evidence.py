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
    size,
    slope_of_runs,
)
from rankbench.claims.ledger import registered
from rankbench.claims.rules import table
from rankbench.claims.verdict import CLAIMS, FAILS, HOLDS, MIXED, Claim, Lacking, Measured, add
from rankbench.papers.herbrich.claims import clearness

ABOVE, BELOW, OPEN = Interval(2, 1, 3, 10), Interval(-2, -3, -1, 10), Interval(1, -1, 3, 10)


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


def test_standard_errors_of_few_runs_are_worth_less():
    """Means of four sets: t values of three degrees of freedom go beyond 3 by chance where normal ones do not."""
    rng = np.random.default_rng(0)
    sets = rng.standard_normal((2000, 12, 4))
    t, error = sets.mean(axis=2), sets.std(axis=2, ddof=1) / 2
    rejected = [np.mean([agreement(a, b, df=df)[0] == FAILS for a, b in zip(t, error)]) for df in (3, np.inf)]
    assert abs(rejected[0] - 0.05) < 0.02 and rejected[1] > 0.3


def test_a_true_table_of_few_runs_holds():
    """More than a tenth of the t values of 3 and 6 degrees of freedom are beyond 2: those are no reason to be mixed."""
    rng = np.random.default_rng(0)
    for df, n_cells in ((3, 75), (6, 108)):
        t = rng.standard_t(df, (500, n_cells))
        verdicts = [agreement(one, np.ones(n_cells), df=df)[0] for one in t]
        assert verdicts.count(HOLDS) > 450 and verdicts.count(MIXED) < 25
    assert agreement([3.1, 0.0], [1.0, 1.0], df=3, chance=1e-9)[1].startswith("2 of 2 cells")  # as 1.93 of a normal
    assert agreement([3.4, 0.0], [1.0, 1.0], df=3, chance=1e-9)[1].startswith("1 of 2 cells")  # as 2.03


@pytest.mark.parametrize(("correlation", "low", "high"), [(0.0, 0.04, 0.06), (0.5, 0.075, 0.095), (0.8, 0.115, 0.14)])
def test_cells_of_methods_that_share_hold_outs_reject_more_true_tables(correlation, low, high):
    """Twelve data sets of three methods, as in Table 1: docs/reproduction/index.md has the shares."""
    rng = np.random.default_rng(0)
    shared, own = rng.standard_normal((20_000, 12, 1)), rng.standard_normal((20_000, 12, 3))
    z = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
    assert low < np.mean(stats.chi2.sf((z**2).sum(axis=(1, 2)), 36) < 0.05) < high


def test_a_test_finds_an_effect_in_eight_of_ten_samples():
    """The smallest effect that a paired t-test of twelve draws finds, by simulation."""
    rng = np.random.default_rng(0)
    drawn = rng.standard_normal((4000, 12))
    found = [interval(one) for one in drawn]
    error = np.mean([(one.high - one.low) / 2 / stats.t.ppf(0.975, 11) for one in found])
    smallest = (stats.t.ppf(0.975, 11) + stats.norm.ppf(0.8)) * error
    assert abs(np.mean([interval(one + smallest).sign == 1 for one in drawn[:1000]]) - 0.8) < 0.05
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


def test_what_is_not_drawn_or_of_two_signs_has_a_range_and_no_mean():
    draws = {name: interval(values) for name, values in (("a", [1.0, 1.1, 0.9]), ("b", [1.2, 1.4, 1.3]))}
    assert size(draws, 1, " s").endswith("s (mean of 2 cells)") and size({"a": draws["a"]}, 1, "") == draws["a"].text(1)
    assert size(draws | {"c": draws["a"].minus}, 1, " s") == "-1.0 to 1.3 s (range of 3 cells)"
    assert size({"a": ABOVE, "b": OPEN}, 0, "") == "1 to 2 (range of 2 cells)"


def test_a_slope_of_seconds_has_the_spread_between_runs():
    n, powers = np.array([1.0, 2.0, 4.0, 8.0]), [1.8, 1.9, 2.0, 2.1, 2.2]
    frame = pd.concat([pd.DataFrame({"n": n, "seconds": n**power, "run": run}) for run, power in enumerate(powers)])
    found = slope_of_runs(frame, "n", "seconds", "run")
    assert (found.mean, found.n) == (pytest.approx(2.0), 5) and found.lever == pytest.approx(1 / np.log(8))
    assert found.low == pytest.approx(interval(powers).low)


def test_clearness_is_in_half_widths():
    assert [clearness(one) for one in (ABOVE, BELOW, OPEN)] == [2.0, -2.0, 0.5]
    assert clearness(Interval(0, 0, 0, 5)) == 0.0 and clearness(Interval(-1, -1, -1, 5)) == -np.inf


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


def test_both_halves_of_a_verdict_follow_the_thresholds_and_nothing_is_said_of_half_of_zero():
    def rule(found, *, least=4.0, nothing=0.0):
        return HOLDS if found.cells >= least else FAILS, "", "size"

    def number(found, *, far=2.0):
        return (HOLDS, "", "off") if found.cells < far else (FAILS, "", "off")

    claim = Claim("X99", ("made/records",), lambda frame: Measured(frame["x"].min()), rule, number=number)
    found = claim.judge(pd.DataFrame({"x": [3.0]}))
    assert (found.direction, found.number, found.difference) == (FAILS, FAILS, "off")
    assert found.thresholds == "least 4 (if halved: holds); far 2 (if doubled: number holds)"


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
