"""Problems for the benchmarks: inputs uniform on a cube, a smooth utility with noise, all y distinct."""

import resource
import time

import numpy as np


def problem(n, d=8, noise=0.3, seed=0):
    """Return standardised X of shape (n, d) and y of shape (n,)."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1.0, 1.0, (n, d))
    utility = 10 * X[:, 0] * X[:, 1] + 5 * np.sin(3 * X[:, 2]) + 4 * X[:, 3]
    y = utility + noise * utility.std() * rng.standard_normal(n)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def median_seconds(call, repeats=3):
    """Return the median processor seconds of ``call()`` and its last answer."""
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        answer = call()
        seconds.append(time.process_time() - start)
    return float(np.median(seconds)), answer


def peak_megabytes():
    """Return the peak resident memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
