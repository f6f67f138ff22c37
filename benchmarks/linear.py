"""Linear functions over all pairs against LIBLINEAR-ranksvm: seconds, objective, our peak memory, growth with n; and
with --wide, likelihoods of grades and labelled pairs with many columns, dense, CSR and in single precision.

    OMP_NUM_THREADS=1 python benchmarks/linear.py [--rival BINARY] [--million] [--wide] [--tiny]

BINARY is ``train`` of https://github.com/jinshubai/PRankSVM, folder plranksvm-array, built with ``make clean && make
train``. It solves the squared hinge with one thread; ours solves both losses. Both run three times in turn. Seconds are
CPU seconds of a fit without reading the data: the rival tells wall seconds of its training, which are taken times
CPU / wall of its process. Objectives are those of the weights, by a formula of this file.

The rivals of --wide are skordinal's POM (installed separately) and LogisticRegression of scikit-learn: of grades, and
of the differences of pairs, which it is given. Values are minus the log-likelihood of a row, or the share of wrong
signs among other pairs, beside our objective and gap.
"""

import argparse
import re
import resource
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, issparse
from sklearn.linear_model import LogisticRegression

from rankmargin import ComparisonSVM, CumulativeLink, PairwiseRankSVM, RankThreshold
from rankmargin.certificates import judge
from rankmargin.estimators.path import fit_path

LEVELS = 5
REPEATS = 3


def made(n, d=50, levels=LEVELS, nonzeros=None, seed=0):
    """Return X, y of some levels or all distinct (0), and the C at which C x pairs = n."""
    rng = np.random.default_rng(seed)
    if nonzeros is None:
        X = rng.standard_normal((n, d))
    else:
        places = rng.integers(0, d, n * nonzeros), np.arange(n + 1) * nonzeros
        X = csr_matrix((rng.standard_normal(n * nonzeros), *places), shape=(n, d))
        X.sum_duplicates()
    return X, *labelled(X, levels, rng)


def one_hot(n, names, levels=LEVELS, seed=0):
    """Return X of one-hot columns, ``names`` (k,) of each of k variables, y and C as `made` does."""
    rng, starts = np.random.default_rng(seed), np.cumsum([0, *names])
    columns = np.stack([start + rng.integers(0, many, n) for start, many in zip(starts, names, strict=False)], axis=1)
    X = csr_matrix((np.ones(columns.size), columns.ravel(), np.arange(n + 1) * len(names)), shape=(n, starts[-1]))
    return X, *labelled(X, levels, rng)


def labelled(X, levels, rng):
    """Return y of some levels or all distinct (0), a noisy linear function of X, and the C at which C x pairs = n."""
    n, d = X.shape
    signal = X @ rng.standard_normal(d)
    utility = signal + 0.5 * signal.std() * rng.standard_normal(n)
    cuts = np.quantile(utility, np.arange(1, levels) / levels) if levels else None
    y = np.searchsorted(cuts, utility).astype(float) if levels else utility.argsort().argsort().astype(float)
    sizes = np.unique(y, return_counts=True)[1].astype(float)
    return y, 2.0 * n / (float(n) ** 2 - float(sizes @ sizes))


def objective(X, y, C, w, square):
    """Return 1/2 ||w||^2 + C sum of hinges, or of their squares, level against level by sorting and cumulative sums."""
    s, total = X @ w, 0.0
    levels = np.unique(y)
    for low, high in ((a, b) for k, a in enumerate(levels) for b in levels[k + 1 :]):
        below, above = np.sort(s[y == low])[::-1], s[y == high]
        m = np.searchsorted(-below, -(above - 1.0), side="left")  # those with s_j > s_i - 1
        sums = np.append(0.0, np.cumsum(below))[m]
        short = 1.0 - above
        if square:
            squares = np.append(0.0, np.cumsum(below**2))[m]
            total += float(np.sum(m * short**2 + 2.0 * short * sums + squares))
        else:
            total += float(np.sum(m * short + sums))
    return 0.5 * float(w @ w) + C * total


def ours(X, y, C, loss):
    """Return CPU seconds, weights and the gap that the judge finds."""
    start = time.process_time()
    (model,) = fit_path(PairwiseRankSVM(n_partners="all", kernel="linear", loss=loss), X, y, [C])
    return time.process_time() - start, model.w, judge(model).gap


def write(path, X, y):
    """Write rows in the format of LIBLINEAR, one query."""
    with open(path, "w") as file:
        for start in range(0, len(y), 10_000):
            part = X[start : start + 10_000]
            for k in range(part.shape[0]):
                row = part[k]
                columns, values = (row.indices, row.data) if issparse(row) else (np.arange(len(row)), row)
                cells = " ".join(f"{c + 1}:{v:.9g}" for c, v in zip(columns, values, strict=True))
                file.write(f"{y[start + k]:g} qid:1 {cells}\n")


def rival(binary, path, C, d):
    """Return CPU seconds of training and the weights of the rival."""
    with tempfile.NamedTemporaryFile() as model:
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        command = [binary, "-t", "1", "-c", repr(C), path, model.name]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        weights = Path(model.name).read_text().split("\nw\n")[1].split()
    training = float(re.search(r"Training-time: (\S+)", text)[1])
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return training * min(cpu / wall, 1.0), np.array(weights[:d], dtype=float)


def compare(name, X, y, C, binary):
    """Print one line for each solver and loss."""
    shown = len(np.unique(y)) <= 20
    told = {"hinge": [], "squared_hinge": [], "rival": []}
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "rows")
        if binary:
            write(path, X, y)
        for _ in range(REPEATS):
            told["hinge"].append(ours(X, y, C, "hinge"))
            told["squared_hinge"].append(ours(X, y, C, "squared_hinge"))
            if binary:
                told["rival"].append(rival(binary, path, C, X.shape[1]))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = {}
    for who, runs in told.items():
        if runs:
            seconds[who] = min(run[0] for run in runs)
            value = objective(X, y, C, runs[-1][1], who != "hinge") if shown else np.nan
            last = "" if who == "rival" else f"gap {runs[-1][2]:.1e}, peak {peak:.0f} MB"
            print(f"{name:22} {who:14} {seconds[who]:8.3f} s  objective {value:14.6f}  {last}", flush=True)
    if binary:
        print(f"{name:22} squared hinge: ours / rival {seconds['squared_hinge'] / seconds['rival']:.2f}", flush=True)


def embeddings(n, d, rng):
    """Return pairs (n, 2 d) in single precision, filled in place, and their labels: a seventh are 0."""
    X, w = np.empty((n, 2 * d), dtype=np.float32), rng.standard_normal(d) / d**0.5
    for part in (X[start : start + 5000] for start in range(0, n, 5000)):
        part[:] = rng.standard_normal(part.shape, dtype=np.float32)
    s = X @ np.concatenate([w, -w]).astype(np.float32)
    s = s + 0.5 * s.std() * rng.standard_normal(n)
    return X, np.sign(s).astype(int) * (np.abs(s) > np.quantile(np.abs(s), 0.15))


def text(n, d, rng):
    """Return a CSR matrix with up to 100 entries a row, few columns with many of them, and five grades."""
    columns = np.minimum((d * rng.random(n * 100) ** 3).astype(np.int64), d - 1)
    X = csr_matrix((rng.random(n * 100) + 0.1, columns, np.arange(n + 1) * 100), shape=(n, d))
    X.sum_duplicates()
    return X, grades(X, rng)


def grades(X, rng):
    s = X @ rng.standard_normal(X.shape[1])
    s = s + 0.5 * s.std() * rng.logistic(size=len(s))
    return np.searchsorted(np.quantile(s, [0.2, 0.4, 0.6, 0.8]), s)


def of_grades(model, X, y, d):
    """Return minus the log-likelihood of a row."""
    return float(-np.log(model.predict_proba(X)[np.arange(len(y)), y]).mean())


def of_pairs(model, X, y, d):
    """Return the share of wrong signs among pairs that are not ties."""
    w, keep = model.coef_.ravel(), y != 0
    signs = np.sign((X[keep, :d] - X[keep, d:]) @ w)
    return float(np.mean(signs != y[keep]))


def differences(X, y):
    """Return the differences of pairs that are not ties, and their labels, for a classifier."""
    keep, d = y != 0, X.shape[1] // 2
    return X[keep, :d] - X[keep, d:], y[keep]


def timed(name, who, model, X, y, value, made=lambda X, y: (X, y)):
    """Fit twice and print one line: the least CPU seconds, the value on the second half of the data, and the gap."""
    half, seconds = len(y) // 2, []
    for _ in range(2):
        start = time.process_time()
        model.fit(*made(X[:half], y[:half]))
        seconds.append(time.process_time() - start)
    told = f"objective {model.objective_:.6f}, gap {model.gap_:.1e}" if hasattr(model, "gap_") else ""
    fitted, other = (value(model, X[part], y[part], X.shape[1] // 2) for part in (np.s_[:half], np.s_[half:]))
    print(f"{name:28} {who:20} {min(seconds):8.3f} s  {fitted:.7f} fitted, {other:.5f} other rows  {told}", flush=True)


def wide(tiny):
    """Compare fits with many columns."""
    rng, regression = np.random.default_rng(0), LogisticRegression(max_iter=1000)
    for n, d in ((200, 20),) if tiny else ((10_000, 500), (100_000, 100), (1_000_000, 20)):
        X = rng.standard_normal((2 * n, d))
        y = grades(X, rng)
        timed(f"dense {n} x {d}", "CumulativeLink", CumulativeLink(), X, y, of_grades)
        if find_spec("skordinal"):
            timed(f"dense {n} x {d}", "POM", import_module("skordinal.classifiers").POM(), X, y, of_grades)
    for n, d in ((200, 50),) if tiny else ((20_000, 5_000), (100_000, 50_000)):
        X, y = text(2 * n, d, rng)
        timed(f"CSR {n} x {d}", "CumulativeLink", CumulativeLink(penalty=1.0), X, y, of_grades)
        timed(f"CSR {n} x {d}", "LogisticRegression", regression, X, y, of_grades)
    for n in (300,) if tiny else (20_000, 100_000):
        X, y = embeddings(2 * n, 20 if tiny else 1024, rng)
        for model in (ComparisonSVM(kernel="linear"), RankThreshold(kernel="linear")):
            timed(f"pairs {n} x {X.shape[1]} single", type(model).__name__, model, X, y, of_pairs)
        timed(f"pairs {n} x {X.shape[1]} single", "LogisticRegression", regression, X, y, of_pairs, differences)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rival", help="path of the binary")
    parser.add_argument("--million", action="store_true", help="a million rows too (a file of 600 MB for the rival)")
    parser.add_argument("--wide", action="store_true", help="fits with many columns only")
    parser.add_argument("--tiny", action="store_true", help="sizes for a test")
    given = parser.parse_args(arguments)
    if given.wide or given.tiny:
        wide(given.tiny)
    if given.wide:
        return
    sizes = (200, 400) if given.tiny else (2_000, 10_000, 100_000, *((1_000_000,) if given.million else ()))
    ours(*made(100)[:2], 1.0, "hinge")  # compiles
    ours(*made(100, levels=0)[:2], 1.0, "squared_hinge")
    for n in sizes:
        compare(f"{n} x 50, {LEVELS} levels", *made(n), given.rival)
    for n in sizes[1:3]:
        compare(f"{n} x 50, distinct", *made(n, levels=0), given.rival)
    for n, names in ((200, [3, 4]),) if given.tiny else ((2_000, [30] * 10), (10_000, [30] * 10), (10_000, [99] * 15)):
        X, y, C = one_hot(n, names)
        for factor in (1, 10_000):
            compare(f"one-hot {n} x {X.shape[1]}, C={factor}", X, y, C * factor, given.rival)
    n, d = (300, 40) if given.tiny else (100_000, 10_000)
    compare(f"CSR {n} x {d}", *made(n, d, nonzeros=d // 100 + 1), given.rival)


if __name__ == "__main__":
    sys.exit(main())
