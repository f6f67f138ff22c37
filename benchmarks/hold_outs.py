"""Simulate the t-test of `make compare`: how often it finds differences that are there, and that are not.

Usage: python benchmarks/hold_outs.py [tables]

A table has N rows of a made population, and two methods are compared on J hold-outs of n_train and n_test of its rows.
Their true difference is known from 6,000 independent hold-outs. Rules for the correlation of two hold-outs: none
(``plain``), n_test / (n_train + n_test) (``parts``, Nadeau and Bengio) and n_test / N (``table``, that of
`rankbench.statistics.best`).
"""

import sys

import numpy as np

from rankbench.statistics.significance import t_test

RATIOS = 1, 2, 5, 20  # N / (n_train + n_test)
CASES = [  # n_train, n_test, J, the two methods
    (60, 60, 10, "ridge on half of the columns", "ridge on the other half"),
    (60, 60, 50, "ridge on half of the columns", "ridge on the other half"),
    (60, 60, 10, "nearest neighbour on half", "nearest neighbour on other half"),
    (60, 60, 10, "ridge", "five neighbours"),
    (60, 60, 10, "ridge", "strong ridge"),
    (15, 60, 10, "ridge on half of the columns", "ridge on the other half"),
    (84, 36, 10, "ridge on half of the columns", "ridge on the other half"),
]
LEVEL = 0.05


def ridge(X, y, Z, weight=1.0):
    """Return the predictions for Z, shape (J, n_test), of a ridge regression for each of J training parts."""
    mean, turned = y.mean(axis=1, keepdims=True), np.swapaxes(X, 1, 2)
    w = np.linalg.solve(turned @ X + weight * np.eye(X.shape[2]), turned @ (y - mean)[..., None])
    return (Z @ w)[..., 0] + mean


def neighbours(X, y, Z, k):
    """Return the predictions for Z, shape (J, n_test), by the k nearest rows of each of J training parts."""
    near = (X**2).sum(axis=2)[:, None, :] - 2 * Z @ np.swapaxes(X, 1, 2)
    return np.take_along_axis(y[:, None, :], np.argpartition(near, k - 1, axis=2)[:, :, :k], axis=2).mean(axis=2)


METHODS = {
    "ridge": ridge,
    "strong ridge": lambda X, y, Z: ridge(X, y, Z, 60.0),
    "ridge on half of the columns": lambda X, y, Z: ridge(X[..., :3], y, Z[..., :3]),
    "ridge on the other half": lambda X, y, Z: ridge(X[..., 3:], y, Z[..., 3:]),
    "five neighbours": lambda X, y, Z: neighbours(X, y, Z, 5),
    "nearest neighbour on half": lambda X, y, Z: neighbours(X[..., :3], y, Z[..., :3], 1),
    "nearest neighbour on other half": lambda X, y, Z: neighbours(X[..., 3:], y, Z[..., 3:], 1),
}


def population(rng, n):
    """Return n rows; the first three columns say as much about y as the other three."""
    X = rng.normal(size=(n, 6))
    return X, X.sum(axis=1) / np.sqrt(6) + 0.5 * np.sin(2 * X[:, [0, 3]]).sum(axis=1) + 0.7 * rng.normal(size=n)


def swapped_pairs(y, scores):
    """Return the share of pairs in the wrong order of each row of J test parts."""
    order, predicted = (np.sign(values[:, :, None] - values[:, None, :]) for values in (y, scores))
    return (order * predicted < 0).mean(axis=(1, 2))


def differences(X, y, rows, n_train, methods):
    """Return the difference of the errors of two methods on each of J hold-outs with the given rows."""
    train, test = rows[:, :n_train], rows[:, n_train:]
    first, second = (swapped_pairs(y[test], METHODS[name](X[train], y[train], X[test])) for name in methods)
    return first - second


def simulate(n_train, n_test, n_hold_outs, *methods, ratios=RATIOS, tables=1000, independent=6000):
    """Print, for each ratio, the correlation of two hold-outs, and false positives and power of each rule.

    Power is for a true difference of one standard deviation of the difference on a hold-out.
    """
    rng, size = np.random.default_rng(0), n_train + n_test
    blocks = []
    for _ in range(independent // 100):
        X, y = population(rng, 100 * size)
        blocks.append(differences(X, y, np.arange(100 * size).reshape(100, size), n_train, methods))
    true, spread = np.mean(blocks), np.std(blocks)
    print(f"\n{methods[0]} against {methods[1]}, {n_train} + {n_test} rows, {n_hold_outs} hold-outs")
    print("N / both parts   correlation  n_test / N   plain         parts         table     (false positives, power)")
    for ratio in ratios:
        N, found = ratio * size, np.empty((tables, n_hold_outs))
        for row in found:
            X, y = population(rng, N)
            rows = np.stack([rng.permutation(N)[:size] for _ in row])
            row[:] = differences(X, y, rows, n_train, methods) - true
        together = (found.sum(axis=1) ** 2 - (found**2).sum(axis=1)).mean() / (n_hold_outs * (n_hold_outs - 1))
        rates = []
        for overlap in (0, n_test / n_train, n_test / (N - n_test)):
            p, p_moved = ([t_test(row + more, overlap)[2] < LEVEL for row in found] for more in (0, spread))
            rates.append(f"{np.mean(p):.3f} {np.mean(p_moved):.2f}")
        correlation = together / (found**2).mean()
        print(f"{ratio:14}   {correlation:11.3f}  {n_test / N:10.3f}   {'    '.join(rates)}", flush=True)


def several(n_methods, correlation=0.1, n_hold_outs=10, tables=4000):
    """Print how often methods that are equal are called worse than the one that comes first, and one fixed method.

    All pairs count (Bonferroni), because each may be that of the first: with the comparisons of the first alone some
    method of 7 and 11 would be called worse in 0.095 and 0.147 of the tables.
    """
    rng, some, fixed = np.random.default_rng(0), 0, 0
    for _ in range(tables):
        errors = np.sqrt(correlation) * rng.normal(size=(n_methods, 1))
        errors = errors + np.sqrt(1 - correlation) * rng.normal(size=(n_methods, n_hold_outs))
        worse = called_worse(errors, correlation / (1 - correlation))
        some, fixed = some + worse.any(), fixed + worse[0]
    print(f"{n_methods} equal methods: some method worse {some / tables:.3f}, a given one {fixed / tables:.3f}")


def called_worse(errors, overlap):
    """Return which methods, rows of errors (methods, J), are called worse than the first of them."""
    n_methods, first = len(errors), errors.mean(axis=1).argmin()
    p = [t_test(row - errors[first], overlap)[2] for row in errors]
    p[first] = np.nan
    return n_methods * (n_methods - 1) / 2 * np.array(p) < LEVEL


def fitted(name, n_rows, n_hold_outs=15, n_methods=7, tables=1000):
    """Print how often some method is called worse if all are fitted, each to three columns of its own, which say as
    much about y as those of the others. Training parts have 70 percent of the rows."""
    rng, n_train, some = np.random.default_rng(0), n_rows * 7 // 10, 0
    for _ in range(tables):
        X = rng.normal(size=(n_rows, 3 * n_methods))
        y = X.sum(axis=1) / np.sqrt(3 * n_methods) + 0.3 * rng.normal(size=n_rows)
        rows = np.stack([rng.permutation(n_rows) for _ in range(n_hold_outs)])
        train, test = rows[:, :n_train], rows[:, n_train:]
        parts = [(X[train][..., at : at + 3], y[train], X[test][..., at : at + 3]) for at in range(0, X.shape[1], 3)]
        errors = np.array([swapped_pairs(y[test], METHODS[name](*part)) for part in parts])
        some += called_worse(errors, (n_rows - n_train) / n_train).any()
    print(f"{n_methods} equal methods, {name}, {n_rows} rows: some method worse {some / tables:.3f}", flush=True)


if __name__ == "__main__":
    n_tables = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for case in CASES:
        simulate(*case, tables=n_tables)
    print()
    for count in (2, 7, 11):
        several(count, tables=4 * n_tables)
    for name, n_rows in (("ridge", 100), ("five neighbours", 100), ("ridge", 400)):
        fitted(name, n_rows, tables=n_tables)
