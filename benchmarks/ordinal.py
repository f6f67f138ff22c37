"""SVOR against skordinal 0.2 and the C programs svorim and svorex, and the sum of margins against cvxopt.

    pip install --no-deps --target <folder> skordinal==0.2
    PYTHONPATH=<folder> OMP_NUM_THREADS=1 python benchmarks/ordinal.py [--svorim BINARY] [--svorex BINARY] [n ...]

The binaries are built from https://github.com/ayrna/orca, folders src/Algorithms/SVORIM and SVOREX, by
``gcc -O3 -march=native -o BINARY $(ls *.c | grep -v mainSvor) -lm``, with the strcpy of overlapping texts made memmove.
Each fit runs in a process of its own, after a small fit that compiles; its peak memory includes the interpreter and the
imports. Seconds are CPU seconds; the C programs tell their own, which do not include reading the file. All functions
are judged alike: the excess of the primal objective, by its definition, over the best dual bound of ours. Skordinal
adds 0.001 to the diagonal of the kernel in training.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from made import peak_megabytes

GAMMA, C, RANKS = 0.1, 1.0, 5
SIZES, MANY, FEW = (500, 1000, 2000, 4000), 5, 2  # five runs of each fit up to 1,000 rows, two above


def data(n, seed=0):
    """Return 10 standard normal inputs and 5 equally frequent ranks of a curved, noisy utility."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 10))
    utility = X[:, 0] + np.sin(2 * X[:, 1]) + 0.5 * X[:, 2] * X[:, 3] + 0.5 * rng.standard_normal(n)
    return X, np.searchsorted(np.quantile(utility, np.arange(1, RANKS) / RANKS), utility) + 1


def fit_rankmargin(X, y, constraints, tol=1e-3):
    from rankmargin import SVOR
    from rankmargin.estimators.path import fit_path

    started = time.process_time()
    (model,) = fit_path(SVOR(gamma=GAMMA, constraints=constraints, tol=tol), X, y, [C])
    seconds = time.process_time() - started
    return seconds, model.solution.beta, model.solution.theta, model.solution.dual_bound


def fit_closer(X, y, constraints):
    return fit_rankmargin(X, y, constraints, tol=1e-4)


def fit_skordinal(X, y, constraints):
    from skordinal.classifiers import SVOR

    started = time.process_time()
    model = SVOR(C=C, gamma=GAMMA, constraints=constraints, tol=1e-3).fit(X, y)
    return time.process_time() - started, np.asarray(model.model_["alpha"]), model.thresholds_, 0.0


def fit_binary(binary, X, y):
    """Run svorim or svorex once; numbers in its file of dual variables have 12 decimals and no space between them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in ("train", np.column_stack([X, y])), ("test", X[:5]), ("targets", y[:5]):
            np.savetxt(f"{folder}/rows_{name}.0", rows, fmt="%.17g")
        command = [binary, "-Z", "0", "-Ko", str(GAMMA), "-Co", str(C), "-T", "0.001", "rows_train.0"]
        told = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
        written = Path(f"{folder}/rows_train.0.svm.alpha").read_text()
    numbers = np.array(re.findall(r"-?\d+\.\d{12}", written), dtype=float)
    return float(re.search(r"with (\S+) seconds", told)[1]), numbers[: len(y)], numbers[len(y) :], 0.0


FITS = {"rankmargin": fit_rankmargin, "rankmargin, tol 1e-4": fit_closer, "skordinal": fit_skordinal}


def objective(X, y, constraints, beta, theta):
    """Return 1/2 ||f||^2 + C hinge, from the definition."""
    from rankmargin.kernels import Kernel
    from rankmargin.problem.rows import thresholds
    from rankmargin.problem.spaces import ColumnSpace

    s = ColumnSpace(X, Kernel("rbf", GAMMA)).scores(beta)
    rows = getattr(thresholds, constraints)(y - 1, RANKS)
    return 0.5 * float(beta @ s) + C * float(np.maximum(1.0 - rows.values(s, theta), 0.0).sum())


def child(who, constraints, n):
    """Fit once; print seconds, peak megabytes (not of a binary), objective and dual bound as JSON."""
    X, y = data(n)
    if who in FITS:
        FITS[who](*data(600, 1), constraints)
        seconds, beta, theta, bound = FITS[who](X, y, constraints)
    else:
        seconds, beta, theta, bound = fit_binary(who, X, y)
    peak = peak_megabytes() if who in FITS else float("nan")
    print(json.dumps([seconds, peak, objective(X, y, constraints, beta, theta), bound]))


def run(*arguments):
    command = [sys.executable, __file__, "--fit", *map(str, arguments)]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode:
        sys.exit(f"{' '.join(command)}: {answer.stderr.strip().splitlines()[-1]}")
    return json.loads(answer.stdout)


def compare_svor(sizes, constraints, binary=None):
    """Print one line for each size and program; they run in turn, so that a busy machine slows all of them."""
    names = {who: who for who in FITS if who != "skordinal" or constraints == "implicit"}
    names |= {binary: Path(binary).name} if binary else {}
    print(f"\nSVOR {constraints}, RBF, {RANKS} ranks\n{'n':>6}  {'program':20} {'seconds':>8} {'MB':>5} {'excess':>8}")
    for n in sizes:
        runs = {who: [] for who in names}
        for _ in range(MANY if n <= 1000 else FEW):
            for who in names:
                runs[who].append(run(who, constraints, n))
        best = max(told[3] for told in runs["rankmargin, tol 1e-4"])
        for who, name in names.items():
            seconds, peak, value, _ = np.median(runs[who], axis=0)
            print(f"{n:6d}  {name:20} {seconds:8.3f} {peak:5.0f} {value / best - 1.0:8.1e}", flush=True)


def compare_sum_of_margins(n=500):
    from rankmargin import SumOfMarginsSVM
    from rankmargin.estimators.path import fit_path
    from rankmargin.estimators.sum_of_margins import default_C
    from rankmargin.kernels import Kernel

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "library"))
    from reference_qp import largest_sum_of_margins

    X, y = data(n)
    C = default_C(y - 1)
    seconds = []
    for _ in range(4):
        started = time.process_time()
        model = fit_path(SumOfMarginsSVM(gamma=GAMMA, tol=1e-3), X, y, [C])[0]
        seconds.append(time.process_time() - started)
    started = time.process_time()
    best = largest_sum_of_margins(model.problem.rows, Kernel("rbf", GAMMA).gram(X, X), C)
    conic = time.process_time() - started
    ours = float(np.median(seconds[1:]))
    print(f"\nSum of margins, RBF, {RANKS} ranks, n = {n}")
    print(f"ours {ours:.3f} s, cvxopt {conic:.3f} s, ratio {conic / ours:.0f}")
    print(f"optimum {best:.6f}, ours between {model.solution.dual_bound:.6f} and {model.solution.objective:.6f}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, help="numbers of rows")
    for name in ("svorim", "svorex"):
        parser.add_argument(f"--{name}", help="path of the binary")
    given = parser.parse_args(arguments)
    compare_svor(given.sizes or SIZES, "implicit", given.svorim)
    compare_svor(given.sizes or SIZES, "explicit", given.svorex)
    compare_sum_of_margins()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--fit"]:
        child(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        main()
