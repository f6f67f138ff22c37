"""ComparisonSVM against scikit-learn's SVC on the flipped problem of Venuto et al. (eq. 18).

    python benchmarks/compare.py fits [M ...]     one fit: M rows of the flipped data, by default 2000 and 10000
    python benchmarks/compare.py grid [N]         10 x 10 grid of the paper (C, gamma), by default on N = 800 pairs

Both solve on the simulated squared 1-norm, standardised, Gaussian kernel.  Seconds are those of the processor, so that
others on the machine do not count.  Objectives are those of the dual (18), relative to the better one.

"afresh" makes the kernel of each cell by scikit-learn's ``rbf_kernel`` and fits SVC; "afresh, our kernel" by our
``pair_gram``; "shared kernel" makes it once per gamma.  Set OMP_NUM_THREADS=1.
"""

import sys
import time

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from rankbench.papers.svmcompare.simulated_pairs import make_pools
from rankmargin import ComparisonSVM
from rankmargin.estimators.path import fit_path
from rankmargin.kernels import Kernel
from rankmargin.oracles.objective import Problem
from rankmargin.problem.rows.comparisons import flipped
from rankmargin.problem.spaces import KernelSpace
from rankmargin.solvers.smo import smo

C_GRID = np.logspace(-3, 3, 10)
GAMMA_GRID = np.logspace(-7, 4, 10, base=2)


def training_pairs(n):
    """Return n standardised pairs of the squared 1-norm, half of them equality pairs."""
    pool = make_pools(max(10_000, 3 * n))["l1"]
    rows = np.concatenate([np.flatnonzero(pool.y == 0)[: n // 2], np.flatnonzero(pool.y != 0)[: n - n // 2]])
    stacked = np.vstack([pool.X[rows], pool.X2[rows]])
    stacked = (stacked - stacked.mean(axis=0)) / stacked.std(axis=0, ddof=1)
    return np.hstack([stacked[:n], stacked[n:]]), pool.y[rows]


def flipped_pairs(pairs, y):
    """Return the m pairs of eq. (8) and their labels, in the order of our rows."""
    rows, d = flipped(y), pairs.shape[1] // 2
    turned = np.hstack([pairs[:, d:], pairs[:, :d]])
    return np.where((rows.plus >= 0)[:, None], pairs[rows.plus], turned[rows.minus]), rows.sign.astype(int)


def timed(function, *arguments, **keywords):
    began = time.process_time()
    result = function(*arguments, **keywords)
    return result, time.process_time() - began


def svc_dual(model, K):
    """Return the dual objective (18) of a fitted SVC."""
    used, v = model.support_, model.dual_coef_[0]
    return np.abs(v).sum() - 0.5 * v @ K[np.ix_(used, used)] @ v


def fits(sizes, repeats=5):
    print("     m  gamma     C    SVC s  ours s SVC/ours  with kernels  away from the better dual: SVC, ours")
    for m in sizes:
        pairs, y = training_pairs(2 * m // 3)
        turned, labels = flipped_pairs(pairs, y)
        rows = flipped(y)
        for gamma in (0.1, 1.0):
            K, making = timed(our_kernel, pairs, gamma)
            flipped_K, making_flipped = timed(our_kernel, turned, gamma)
            space = KernelSpace(K)
            smo(Problem(rows, space), [1e-3])  # compile
            for C in (1.0, 100.0):
                theirs, ours = [], []
                for _ in range(repeats):
                    svc, took = timed(SVC(C=C, kernel="precomputed", cache_size=2000).fit, flipped_K, labels)
                    theirs.append(took)
                    (solution,), took = timed(smo, Problem(rows, space), [C], 1e-4)
                    ours.append(took)
                theirs, ours = np.median(theirs), np.median(ours)
                reached = np.array([svc_dual(svc, flipped_K), solution.dual_bound])
                away = 1 - reached / reached.max()
                whole = (theirs + making_flipped) / (ours + making)
                print(
                    f"{len(labels):6d} {gamma:6g} {C:5g}  {theirs:7.3f} {ours:7.3f} {theirs / ours:8.1f}  {whole:12.1f}"
                    f"  {away[0]:.0e} {away[1]:.0e}",
                    flush=True,
                )
            del flipped_K


def sklearn_kernel(turned, gamma):
    """Return the kernel of differences by scikit-learn's functions."""
    x, x2 = np.hsplit(turned, 2)
    return rbf_kernel(x2, x2, gamma) - rbf_kernel(x2, x, gamma) - rbf_kernel(x, x2, gamma) + rbf_kernel(x, x, gamma)


def our_kernel(turned, gamma):
    return Kernel("rbf", gamma).pair_gram(turned, turned)


def svc_grid(turned, labels, kernel, shared):
    models = []
    for gamma in GAMMA_GRID:
        K = kernel(turned, gamma) if shared else None
        for C in C_GRID:
            here = K if shared else kernel(turned, gamma)
            models.append(SVC(C=C, kernel="precomputed", cache_size=1000).fit(here, labels))
    return models


def our_grid(pairs, y):
    return [model for gamma in GAMMA_GRID for model in fit_path(ComparisonSVM(gamma=gamma, tol=1e-3), pairs, y, C_GRID)]


def grid(n, repeats=3):
    pairs, y = training_pairs(n)
    turned, labels = flipped_pairs(pairs, y)
    fit_path(ComparisonSVM(gamma=1.0), pairs[-20:], np.resize([1, 0], 20), [1.0])  # compile
    rivals = {
        "SVC, afresh": (sklearn_kernel, False),
        "SVC, afresh, our kernel": (our_kernel, False),
        "SVC, shared kernel": (our_kernel, True),
    }
    seconds = {name: [] for name in [*rivals, "ours"]}
    for _ in range(repeats):
        for name, choice in rivals.items():
            models, took = timed(svc_grid, turned, labels, *choice)
            seconds[name].append(took)
        ours, took = timed(our_grid, pairs, y)
        seconds["ours"].append(took)
    medians = {name: float(np.median(values)) for name, values in seconds.items()}
    for name, median in medians.items():
        print(f"{name:24} median {median:7.2f} s of {repeats}   ratio to ours {median / medians['ours']:5.1f}")
    kernels = [Kernel("rbf", gamma).pair_gram(turned, turned) for gamma in GAMMA_GRID]
    theirs = np.array([svc_dual(model, kernels[i // len(C_GRID)]) for i, model in enumerate(models)])
    reached = np.array([model.solution.dual_bound for model in ours])
    best = np.maximum(theirs, reached)
    print(f"largest distance from the better dual objective: SVC {np.max(1 - theirs / best):.1e}, ", end="")
    print(f"ours {np.max(1 - reached / best):.1e}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["fits"]:
        fits([int(m) for m in sys.argv[2:]] or [2000, 10_000])
    elif sys.argv[1:2] == ["grid"]:
        grid(*[int(n) for n in sys.argv[2:]] or [800])
    else:
        sys.exit(__doc__)
