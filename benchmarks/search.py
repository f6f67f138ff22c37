"""One call that tunes, beside a grid search of SVR and CatBoost's defaults: processor seconds and swapped pairs.

    OMP_NUM_THREADS=1 python benchmarks/search.py [ROWS ...]

The rows are made, with columns in units of their own, and 2,000 others are the test rows. SVR is tuned by
scikit-learn's ``GridSearchCV`` over 7 values of gamma and 5 of C. CatBoost is left out if it is not installed.
"""

import sys
import time

import numpy as np
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from rankmargin import RankSearchCV
from rankmargin.metrics import swapped_pairs


def problem(n, seed=0):
    """Return rows (n + 2000, 8) in units of their own and targets with noise."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n + 2000, 8))
    y = X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + X[:, 3] + 0.3 * rng.standard_normal(len(X))
    return X * 10.0 ** np.arange(-4, 4), y


def methods():
    """Yield the name of each method and the function that makes it."""
    grid = {"svr__gamma": 10.0 ** np.linspace(-2.5, 0.5, 7) / 16, "svr__C": [0.1, 1.0, 10.0, 100.0, 1000.0]}
    yield "RankSearchCV()", RankSearchCV
    yield "SVR, 7 x 5 by GridSearchCV", lambda: GridSearchCV(make_pipeline(StandardScaler(), SVR()), grid, cv=3)
    try:
        from catboost import CatBoostRegressor
    except ImportError:
        return
    yield "CatBoost, defaults", lambda: CatBoostRegressor(verbose=False, thread_count=1, allow_writing_files=False)


def main(sizes):
    """Print a line for each size and method."""
    X, y = problem(200)
    RankSearchCV().fit(X[:200], y[:200])  # compiles
    for n in sizes:
        X, y = problem(n)
        for name, make in methods():
            began = time.process_time()
            fitted = make().fit(X[:n], y[:n])
            seconds = time.process_time() - began
            swapped = 100 * swapped_pairs(y[n:], fitted.predict(X[n:]))
            print(f"{n:6,} rows  {name:28} {seconds:7.2f} s  {swapped:5.2f} % swapped", flush=True)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [200, 800, 2000])
