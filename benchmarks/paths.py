"""A path over five values of C beside its single fits, for every estimator with a path: processor seconds.

    OMP_NUM_THREADS=1 python benchmarks/paths.py [ROWS]

``path / dearest`` divides the seconds of the path by those of its most expensive single fit, ``path / fits`` by those
of all five. Seconds are the least of three, in turn; the objectives of both must agree within the gaps.
"""

import sys
import time
import warnings
from functools import partial

import numpy as np
from made import problem

import rankmargin as rm

COSTS = (0.01, 0.1, 1.0, 10.0, 100.0)
REPEATS = 3
WIDTH = 14
ESTIMATORS = {  # the kernel, and whether y are grades, targets, or winners of pairs
    "SwappedPairsSVM": (rm.SwappedPairsSVM, "targets"),
    "PairwiseRankSVM": (partial(rm.PairwiseRankSVM, random_state=0), "targets"),
    "SVOR": (rm.SVOR, "grades"),
    "FixedMarginSVM": (rm.FixedMarginSVM, "grades"),
    "RankBoundarySVM": (rm.RankBoundarySVM, "grades"),
    "ComparisonSVM": (rm.ComparisonSVM, "pairs"),
    "RankThreshold": (rm.RankThreshold, "pairs"),
    "RankSVR": (rm.RankSVR, "targets"),
}


def data(kind, n):
    """Return X and y: targets, five grades, or pairs of which a fifth are equal."""
    X, y = problem(n)
    y = y / y.std()
    if kind == "grades":
        return X, np.searchsorted(np.quantile(y, [0.2, 0.4, 0.6, 0.8]), y)
    if kind == "pairs":
        X_other, other = problem(n, seed=1)
        ahead = y - other / other.std()
        return np.hstack([X, X_other]), np.sign(ahead) * (np.abs(ahead) > np.quantile(np.abs(ahead), 0.2))
    return X, y


def seconds_of(call):
    start = time.process_time()
    fitted = call()
    return time.process_time() - start, fitted


def compare(estimator, X, y):
    """Return the seconds of the path, of the dearest fit and of all fits, and the largest difference of objectives."""
    rm.rank_path(estimator, X, y, COSTS)  # compiles
    paths, singles = [], []
    for _ in range(REPEATS):
        seconds, path = seconds_of(lambda: rm.rank_path(estimator, X, y, COSTS))
        paths.append(seconds)
        fits = [seconds_of(lambda C=C: rm.rank_path(estimator, X, y, [C])[0]) for C in COSTS]
        singles.append([fit[0] for fit in fits])
    apart = max(abs(one.objective_ / fit[1].objective_ - 1) for one, fit in zip(path, fits, strict=True))
    least = np.min(singles, axis=0)
    return min(paths), least.max(), least.sum(), apart


def main(n=1000):
    warnings.simplefilter("ignore")
    print(f"{n} rows, C = {', '.join(f'{C:g}' for C in COSTS)}, default tol")
    names = ("path s", "dearest", "fits", "path / dearest", "path / fits", "apart")
    print(" ".join([f"{'':24}", *(f"{name:>{WIDTH}}" for name in names)]))
    for name, (cls, kind) in ESTIMATORS.items():
        X, y = data(kind, n)
        for kernel in ("linear", "rbf"):
            path, dearest, fits, apart = compare(cls(kernel=kernel), X, y)
            numbers = (path, dearest, fits, path / dearest, path / fits, apart)
            print(" ".join([f"{name:16} {kernel:7}", *(f"{number:{WIDTH}.2g}" for number in numbers)]), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
