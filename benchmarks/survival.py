"""Censored times beside scikit-survival (installed separately: ``pip install scikit-survival``), on its own data sets.

    OMP_NUM_THREADS=1 python benchmarks/survival.py [--sets veterans whas500] [--holdouts 5]

First the same problems: all pairs whose earlier time is an event, without an intercept, at one C. scikit-survival puts
equal times into a random order, so of equal times only one row is kept here. Its solution is judged by our objective.
Then hold-outs of all rows: half of them train, C is chosen by three folds among the same nine values, and Harrell's
concordance of the others is averaged. Cox has a ridge of 1e-4. Columns are one-hot and standardised.
"""

import argparse
import sys
import time
import warnings

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV, KFold, train_test_split
from sklearn.preprocessing import StandardScaler

from rankmargin import PairwiseRankSVM, RankSearchCV, SwappedPairsSVM
from rankmargin.kernels import Kernel
from rankmargin.metrics import concordance_index
from rankmargin.problem.rows.pairs import order_of_times

SETS = {
    "veterans": "load_veterans_lung_cancer",
    "breast cancer": "load_breast_cancer",
    "whas500": "load_whas500",
    "gbsg2": "load_gbsg2",
}
COSTS = 10.0 ** np.arange(-5, 4)  # of a row
GAMMA, C, MOST_LISTED = 0.05, 0.001, 140  # HingeLossSurvivalSVM lists all pairs and holds a matrix of them


def load(name):
    """Return X (n, d), standardised, and y, the structured array (event, time)."""
    from sksurv import datasets

    table, y = getattr(datasets, SETS[name])()
    X = pd.get_dummies(table, drop_first=True).to_numpy(dtype=float)
    return StandardScaler().fit_transform(X), y


def objective(scores, half_norm, time, event, cost, loss):
    """Return the objective of a function with these scores, from the list of pairs."""
    later, earlier = np.nonzero((time[:, None] > time) & event)
    short = np.maximum(1.0 - (scores[later] - scores[earlier]), 0.0)
    return half_norm + cost * float((short if loss == "hinge" else short**2).sum())


def seconds_of(fit):
    """Return the fitted estimator and the processor seconds of its fit."""
    start = time.process_time()
    return fit(), time.process_time() - start


def same_problems(name):
    """Print a row for each problem that both solve."""
    from sksurv.svm import FastKernelSurvivalSVM, FastSurvivalSVM, HingeLossSurvivalSVM

    X, y = load(name)
    (_, once), (event_name, time_name) = np.unique(y[y.dtype.names[1]], return_index=True), y.dtype.names
    X, y = X[once], y[once]
    times, event = y[time_name], y[event_name]
    given = {"n_partners": "all", "C": C, "C_scale": "pairs", "tol": 1e-6}
    fast = {"alpha": 2 * C, "rank_ratio": 1.0, "max_iter": 1000, "tol": 1e-8}
    rivals = [
        ("linear", "squared_hinge", FastSurvivalSVM(**fast, random_state=0)),
        ("rbf", "squared_hinge", FastKernelSurvivalSVM(**fast, kernel="rbf", gamma=GAMMA, random_state=0)),
        ("linear", "hinge", HingeLossSurvivalSVM(alpha=C, kernel="linear", pairs="all")),
        ("rbf", "hinge", HingeLossSurvivalSVM(alpha=C, kernel="rbf", gamma=GAMMA, pairs="all")),
    ]
    for kernel, loss, rival in rivals:
        if loss == "hinge" and len(X) > MOST_LISTED:
            continue
        PairwiseRankSVM(kernel=kernel, gamma=GAMMA, loss=loss, **given).fit(X, y)  # compiles
        ours, seconds = seconds_of(
            lambda k=kernel, lo=loss: PairwiseRankSVM(kernel=k, gamma=GAMMA, loss=lo, **given).fit(X, y)
        )
        theirs, took = seconds_of(lambda rival=rival: rival.fit(X, y))
        risk = theirs.predict(X)
        K = X @ X.T if kernel == "linear" else Kernel("rbf", GAMMA).gram(X, X)
        beta = np.linalg.lstsq(K, -risk, rcond=None)[0]  # the shortest function with its scores
        found = objective(-risk, 0.5 * float(beta @ K @ beta), times, event, C, loss)
        concordant = [concordance_index(y, s) for s in (ours.predict(X), -risk)]
        print(
            f"| {name}, {len(X)} rows | {kernel}, {loss} | {ours.objective_:.6g} | {ours.gap_:.0e} | {found:.6g} | "
            f"{found / ours.dual_bound_ - 1:.0e} | {concordant[0]:.4f} | {concordant[1]:.4f} | {seconds:.3f} | "
            f"{took:.3f} |",
            flush=True,
        )


def methods(unit):
    """Return name -> a searched estimator that has ``fit(X, y)``, and the sign of its predictions; ``unit`` is the
    weight of a pair for a weight of 1 for each row."""
    from sksurv.linear_model import CoxPHSurvivalAnalysis
    from sksurv.svm import FastKernelSurvivalSVM, FastSurvivalSVM

    folds = KFold(3, shuffle=True, random_state=0)
    alphas = {"alpha": (2 * COSTS * unit).tolist()}
    return {
        "SwappedPairsSVM, linear": (RankSearchCV(SwappedPairsSVM(kernel="linear"), Cs=COSTS, cv=folds), 1),
        "FastSurvivalSVM": (GridSearchCV(FastSurvivalSVM(random_state=0), alphas, cv=folds), -1),
        "Cox": (CoxPHSurvivalAnalysis(alpha=1e-4), -1),
        "SwappedPairsSVM, rbf": (RankSearchCV(SwappedPairsSVM(gamma=GAMMA), Cs=COSTS, cv=folds), 1),
        "FastKernelSurvivalSVM, rbf": (
            GridSearchCV(FastKernelSurvivalSVM(kernel="rbf", gamma=GAMMA, random_state=0), alphas, cv=folds),
            -1,
        ),
    }


def hold_outs(name, n_holdouts):
    """Print a row for each method: mean concordance of the rows left out, and the seconds of a search and its fit."""
    X, y = load(name)
    event, time_of = (y[field] for field in y.dtype.names)
    found = {}
    for seed in range(n_holdouts):
        rows, others = train_test_split(np.arange(len(X)), test_size=0.5, random_state=seed, stratify=event)
        order = order_of_times(time_of[rows], event[rows])
        pairs = int(np.sum((order[:, None] > order) & event[rows]))
        for method, (estimator, sign) in methods(len(rows) / pairs).items():
            start = time.process_time()
            estimator.fit(X[rows], y[rows])
            took = time.process_time() - start
            found.setdefault(method, []).append(
                (concordance_index(y[others], sign * estimator.predict(X[others])), took)
            )
    for method, of in found.items():
        scores, took = np.transpose(of)
        print(
            f"| {name} | {method} | {scores.mean():.3f} | {scores.std(ddof=1):.3f} | {np.median(took):.2f} |",
            flush=True,
        )


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=[*SETS], choices=[*SETS])
    parser.add_argument("--holdouts", type=int, default=5)
    asked = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    print("| data | problem | ours | gap | theirs | above the bound | concordance | theirs | seconds | theirs |")
    print(f"| --- | --- |{' ---: |' * 8}")
    for name in asked.sets:
        same_problems(name)
    print("\n| data | method | concordance | sd | seconds |\n| --- | --- | ---: | ---: | ---: |")
    for name in asked.sets:
        hold_outs(name, asked.holdouts)


if __name__ == "__main__":
    sys.exit(main())
