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
    nothing_learned,
    paired,
)
from rankbench.claims.numbers import agreement, reruns
from rankbench.claims.verdict import (
    CLAIMS,
    FAILS,
    HOLDS,
    MIXED,
    NO_DIRECTION,
    NOT_CHECKABLE,
    Claim,
    Finding,
    Lacking,
    claim,
)
from rankbench.ledger import registered
from rankbench.papers.herbrich.claims import clearness

ABOVE, BELOW, OPEN = Interval(2, 1, 3, 10), Interval(-2, -3, -1, 10), Interval(1, -1, 3, 10)


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


@pytest.mark.parametrize("spread", [0.0, 1.0, 3.0])
def test_reruns_have_the_p_values_of_reruns(spread):
    """Of true t values that vary over the data sets, the range of simulated reruns holds the p of another true run."""
    rng, missed = np.random.default_rng(1), []
    for _ in range(80):
        truth = 1.5 + spread * rng.standard_normal(12)
        ours, again = (truth + rng.standard_normal(12) for _ in range(2))
        cells = pd.DataFrame({"t": ours, "standard_error": 1.0})
        p = stats.ttest_1samp(reruns(cells)[1], 0.0, axis=1, alternative="greater").pvalue
        rerun = stats.ttest_1samp(again, 0.0, alternative="greater").pvalue
        missed.append([np.mean(p < rerun), np.mean(p > rerun)])
    below, above = np.mean(np.array(missed) < 0.025, axis=0)
    assert below < 0.08 and above < 0.08


def test_the_runs_that_settle_a_question_have_their_own_quantile():
    found = Interval(1.0, 1.0 - 3.0, 1.0 + 3.0, 4)
    runs, spread = found.runs_to_settle(), 3.0 / stats.t.ppf(0.975, 3) * 2
    widths = [stats.t.ppf(0.975, n - 1) * spread / np.sqrt(n) for n in (runs - 1, runs)]
    assert widths[0] > 1.0 >= widths[1]
    assert Interval(0.0, -1.0, 1.0, 4).runs_to_settle() == np.inf == Interval(1e-6, -1.0, 1.0, 4).runs_to_settle()


def test_clearness_is_in_half_widths():
    assert [clearness(one) for one in (ABOVE, BELOW, OPEN)] == [2.0, -2.0, 0.5]
    assert clearness(Interval(0, 0, 0, 5)) == 0.0 and clearness(Interval(-1, -1, -1, 5)) == -np.inf


def test_where_no_method_beats_the_blind_answers_nothing_is_learned():
    def first(dataset, condition):
        return 0.2 if dataset == "one" else 0.5

    values = {"loss": {"a": first, "b": 0.6, "constant": 0.4, "random_answer": 0.5}}
    records = made_records(values, datasets=("one", "two"))
    assert learned(records, "loss") == ["one"]
    above_one = made_records({"loss": {"a": 0.45, "constant": 0.4, "random_answer": 0.5}})
    assert learned(above_one, "loss") == []
    assert nothing_learned(above_one, "loss").direction == NOT_CHECKABLE
    with pytest.raises(Lacking, match="no run of constant or random_answer"):
        learned(records[records["method"].isin(["a", "b"])], "loss")


def test_a_threshold_is_halved_and_doubled():
    @claim("X99", "made/records")
    def judged(frame, *, least=4.0):
        return Finding(HOLDS if frame["x"].min() >= least else FAILS, "ours", "", "why", "effect")

    found = CLAIMS.pop("X99")
    assert found.thresholds == {"least": 4.0}
    for value, said in ((5.0, "least 4 (if doubled: fails)"), (8.0, "least 4 (same verdict if halved or doubled)")):
        assert found.judge(pd.DataFrame({"x": [value]})).thresholds == said
    assert found.judge(pd.DataFrame({"x": [3.0]})).thresholds == "least 4 (if halved: holds)"
    silent = Claim("X99", ("made/records",), lambda frame: Finding(HOLDS, "ours", "", "why"))
    with pytest.raises(ValueError, match="effect must state its size"):
        silent.judge(pd.DataFrame({"x": [1.0]}))
    with pytest.raises(ValueError, match="basis must be one of own data"):
        Claim("X99", (), None, "hearsay")


def test_both_halves_of_a_verdict_follow_the_thresholds_and_nothing_is_said_of_half_of_zero():
    def find(frame, *, least=0.0, far=2.0):
        x = frame["x"].min()
        return Finding(HOLDS if x > least else FAILS, "o", "", "w", "e", HOLDS if x < far else FAILS, "d")

    told = Claim("X99", ("made/records",), find).judge(pd.DataFrame({"x": [3.0]}))
    assert (told.direction, told.number) == (HOLDS, FAILS)
    assert told.thresholds == "least 0 (it cannot be halved); far 2 (if doubled: number holds)"
    silent = Claim("X99", ("made/records",), lambda frame: Finding(HOLDS, "o", "", "w", "e", number=HOLDS))
    with pytest.raises(ValueError, match="difference must state its size"):
        silent.judge(pd.DataFrame({"x": [1.0]}))


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


def test_a_claim_has_one_function_and_one_of_five_verdicts():
    registered()
    with pytest.raises(ValueError, match="D01 must be judged by one function, got two"):
        claim("D01")(lambda: None)
    with pytest.raises(ValueError, match=r"direction must be one of holds, .*, no_direction, got 'true'"):
        Finding("true")
    with pytest.raises(ValueError, match=r"number must be one of holds, .*, no_number, got 'no_direction'"):
        Finding(HOLDS, number=NO_DIRECTION)
    with pytest.raises(ValueError, match="must have a direction or a number, got neither"):
        Finding(NO_DIRECTION)
