"""SVOR with implicit constraints against the C code of skordinal 0.2, and the sum of margins against cvxopt.

    pip install --no-deps --target <folder> skordinal==0.2
    PYTHONPATH=<folder> OMP_NUM_THREADS=1 python benchmarks/ordinal.py [n ...]

Each fit runs in a process of its own, after a small fit that compiles; its peak memory includes the interpreter and the
imports.  Both functions are judged alike: the primal objective is recomputed with the Gaussian kernel (skordinal adds
0.001 to its diagonal in training).
"""

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

GAMMA, C, RANKS = 0.1, 1.0, 5
SIZES, REPEATS = (1000, 4000, 16000), {1000: 5, 4000: 3, 16000: 1}


def data(n, seed=0):
    """Return 10 standard normal inputs and 5 equally frequent ranks of a curved, noisy utility."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 10))
    utility = X[:, 0] + np.sin(2 * X[:, 1]) + 0.5 * X[:, 2] * X[:, 3] + 0.5 * rng.standard_normal(n)
    return X, np.searchsorted(np.quantile(utility, np.arange(1, RANKS) / RANKS), utility) + 1


def fit_rankmargin(X, y):
    from rankmargin.methods import svor

    model = svor.fit_path(X, y, [C], gamma=GAMMA, tol=1e-3)[0]
    return model.solution.beta, model.solution.theta


def fit_skordinal(X, y):
    from skordinal.classifiers import SVOR

    model = SVOR(C=C, gamma=GAMMA, constraints="implicit", tol=1e-3).fit(X, y)
    return np.asarray(model.model_["alpha"]), model.thresholds_


FITS = {"rankmargin": fit_rankmargin, "skordinal": fit_skordinal}


def objective(X, y, beta, theta):
    """Return 1/2 ||f||^2 + C hinge, from the definition."""
    from rankmargin.kernels import Kernel
    from rankmargin.rows import thresholds
    from rankmargin.spaces import ColumnSpace

    s = ColumnSpace(X, Kernel("rbf", GAMMA)).scores(beta)
    rows = thresholds.implicit(y - 1, RANKS)
    return 0.5 * float(beta @ s) + C * float(np.maximum(1.0 - rows.values(s, theta), 0.0).sum())


def child(who, n):
    """Fit once and print seconds, peak megabytes and objective as JSON."""
    fit = FITS[who]
    fit(*data(600, 1))
    X, y = data(n)
    started = time.perf_counter()
    beta, theta = fit(X, y)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "peak": peak, "objective": objective(X, y, beta, theta)}))


def run(who, n):
    answer = subprocess.run([sys.executable, __file__, "--fit", who, str(n)], capture_output=True, text=True)
    if answer.returncode:
        sys.exit(f"{who}, n = {n}: {answer.stderr.strip().splitlines()[-1]}")
    return json.loads(answer.stdout)


def compare_svor(sizes):
    print(f"SVOR implicit, RBF, {RANKS} ranks: median seconds, peak MB, objective")
    print(
        f"{'n':>6} {'rankmargin':>11} {'skordinal':>10} {'ratio':>6} {'MB':>6} {'MB':>6} {'objectives differ by':>21}"
    )
    for n in sizes:
        runs = {who: [] for who in FITS}
        for _ in range(REPEATS.get(n, 1)):  # in turn, so that a busy machine slows both
            for who in FITS:
                runs[who].append(run(who, n))
        ours, theirs = ([r[key] for r in runs[who]] for who in FITS for key in ("seconds",))
        ours, theirs = float(np.median(ours)), float(np.median(theirs))
        peak = [max(r["peak"] for r in runs[who]) for who in FITS]
        found = [runs[who][0]["objective"] for who in FITS]
        print(
            f"{n:6d} {ours:11.3f} {theirs:10.3f} {theirs / ours:6.1f} {peak[0]:6.0f} {peak[1]:6.0f} "
            f"{found[0] / found[1] - 1:+21.1e}",
            flush=True,
        )


def compare_sum_of_margins(n=500):
    from rankmargin.kernels import Kernel
    from rankmargin.methods import sum_of_margins

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "library"))
    from reference_qp import largest_sum_of_margins

    X, y = data(n)
    C = sum_of_margins.default_C(y - 1)
    seconds = []
    for _ in range(4):
        started = time.perf_counter()
        model = sum_of_margins.fit_path(X, y, [C], gamma=GAMMA, tol=1e-3)[0]
        seconds.append(time.perf_counter() - started)
    started = time.perf_counter()
    best = largest_sum_of_margins(model.problem.rows, Kernel("rbf", GAMMA).gram(X, X), C)
    conic = time.perf_counter() - started
    ours = float(np.median(seconds[1:]))
    print(f"\nSum of margins, RBF, {RANKS} ranks, n = {n}")
    print(f"ours {ours:.3f} s, cvxopt {conic:.3f} s, ratio {conic / ours:.0f}")
    print(f"optimum {best:.6f}, ours between {model.solution.dual_bound:.6f} and {model.solution.objective:.6f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--fit"]:
        child(sys.argv[2], int(sys.argv[3]))
    else:
        compare_svor([int(n) for n in sys.argv[1:]] or SIZES)
        compare_sum_of_margins()
