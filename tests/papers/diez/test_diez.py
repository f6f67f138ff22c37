"""Claims D01 to D17 on made frames."""

import numpy as np
import pandas as pd
import pytest
from made_frames import check, with_frames
from scipy import stats

from rankbench.claims.numbers import reruns
from rankbench.claims.verdict import FAILS, HOLDS, INCONCLUSIVE, MIXED, NO_NUMBER
from rankbench.ledger import registered
from rankbench.papers.diez.claims import _marks
from rankbench.registry import PUBLISHED

TABLE, OVERALL = (pd.read_csv(PUBLISHED[f"diez_{name}.csv"]) for name in ("table1", "overall"))


def summary(shift=0.0, cells=36):
    """Return the printed means; a given number of them is shifted by some percentage points."""
    shift = np.where(np.arange(36) < cells, shift, 0.0)
    return pd.DataFrame(
        {
            "dataset": TABLE["dataset"].str.lower(),
            "method": TABLE["method"],
            "mean": (TABLE["mean_swapped_pct"] + shift) / 100,
            "sd": TABLE["sd_swapped_pct"] / 100,
            "n_runs": 20,
        }
    )


def off_by(errors, cells=36):
    """The printed means, a given number of them shifted by a given number of standard errors of a difference."""
    error = np.sqrt(2 * TABLE["sd_swapped_pct"] ** 2 / 20)
    frame = summary()
    return frame.assign(mean=frame["mean"] + np.where(np.arange(36) < cells, errors * error / 100, 0.0))


def per_dataset(p, sign=1, unmarked=0.5):
    """The printed differences (times a sign): printed marks have p, the others another one."""
    wide = TABLE.pivot(index="dataset", columns="method", values="mean_swapped_pct")
    cells = TABLE[TABLE["method"] != "svm_multi_sp"]
    differences = [
        sign * (wide.loc[c.dataset, c.method] - wide.loc[c.dataset, "svm_multi_sp"]) for c in cells.itertuples()
    ]
    p = [p if c.significance > 0 else unmarked for c in cells.itertuples()]
    frame = pd.DataFrame(
        {"dataset": cells["dataset"].str.lower(), "method": cells["method"], "mean_difference": differences}
    )
    t = stats.t.isf(np.array(p) / 2, 19) * np.sign(differences)
    error = np.divide(differences, t, out=np.ones(len(t)), where=t != 0)
    return frame.assign(t_p=p, corrected_p=0.5, holm_p=0.5, bh_p=p, t=t, n_pairs=20, standard_error=error)


def with_t(*t, sizes=1.0):
    """Twelve data sets against each opponent, with these t values and mean differences of so many standard errors."""
    values = np.resize(np.asarray(t, dtype=float), 12)
    rows = [(f"set{k}", method, value) for method in ("svor5", "herbrich5") for k, value in enumerate(values)]
    frame = pd.DataFrame(rows, columns=["dataset", "method", "t"])
    p = 2 * stats.t.sf(np.abs(frame["t"]), 19)
    frame = frame.assign(
        standard_error=np.resize(sizes, len(frame)), t_p=p, holm_p=p, bh_p=p, corrected_p=p, n_pairs=20
    )
    return frame.assign(mean_difference=frame["t"] * frame["standard_error"])


def marks(at_05, at_01, others=0.5):
    """Cells marked 0.05 and 0.01 have these p, the others another one; the direct method is always ahead."""
    cells = per_dataset(0.5)
    printed = TABLE[TABLE["method"] != "svm_multi_sp"]["significance"].to_numpy()
    p = np.select([printed == 0.05, printed == 0.01], [at_05, at_01], others)
    return cells.assign(t_p=p, t=stats.t.isf(p / 2, 19))


def repeated(same):
    """Return p values: this number of cells has the printed mark, the others have the next mark."""
    printed = TABLE[TABLE["method"] != "svm_multi_sp"]["significance"].to_numpy()
    mark = np.select([printed == 0.05, printed == 0.01], [1, 2], 0)
    mark = np.where(np.arange(24) < same, mark, (mark + 1) % 3)
    p = np.array([0.5, 0.02, 0.001])[mark]
    return per_dataset(0.5).assign(t_p=p, t=stats.t.isf(p / 2, 19))


def apart(p=0.001):
    """Tests on training sets without a common row."""
    rows = [("bank8", method, 8.0, 0.01, p) for method in ("svor5", "herbrich5")]
    return pd.DataFrame(rows, columns=["dataset", "method", "t", "mean_difference", "holm_p"])


def overall(wins, losses, p, difference=0.01, opponents=("svor5", "herbrich5")):
    row = {"method": "svm_multi_sp", "n_datasets": 12, "wins": wins, "ties": 12 - wins - losses, "losses": losses}
    row |= {
        "p_one_sided": p,
        "mean_difference": difference,
        "t": np.copysign(stats.t.isf(min(p, 1 - p), 11), difference),
    }
    return pd.DataFrame([{**row, "opponent": opponent} for opponent in opponents])


def multiverse(p, difference):
    return overall(9, 3, p, difference, ("svor5", "svor5_split", "herbrich5"))


def oracle(exponent, differing, in_r=None, wave=1.0):
    """Seconds that grow with a power of n and r, and trials; those at the second n are a factor off."""
    in_r = exponent if in_r is None else in_r
    rows = [("n", n, 5, 1e-6 * n**exponent * (wave if n == 2000 else 1.0), np.nan) for n in (1000, 2000, 4000)]
    rows += [("r", 4000, r, 1e-3 * r**in_r, np.nan) for r in (5, 50, 500)]
    rows += [("trial", 10, 3, np.nan, differing)]
    return (pd.DataFrame(rows, columns=["part", "n", "r", "seconds", "differing"]),)


def counts(error):
    frame = pd.DataFrame({"loss_error": error, "psi_error": 0.0, "tied": [False, True], "auc_error": [error, 0.1]})
    return (frame.assign(strict_error=error),)


def growth(pairs=2.0, planes=0.0, rows=2.0, times=20, wave=1.0, wobble=1.0):
    n = np.array([100, 200, 400, 800])
    planes = 20 * n**planes * np.array([1, wobble, 1 / wobble, 1])
    frame = pd.DataFrame({"n": n, "tol": 0.1, "pair_bytes": n**pairs, "direct_bytes": 16.0 * n, "planes": planes})
    return (
        frame.assign(
            threshold_rows=n**rows * np.array([1, wave, 1 / wave, 1]), pairs_seconds=times * 0.01, direct_seconds=0.01
        ),
    )


def slack(factor, less=0.0):
    """Return slack sums: a factor times the deviation, minus a share of 1 plus the deviation."""
    deviation = np.array([1.0, 5.0, 0.0])
    sums = factor * deviation + 1e-12 - less * (1 + deviation)
    return (pd.DataFrame({"slack_sum": sums, "deviation": deviation}),)


def wins(n):
    """The paper's counts, with so many wins and so many significant ones over each opponent."""
    return OVERALL.assign(wins=n, significant_wins=n)


def printed_p(p):
    return OVERALL.assign(ttest_p_published=p)


FAR, NEAR, BEHIND = with_t(8.0), with_t(0.5), with_t(-8.0)
COUNTS = [
    ((HOLDS, HOLDS), (overall(12, 0, 0.001), FAR, wins(12))),
    ((HOLDS, FAILS), (overall(12, 0, 0.001), FAR, wins(11))),
    ((INCONCLUSIVE, HOLDS), (overall(12, 0, 0.2), NEAR, wins(8))),  # a rerun would win 4 to 11 of 12
    ((INCONCLUSIVE, FAILS), (overall(12, 0, 0.2), NEAR, wins(3))),
    ((INCONCLUSIVE, HOLDS), (overall(12, 0, 0.2), NEAR, wins(4))),
    ((INCONCLUSIVE, HOLDS), (overall(12, 0, 0.01), with_t(1.1), wins(10))),  # a rerun would win 6 to 12
    ((HOLDS, HOLDS), (overall(12, 0, 0.01), with_t(1.2), wins(10))),  # 7 to 12
    ((FAILS, FAILS), (overall(0, 12, 0.999, -0.01), BEHIND, wins(8))),
]
ACROSS = [
    ((HOLDS, HOLDS), (overall(11, 1, 0.049), with_t(3.0, 2.0), printed_p(1e-5))),
    ((INCONCLUSIVE, FAILS), (overall(11, 1, 0.051), with_t(3.0, 2.0), printed_p(0.02))),
    ((INCONCLUSIVE, FAILS), (overall(1, 11, 0.949, -0.01), BEHIND, OVERALL)),
    ((FAILS, FAILS), (overall(1, 11, 0.951, -0.01), BEHIND, OVERALL)),
]
MARKS = [
    ((HOLDS, HOLDS), (with_t(8.0), wins(12), apart())),
    ((HOLDS, FAILS), (with_t(8.0), wins(11), apart())),
    ((HOLDS, FAILS), (with_t(4.0), wins(7), apart())),  # a rerun has 9 to 12
    ((HOLDS, HOLDS), (with_t(3.3), wins(7), apart())),  # 7 to 12
    ((MIXED, HOLDS), (with_t(8.0).assign(corrected_p=0.5), wins(12), apart(0.5))),
    ((INCONCLUSIVE, HOLDS), (with_t(2.75), wins(7), apart())),  # 5 to 11 of 12 wins or fewer
    ((INCONCLUSIVE, HOLDS), (with_t(8.0).assign(corrected_p=[0.001, 0.5] * 12), wins(12), apart())),
    ((FAILS, FAILS), (with_t(-8.0), wins(7), pd.concat([apart(0.5)] * 8))),
]
CASES = {
    "D01": [
        (HOLDS, (summary(), TABLE)),
        (HOLDS, (summary(-1.5, cells=3), TABLE)),
        (FAILS, (summary(shift=30, cells=3), TABLE)),  # 33 of 36 agree, and all together do not
        (HOLDS, (off_by(1.9, cells=4), TABLE)),
        (HOLDS, (off_by(2.1, cells=3), TABLE)),
        (MIXED, (off_by(2.1, cells=4), TABLE)),
        (HOLDS, (off_by(1.17), TABLE)),  # p = 0.07 of the whole
        (FAILS, (off_by(1.21), TABLE)),  # p = 0.04
    ],
    "D02": COUNTS,
    "D03": MARKS,
    "D04": COUNTS,
    "D05": MARKS,
    "D06": [
        (HOLDS, (per_dataset(0.001, unmarked=0.051),)),
        (HOLDS, (with_t(8.0),)),  # no loss: true, and not counted
        (FAILS, (per_dataset(0.001, unmarked=0.049),)),
    ],
    "D07": ACROSS,
    "D08": ACROSS,
    "D09": [
        (HOLDS, (multiverse(0.049, 0.01),)),
        (INCONCLUSIVE, (multiverse(0.051, 0.01),)),
        (INCONCLUSIVE, (multiverse(0.949, -0.01),)),
        (MIXED, (pd.concat([multiverse(0.049, 0.01), multiverse(0.9, -0.01)]),)),
        (FAILS, (multiverse(0.951, -0.01),)),
    ],
    "D10": [
        (HOLDS, (marks(0.02, 0.001), TABLE)),
        (HOLDS, (marks(0.001, 0.001), TABLE)),
        (HOLDS, (repeated(12), TABLE)),  # a rerun repeats at least 12 (0.05), 13 (0.1)
        (FAILS, (repeated(11), TABLE)),  # 12 (0.05), 11 (0.025)
        (FAILS, (marks(1e-9, 1e-9, 1e-9), TABLE)),
        (FAILS, (marks(0.9, 0.9, 1e-6), TABLE)),
    ],
    "D11": [
        (HOLDS, oracle(1, 0)),
        (FAILS, oracle(1, 1)),
        (HOLDS, oracle(1.19, 0, in_r=1.04)),
        (FAILS, oracle(1.21, 0, in_r=1.04)),
        (FAILS, oracle(1.19, 0, in_r=1.06)),
        (FAILS, oracle(2, 1)),
        (INCONCLUSIVE, oracle(1, 0, wave=1.5)),  # the wider interval contains the limit
        (INCONCLUSIVE, oracle(1, 0, wave=3.0)),
    ],
    "D12": [(HOLDS, counts(0.0)), (HOLDS, counts(0.9e-9)), (FAILS, counts(1.1e-9))],
    "D13": [(HOLDS, counts(0.0)), (HOLDS, counts(0.9e-9)), (FAILS, counts(1.1e-9))],
    "D14": [
        (HOLDS, growth()),
        (HOLDS, growth(pairs=1.61, times=2)),
        (MIXED, growth(pairs=1.59)),
        (MIXED, growth(pairs=1.41)),
        (FAILS, growth(pairs=1.39)),
        (FAILS, growth(pairs=1.2)),
    ],
    "D15": [
        (HOLDS, growth()),
        (HOLDS, growth(rows=1.91)),
        (FAILS, growth(rows=1.89)),
        (FAILS, growth(rows=2.11)),
        (INCONCLUSIVE, growth(wave=1.5)),
    ],
    "D16": [
        (HOLDS, growth()),
        (HOLDS, growth(planes=0.99)),
        (FAILS, growth(planes=1.01)),
        (INCONCLUSIVE, growth(planes=0.9, wobble=1.5)),
    ],
    "D17": [
        (HOLDS, slack(2)),
        (FAILS, slack(0.999)),
        (HOLDS, slack(1, less=0.9e-9)),
        (FAILS, slack(1, less=1.1e-9)),
    ],
}


@pytest.mark.parametrize("claim_id", CASES)
def test_the_verdict_follows_the_frames(claim_id):
    check(claim_id, CASES[claim_id])


def test_the_difference_over_all_sets_has_its_interval():
    found = registered()["D07"].judge(overall(11, 1, 0.049), FAR, OVERALL)
    assert found.effect == "1.00 [-0.22, 2.22] points"  # t = 1.80 with 11 degrees of freedom


def test_the_table_is_judged_as_a_whole_too():
    """The sum of squared z values by hand."""
    frame = summary(1.0)
    error = np.sqrt(2 * TABLE["sd_swapped_pct"] ** 2 / 20)
    chi2 = float((1 / error**2).sum())
    found = registered()["D01"].judge(frame, TABLE).ours
    assert f"chi-squared {chi2:.0f} on 36" in found and "mean +" in found


def test_reruns_have_the_spread_of_a_difference_of_two_runs():
    """Probabilities by hand: a t value of a rerun is normal with the variance 2 around ours."""
    cells = with_t(0.0, 2.0, 3.0, -1.0).query("method == 'svor5'").iloc[:4].assign(standard_error=[0.5, 1.0, 2.0, 4.0])
    t, differences = reruns(cells)
    above = stats.norm.sf((stats.t.ppf(0.975, 19) - cells["t"].to_numpy()) / np.sqrt(2))
    np.testing.assert_allclose((_marks(t, cells["n_pairs"].to_numpy()) > 0).mean(axis=0), above, atol=0.015)
    np.testing.assert_allclose(differences, t * [0.5, 1.0, 2.0, 4.0])
    assert np.allclose(np.cov(t.T), 2 * np.eye(4), atol=0.1)


def test_the_significant_wins_tell_what_other_tests_leave():
    cells = with_t(*[5.0] * 8, *[1.0] * 3, -5.0).assign(holm_p=0.2, corrected_p=np.nan)
    cells.loc[cells.groupby("method").cumcount().isin([0, 1, 11]), ["holm_p", "corrected_p"]] = 0.01
    said = registered()["D03"].judge(cells, OVERALL, apart(0.02)).ours
    assert "8 of 11 wins" in said and "Holm 2" in said and "correction 2 of the 2 wins" in said
    assert "common row 1 of 1 after Holm's adjustment (bank8 p = 0.02)" in said


def test_without_a_loss_there_is_nothing_to_test():
    losses, none = (registered()["D06"].judge(frame) for frame in (per_dataset(0.001), with_t(8.0)))
    assert losses.aside == "" and none.aside == "nothing to test: no losses" and none.direction == HOLDS


def test_what_states_only_a_number_has_no_direction_and_the_other_way_round():
    assert registered()["D01"].judge(summary(), TABLE).direction == "no_direction"
    assert registered()["D16"].judge(*growth()).number == NO_NUMBER


def test_every_claim_has_its_case():
    assert with_frames("D") == set(CASES)
