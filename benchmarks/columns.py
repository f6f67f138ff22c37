"""Columns that say nothing, steps, and columns that only act together: swapped pairs of a search with and without a
learned metric, and averaged with a random forest, beside CatBoost's defaults.

    OMP_NUM_THREADS=1 python benchmarks/columns.py [DRAWS]

Each function is drawn anew DRAWS times (10), with 3,000 other rows as test rows; a line has the mean, its standard
error and the mean of the processor seconds. CatBoost is left out if it is not installed.
"""

import sys
import time

import numpy as np
from search import methods
from sklearn.datasets import make_friedman1
from sklearn.ensemble import RandomForestRegressor

from rankmargin import RankAverage, RankSearchCV
from rankmargin.metrics import swapped_pairs

TEST = 3000
WITHOUT = [{"kernel": ["linear"]}, {"kernel": ["rbf"], "gamma": (10.0 ** np.linspace(-2.0, 0.4, 5)).tolist()}]


def steps(n, d, seed):
    """Return rows and targets that jump."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, d))
    big = X[:, 0] > 0.5
    y = 3 * big + 2 * (X[:, 1] > 0.3) * (X[:, 2] > 0.6) + (X[:, 3] > 0.7) * 2 * big
    return X, y + 0.5 * rng.normal(size=n)


def arm(n, d, seed):
    """Return rows and targets of columns that act together only."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, d))
    y = np.sin(np.pi * X[:, 0]) * X[:, 1] + 0.3 * np.cos(np.pi * X[:, 2]) * X[:, 3]
    return X, y + 0.15 * rng.normal(size=n)


def friedman(n, d, seed):
    """Return rows and targets of Friedman's first function: five columns count."""
    return make_friedman1(n, d, noise=1.0, random_state=seed)


CASES = [(friedman, 50, 300), (friedman, 50, 1000), (friedman, 8, 1000), (steps, 8, 300), (arm, 32, 200)]


def without_metric(d):
    """Return a search without a metric and an average; its gammas are those of d scaled columns."""
    grid = [WITHOUT[0], {**WITHOUT[1], "gamma": [gamma / (4 * d) for gamma in WITHOUT[1]["gamma"]]}]
    return RankSearchCV(param_grid=grid)


def with_forest():
    """Return the average of a search and a random forest."""
    forest = RandomForestRegressor(300, min_samples_leaf=5, max_features=0.5, random_state=0)
    return RankAverage([("search", RankSearchCV()), ("forest", forest)], weights="cv")


def main(draws):
    """Print a line for each function and method."""
    X, y = friedman(100, 8, 0)
    RankSearchCV().fit(X, y)  # compiles
    for made, d, n in CASES:
        rivals = [(name, make) for name, make in methods() if "SVR" not in name]
        ours = ("without a metric", lambda d=d: without_metric(d)), ("average with forest", with_forest)
        for name, make in (*ours, *rivals):
            errors, seconds = [], []
            for seed in range(draws):
                X, y = made(n + TEST, d, seed)
                began = time.process_time()
                fitted = make().fit(X[:n], y[:n])
                seconds.append(time.process_time() - began)
                errors.append(100 * swapped_pairs(y[n:], fitted.predict(X[n:])))
            error = np.std(errors, ddof=1) / draws**0.5
            told = f"{np.mean(errors):6.2f} +- {error:.2f} % swapped, {np.mean(seconds):6.2f} s"
            print(f"{made.__name__:8} {d:3} columns, {n:5,} rows  {name:20} {told}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
