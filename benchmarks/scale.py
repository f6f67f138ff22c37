"""Seconds against the number of rows.

    OMP_NUM_THREADS=1 python benchmarks/scale.py [--figure FILE] [--million] [--tiny]

Every SVM and regressions of scikit-learn are fitted with default parameters, and CPU seconds of ``fit`` are drawn
against rows, log-log: the median of five fits, with the range from the fastest to the slowest. Fewer fits are made if
they take more than ten seconds together.
"""

import argparse
import sys
import time
import warnings

import numpy as np
from made import problem
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.svm import SVR, LinearSVR

from rankmargin import SVOR, ComparisonSVM, FixedMarginSVM, PairwiseRankSVM, RankSVR, RankThreshold, SwappedPairsSVM

LINEAR = {
    "SwappedPairsSVM": SwappedPairsSVM,
    "SVOR": SVOR,
    "FixedMarginSVM": FixedMarginSVM,
    "ComparisonSVM": ComparisonSVM,
    "RankThreshold": RankThreshold,
    "RankSVR": RankSVR,
}
KERNEL = {"SwappedPairsSVM": SwappedPairsSVM, "PairwiseRankSVM": PairwiseRankSVM, "SVOR": SVOR}
RIVALS = {  # regressions on the same rows, which learn the values of y and not its order
    "linear": {"LinearSVR (scikit-learn)": LinearSVR},
    "rbf": {"SVR (scikit-learn)": SVR, "boosted trees (scikit-learn)": HistGradientBoostingRegressor},
}
REPEATS = 5


def data(name, n, d=50, kernel="linear"):
    """Return the arguments of ``fit`` for this estimator: five grades, pairs (a fifth of them equal), or targets with
    as many orderings."""
    rng = np.random.default_rng(0)
    if kernel == "linear":
        X = rng.standard_normal((n, d))
        u = X @ rng.standard_normal(d) / d**0.5 + 0.5 * rng.standard_normal(n)
    else:
        X, u = problem(n)
        u /= u.std()  # for the losses of the regressions
    if name in ("ComparisonSVM", "RankThreshold"):
        edges = np.quantile(u, [0.4, 0.6])
        return np.hstack([np.zeros_like(X), X]), np.searchsorted(edges, u) - 1
    if name == "RankSVR":
        i, j = rng.integers(n, size=(2, n))
        above = np.where(u[i] > u[j], i, j)
        pairs = np.column_stack([above, i + j - above])[i != j]
        return X, u, X, pairs
    if name in ("SVOR", "FixedMarginSVM"):
        u = np.searchsorted(np.quantile(u, [0.2, 0.4, 0.6, 0.8]), u)
    return X, u


def seconds(estimator, arguments):
    """Return the CPU seconds of five fits, of fewer if they are slow, in ascending order."""
    measured = []
    while len(measured) < REPEATS and sum(measured) < 10.0:
        start = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            estimator.fit(*arguments)
        measured.append(time.process_time() - start)
    return sorted(measured)


def growth(given):
    """Print and draw seconds against rows."""
    sizes = (100, 200) if given.tiny else (1_000, 10_000, 100_000, *((1_000_000,) if given.million else ()))
    few = (60, 120) if given.tiny else (500, 1_000, 2_000, 4_000, 8_000)
    measured = {}
    for kernel, machines, numbers in (("linear", LINEAR, sizes), ("rbf", KERNEL, few)):
        ours = {name: machine(kernel=kernel) for name, machine in machines.items()}
        rivals = {name: rival() for name, rival in RIVALS[kernel].items()}
        for name, estimator in {**ours, **rivals}.items():
            seconds(estimator, data(name, 50, 8, kernel))  # compiles
            for n in numbers:
                spent = seconds(estimator, data(name, n, kernel=kernel))
                measured.setdefault((name, kernel), []).append((n, spent))
                gap = f"gap {estimator.gap_:.1e}" if name in ours else "no gap"
                middle, ends = np.median(spent), f"{spent[0]:.3f} to {spent[-1]:.3f}"
                print(f"{name:28} {kernel:6} {n:9,} rows {middle:8.3f} s ({ends})  {gap}", flush=True)
    if given.figure:
        draw(measured, given.figure)


def draw(measured, path):
    """Draw seconds against rows, linear functions above Gaussian kernels; rivals are dashed and grey."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.ticker import NullLocator

    figure, axes = plt.subplots(2, 1, figsize=(4.6, 7.4), sharey=True, layout="constrained")
    ours = [name for name in dict.fromkeys(name for name, _ in measured) if name in LINEAR | KERNEL]
    for (name, kernel), points in measured.items():
        rows, spent = zip(*points, strict=True)
        middle = np.array([np.median(times) for times in spent])
        ends = np.abs([[times[0] for times in spent] - middle, [times[-1] for times in spent] - middle])
        at = ours.index(name) if name in ours else [*RIVALS[kernel]].index(name)
        look = {"color": f"C{at}", "ls": "-"} if name in ours else {"color": "0.35", "ls": ("--", ":")[at]}
        axis = axes[int(kernel == "rbf")]
        axis.errorbar(rows, middle, ends, marker="osD^vPX*"[at], ms=5, capsize=3, label=name, **look)
    axes[0].set(title="linear, 50 features", xlabel="rows (pairs)", ylabel="CPU seconds of a fit")
    axes[1].set(title="Gaussian kernel, 8 features", xlabel="rows", ylabel="CPU seconds of a fit")
    for axis, kernel in zip(axes, ("linear", "rbf"), strict=True):
        rows = sorted({n for (_, of), points in measured.items() if of == kernel for n, _ in points})
        axis.set(xscale="log", yscale="log")
        axis.set_xticks(rows, [f"{n:,.0f}" for n in rows])  # matplotlib's own labels overlap within one decade
        axis.xaxis.set_minor_locator(NullLocator())
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2, frameon=False)
    figure.savefig(path, dpi=130)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--figure", help="file for the figure of seconds against rows")
    parser.add_argument("--million", action="store_true", help="a million rows too")
    parser.add_argument("--tiny", action="store_true", help="sizes for a test")
    growth(parser.parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
