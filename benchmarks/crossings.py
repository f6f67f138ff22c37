"""Every estimator with every kernel and every loss: the judge's gap on one small real table, and what is refused.

    python benchmarks/crossings.py [--rows 120]

The table is scikit-learn's diabetes, its columns scaled to 0 .. 1 (the chi2 kernel takes no negative numbers); grades
are five bins of y, and pairs are neighbours in a random order. ``tol`` is 1e-3. A cell is the gap that the judge
computes again from the definitions, or the number of the reason of a refusal.
"""

import argparse
import inspect
import re
import sys
import warnings

import numpy as np
from sklearn.base import is_classifier
from sklearn.datasets import load_diabetes
from sklearn.gaussian_process.kernels import RationalQuadratic
from sklearn.preprocessing import minmax_scale

import rankmargin
from rankmargin.certificates import judge
from rankmargin.estimators.swapped_pairs import SOLVERS
from rankmargin.problem.kernels import KERNELS, Kernel
from rankmargin.problem.losses import LOSSES, Loss

TOL = 1e-3
ESTIMATORS = {
    "SwappedPairsSVM": {},
    "PairwiseRankSVM": {"random_state": 0},
    "PairwiseRankSVM, all pairs": {"n_partners": "all"},
    "RankBoundarySVM": {},
    "SVOR": {},
    "SVOR, explicit": {"constraints": "explicit"},
    "FixedMarginSVM": {},
    "FixedMarginSVM, ordered": {"ordered": True},
    "SumOfMarginsSVM": {},
    "RankSVR": {},
    "ComparisonSVM": {},
    "RankThreshold": {"random_state": 0},
}
CALLABLE = "callable"  # a kernel of sklearn.gaussian_process


def data(n):
    """Return X (n, d), y (n,), five grades of y, and pairs of rows with their labels."""
    X, y = load_diabetes(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(y))[:n]
    X, y = minmax_scale(X)[rows], y[rows]
    pairs = np.hstack([X, np.roll(X, 1, axis=0)])
    difference = y - np.roll(y, 1)
    labels = np.where(np.abs(difference) < 30, 0, np.sign(difference)).astype(int)
    return X, y, np.searchsorted(np.quantile(y, [0.2, 0.4, 0.6, 0.8]), y), (pairs, labels)


def fitted_gap(kind, kernel, loss, table, **given):
    """Return the judge's gap of a fit."""
    X, y, grades, pairs = table
    estimator = getattr(rankmargin, kind)(kernel=RationalQuadratic() if kernel == CALLABLE else kernel, **given)
    estimator.set_params(tol=TOL, **({} if loss is None else {"loss": loss}))
    if estimator.learns_from == "pairs":
        X, y = pairs
    elif is_classifier(estimator):
        y = grades
    if kernel == "precomputed":
        X = Kernel("rbf").pair_gram(X, X) if estimator.learns_from == "pairs" else Kernel("rbf").gram(X, X)
    return judge(estimator.fit(X, y).model_, X).gap


def cell(reasons, *asked, **given):
    """Return the gap, or the number of the reason of a refusal."""
    try:
        return f"{fitted_gap(*asked, **given):.0e}"
    except ValueError as refusal:
        reason = re.sub(r"kernel=.* and |, got .*", "", str(refusal))
        return f"({reasons.setdefault(reason, len(reasons) + 1)})"


def table_of(lines, kernels):
    """Print a table in markdown: first cells and a function of a kernel that returns the cell."""
    print(f"| | {' | '.join(kernels)} |\n| --- |{' ---: |' * len(kernels)}")
    for name, of in lines:
        print(f"| {name} | {' | '.join(of(kernel) for kernel in kernels)} |", flush=True)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=120)
    parser.add_argument("--kernels", nargs="+", default=[*KERNELS, CALLABLE])
    asked, reasons = parser.parse_args(arguments), {}
    warnings.simplefilter("ignore")  # of hints, such as thresholds out of order: the gap is asked for
    table = data(asked.rows)
    losses = {**{name: name for name in LOSSES}, "smooth hinge": Loss("smooth_hinge", steepness=4.0)}
    lines = []
    for name, given in ESTIMATORS.items():
        kind = name.split(",")[0]
        takes = "loss" in inspect.signature(getattr(rankmargin, kind)).parameters
        for title, loss in (losses if takes else {"its own loss": None}).items():
            lines.append(
                (
                    f"{name}: {title}",
                    lambda k, kind=kind, loss=loss, given=given: cell(reasons, kind, k, loss, table, **given),
                )
            )
    table_of(lines, asked.kernels)
    print("\nSolvers of `SwappedPairsSVM`, by name:\n")
    of_solvers = [
        (
            f"{solver}: {title}",
            lambda k, solver=solver, loss=loss: cell(reasons, "SwappedPairsSVM", k, loss, table, solver=solver),
        )
        for solver in SOLVERS
        if solver != "auto"
        for title, loss in losses.items()
    ]
    table_of(of_solvers, [kernel for kernel in asked.kernels if kernel in ("linear", "rbf")])
    print()
    for reason, number in reasons.items():
        print(f"({number}) {reason}")


if __name__ == "__main__":
    sys.exit(main())
