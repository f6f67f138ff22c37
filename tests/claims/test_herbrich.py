"""Claims H01 to H27 on made frames."""

import numpy as np
import pandas as pd
import pytest
from cases import check, made_records, with_frames

from rankbench.ledger import registered

SIZES = {f"m{m:02d}": m for m in (5, 15, 25, 45)}


def curves(multiclass=0.3, svr=0.1, ordinal=0.1, metric="rank_inversions", slow=2.0):
    """Risks that fall as 1 / m (where they are numbers) and seconds of a fit."""

    def falling(at_15):
        return lambda _, condition: at_15 * 15 / SIZES[condition]

    values = {"ordinal": falling(ordinal), "svr": falling(svr), "multiclass": falling(multiclass)}
    seconds = {"ordinal": slow, "svr": 1.0, "multiclass": 1.0}
    records = made_records({metric: values, "fit_seconds": seconds}, ("square",), tuple(SIZES), sd=1e-4)
    return records.assign(n_train=records["condition"].map(SIZES), n_test=lambda frame: 107 - frame["n_train"])


def flat():
    """Risks that do not change with the training size."""
    values = {"rank_inversions": {"ordinal": 0.1, "svr": 0.1}}
    return made_records(values, ("square",), tuple(SIZES)).assign(n_train=lambda f: f["condition"].map(SIZES))


def tube(at_half, others, other_gaps):
    """Regression minus ordinal at the tube of 0.5, at other tubes, and at other gaps."""
    rows = [
        (spacing, epsilon, seed, 0.1, 0.1 + (other_gaps if spacing != 1 else at_half if epsilon == 0.5 else others))
        for spacing in (0.5, 1.0)
        for epsilon in (0.1, 0.5, 1.0)
        for seed in range(5)
    ]
    frame = pd.DataFrame(rows, columns=["spacing", "epsilon", "seed", "ordinal", "svr"])
    return frame.assign(svr=frame["svr"] + 1e-4 * frame["seed"])


def agreement(ordinal=0.95, multiclass=0.7, svr=0.94, svr_exp=0.6, far=0.2):
    """Shares of the square; the multi-class map loses `far` more in the far half."""
    rows = []
    for seed in range(20):
        noise = 1e-3 * np.sin(np.arange(4) * (seed + 1))
        for (method, right), e in zip(
            {"ordinal": ordinal, "multiclass": multiclass, "svr": svr, "svr_exp": svr_exp}.items(), noise, strict=True
        ):
            half = far / 2 if method == "multiclass" else 0.0
            rows.append((25, method, seed, right + e, right + half + e, right - half + e, 1 - right + e))
    columns = ["size", "method", "seed", "right", "right_near", "right_far", "inversions"]
    return pd.DataFrame(rows, columns=columns)


def summary(same):
    """The best method of each metric at two sizes."""
    rows = [
        (condition, metric, method, float((method == "a") != (metric == "zero_one" and not same)))
        for condition in ("m06", "m24")
        for metric in ("rank_inversions", "zero_one")
        for method in ("a", "b")
    ]
    return pd.DataFrame(rows, columns=["condition", "metric", "method", "mean"])


def noise(distance):
    rows = [("one", True, 150, 0.15, distance, 0.1), ("one", False, 850, 0.85, 0.5, 0.1)]
    return pd.DataFrame(rows, columns=["dataset", "changed", "n", "share", "distance", "distance_sd"])


def pairs(off=0.0, correlation=0.0):
    frame = pd.DataFrame({"seed": range(3), "m": 10, "pairs": [20, 30, 40], "pair_error": [0.1, 0.2, 0.3]})
    risk = 2 * frame["pairs"] / 100 * frame["pair_error"] + off
    return frame.assign(risk=risk, correlation=correlation + np.array([-1e-3, 0.0, 1e-3]))


def bounds(line=0.5, risk=0.0, turned=0.5):
    rows = [("square", 2, 0, np.inf, 0.1), ("line", 1, 0, line, risk), ("rotated", 20, 0, turned, risk)]
    return pd.DataFrame(rows, columns=["case", "dimension", "seed", "bound", "risk"])


def growth(power, factor):
    n = np.array([200, 400, 800])
    seconds = {"smo": 1e-4 * n, "cvxopt": factor * 1e-4 * n * (n / 800.0) ** (power - 1)}
    return pd.concat([pd.DataFrame({"solver": solver, "n": n, "seconds": s}) for solver, s in seconds.items()])


def circle(*probabilities):
    return pd.DataFrame({"above": ["a", "b", "c"], "below": ["b", "c", "a"], "probability": probabilities})


def query(worse, better, metric="rank_inversions"):
    return curves(**{"multiclass": 0.2, "svr": 0.2, "ordinal": 0.2, worse: 0.3, better: 0.2}, metric=metric)


def corrected(metric):
    """Tests of both competitors, none of which is clear."""
    frame = pd.DataFrame({"method": ["multiclass", "svr"], "reference": "ordinal", "metric": metric})
    return frame.assign(mean_difference=0.1, corrected_p=0.9)


def on_documents(worse, better, metric="rank_inversions"):
    """Frames where one method is worse, and where it is the other."""
    return tuple((query(*pair, metric), corrected(metric)) for pair in ((worse, better), (better, worse)))


FEWER = (curves(),), (curves(multiclass=0.05),)
CASES = {
    "H01": FEWER,
    "H02": ((curves(svr=0.101),), (curves(svr=0.3),)),
    "H03": ((tube(0.0, 0.2, 0.2),), (tube(0.0, 0.0, 0.0),)),
    "H04": ((curves(),), (flat(),)),
    "H05": ((agreement(),), (agreement(ordinal=0.7),)),
    "H06": ((agreement(),), (agreement(far=-0.2),)),
    "H07": ((agreement(),), (agreement(svr=0.7),)),
    "H08": ((agreement(),), (agreement(svr_exp=0.94),)),
    "H09": on_documents("multiclass", "ordinal"),
    "H10": on_documents("ordinal", "multiclass", "zero_one"),
    "H11": on_documents("svr", "ordinal"),
    "H12": on_documents("svr", "ordinal", "zero_one"),
    "H13": ((curves(),), (curves().assign(n_test=100),)),
    "H14": ((summary(same=False),), (summary(same=True),)),
    "H15": ((curves(),), (curves(slow=0.5),)),
    "H16": ((curves(svr=0.2), curves(svr=0.2)), (curves(svr=0.05), curves(multiclass=0.05, svr=0.05))),
    "H17": ((noise(0.1),), (noise(0.6),)),
    "H18": ((pairs(),), (pairs(off=0.01),)),
    "H19": ((pairs(),), (pairs(correlation=0.2),)),
    "H20": ((bounds(),), (bounds(risk=0.7),)),
    "H21": ((bounds(),), (bounds(turned=0.7),)),
    "H24": (
        (pd.DataFrame({"share": [0.5, 0.6], "error": [0.1, 0.6]}),),
        (pd.DataFrame({"share": [0.5, 0.6], "error": [0.7, 0.7]}),),
    ),
    "H25": ((growth(3, 50),), (growth(1.5, 1.5),)),
    "H26": ((circle(0.55, 0.55, 0.55),), (circle(0.55, 0.55, 0.45),)),
    "H27": (
        (pd.DataFrame({"updates": [3, 9], "bound": [10.0, 10.0], "converged": True}),),
        (pd.DataFrame({"updates": [3, 11], "bound": [10.0, 10.0], "converged": True}),),
    ),
}


@pytest.mark.parametrize("claim_id", CASES)
def test_the_verdict_follows_the_frames(claim_id):
    check(claim_id, *CASES[claim_id])


def test_methods_on_one_sample_are_one_observation():
    one, frame = (registered()["H19"].judge(f).ours for f in (pairs(), pd.concat([pairs()] * 4)))
    assert one == frame and "3 samples" in one


def test_documents_tell_what_the_correction_leaves():
    assert "correction 0 for, 0 against of 1" in registered()["H12"].judge(*CASES["H12"][0]).ours


def test_every_claim_has_its_case():
    assert with_frames("H") == set(CASES)
