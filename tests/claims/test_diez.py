"""Claims D01 to D17 on made frames."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import check, with_frames

from rankbench.claims.verdict import MIXED
from rankbench.ledger import registered

PUBLISHED = Path(__file__).parents[2] / "resources/published"
TABLE, OVERALL = (pd.read_csv(PUBLISHED / f"diez_{name}.csv") for name in ("table1", "overall"))


def summary(shift=0.0):
    """The printed means, all shifted by so many points."""
    return pd.DataFrame(
        {
            "dataset": TABLE["dataset"].str.lower(),
            "method": TABLE["method"],
            "mean": (TABLE["mean_swapped_pct"] + shift) / 100,
            "sd": TABLE["sd_swapped_pct"] / 100,
            "n_runs": 20,
        }
    )


def per_dataset(p, sign=1):
    """The printed differences (times a sign): printed marks have p, the others 0.5."""
    wide = TABLE.pivot(index="dataset", columns="method", values="mean_swapped_pct")
    cells = TABLE[TABLE["method"] != "svm_multi_sp"]
    differences = [
        sign * (wide.loc[c.dataset, c.method] - wide.loc[c.dataset, "svm_multi_sp"]) for c in cells.itertuples()
    ]
    p = [p if c.significance > 0 else 0.5 for c in cells.itertuples()]
    return pd.DataFrame(
        {"dataset": cells["dataset"].str.lower(), "method": cells["method"], "mean_difference": differences}
    ).assign(t_p=p, corrected_p=0.5)


def marks(at_05, at_01):
    """The printed differences: cells marked 0.05 and 0.01 have these p, the others 0.5."""
    cells = per_dataset(0.5)
    printed = TABLE[TABLE["method"] != "svm_multi_sp"]["significance"].to_numpy()
    return cells.assign(t_p=np.select([printed == 0.05, printed == 0.01], [at_05, at_01], 0.5))


def overall(wins, losses, p, difference=0.01, opponents=("svor5", "herbrich5")):
    row = {"method": "svm_multi_sp", "n_datasets": 12, "wins": wins, "ties": 0, "losses": losses}
    return pd.DataFrame([{**row, "opponent": o, "p_one_sided": p, "mean_difference": difference} for o in opponents])


def multiverse(p, difference):
    return overall(9, 3, p, difference, ("svor5", "svor5_split", "herbrich5"))


def oracle(exponent, differing):
    """Seconds that grow with a power of n and r, and trials."""
    rows = [("n", n, 5, 1e-6 * n**exponent, np.nan) for n in (1000, 2000, 4000)]
    rows += [("r", 4000, r, 1e-3 * r**exponent, np.nan) for r in (5, 50, 500)]
    rows += [("trial", 10, 3, np.nan, differing)]
    return (pd.DataFrame(rows, columns=["part", "n", "r", "seconds", "differing"]),)


def counts(error):
    frame = pd.DataFrame({"loss_error": error, "psi_error": 0.0, "tied": [False, True], "auc_error": [error, 0.1]})
    return (frame.assign(strict_error=error),)


def growth(pairs=2.0, planes=0.0, rows=2.0, times=20):
    n = np.array([100, 200, 400, 800])
    frame = pd.DataFrame(
        {"n": n, "tol": 0.1, "pair_bytes": n**pairs, "direct_bytes": 16.0 * n, "planes": 20 * n**planes}
    )
    return (frame.assign(threshold_rows=n**rows, pairs_seconds=times * 0.01, direct_seconds=0.01),)


def slack(factor):
    deviation = np.array([1.0, 5.0, 0.0])
    return (pd.DataFrame({"slack_sum": factor * deviation + 1e-12, "deviation": deviation}),)


COUNTS = (overall(11, 1, 0.001), OVERALL), (overall(1, 11, 0.999, -0.01), OVERALL)
MARKS = (per_dataset(0.001), OVERALL), (per_dataset(0.5), OVERALL)
CASES = {
    "D01": ((summary(), TABLE), (summary(shift=30), TABLE)),
    "D02": COUNTS,
    "D03": MARKS,
    "D04": COUNTS,
    "D05": MARKS,
    "D06": ((per_dataset(0.001),), (per_dataset(0.001, sign=-1),)),
    "D07": COUNTS,
    "D08": COUNTS,
    "D09": ((multiverse(0.01, 0.01),), (multiverse(0.9, -0.01),)),
    "D11": (oracle(1, 0), oracle(2, 1)),
    "D12": (counts(0.0), counts(0.1)),
    "D13": (counts(0.0), counts(0.1)),
    "D14": (growth(), growth(times=2)),
    "D15": (growth(), growth(rows=1.0)),
    "D16": (growth(), growth(planes=1.5)),
    "D17": (slack(2), slack(0.5)),
    "D10": ((marks(0.02, 0.001), TABLE), (marks(0.5, 0.5), TABLE)),
}


@pytest.mark.parametrize("claim_id", CASES)
def test_the_verdict_follows_the_frames(claim_id):
    check(claim_id, *CASES[claim_id])


@pytest.mark.parametrize("p", [(0.001, 0.001), (0.02, 0.02)])
def test_marks_are_compared_at_both_levels(p):
    found = registered()["D10"].judge(marks(*p), TABLE)
    assert (
        found.verdict == MIXED and "24 of 24 cells at 0.05" in found.ours and "24 of 24 cells at 0.01" not in found.ours
    )


def test_every_claim_has_its_case():
    assert with_frames("D") == set(CASES)
