"""Studies of Herbrich, Graepel and Obermayer on points of the unit square whose ranks are those of (2.29)."""

from itertools import product

import numpy as np

from rankbench.baselines.multiclass_svm import MulticlassSVM
from rankbench.experiments.hold_outs import draw
from rankbench.experiments.split import seed_of
from rankbench.papers.herbrich.margin_bound import margin_bound
from rankbench.papers.herbrich.methods.svr_on_ranks import SVROnRanks
from rankbench.papers.herbrich.readers.herbrich_utility import THRESHOLDS
from rankbench.statistics.columns import columns
from rankmargin import RankBoundarySVM
from rankmargin.estimators.path import fit_path
from rankmargin.kernels import Kernel
from rankmargin.metrics import rank_inversions

# Section 2.5.1: (x.z + 1)^2, C = 1,000,000, epsilon = 0.5 for all.
KERNEL = {"kernel": "poly", "gamma": 1.0, "degree": 2, "coef0": 1.0}
C = 1e6
TRUTH, TRAINING = "truth", "training"


def ordinal(X, y):
    """Fit the chapter's rank boundaries."""
    return fit_path(RankBoundarySVM(tol=1e-4, **KERNEL), X, y, (C,))[0]


def multiclass(X, y):
    """Fit the ten hyperplanes of the multi-class SVM."""
    return MulticlassSVM(C=C, max_iter=10_000_000, **KERNEL).fit(X, y).model_


def svr(X, y):
    """Fit support vector regression on i."""
    return SVROnRanks(C=C, epsilon=0.5, **KERNEL).fit(X, y).model_


def svr_exp(X, y):
    """Fit support vector regression on exp(i)."""
    return SVROnRanks(C=C, epsilon=0.5, representation="exp", **KERNEL).fit(X, y).model_


METHODS = {"ordinal": ordinal, "multiclass": multiclass, "svr": svr, "svr_exp": svr_exp}


@columns("size", "method", "x1", "x2", "rank")
def rank_maps(data, experiment, *, sizes, cells):
    """Figure 2.3 of Herbrich, Graepel and Obermayer: the rank that each method gives to every part of the unit square.

    Draw one training sample, of which a smaller one is the beginning, and map the square with every method.

    Parameters
    ----------
    data : dict of one data set in the unit square to (Table, None)
    sizes : sequence of int
        Training sizes; the smallest sample holds every rank.
    cells : int
        Parts of each side of the square.

    Returns
    -------
    DataFrame
        ``size method x1 x2 rank``: one row per part of the square (x1, x2 is its middle), method and size; the method
        ``truth`` is the rank without noise, ``training`` are the examples that the methods saw.
    """
    [(name, (table, _))] = data.items()
    [order] = draws(table, name, min(sizes), 1)
    square = middles(cells)
    for size in sizes:
        X, y = table.X[order[:size]], table.y[order[:size]]
        ranks = {method: fit(X, y).labels(square) for method, fit in METHODS.items()} | {TRUTH: true_ranks(square)}
        for method, rank in ranks.items():
            yield from _rows(size, method, square, rank)
        yield from _rows(size, TRAINING, X, y)


def draws(table, name, smallest, number):
    """Return orders of the rows, shape (number, n), whose first ``smallest`` rows hold every rank."""
    sizes = {"n_train": smallest, "n_test": "rest", "n_folds": 2, "every_rank": True}
    splits = [draw(table, seed=seed, names=("rank maps", name), **sizes) for seed in range(number)]
    return np.array([[*split.train, *split.test] for split in splits])


def middles(cells):
    """Return the middles of the parts of the unit square, shape (cells^2, 2)."""
    side = (np.arange(cells) + 0.5) / cells
    return np.column_stack([np.repeat(side, cells), np.tile(side, cells)])


def true_ranks(X):
    """Return the ranks 1..5 of (2.29) without its noise, shape (m,)."""
    return 1.0 + np.digitize(10 * (X[:, 0] - 0.5) * (X[:, 1] - 0.5), THRESHOLDS)


def _rows(size, method, X, ranks):
    return ((size, method, *x, rank) for x, rank in zip(X.round(6), ranks.astype(int)))


@columns("dataset", "size", "method", "seed", "right", "right_near", "right_far", "inversions")
def rank_map_agreement(data, experiment, *, sizes, cells, samples):
    """How far the maps of Figure 2.3 agree with the truth, over many training samples instead of one.

    Map the square with every method after every training sample.

    Parameters
    ----------
    data, experiment, sizes, cells
        As :func:`rank_maps`.
    samples : int
        Training samples of each size.

    Returns
    -------
    DataFrame
        ``dataset size method seed right right_near right_far inversions``: the share of the square with the right
        (noise-free) rank, in all of it and in the halves nearer to and farther from a training example, and the
        inversions of the map.
    """
    square = middles(cells)
    truth = true_ranks(square)
    samples_of = [
        (name, table, seed, order)
        for name, (table, _) in data.items()
        for seed, order in enumerate(draws(table, name, min(sizes), samples))
    ]
    for (name, table, seed, order), size in product(samples_of, sizes):
        X, y = table.X[order[:size]], table.y[order[:size]]
        distance = np.sqrt(((square[:, None, :] - X[None]) ** 2).sum(axis=2).min(axis=1))
        near = distance <= np.median(distance)
        for method, fit in METHODS.items():
            ranks = fit(X, y).labels(square)
            right = ranks == truth
            shares = right.mean(), right[near].mean(), right[~near].mean()
            yield name, size, method, seed, *shares, rank_inversions(truth, ranks)


@columns("dataset", "changed", "n", "share", "distance", "distance_sd")
def rank_noise(data, experiment):
    """Which examples of (2.29) change their rank by the noise, and how near they lie to a rank boundary (Figure 2.2a).

    Split the examples of every data set by whether their rank is the one of their utility without noise.

    Returns
    -------
    DataFrame
        ``dataset changed n share distance distance_sd``: a row for the changed and one for the others; the distance is
        that of the utility without noise to the nearest threshold.
    """
    for name, (table, _) in data.items():
        utility = 10 * np.prod(table.X - 0.5, axis=1)
        distance = np.abs(utility[:, None] - np.array(THRESHOLDS)).min(axis=1)
        changed = true_ranks(table.X) != table.y
        for flag in (True, False):
            here = distance[changed == flag]
            yield name, flag, len(here), len(here) / len(distance), here.mean(), here.std(ddof=1)


POOL, NOISE = 1000, 0.125


@columns("spacing", "epsilon", "seed", "ordinal", "svr")
def svr_tube(data, experiment, *, epsilons, spacings, size, samples):
    """Regression on rank numbers against rank boundaries, with other tubes and other gaps between the thresholds.

    Section 2.5.1 explains their agreement by a tube of 0.5 near the differences of the thresholds.

    Fit both on the same samples.

    Parameters
    ----------
    epsilons : sequence of float, half widths of the tube
    spacings : sequence of float, factors of all thresholds: 1 is (2.29)
    size, samples : int, training examples and how many samples of them

    Returns
    -------
    DataFrame
        ``spacing epsilon seed ordinal svr``: inversions of the predicted ranks on the other examples.
    """
    for spacing, seed in product(spacings, range(samples)):
        X, y, order = _tube_sample(spacing, seed, size)
        train, test = order[:size], order[size:]
        ours = rank_inversions(y[test], ordinal(X[train], y[train]).labels(X[test]))
        for epsilon in epsilons:
            theirs = SVROnRanks(C=C, epsilon=epsilon, **KERNEL).fit(X[train], y[train]).predict(X[test])
            yield spacing, epsilon, seed, ours, rank_inversions(y[test], theirs)


def _tube_sample(spacing, seed, size):
    """Return points, ranks and an order of them whose first ``size`` hold all five ranks."""
    rng = np.random.default_rng(seed_of("svr tube", spacing, seed))
    X = rng.uniform(size=(POOL, 2))
    utility = 10 * np.prod(X - 0.5, axis=1) + rng.normal(scale=NOISE, size=POOL)
    y = 1.0 + np.digitize(utility, spacing * np.array(THRESHOLDS))
    while True:
        order = rng.permutation(POOL)
        if len(np.unique(y[order[:size]])) == len(THRESHOLDS) + 1:
            return X, y, order


@columns("method", "seed", "m", "pairs", "risk", "pair_error", "covariance", "correlation")
def pair_loss(data, experiment, *, size, samples):
    """Theorem 2.1 and equation (2.18) of Herbrich, Graepel and Obermayer on samples: inversions as a loss of pairs.

    Judge every method on ``size`` fresh examples after as many training examples.

    Parameters
    ----------
    data : dict of one data set in the unit square to (Table, None)

    Returns
    -------
    DataFrame
        ``method seed m pairs risk pair_error covariance correlation``. Of m examples, ``risk`` is the empirical risk
        of (2.11) over all m^2 ordered pairs, ``pairs`` the number m' of pairs of unequal rank, ``pair_error`` the share
        of these that the prediction puts in another relation (2.14); ``covariance`` is that of the losses of two pairs
        with an example in common, over all examples of the data set: by (2.12) the variance of c_g(x, y).
    """
    [(name, (table, _))] = data.items()
    for seed, order in enumerate(draws(table, name, 5, samples)):
        train, fresh = order[:size], order[size : 2 * size]
        for method, fit in METHODS.items():
            ranks = fit(table.X[train], table.y[train]).labels(table.X)
            loss = losses(table.y[fresh], ranks[fresh])
            whole = losses(table.y, ranks)
            each, p = whole.mean(axis=1), whole.mean()
            pairs, error = pair_error(table.y[fresh], ranks[fresh])
            covariance = each.var()
            yield method, seed, size, pairs, loss.mean(), error, covariance, covariance / (p * (1 - p))


def losses(y, ranks):
    """Return c_pref of (2.11) for all ordered pairs, shape (m, m)."""
    true, predicted = np.subtract.outer(y, y), np.subtract.outer(ranks, ranks)
    return ((true > 0) & (predicted <= 0)) | ((true < 0) & (predicted >= 0))


def pair_error(y, ranks):
    """Return the number of 2-sets of unequal rank (2.14) and the share whose sign the prediction does not have."""
    i, j = np.nonzero(np.triu(np.not_equal.outer(y, y)))
    return len(i), float(np.mean(np.sign(y[i] - y[j]) != np.sign(ranks[i] - ranks[j])))


DELTA = 0.05
FRESH = 1000


@columns("case", "dimension", "seed", "m", "margin", "radius", "bound", "risk")
def margin_bounds(data, experiment, *, sizes, samples, line, dimensions):
    """Test Theorem 2.2 of Herbrich, Graepel and Obermayer: compare the margin bound with the risk that it bounds.

    ``square``: rank boundaries learned on noise-free examples of (2.29). ``line``: two distant groups on a line and
    f(x) = x, with enough examples for a bound below 1. ``rotated``: the same line in more dimensions, in a random
    direction.

    Compute both sides of the bound at 1 - delta = 0.95.

    Parameters
    ----------
    sizes, samples : training sizes of ``square`` and samples of each
    line : int, examples of ``line`` and ``rotated``
    dimensions : those of ``rotated``

    Returns
    -------
    DataFrame
        ``case dimension seed m margin radius bound risk``; a bound is infinite where the theorem says nothing. Samples
        with a training inversion are left out: the theorem is about the others.
    """
    yield from (row for size in sizes for seed in range(samples) for row in _square(size, seed))
    for seed in range(samples):
        x = _line(line, ("line", seed))
        fresh = _line(FRESH, ("line", seed, "fresh"))
        yield "line", 1, seed, *_sides(x, np.sign(x), np.abs(x).max(), _inversions(np.sign(fresh), fresh))
        yield from (_rotated(x, fresh, d, seed) for d in dimensions)


def _sides(f, y, radius, risk):
    """Return m, margin, radius, bound and risk of scores f of norm 1 on training ranks y in random order."""
    unequal = y[1:] != y[:-1]
    margin = float(np.min(np.abs(np.diff(f))[unequal]))
    return len(f), margin, radius, margin_bound(margin, radius, len(f), DELTA), risk


def _square(size, seed):
    """Yield the row of one sample of the square, if it is learned without an inversion."""
    rng = np.random.default_rng(seed_of("margin bounds", size, seed))
    X, fresh = rng.uniform(size=(size, 2)), rng.uniform(size=(FRESH, 2))
    y = true_ranks(X)
    if len(np.unique(y)) < 2:
        return
    model = ordinal(X, y)
    f = model.scores(X)
    if _inversions(y, f) > 0:
        return
    beta = model.solution.beta
    K = Kernel(*KERNEL.values()).gram(X, X)
    norm, radius = np.sqrt(beta @ K @ beta), float(np.sqrt(np.max(np.diag(K))))
    yield "square", 2, seed, *_sides(f / norm, y, radius, _inversions(true_ranks(fresh), model.scores(fresh)))


def _line(n, name):
    """Return n points between 0.9 and 1 or their negatives."""
    rng = np.random.default_rng(seed_of("margin bounds", *name))
    return rng.choice([-1.0, 1.0], n) * rng.uniform(0.9, 1.0, n)


def _rotated(x, fresh, dimension, seed):
    """Put the line into a random direction and compute margin and radius from the vectors."""
    direction = np.random.default_rng(seed_of("margin bounds", "direction", dimension, seed)).normal(size=dimension)
    direction /= np.linalg.norm(direction)
    X = np.outer(x, direction)
    radius = float(np.linalg.norm(X, axis=1).max())
    risk = _inversions(np.sign(fresh), np.outer(fresh, direction) @ direction)
    return "rotated", dimension, seed, *_sides(X @ direction, np.sign(x), radius, risk)


def _inversions(y, f):
    """Return the risk over all pairs, those of equal rank among them, as R_pref has it."""
    i, j = np.triu_indices(len(y), 1)
    return float(np.mean((y[i] != y[j]) & ((y[i] - y[j]) * (f[i] - f[j]) <= 0)))
