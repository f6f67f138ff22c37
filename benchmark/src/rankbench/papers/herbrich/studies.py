"""Studies of Herbrich, Graepel and Obermayer: theorems and statements about other methods."""

from itertools import product

import numpy as np

from rankbench.experiments.seconds import least_seconds
from rankbench.experiments.split import seed_of
from rankbench.papers.herbrich.methods.pairwise_perceptron import PairwisePerceptron
from rankbench.statistics.columns import columns
from rankmargin import FixedMarginSVM
from rankmargin.estimators.path import fit_path
from rankmargin.kernels import Kernel


@columns("dataset", "seed", "tree", "boosted_tree", "svm", "nearest")
def cited_methods(data, experiment, *, draws, trees):
    """What Herbrich et al. cite of other methods, tried on sets that come with scikit-learn (H22, H23).

    Test four classifiers on hold-outs of 30 percent of three sets.

    Parameters
    ----------
    data, experiment
        Not used: the sets are scikit-learn's wine, breast cancer and digits.
    draws : int
        Hold-outs of each set.
    trees : int
        Rounds of boosting.

    Returns
    -------
    DataFrame
        ``dataset seed tree boosted_tree svm nearest``: shares of wrong classes on the test part.
    """
    from sklearn import datasets
    from sklearn.model_selection import train_test_split

    for name, load in (
        ("wine", datasets.load_wine),
        ("breast_cancer", datasets.load_breast_cancer),
        ("digits", datasets.load_digits),
    ):
        X, y = load(return_X_y=True)
        for seed in range(draws):
            parts = train_test_split(X, y, test_size=0.3, random_state=seed, stratify=y)
            yield name, seed, *_errors(*parts, seed, trees)


def _errors(X, X_test, y, y_test, seed, trees):
    """Return the shares of wrong classes of a tree, boosted trees, a support vector machine, the nearest neighbour."""
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(random_state=seed)
    boosted = AdaBoostClassifier(DecisionTreeClassifier(max_depth=4), n_estimators=trees, random_state=seed)
    machines = (tree, boosted, make_pipeline(StandardScaler(), SVC(C=10.0)), KNeighborsClassifier(1))
    return [1 - float(machine.fit(X, y).score(X_test, y_test)) for machine in machines]


@columns("C", "seed", "n", "share", "error")
def leave_one_out(data, experiment, *, costs, size, samples):
    """The share of support vectors against the leave-one-out error of a machine (Herbrich et al., 1.3.4).

    Leave each example of each sample out once; the two classes are the ranks above the median and the others.

    Returns
    -------
    DataFrame
        ``C seed n share error``: share of examples with a dual variable above 0, and the leave-one-out error.
    """
    [(name, (table, _))] = data.items()
    y = (table.y > np.median(table.y)).astype(float)
    for seed in range(samples):
        at = np.random.default_rng(seed_of("leave one out", name, seed)).permutation(len(y))[:size]
        for C in costs:
            model = _svm(table.X[at], y[at], C)
            wrong = [
                _svm(table.X[np.delete(at, i)], y[np.delete(at, i)], C).labels(table.X[at[i : i + 1]])[0] != y[at[i]]
                for i in range(size)
            ]
            yield C, seed, size, float(np.mean(model.solution.alpha > 0)), float(np.mean(wrong))


def _svm(X, y, C):
    """Fit a support vector machine: a fixed margin of two ranks."""
    return fit_path(FixedMarginSVM(gamma=5.0, tol=1e-6), X, y, (C,))[0]


EPOCHS = 100_000


@columns("seed", "n", "updates", "bound", "converged")
def perceptron_updates(data, experiment, *, size, samples):
    """Updates of a perceptron on pairs that can be separated, against the bound of Theorem 1.1.

    Run to the end on points of a lattice whose order is that of 2 x1 + x2.

    Returns
    -------
    DataFrame
        ``seed n updates bound converged``: the bound is (R / rho)^2 with R the longest difference of a pair of unequal
        rank and rho the margin of the true direction; the largest margin is not below it.
    """
    for seed in range(samples):
        X = np.random.default_rng(seed_of("perceptron", seed)).integers(-3, 4, (size, 2)).astype(float)
        y = X @ np.array([2.0, 1.0])
        model = PairwisePerceptron(epochs=EPOCHS, random_state=seed).fit(X, y).model_
        gaps = np.abs(np.subtract.outer(y, y)).ravel() / np.sqrt(5.0)
        lengths = ((X[:, None] - X[None]) ** 2).sum(axis=2).ravel()
        bound = lengths[gaps > 0].max() / gaps[gaps > 0].min() ** 2
        yield seed, size, model.n_updates, bound, model.converged


QP_C, QP_GAMMA = 1.0, 0.5


@columns("solver", "n", "run", "seconds", "objective")
def qp_growth(data, experiment, *, sizes, runs):
    """Seconds of a general quadratic programming package and of SMO on the dual of a support vector machine.

    Solve two noisy ranks in five inputs at each size with both.

    Returns
    -------
    DataFrame
        ``solver n run seconds objective``: the dual objective, for which the two must agree. Each run has all sizes.
    """
    for run, n in product(range(runs), sizes):
        rng = np.random.default_rng(seed_of("qp growth", n))
        X = rng.standard_normal((n, 5))
        y = np.sign(X[:, 0] + 0.5 * rng.standard_normal(n))
        for solver, solve in (("cvxopt", _qp_package), ("smo", _smo)):
            seconds, objective = least_seconds(solve, X, y)
            yield solver, n, run, seconds, objective


def _smo(X, y):
    return fit_path(FixedMarginSVM(gamma=QP_GAMMA, tol=1e-3), X, y, (QP_C,))[0].solution.dual_bound


def _qp_package(X, y):
    from cvxopt import matrix, solvers

    n = len(y)
    Q = np.outer(y, y) * Kernel("rbf", QP_GAMMA).gram(X, X) + 1e-9 * np.eye(n)
    G, h = np.vstack([np.eye(n), -np.eye(n)]), np.append(np.full(n, QP_C), np.zeros(n))
    arguments = (Q, -np.ones(n), G, h, y[None, :], np.zeros(1))
    solved = solvers.qp(*map(matrix, arguments), options={"show_progress": False, "reltol": 1e-3})
    return -float(solved["primal objective"])
