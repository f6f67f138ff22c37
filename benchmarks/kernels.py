"""All pairs with a Gaussian kernel: processor seconds and memory by rows and C, and how far they are from the limit.

    OMP_NUM_THREADS=1 python benchmarks/kernels.py [--rows 1000 2000] [--costs 0.01 1 100] [--kind grades]

Each fit runs in a process of its own, which prints one line: the seconds, the judge's gap and the
peak memory. ``limit`` is what any Newton method with a kernel matrix K of n rows pays at least: K itself, one
Cholesky factor of n rows and 20 products with K, all in single precision, timed on this machine.
"""

import argparse
import subprocess
import sys
import time
import warnings

import numpy as np
from made import peak_megabytes, problem
from scipy.linalg import cholesky
from sklearn.exceptions import ConvergenceWarning

from rankmargin import SwappedPairsSVM
from rankmargin.certificates import judge
from rankmargin.kernels import Kernel

PRODUCTS = 20


def data(n, kind):
    if kind == "categories":  # equal rows, so that K has no inverse
        rng = np.random.default_rng(0)
        X = rng.integers(4, size=(n, 3)).astype(float)
        return X, rng.poisson(np.exp(0.3 * X[:, 0] + 0.2 * np.sin(X[:, 1])))
    X, y = problem(n, d=10)
    return X, np.searchsorted(np.quantile(y, [0.2, 0.4, 0.6, 0.8]), y) if kind == "grades" else y


def one(n, C, kind, seconds):
    """Fit and return a line."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    SwappedPairsSVM(gamma=0.1).fit(*data(300, kind))  # compiles
    X, y = data(n, kind)
    start = time.process_time()
    fitted = SwappedPairsSVM(gamma=0.1, C=C, max_seconds=seconds).fit(X, y)
    took, peak = time.process_time() - start, peak_megabytes()
    gap = judge(fitted.model_).gap
    return f"{n:7,} {C:9g} {kind:>10} {took:8.2f} {gap:8.1e} {peak:7,.0f} {took / limit(X):8.1f}"


def limit(X):
    """Return the processor seconds of a kernel matrix, one factor and some products in single precision."""
    start = time.process_time()
    K = Kernel("rbf", 0.1).gram(X, X).astype(np.float32)
    v = np.ones(len(K), dtype=np.float32)
    for _ in range(PRODUCTS):
        K @ v
    K[np.diag_indices_from(K)] += 1.0
    cholesky(K, overwrite_a=True, check_finite=False)
    return time.process_time() - start


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[1000, 2000, 4000])
    parser.add_argument("--costs", type=float, nargs="+", default=[1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1000.0])
    parser.add_argument("--kind", choices=["distinct", "grades", "categories"], default="distinct", help="the table")
    parser.add_argument("--seconds", type=float, default=120.0, help="max_seconds of a fit")
    parser.add_argument("--here", action="store_true", help="fit in this process")
    given = parser.parse_args(arguments)
    if given.here:
        print(one(given.rows[0], given.costs[0], given.kind, given.seconds))
        return
    print(f"{'rows':>7} {'C':>9} {'table':>10} {'seconds':>8} {'gap':>8} {'MB':>7} {'/ limit':>8}", flush=True)
    for n in given.rows:
        for C in given.costs:
            options = ["--rows", str(n), "--costs", str(C), "--seconds", str(given.seconds), "--kind", given.kind]
            subprocess.run([sys.executable, __file__, *options, "--here"], check=True)


if __name__ == "__main__":
    sys.exit(main())
