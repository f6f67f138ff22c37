"""Made frames for claims: one set that supports a claim and one that contradicts it."""

import itertools

import numpy as np
import pandas as pd

from rankbench.claims.verdict import HOLDS, NOT_CHECKABLE
from rankbench.ledger import registered


def check(claim_id, supporting, contradicting):
    """Assert that a claim holds on the first frames (in the order of its needs) and neither holds nor reads the same on
    the second."""
    claim = registered()[claim_id]
    assert len(supporting) == len(contradicting) == len(claim.needs)
    good, bad = claim.judge(*supporting), claim.judge(*contradicting)
    assert good.verdict == HOLDS, good
    assert bad.verdict not in (HOLDS, NOT_CHECKABLE), bad
    assert good.ours and good.why and good.ours != bad.ours


def with_frames(prefix):
    """Return the ids of all claims that start with `prefix` and read frames: each must have its case."""
    return {claim_id for claim_id, claim in registered().items() if claim_id.startswith(prefix) and claim.needs}


def made_records(values, datasets=("one", "two", "three"), conditions=("default",), seeds=20, sd=0.01):
    """Return records whose metrics have given means.

    Parameters
    ----------
    values : dict of str to dict of str to float or callable
        Metric -> method -> mean of the runs, or function of (dataset, condition).
    """
    rng, rows = np.random.default_rng(0), []
    methods = list(next(iter(values.values())))
    for dataset, condition, seed, method in itertools.product(datasets, conditions, range(seeds), methods):
        row = {"dataset": dataset, "condition": condition, "method": method, "seed": seed, "status": "ok"}
        for metric, means in values.items():
            mean = means[method](dataset, condition) if callable(means[method]) else means[method]
            row[metric] = mean + sd * rng.standard_normal()
        rows.append(row)
    return pd.DataFrame(rows)
