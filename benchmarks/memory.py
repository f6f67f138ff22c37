"""Peak memory of one linear fit of many rows, over the bytes of X, each in a process of its own.

    OMP_NUM_THREADS=1 python benchmarks/memory.py [--rows 1000000] [--single] [--only NAME ...]

The peak is `ru_maxrss` (Linux) less the resident memory of the process after a first small fit: X and what the fit adds
to it. X is filled in place, so that making it leaves no copy behind.
"""

import argparse
import multiprocessing
import resource
import sys
import time
from pathlib import Path

import numpy as np
from sklearn import linear_model

import rankmargin

COLUMNS, BLOCK = 50, 10_000
RIVAL = "Ridge of scikit-learn, all distinct"
FITS = {  # name -> estimator, its parameters, levels of y (0: all distinct)
    "SwappedPairsSVM, all distinct": ("SwappedPairsSVM", {}, 0),
    "SwappedPairsSVM, 5 levels": ("SwappedPairsSVM", {}, 5),
    "SwappedPairsSVM, squared hinge, all distinct": ("SwappedPairsSVM", {"loss": "squared_hinge"}, 0),
    "SVOR, 5 levels": ("SVOR", {}, 5),
    "CumulativeLink, 5 levels": ("CumulativeLink", {}, 5),
    RIVAL: ("Ridge", {}, 0),
    "PairwiseRankSVM, five partners, all distinct": ("PairwiseRankSVM", {"random_state": 0}, 0),
}


def made(n, levels, rng, dtype):
    """Return X (n, COLUMNS) and y (n,), a noisy linear function of X, cut into levels if there are any."""
    X, y, w = np.empty((n, COLUMNS), dtype), np.empty(n), rng.standard_normal(COLUMNS) / COLUMNS**0.5
    for start in range(0, n, BLOCK):
        part = X[start : start + BLOCK]
        part[:] = rng.standard_normal(part.shape)
        y[start : start + BLOCK] = part @ w + 0.5 * rng.standard_normal(len(part))
    return X, np.searchsorted(np.quantile(y, np.arange(1, levels) / levels), y).astype(float) if levels else y


def measure(name, n, dtype):
    """Return the peak of a fit over the bytes of X, its CPU seconds and its gap."""
    kind, params, levels = FITS[name]
    home, params = (linear_model, {}) if name == RIVAL else (rankmargin, params)
    rng, estimator = np.random.default_rng(0), getattr(home, kind)(**params)
    if hasattr(estimator, "kernel") and estimator.kernel is not None:
        estimator.kernel = "linear"
    estimator.fit(*made(200, levels, rng, dtype))  # compiles
    before = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    X, y = made(n, levels, rng, dtype)
    start = time.process_time()
    estimator.fit(X, y)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return (peak - before) / X.nbytes, time.process_time() - start, getattr(estimator, "gap_", 0.0)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--single", action="store_true", help="X in single precision")
    parser.add_argument("--only", nargs="+", default=[*FITS], choices=[*FITS])
    given = parser.parse_args(arguments)
    for name in given.only:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            peak, seconds, gap = pool.apply(measure, (name, given.rows, np.float32 if given.single else np.float64))
        print(f"{name:46} {peak:5.2f} times X  {seconds:6.2f} s  gap {gap:.1e}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
