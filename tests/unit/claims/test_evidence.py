"""Rules of evidence on examples that were computed by hand."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rankbench.claims.evidence import (
    Interval,
    at_largest,
    both,
    compared,
    equivalence,
    interval,
    learned,
    nothing_learned,
    ordering,
    paired,
    share,
    slope,
)
from rankbench.claims.numbers import about, agreement
from rankbench.claims.verdict import (
    CLAIMS,
    FAILS,
    HOLDS,
    INCONCLUSIVE,
    MIXED,
    NO_DIRECTION,
    NOT_CHECKABLE,
    Claim,
    Finding,
    Lacking,
    claim,
)
from rankbench.intervals import half_width, quantile
from rankbench.ledger import registered

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


def test_one_quantile_makes_every_interval():
    assert quantile(2) == pytest.approx(stats.t.ppf(0.975, 2)) == half_width(1.0, 3) and np.isnan(quantile(0))
    x, y = [1.0, 2.0, 4.0], [1.0, 3.0, 4.0]
    fit = stats.linregress(np.log(x), np.log(y))
    assert slope(x, y).high == pytest.approx(fit.slope + quantile(1) * fit.stderr)


def test_runs_to_settle_shrink_the_interval_to_its_mean():
    assert OPEN.runs_to_settle() == 40 and OPEN.sign == 0 and ABOVE.sign == 1 and BELOW.sign == -1
    assert OPEN.text(1, " %") == "1.0 [-1.0, 3.0] %"
    assert OPEN.plus(2) == Interval(3, 1, 5, 10)


@pytest.mark.parametrize(
    ("cells", "verdict"),
    [
        ([ABOVE], HOLDS),
        ([BELOW], FAILS),
        ([OPEN], INCONCLUSIVE),
        ([ABOVE, ABOVE, OPEN], HOLDS),
        ([ABOVE, OPEN, OPEN], MIXED),
        ([ABOVE, ABOVE, BELOW], MIXED),
        ([OPEN, BELOW], MIXED),
        ([OPEN, OPEN], INCONCLUSIVE),
        ([ABOVE, OPEN], MIXED),
        ([ABOVE] * 39 + [BELOW], HOLDS),
        ([ABOVE] * 38 + [BELOW], MIXED),
        ([ABOVE] * 21 + [OPEN] * 19, HOLDS),
        ([ABOVE] * 20 + [OPEN] * 20, MIXED),
    ],
)
def test_an_ordering_is_counted_by_intervals_and_its_mirror_image_fails(cells, verdict):
    mirror = {HOLDS: FAILS, FAILS: HOLDS}
    assert ordering({str(i): cell for i, cell in enumerate(cells)})[0] == verdict
    turned = {str(i): cell.minus for i, cell in enumerate(cells)}
    assert ordering(turned)[0] == mirror.get(verdict, verdict)


@pytest.mark.parametrize(("n", "names"), [(6, "0, 1, 2, 3, 4, 5"), (7, "0, 1, 2, 3, 4, 5, ...")])
def test_at_most_six_cells_are_named(n, names):
    cells = {str(i): BELOW for i in range(n)}
    assert ordering({**cells, "above": ABOVE})[1].endswith(f"1 as claimed, {n} against, 0 undecided (against: {names})")


def test_cells_that_do_not_agree_are_counted_by_their_sign():
    verdict, counts, effect = agreement([-3, 3, 2.5, 2, np.nan, 0], [1, 1, 1, 1, 1, np.nan])
    assert verdict == FAILS and counts.startswith("1 of 4 cells within 2 standard errors, 1 lower, 2 higher; all cells")
    assert counts.endswith(f"chi-squared 28 on 4 cells, p = {stats.chi2.sf(28.25, 4):.2g}")
    assert effect.startswith("agree 1 of 4, 0.25 [")


def test_standard_errors_of_few_runs_are_worth_less():
    """Means of four sets: t values of three degrees of freedom go beyond 3 by chance where normal ones do not."""
    rng = np.random.default_rng(0)
    sets = rng.standard_normal((2000, 12, 4))
    t, error = sets.mean(axis=2), sets.std(axis=2, ddof=1) / 2
    rejected = [np.mean([agreement(a, b, df=df)[0] == FAILS for a, b in zip(t, error)]) for df in (3, np.inf)]
    assert abs(rejected[0] - 0.05) < 0.02 and rejected[1] > 0.3


@pytest.mark.parametrize(
    ("cell", "verdict"),
    [
        (Interval(2.1, 2.05, 2.19, 9), HOLDS),
        (Interval(2.1, 1.79, 2.19, 9), INCONCLUSIVE),
        (Interval(2.1, 1.0, 3.0, 9), INCONCLUSIVE),  # a wider interval never holds
        (Interval(2.3, 2.21, 2.4, 9), FAILS),
        (Interval(1.7, 1.6, 1.79, 9), FAILS),
    ],
)
def test_a_figure_without_an_error_agrees_within_a_tenth_of_it(cell, verdict):
    found, said = about(cell, 2.0, unit=" s")
    assert found == verdict and said.startswith("ours minus the printed 2: ") and said.endswith("may be off by 0.2")
    mirrored = Interval(-cell.mean, -cell.high, -cell.low, 9)
    assert about(mirrored, -2.0)[0] == verdict


@pytest.mark.parametrize(
    ("parts", "verdict"),
    [
        ([HOLDS, HOLDS], HOLDS),
        ([HOLDS, FAILS], FAILS),
        ([INCONCLUSIVE, FAILS], FAILS),
        ([HOLDS, INCONCLUSIVE], INCONCLUSIVE),
        ([INCONCLUSIVE, INCONCLUSIVE], INCONCLUSIVE),
        ([HOLDS, MIXED], MIXED),
        ([INCONCLUSIVE, MIXED], MIXED),
    ],
)
def test_a_statement_about_two_things_fails_with_one_of_them(parts, verdict):
    assert both(*parts) == both(*parts[::-1]) == verdict


def test_comparisons_have_names_whatever_is_pooled_and_whichever_comes_first():
    records = made_records({"loss": {"a": 0.3, "b": 0.1}}, ("one", "two"), ("v", "w"), seeds=4)
    names = {f"loss of a and b on {dataset} {condition}" for dataset in ("one", "two") for condition in "vw"}
    for by in ((), ("dataset",), ("dataset", "condition")):
        assert (
            compared(paired(records, "loss", "a", "b", by=by)) == names == compared(paired(records, "loss", "b", "a"))
        )
    assert compared(paired(records.query("dataset == 'one'"), "loss", "a", "b")) == {n for n in names if "one" in n}
    cell = paired(records, "loss", "a", "b", by=())[""]
    assert cell.minus.compared == cell.plus(1).compared == cell.at(0.1).compared == names


def test_the_level_and_the_share_of_an_ordering():
    near = Interval(1.0, 0.05, 1.95, 20)  # t = 2.20: clear at 0.05, not at 0.02
    assert ordering({"a": near})[0] == HOLDS and ordering({"a": near}, level=0.02)[0] == INCONCLUSIVE
    cells = {str(i): ABOVE if i < 6 else OPEN for i in range(10)}
    assert ordering(cells, most=0.55)[0] == HOLDS and ordering(cells, most=0.6)[0] == MIXED
    assert ordering(cells, most=1.0)[0] == MIXED and ordering({"a": ABOVE}, most=1.0)[0] == HOLDS


def test_an_interval_of_another_level_is_students_too():
    values = [1.0, 2.0, 4.0]
    low, high = stats.t.interval(0.9, 2, loc=7 / 3, scale=stats.sem(values))
    found = interval(values).at(0.1)
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))
    x, y = [1.0, 2.0, 4.0, 8.0], [1.0, 3.0, 4.0, 9.0]
    fit = stats.linregress(np.log(x), np.log(y))
    assert slope(x, y).at(0.1).high == pytest.approx(fit.slope + stats.t.ppf(0.95, 2) * fit.stderr)


def test_a_share_has_its_exact_interval():
    low, high = stats.binomtest(18, 20).proportion_ci(method="exact")
    assert share(18, 20) == f"18 of 20, 0.90 [{low:.2f}, {high:.2f}]"
    assert share(0, 5).startswith("0 of 5, 0.00 [0.00, ") and share(5, 5).endswith(", 1.00]")


@pytest.mark.parametrize(
    ("cells", "verdict"),
    [
        ([Interval(0, -0.9, 0.9, 9)] * 2, HOLDS),
        ([Interval(0, -0.9, 0.9, 9), Interval(0.5, 0.2, 1.1, 9)], MIXED),
        ([Interval(2, 1.1, 3, 9), Interval(0, -0.5, 0.5, 9)], FAILS),
        ([Interval(2, 1.1, 3, 9), Interval(0, -0.5, 0.5, 9), Interval(0, -0.5, 0.5, 9)], MIXED),
        ([Interval(-2, -3, -1.1, 9)], FAILS),
        ([Interval(0, -2, 2, 9)], INCONCLUSIVE),
    ],
)
def test_equivalence_is_shown_by_intervals_inside_the_margin(cells, verdict):
    assert equivalence({str(i): cell for i, cell in enumerate(cells)}, 1.0)[0] == verdict


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
    with pytest.raises(ValueError, match="effect must say how large"):
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
    with pytest.raises(ValueError, match="difference must say how large"):
        silent.judge(pd.DataFrame({"x": [1.0]}))


@pytest.mark.parametrize(
    ("cells", "verdict"),
    [
        ([ABOVE, ABOVE, ABOVE], HOLDS),
        ([ABOVE, ABOVE, OPEN], MIXED),
        ([ABOVE, ABOVE, BELOW], MIXED),
        ([OPEN, BELOW], MIXED),
        ([BELOW, BELOW], FAILS),
        ([BELOW, BELOW, OPEN], MIXED),
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
    """Four seeds under five conditions with the same sets: the interval is that of four numbers, not of twenty."""
    by_seed = np.array([1.0, 2.0, 4.0, 5.0])
    records = made_records({"loss": {"a": 1.0, "b": 0.0}}, ("one", "two"), "vwxyz", seeds=4, sd=0)
    records.loc[records["method"] == "a", "loss"] = by_seed[records.loc[records["method"] == "a", "seed"]]
    assert paired(records, "loss", "a", "b") == {name: interval(by_seed) for name in ("one", "two")}
    assert paired(records, "loss", "a", "b", by=()) == {"": interval(np.tile(by_seed, 2))}
    gone = records[(records["seed"] > 0) | (records["condition"] == "v")]
    assert paired(gone, "loss", "a", "b")["one"] == interval(by_seed)
    assert paired(records, "loss", "a", "b", by=("dataset", "condition"))["one v"].n == 4


@pytest.mark.parametrize(("far", "verdict"), [(0, HOLDS), (1, HOLDS), (2, MIXED), (4, MIXED), (5, FAILS)])
def test_agreement_counts_cells_within_two_standard_errors(far, verdict):
    """Chi-squared rejects at 18.3 on 10 cells: 4 times 2.1 squared is 17.6."""
    difference = np.r_[np.full(far, -2.1), np.zeros(10 - far), np.nan]
    found, counts, _ = agreement(difference, np.ones(11))
    assert found == verdict and f"{10 - far} of 10 cells" in counts and f"{far} lower" in counts


def test_the_height_at_the_largest_x_is_that_of_the_line():
    """Against the confidence interval of a prediction by the textbook formula."""
    x, y = np.array([1.0, 2.0, 4.0, 8.0]), np.array([1.0, 3.0, 4.0, 9.0])
    fit, u = stats.linregress(np.log(x), np.log(y)), np.log(x)
    residual = np.log(y) - fit.intercept - fit.slope * u
    error = np.sqrt((residual**2).sum() / 2 * (1 / 4 + (u[-1] - u.mean()) ** 2 / ((u - u.mean()) ** 2).sum()))
    half, middle = stats.t.ppf(0.975, 2) * error, fit.intercept + fit.slope * u[-1]
    found = at_largest(x, y)
    assert (found.mean, found.low, found.high) == pytest.approx(tuple(np.exp([middle, middle - half, middle + half])))


def test_a_slope_is_that_of_the_logarithms():
    x = np.array([1.0, 10, 100, 1000])
    found = slope(x, 3 * x**2)
    assert found.mean == pytest.approx(2) and found.high - found.low < 1e-6
    with pytest.raises(ValueError, match="at least three values"):
        slope([1, 2], [1, 2])


def test_a_claim_has_one_function_and_one_of_five_verdicts():
    registered()
    with pytest.raises(ValueError, match="D01 must be judged by one function, got two"):
        claim("D01")(lambda: None)
    with pytest.raises(ValueError, match=r"direction must be one of holds, .*, no_direction, got 'true'"):
        Finding("true")
    with pytest.raises(ValueError, match=r"number must be one of holds, .*, no_number, got 'no_direction'"):
        Finding(HOLDS, number=NO_DIRECTION)
    with pytest.raises(ValueError, match="must state a direction or a number, got neither"):
        Finding(NO_DIRECTION)
