"""Made frames for claims: for each claim every verdict that it can give, on both sides of its thresholds."""

import itertools

import numpy as np
import pandas as pd

from rankbench.claims.verdict import HOLDS, NOT_CHECKABLE
from rankbench.ledger import registered


def check(claim_id, cases):
    """Assert that a claim gives each verdict on its frames; the first frames support it, and no other reads the same.

    Parameters
    ----------
    cases : list of (verdict, frames in the order of the claim's needs)
    """
    claim = registered()[claim_id]
    assert cases[0][0] == HOLDS and len(cases) > 1
    first = claim.judge(*cases[0][1])
    assert len({claim.judge(*frames).ours for _, frames in cases}) > 1
    for verdict, frames in cases:
        assert len(frames) == len(claim.needs)
        found = claim.judge(*frames)
        assert found.verdict == verdict, found
        assert found.ours and found.why and (found.effect or verdict == NOT_CHECKABLE)
    for name, value in claim.thresholds.items():
        assert f"{name.replace('_', ' ')} {value:g} (" in first.thresholds


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
    for dataset, condition, method in itertools.product(datasets, conditions, methods):
        noise = {metric: sd * balanced(rng, seeds) for metric in values}
        for seed in range(seeds):
            row = {"dataset": dataset, "condition": condition, "method": method, "seed": seed, "status": "ok"}
            for metric, means in values.items():
                mean = means[method](dataset, condition) if callable(means[method]) else means[method]
                row[metric] = mean + noise[metric][seed]
            rows.append(row)
    return pd.DataFrame(rows)


def balanced(rng, n):
    """Return n random numbers whose mean is 0: each second one is the one before with the other sign."""
    half = rng.standard_normal((n + 1) // 2)
    noise = np.column_stack([half, -half]).ravel()[:n]
    return noise - noise.mean()
