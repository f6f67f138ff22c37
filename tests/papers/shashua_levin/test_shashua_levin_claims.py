"""Claims L01 to L16 on made frames."""

import numpy as np
import pandas as pd
import pytest
from made_frames import check, made_records, spread, with_frames

from rankbench.claims.verdict import FAILS, HOLDS, INCONCLUSIVE, MIXED, NOT_CHECKABLE
from rankbench.ledger import registered
from rankbench.registry import PUBLISHED

PRINTED = pd.read_csv(PUBLISHED["shashua_levin.csv"])
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


def users(prank=1.25, **others):
    values = {"fixed_margin": 0.7, "sum_of_margins": 0.7, "prank": prank, "multiclass_svm": 0.9, "constant": 1.4}
    values = {**values, "random_answer": 2.0, "prank_more": 0.8, **others}
    return made_records({METRIC: values}, conditions=("n050", "n300"))


def six_users(method, mean, half):
    """Six users whose errors of a method spread so that their interval is mean +- half."""
    noise = spread(6, half)
    names = [f"user{k}" for k in range(6)]
    others = {} if method == "fixed_margin" else {"fixed_margin": 0.7}
    values = {"prank": 1.25, "constant": 1.4, "prank_more": 0.8, **others}
    values[method] = lambda dataset, _: mean + noise[names.index(dataset)]
    return made_records({METRIC: values}, datasets=names, conditions=("n050", "n300"), sd=0.0)


def at_sizes(gaps):
    """PRank minus fixed margin at sizes."""
    sizes = [f"n{k}" for k in range(len(gaps))]
    values = {"fixed_margin": 0.7, "prank": lambda _, size: 0.7 + gaps[sizes.index(size)], "prank_more": 0.8}
    return made_records({METRIC: values}, datasets=("a", "b", "c"), conditions=sizes, sd=1e-3)


def vehicle(multiclass=0.25, kernel_prank=1.4, policies=0.2, constant=0.8, sums=None, sd=1e-4):
    values = {"fixed_margin": policies, "sum_of_margins": policies if sums is None else sums, "prank": kernel_prank}
    values |= {"constant": constant, "random_answer": 0.9}
    errors = {**values, "multiclass_svm": multiclass, "kernel_prank": kernel_prank, "kernel_prank_more": 0.5}
    return made_records({"zero_one": errors, METRIC: errors}, datasets=("vehicles",), sd=sd)


def wide(records, metric, half):
    """The same means; the policies have errors whose interval is +- half."""
    wave = spread(20, half)[records["seed"]]
    policies = records["method"].isin(["fixed_margin", "sum_of_margins"])
    return records.assign(**{metric: records[metric] + np.where(policies, wave, 0.0)})


def uco(others):
    values = dict.fromkeys(["kernel_prank", "multiclass_svm", "rank_boundaries", "svor_implicit"], others)
    return made_records({METRIC: {"fixed_margin": 0.3, "sum_of_margins": 0.3, **values}})


def relaxed(norm, value=1.0):
    return (pd.DataFrame({"value": [value, value, 1e-9], "norm": [1.0, norm, 0.0]}),)


def growth(power, hours, wave=1.0):
    """Pairs that grow with a power and take so many hours at the largest size; both are a factor off at one size."""
    n = np.array([50, 100, 200])
    off = np.where(n == 100, wave, 1.0)
    frame = pd.DataFrame({"n": n, "pairs": n**power * off, "pairwise_seconds": 3600 * hours * (n / 200.0) ** 2 * off})
    return (frame.assign(fixed_margin_seconds=0.01, gap=1e-3),)


def recovery(fixed_margin, sums=20, off=1e-8):
    """So many of 20 thresholds of the sum of margins can be read off up to `off`, and of 10 of the fixed margin."""
    rows = [("sum_of_margins", 3, off)] * sums + [("sum_of_margins", 0, np.nan)] * (20 - sums)
    rows += [("fixed_margin", 2, 1e-8)] * fixed_margin + [("fixed_margin", 0, np.nan)] * (10 - fixed_margin)
    return (pd.DataFrame(rows, columns=["policy", "free", "difference"]),)


def counted(smaller):
    """Ten problems, so many of them smaller than pairs and classes."""
    frame = pd.concat([sizes()] * 5, ignore_index=True)
    frame.loc[frame.index >= smaller, "pairs"] = 5
    return (frame,)


def printed_at(method, printed):
    """Verdicts on the word "about", which allows a tenth of the number."""
    tenth = printed / 10
    return [
        (HOLDS, (six_users(method, printed + 0.5 * tenth, 0.49 * tenth), PRINTED)),
        (INCONCLUSIVE, (six_users(method, printed + 0.5 * tenth, 0.51 * tenth), PRINTED)),
        (INCONCLUSIVE, (six_users(method, printed + 1.5 * tenth, 0.51 * tenth), PRINTED)),
        (INCONCLUSIVE, (six_users(method, printed, 9 * tenth), PRINTED)),
        (FAILS, (six_users(method, printed + 1.5 * tenth, 0.49 * tenth), PRINTED)),
        (FAILS, (six_users(method, printed - 1.5 * tenth, 0.49 * tenth), PRINTED)),
    ]


EQUAL = [(HOLDS, (equal(0.0019),)), (FAILS, (equal(0.0021),))]  # of a range of 2
CASES = {
    "L01": EQUAL,
    "L02": EQUAL,
    "L03": [
        (HOLDS, (sizes(),)),
        (FAILS, (sizes(n=11),)),
        (FAILS, (pd.concat([sizes(), sizes(n=11)]),)),
        (FAILS, (sizes().assign(fixed_margin=11),)),
        (FAILS, (sizes().assign(sum_of_margins=11),)),
    ],
    "L04": [(HOLDS, (sweep(),)), (MIXED, (sweep(low="outside"),)), (FAILS, (sweep(errors=2),))],
    "L05": printed_at("fixed_margin", 0.7),
    "L06": printed_at("prank", 1.25),
    "L15": printed_at("prank", 1.25),
    "L07": [
        (HOLDS, (at_sizes([0.5, 0.5, 0.5]),)),
        (FAILS, (at_sizes([-0.5, -0.5]),)),
        (MIXED, (at_sizes([0.5, -0.5]),)),
        (MIXED, (at_sizes([0.5, 0.0, 0.5]),)),
        (INCONCLUSIVE, (at_sizes([0.0, 0.0]),)),
    ],
    "L08": [
        ((HOLDS, HOLDS), (vehicle(multiclass=0.25), PRINTED)),
        ((HOLDS, HOLDS), (vehicle(multiclass=0.254), PRINTED)),
        ((HOLDS, FAILS), (vehicle(multiclass=0.256), PRINTED)),
        ((HOLDS, INCONCLUSIVE), (wide(vehicle(multiclass=0.25), "zero_one", 0.01), PRINTED)),
        ((FAILS, FAILS), (vehicle(multiclass=0.05), PRINTED)),
        ((MIXED, FAILS), (vehicle(sums=0.3), PRINTED)),
        ((INCONCLUSIVE, FAILS), (vehicle(multiclass=0.2), PRINTED)),
        (NOT_CHECKABLE, (vehicle(constant=0.05), PRINTED)),
    ],
    "L09": [
        ((HOLDS, HOLDS), (vehicle(kernel_prank=1.4), PRINTED)),
        ((HOLDS, INCONCLUSIVE), (wide(vehicle(kernel_prank=1.4), METRIC, 0.2), PRINTED)),
        ((HOLDS, HOLDS), (vehicle(kernel_prank=1.48), PRINTED)),
        ((HOLDS, FAILS), (vehicle(kernel_prank=1.53), PRINTED)),
        ((FAILS, FAILS), (vehicle(kernel_prank=0.1), PRINTED)),
        ((MIXED, FAILS), (vehicle(kernel_prank=0.25, sums=0.3), PRINTED)),
        ((INCONCLUSIVE, FAILS), (vehicle(kernel_prank=0.2), PRINTED)),
    ],
    "L10": [
        (HOLDS, (users(), vehicle(), uco(0.4))),
        (MIXED, (users(), vehicle(multiclass=0.05), uco(0.2))),
        (FAILS, (users(prank=0.5, multiclass_svm=0.5), vehicle(multiclass=0.05, kernel_prank=0.1), uco(0.2))),
        (
            INCONCLUSIVE,
            (users(prank=0.7, multiclass_svm=0.7), vehicle(multiclass=0.2, kernel_prank=0.2), uco(0.3)),
        ),
    ],
    "L11": [
        (HOLDS, growth(2, 1.01)),
        (HOLDS, growth(2.09, 2.5)),
        (MIXED, growth(2.11, 1.01)),
        (MIXED, growth(2, 0.99)),
        (FAILS, growth(2.11, 0.99)),
        (FAILS, growth(1.5, 0.001)),
        (INCONCLUSIVE, growth(2, 1.0, wave=1.3)),
    ],
    "L12": [
        (HOLDS, (pd.DataFrame({"share": [0.0549]}),)),
        (HOLDS, (pd.DataFrame({"share": [0.0451]}),)),
        (FAILS, (pd.DataFrame({"share": [0.024]}),)),
        (FAILS, (pd.DataFrame({"share": [0.0551]}),)),
    ],
    "L13": [
        (HOLDS, recovery(4)),
        (HOLDS, recovery(4, sums=19)),
        (MIXED, recovery(4, sums=18)),
        (MIXED, recovery(5)),
        (MIXED, recovery(5, sums=10)),
        (FAILS, recovery(4, sums=9)),
        (HOLDS, recovery(4, off=0.9e-4)),
        (FAILS, recovery(4, off=1.1e-4)),
    ],
    "L14": [(HOLDS, relaxed(1.00009)), (FAILS, relaxed(1.00011)), (FAILS, relaxed(0.9))],
    "L16": [(HOLDS, counted(10)), (HOLDS, counted(9)), (MIXED, counted(8)), (MIXED, counted(5)), (FAILS, counted(4))],
}


@pytest.mark.parametrize("claim_id", CASES)
def test_the_verdict_follows_the_frames(claim_id):
    check(claim_id, CASES[claim_id])


def test_every_claim_has_its_case():
    assert with_frames("L") == set(CASES)


def test_the_printed_errors_of_both_methods_are_told():
    for frame in (vehicle(), vehicle(constant=0.05)):
        assert registered()["L08"].judge(frame, PRINTED).published == "20 against 25 percent"
