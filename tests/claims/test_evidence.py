"""Rules of evidence by hand."""

import numpy as np
import pandas as pd
import pytest
from cases import made_records
from scipy import stats

from rankbench.claims.evidence import Interval, agreement, corrected_counts, interval, ordering, paired, slope
from rankbench.claims.verdict import FAILS, HOLDS, INCONCLUSIVE, MIXED, Finding, Lacking, claim
from rankbench.intervals import half_width, quantile
from rankbench.ledger import registered

ABOVE, BELOW, OPEN = Interval(2, 1, 3, 10), Interval(-2, -3, -1, 10), Interval(1, -1, 3, 10)


def test_an_interval_is_students():
    found = interval([1.0, 2.0, 4.0], scale=100)
    low, high = stats.t.interval(0.95, 2, loc=700 / 3, scale=100 * stats.sem([1, 2, 4]))
    assert (found.low, found.high, found.n) == (pytest.approx(low), pytest.approx(high), 3)
    with pytest.raises(ValueError, match="at least two observations, got 1"):
        interval([1.0])


def test_one_quantile_makes_every_interval():
    assert quantile(2) == pytest.approx(stats.t.ppf(0.975, 2)) == half_width(1.0, 3) and np.isnan(quantile(0))
    x, y = [1.0, 2.0, 4.0], [1.0, 3.0, 4.0]
    fit = stats.linregress(np.log(x), np.log(y))
    assert slope(x, y).high == pytest.approx(fit.slope + quantile(1) * fit.stderr)


def test_runs_to_settle_shrink_the_interval_to_its_mean():
    assert OPEN.runs_to_settle() == 40 and OPEN.sign == 0 and ABOVE.sign == 1 and BELOW.sign == -1
    assert OPEN.text(1, " %") == "1.0 [-1.0, 3.0] %"


@pytest.mark.parametrize(
    ("cells", "verdict"),
    [
        ([ABOVE], HOLDS),
        ([BELOW], FAILS),
        ([OPEN], INCONCLUSIVE),
        ([ABOVE, ABOVE, OPEN], HOLDS),
        ([ABOVE, OPEN, OPEN], MIXED),
        ([ABOVE, ABOVE, BELOW], MIXED),
        ([OPEN, BELOW], FAILS),
        ([OPEN, OPEN], INCONCLUSIVE),
        ([ABOVE, OPEN], MIXED),
    ],
)
def test_an_ordering_is_counted_by_intervals(cells, verdict):
    assert ordering(dict(zip("abc", cells)))[0] == verdict


@pytest.mark.parametrize(
    ("cells", "verdict"),
    [
        ([ABOVE, ABOVE, ABOVE], HOLDS),
        ([ABOVE, ABOVE, OPEN], MIXED),
        ([ABOVE, ABOVE, BELOW], MIXED),
        ([OPEN, BELOW], FAILS),
        ([OPEN, OPEN], INCONCLUSIVE),
    ],
)
def test_where_a_claim_names_its_cells_every_one_must_be_clear(cells, verdict):
    assert ordering(dict(zip("abc", cells)), every=True)[0] == verdict


def test_an_ordering_tells_who_is_against_and_what_would_settle():
    assert "against: b" in ordering({"a": ABOVE, "b": BELOW})[1]
    assert "1 undecided (undecided: b)" in ordering({"a": ABOVE, "b": OPEN}, every=True)[1]
    assert "about 40 runs" in ordering({"a": OPEN})[1]
    assert "no number of runs would settle it" in ordering({"a": Interval(0, -1, 1, 10)})[1]
    with pytest.raises(Lacking, match="no runs to compare"):
        ordering({})


def test_pairs_are_of_one_seed_and_failed_runs_are_left_out():
    records = made_records({"loss": {"a": 0.3, "b": 0.1}}, datasets=("one", "two"), seeds=5, sd=0)
    records.loc[(records["dataset"] == "two") & (records["seed"] < 4), "status"] = "failed"
    cells = paired(records, "loss", "a", "b", scale=100)
    assert set(cells) == {"one"} and cells["one"].mean == pytest.approx(20) and cells["one"].n == 5
    assert set(paired(records, "loss", "a", "b", by=("dataset", "condition"))) == {"one default"}
    for lacking in (records.assign(status="failed"), records[records["seed"] == 0], records.drop(columns="loss")):
        with pytest.raises(Lacking):
            paired(lacking, "loss", "a", "b")


def test_conditions_of_one_seed_are_one_observation():
    """Four seeds of five conditions with the same sets: the spread is that of four numbers, not of twenty."""
    by_seed = np.array([1.0, 2.0, 4.0, 5.0])
    records = made_records({"loss": {"a": 1.0, "b": 0.0}}, ("one", "two"), "vwxyz", seeds=4, sd=0)
    records.loc[records["method"] == "a", "loss"] = by_seed[records.loc[records["method"] == "a", "seed"]]
    assert paired(records, "loss", "a", "b") == {name: interval(by_seed) for name in ("one", "two")}
    assert paired(records, "loss", "a", "b", by=()) == {"": interval(np.tile(by_seed, 2))}
    gone = records[(records["seed"] > 0) | (records["condition"] == "v")]
    assert paired(gone, "loss", "a", "b")["one"] == interval(by_seed)
    assert paired(records, "loss", "a", "b", by=("dataset", "condition"))["one v"].n == 4


def test_the_corrected_counts_turn_the_sign_of_the_reference():
    frame = pd.DataFrame({"method": ["a", "a", "c"], "reference": "b", "metric": "loss", "mean_difference": [1, -1, 1]})
    frame = frame.assign(corrected_p=[0.01, 0.2, 0.01])
    assert "1 for, 0 against of 2" in corrected_counts(frame, "loss", "a", "b")
    assert "0 for, 1 against of 2" in corrected_counts(frame, "loss", "b", "a")
    assert "0 for, 2 against of 3" in corrected_counts(frame, "loss", "b", "a", "c")
    with pytest.raises(Lacking, match="no test of loss of a against d"):
        corrected_counts(frame, "loss", "a", "d")


@pytest.mark.parametrize(("far", "verdict"), [(0, HOLDS), (3, MIXED), (8, FAILS)])
def test_agreement_counts_cells_within_two_standard_errors(far, verdict):
    difference = np.r_[np.full(far, -3.0), np.full(10 - far, 1.9), np.nan]
    found, counts = agreement(difference, np.ones(11))
    assert found == verdict and f"{10 - far} of 10 cells" in counts and f"{far} lower" in counts


def test_a_slope_is_that_of_the_logarithms():
    x = np.array([1.0, 10, 100, 1000])
    found = slope(x, 3 * x**2)
    assert found.mean == pytest.approx(2) and found.high - found.low < 1e-6
    with pytest.raises(ValueError, match="at least three values"):
        slope([1, 2], [1, 2])


def test_a_claim_has_one_function_and_one_of_five_verdicts():
    registered()
    with pytest.raises(ValueError, match="D01 has two functions"):
        claim("D01")(lambda: None)
    with pytest.raises(ValueError, match=r"verdict must be one of holds, .*, got 'true'"):
        Finding("true")
