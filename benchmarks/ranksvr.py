"""Seconds of RankSVR against the number of pairs (claim R19), and of epsilon-SVR compared with scikit-learn.

    python benchmarks/ranksvr.py

1,000 targets and pairs among 1,000 other points, Gaussian kernel, relative gap 1e-3; the kernel matrix is in the time.
"""

import time
import warnings

import numpy as np

from rankmargin import RankSVR
from rankmargin.estimators.path import fit_path
from rankmargin.solvers.solution import ConvergenceWarning

N, D, GAMMA, RUNS = 1000, 10, 0.1, 3
SIZES = (300, 1000, 3000, 10_000, 30_000)


def problem(n, m, n_pairs, seed=0):
    """A wave over a plane, noise of 0.1 on the targets, pairs ordered without noise."""
    rng = np.random.default_rng(seed)
    X, Z, w = rng.standard_normal((n, D)), rng.standard_normal((m, D)), rng.standard_normal(D)

    def target(A):
        return np.sin(A @ w) + A[:, 0]

    i, step = rng.integers(m, size=n_pairs), rng.integers(1, m, size=n_pairs)
    j = (i + step) % m
    above = target(Z)[i] > target(Z)[j]
    y = target(X) + 0.1 * rng.standard_normal(n)
    return X, y, Z, np.column_stack([np.where(above, i, j), np.where(above, j, i)])


def timed(call, *arguments, runs=RUNS, **named):
    """Return the median processor seconds of a call with these arguments, and its last answer."""
    seconds = []
    for _ in range(runs):
        started = time.process_time()
        answer = call(*arguments, **named)
        seconds.append(time.process_time() - started)
    return float(np.median(seconds)), answer


def against_pairs(C, C_rank, margin):
    print(f"\nC = {C}, C_rank = {C_rank}, margin = {margin}")
    print(f"{'pairs':>8}{'seconds':>10}{'gap':>10}")
    sizes, measured = SIZES, []
    for n_pairs in sizes:
        X, y, Z, pairs = problem(N, N, n_pairs)
        regression = RankSVR(C_rank=C_rank, margin=margin, gamma=GAMMA)
        seconds, models = timed(fit_path, regression, X, y, [C], Z=Z, pairs=pairs)
        measured.append(seconds)
        print(f"{n_pairs:8}{seconds:10.2f}{models[0].solution.gap:10.1e}", flush=True)
    print(f"slope of log seconds against log pairs: {np.polyfit(np.log(sizes), np.log(measured), 1)[0]:.2f}")


def against_scikit_learn():
    from sklearn.svm import SVR

    print(f"\nepsilon-SVR, {N} targets\n{'C':>8}{'seconds':>10}{'gap':>10}{'SVR s':>10}{'ratio':>8}")
    X, y, _, _ = problem(N, 2, 1)
    for C in (1.0, 10.0, 100.0, 1000.0):
        seconds, models = timed(fit_path, RankSVR(gamma=GAMMA), X, y, [C])
        theirs, _ = timed(SVR(C=C, gamma=GAMMA, epsilon=0.1).fit, X, y)
        print(f"{C:8}{seconds:10.2f}{models[0].solution.gap:10.1e}{theirs:10.2f}{theirs / seconds:8.1f}", flush=True)


def main():
    warnings.simplefilter("ignore", ConvergenceWarning)  # the gap is in the table
    X, y, Z, pairs = problem(20, 20, 30)
    fit_path(RankSVR(gamma=1.0), X, y, [1.0], Z=Z, pairs=pairs)
    against_pairs(1.0, 1.0, 1.0)
    against_pairs(10.0, 1.0, 0.1)
    against_pairs(100.0, 100.0, 1.0)
    against_scikit_learn()


if __name__ == "__main__":
    main()
