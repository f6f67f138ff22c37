"""Claims L01 to L16 on made frames."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import check, made_records, with_frames

PRINTED = pd.read_csv(Path(__file__).parents[2] / "resources/published/shashua_levin.csv")
METRIC = "mean_absolute_error"


def equal(off):
    policies = ["fixed_margin", "sum_of_margins"]
    return pd.DataFrame({"policy": policies, "difference": [off, off], "range": [2.0, 2.0]})


def sizes(n=10, pairs=30, multiclass=30):
    frame = pd.DataFrame({"formula": [10, 20], "fixed_margin": [n, 2 * n], "sum_of_margins": [n, 2 * n]})
    return frame.assign(pairs=pairs, multiclass=multiclass)


def sweep(low="ok", errors=1, norm=1.0):
    rows = [
        (shares, place, status, errors if status == "ok" else np.nan, norm if status == "ok" else np.nan)
        for shares in ("equal", "rare")
        for place, status in ((-0.1, "outside"), (0.0, low if shares == "rare" else "ok"), (0.5, "ok"), (1.0, "ok"))
    ]
    return pd.DataFrame(rows, columns=["shares", "place", "status", "errors", "norm"])


def users(prank=1.2, **others):
    values = {"fixed_margin": 0.7, "sum_of_margins": 0.7, "prank": prank, "multiclass_svm": 0.9, **others}
    return made_records({METRIC: values}, conditions=("n050", "n300"))


def vehicle(multiclass=0.25, kernel_prank=1.4, policies=0.2):
    values = {"fixed_margin": policies, "sum_of_margins": policies, "prank": kernel_prank, "median_rank": 0.8}
    errors = {**values, "multiclass_svm": multiclass, "kernel_prank": kernel_prank}
    return made_records({"zero_one": errors, METRIC: errors}, datasets=("vehicles",))


def uco(others):
    values = dict.fromkeys(["kernel_prank", "multiclass_svm", "rank_boundaries", "svor_implicit"], others)
    return made_records({METRIC: {"fixed_margin": 0.3, "sum_of_margins": 0.3, **values}})


def growth(seconds):
    n = np.array([50, 100, 200])
    frame = pd.DataFrame({"n": n, "pairs": n**2, "pairwise_seconds": seconds, "gap": 1e-3})
    return frame.assign(fixed_margin_seconds=0.01)


def recovery(fixed_margin):
    """All thresholds of the sum of margins can be read off, and this share of those of the fixed margin."""
    rows = [("sum_of_margins", 3, 1e-8)] * 10 + [("fixed_margin", 2, 1e-8)] * fixed_margin
    rows += [("fixed_margin", 0, np.nan)] * (10 - fixed_margin)
    return pd.DataFrame(rows, columns=["policy", "free", "difference"])


EQUAL = (equal(1e-6),), (equal(0.1),)
CASES = {
    "L01": EQUAL,
    "L02": EQUAL,
    "L03": ((sizes(),), (sizes(n=11),)),
    "L04": ((sweep(),), (sweep(low="outside"),)),
    "L05": ((users(), PRINTED), (users(fixed_margin=1.1), PRINTED)),
    "L06": ((users(), PRINTED), (users(prank=0.8), PRINTED)),
    "L07": ((users(),), (users(prank=0.6),)),
    "L08": ((vehicle(), PRINTED), (vehicle(multiclass=0.05), PRINTED)),
    "L09": ((vehicle(), PRINTED), (vehicle(kernel_prank=0.3), PRINTED)),
    "L10": ((users(), vehicle(), uco(0.4)), (users(), vehicle(multiclass=0.05), uco(0.2))),
    "L11": ((growth([1.0, 20.0, 400.0]),), (growth([0.1, 0.4, 1.6]),)),
    "L12": ((pd.DataFrame({"share": [0.05]}),), (pd.DataFrame({"share": [0.024]}),)),
    "L13": ((recovery(3),), (recovery(10),)),
    "L14": ((sweep(),), (sweep(norm=0.9),)),
    "L16": ((sizes(),), (sizes(pairs=5),)),
}


@pytest.mark.parametrize("claim_id", CASES)
def test_the_verdict_follows_the_frames(claim_id):
    check(claim_id, *CASES[claim_id])


def test_every_claim_has_its_case():
    assert with_frames("L") == set(CASES)
