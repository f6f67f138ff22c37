"""Objectives computed from their definitions, by loops over rows, pairs and entries: slow and independent of the
library."""

from itertools import combinations_with_replacement

import numpy as np


def kernel_value(x, z, kernel, gamma, degree, coef0):
    """Return k(x, z)."""
    if kernel == "rbf":
        return np.exp(-gamma * np.sum((x - z) ** 2))
    product = np.sum(x * z)
    return product if kernel == "linear" else (gamma * product + coef0) ** degree


def kernel_matrix(X, gamma, kernel="rbf", degree=3, coef0=0.0):
    """Return K by the definition; ``gamma="scale"`` is 1 / (d times the variance of all entries)."""
    if gamma == "scale":
        variance = np.mean((X - np.mean(X)) ** 2)
        gamma = 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0
    return np.array([[kernel_value(x, z, kernel, gamma, degree, coef0) for z in X] for x in X])


def difference_matrix(pairs, gamma, **kernel):
    """Return the products of the differences phi(first) - phi(second) of pairs (n, 2 d)."""
    n = len(pairs)
    K = kernel_matrix(np.vstack(np.hsplit(pairs, 2)), gamma, **kernel)
    return K[:n, :n] - K[:n, n:] - K[n:, :n] + K[n:, n:]


def hinge(value):
    """Return max(0, value)."""
    return value if value > 0 else 0.0


def all_pairs_loss(s, y, slope=1.0):
    """Return the sum over pairs with y_i > y_j of max(0, 1 - slope (s_i - s_j)), and the number of pairs."""
    pairs = [(i, j) for i in range(len(y)) for j in range(len(y)) if y[i] > y[j]]
    return sum(hinge(1.0 - slope * (s[i] - s[j])) for i, j in pairs), len(pairs)


def implicit_loss(s, rank, theta):
    """Return the loss of every row against every threshold."""
    return sum(
        hinge(1.0 - (1 if rank[i] > j else -1) * (s[i] - theta[j])) for i in range(len(s)) for j in range(len(theta))
    )


def neighbours_loss(s, rank, theta):
    """Return the loss of each threshold against its two neighbouring ranks."""
    below = sum(hinge(1.0 - (theta[rank[i]] - s[i])) for i in range(len(s)) if rank[i] < len(theta))
    return below + sum(hinge(1.0 - (s[i] - theta[rank[i] - 1])) for i in range(len(s)) if rank[i] > 0)


def margins_less_loss(s, rank, lower, upper, C):
    """Return the sum of margins less C times the loss (Shashua and Levin)."""
    loss = sum(hinge(s[i] - lower[rank[i]]) for i in range(len(s)) if rank[i] < len(lower))
    loss += sum(hinge(upper[rank[i] - 1] - s[i]) for i in range(len(s)) if rank[i] > 0)
    return sum(b - a for a, b in zip(lower, upper, strict=True)) - C * loss


def tube_loss(s, y, epsilon):
    """Return the sum over rows of max(0, |y - s| - epsilon)."""
    return sum(hinge(abs(y[i] - s[i]) - epsilon) for i in range(len(s)))


def orderings_loss(s, pairs, margin):
    """Return the sum over pairs (i, j) of max(0, margin - (s_i - s_j))."""
    return sum(hinge(margin - (s[i] - s[j])) for i, j in pairs)


def comparisons_loss(g, y, intercept):
    """Return the loss of eq. 15 of Venuto et al.: g are the differences first - second, y = 1 says the first is better.

    A pair that differs should have b + (better - worse) >= 1; an equal pair b + difference <= -1, in both directions.
    """
    loss = 0.0
    for i in range(len(y)):
        if y[i] != 0:
            loss += hinge(1.0 - (intercept + y[i] * g[i]))
        else:
            loss += hinge(1.0 + intercept + g[i]) + hinge(1.0 + intercept - g[i])
    return loss


def least_rank_loss(s, rank, n_ranks):
    """Return the smallest sum of |rank - predicted| over all ways to cut the scores between distinct values."""
    order = np.unique(s)
    least = np.inf
    for cuts in combinations_with_replacement(range(len(order) + 1), n_ranks - 1):
        predicted = np.searchsorted(np.array(cuts), np.searchsorted(order, s), side="right")
        least = min(least, float(np.abs(predicted - rank).sum()))
    return least


def unit_of(model):
    """Return the difference of f beyond which a pair differs; 1 where there is none."""
    threshold = model.threshold_ if hasattr(model, "threshold_") else -model.intercept_
    return threshold if threshold > 0 else 1.0


# Losses of estimators, of their scores: (model, scores, y, ranks, arguments of fit, or thresholds)


def _pairs_cost(model, n, n_pairs):
    return model.C * (n / n_pairs if model.C_scale == "rows" else 1.0)


def _all_pairs(slope):
    def loss(model, s, y, rank, arguments):
        found, n_pairs = all_pairs_loss(s, rank, slope)
        return _pairs_cost(model, len(s), n_pairs) * found

    return loss


def _graded(model, s, y, rank, arguments):
    loss = implicit_loss if getattr(model, "constraints", "explicit") == "implicit" else neighbours_loss
    return model.C * loss(s, rank, arguments.get("thresholds", model.thresholds_))


def _ranksvr(model, s, y, rank, arguments):
    pairs = arguments.get("pairs", [])
    C_rank = model.C_rank * (len(np.unique(pairs)) / len(pairs) if len(pairs) and model.C_scale == "rows" else 1.0)
    of_targets = tube_loss(s + model.intercept_, y.astype(float), model.epsilon)
    return model.C * of_targets + C_rank * orderings_loss(s, pairs, model.margin)


LOSSES = {
    "SwappedPairsSVM": _all_pairs(2.0),
    "PairwiseRankSVM": _all_pairs(1.0),
    "RankBoundarySVM": _all_pairs(1.0),
    "SVOR": _graded,
    "FixedMarginSVM": _graded,
    "SumOfMarginsSVM": None,
    "RankSVR": _ranksvr,
    "ComparisonSVM": lambda model, s, y, rank, _: model.C * comparisons_loss(s, y, model.intercept_),
    "RankThreshold": lambda model, s, y, rank, _: (
        model.C * sum(hinge(1.0 - y[i] * s[i]) for i in range(len(s)) if y[i])
    ),
}
