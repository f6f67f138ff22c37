"""Studies of Díez, del Coz and Bahamonde: equations, Algorithm 2, growth with n."""

import numpy as np

from rankbench.experiments.seconds import least_seconds
from rankbench.statistics.columns import columns
from rankmargin import SVOR, SwappedPairsSVM, metrics
from rankmargin.compiled import njit
from rankmargin.estimators.path import fit_path
from rankmargin.oracles.swapped_pairs import violations
from rankmargin.problem.rows.pairs import all_pairs
from rankmargin.problem.rows.thresholds import implicit

MARGIN = 0.5


@columns("n", "r", "loss_error", "psi_error", "tied", "auc_error", "strict_error")
def count_vectors(data, experiment, *, trials):
    """Equations 1 and 15 to 19 of Diez et al. on random data: count vectors against sums over all pairs, swapped pairs
    against the area under the ROC curve.

    Compare both sides of each equation.

    Parameters
    ----------
    trials : int

    Returns
    -------
    DataFrame
        One row per trial: ``n r loss_error psi_error`` (the larger of absolute and relative, against sums over all
        pairs), and for two classes drawn from the same scores ``tied`` (whether two scores of different classes are
        equal), ``auc_error`` (to 1 - AUC of scikit-learn, which counts a tie as half an error) and ``strict_error``
        (to the share of pairs not in strictly the right order).
    """
    rng = np.random.default_rng(0)
    for trial in range(trials):
        n, r = int(rng.integers(4, 60)), int(rng.integers(2, 10))
        X, y = rng.standard_normal((n, 3)), rng.integers(0, r, n)
        y[:2] = 0, 1
        s = rng.integers(-5, 6, n) / 4 if trial % 2 else rng.standard_normal(n)
        yield n, r, *_count_errors(X, y, s), *_auc_errors((y > np.median(y[y < y.max()])).astype(int), s)


def _count_errors(X, y, s):
    """Return the errors of the loss (eq. 15 to 17) and of the joint features (eq. 18, 19) made of the two vectors."""
    above, below = violations(y, s, MARGIN)
    c = (y[:, None] > y).sum(1) - 2 * above
    d = (y[:, None] < y).sum(1) - 2 * below
    loss, psi = (0.5 * np.sum((y[:, None] > y).sum(1) - c)), (c - d) @ X
    pairs_loss, pairs_psi = 0.0, np.zeros(X.shape[1])
    for i, j in zip(*np.nonzero(y[:, None] > y)):
        label = -1 if s[i] - MARGIN < s[j] else 1
        pairs_loss += 0.5 * (1 - label)
        pairs_psi += label * (X[i] - X[j])
    return abs(loss - pairs_loss), float(np.max(np.abs(psi - pairs_psi) / np.maximum(1, np.abs(pairs_psi))))


def _auc_errors(label, s):
    from sklearn.metrics import roc_auc_score

    positive, negative = s[label == 1], s[label == 0]
    loss, strict = metrics.swapped_pairs(label, s), 1 - np.mean(positive[:, None] > negative)
    tied = bool(np.isin(positive, negative).any())
    return tied, abs(loss - (1 - roc_auc_score(label, s))), abs(loss - strict)


@columns("part", "n", "r", "run", "seconds", "differing")
def oracle_growth(data, experiment, *, sizes, ranks, trials, runs):
    """Test Algorithm 2 of Diez et al.: its answers against the definition, its seconds against n and r (Lemma 1).

    Time Algorithm 2 and compare it with the definition.

    Parameters
    ----------
    data, experiment
        Not used: scores and ranks are random.
    sizes : sequence of int
        Numbers of examples n; with the first of `ranks`.
    ranks : sequence of int
        Numbers of ranks r; with the largest of `sizes`.
    trials : int
        Number of small problems whose answers are compared with the sums over all pairs (n up to 40, scores on a grid,
        so that some pairs lie exactly on the margin).
    runs : int
        Times of each size; the sizes alternate.

    Returns
    -------
    DataFrame
        ``part n r run seconds differing``: part ``n`` or ``r`` with the shortest of three times, part ``trial`` with
        the number of examples whose c or d differs from the definition's.
    """
    rng = np.random.default_rng(0)
    for run in range(runs):
        yield from (("n", n, ranks[0], run, _oracle_seconds(rng, n, ranks[0]), np.nan) for n in sizes)
        yield from (("r", max(sizes), r, run, _oracle_seconds(rng, max(sizes), r), np.nan) for r in ranks)
    for _ in range(trials):
        n, r = int(rng.integers(2, 41)), int(rng.integers(2, 8))
        rank, s = _drawn_ranks(rng, n, r), rng.integers(-8, 9, n) / 8
        yield "trial", n, int(rank.max()), 0, np.nan, _differing(rank, s)


def _drawn_ranks(rng, n, r):
    """Return n ranks 1, 2, ... without a gap."""
    return np.unique(rng.integers(0, r, n), return_inverse=True)[1] + 1


def _oracle_seconds(rng, n, r):
    rank, s = _drawn_ranks(rng, n, r), rng.standard_normal(n)
    return least_seconds(algorithm_2, rank, s)[0]


def _differing(rank, s):
    """Count the examples whose c or d of eq. 13 is not the sum over all pairs (eq. 21)."""
    c, d = algorithm_2(rank, s)
    label = np.where(s[:, None] - MARGIN < s, -1, 1) * (rank[:, None] > rank)
    return int(np.sum((c != label.sum(axis=1)) | (d != label.sum(axis=0))))


def algorithm_2(rank, s):
    """Algorithm 2 of the paper as printed: c'_i and d'_i of eq. 13 for ranks 1..r, in O(n log n + n r).

    The text says "sort" without a direction. The sums are right (Lemma 1) only if V is sorted in *descending* order. If
    a v+ and a v- are equal, v+ comes first, which makes the pair +1; at the margin both choices have the same loss.

    Parameters
    ----------
    rank : (n,) int array with values 1..r
    s : (n,) scores w.x_i

    Returns
    -------
    c, d : (n,) int64 arrays, c'_i = sum_{j: y_i > y_j} y'_ij and d'_i = sum_{j: y_i < y_j} y'_ji
    """
    rank = np.asarray(rank, dtype=np.int64)
    v = np.concatenate([-0.25 + s, 0.25 + s])
    order = np.lexsort((np.repeat([0, 1], len(s)), -v))
    return _algorithm_2(rank, order, int(rank.max()))


@njit
def _algorithm_2(rank, order, r):
    n = rank.size
    size = np.zeros(r + 2, dtype=np.int64)
    for i in range(n):
        size[rank[i]] += 1
    seen_negative = np.zeros(r + 1, dtype=np.int64)
    n_lower, n_higher = np.zeros(r + 1, dtype=np.int64), np.zeros(r + 1, dtype=np.int64)
    for k in range(1, r + 1):
        n_lower[k] = size[1:k].sum()
        n_higher[k] = size[k + 1 :].sum()
    unseen_positive = n_higher.copy()
    c, d = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for v in order:
        i = v % n
        if v < n:
            if rank[i] > 1:
                c[i] = n_lower[rank[i]] - 2 * seen_negative[rank[i]]
                for k in range(1, rank[i]):
                    unseen_positive[k] -= 1
        elif rank[i] < r:
            d[i] = n_higher[rank[i]] - 2 * unseen_positive[rank[i]]
            for k in range(rank[i] + 1, r + 1):
                seen_negative[k] += 1
    return c, d


@columns(
    "n", "tol", "n_pairs", "pair_bytes", "threshold_rows", "direct_bytes", "planes", "pairs_seconds", "direct_seconds"
)
def problem_growth(data, experiment, *, sizes, C, gamma, tolerances):
    """How the problems of Diez et al. grow with n: constraints, bytes, planes and seconds (sections 1, 2.1, 2.2, 3.1).

    Fit made data of each size with all pairs listed, and with Algorithm 1 at each tolerance.

    Parameters
    ----------
    data, experiment
        Not used: n distinct targets y = x_1 + sin(2 x_2) + noise, five inputs.
    sizes : sequence of int
    C, gamma : float
        `C` is the weight of the *mean* over pairs, so that the problem stays the same while n grows; RBF kernel.
    tolerances : sequence of float
        Relative gaps.

    Returns
    -------
    DataFrame
        One row per size and tolerance: ``n tol n_pairs pair_bytes threshold_rows direct_bytes planes pairs_seconds
        direct_seconds``. ``threshold_rows``: rows of ordinal regression with as many ranks as examples;
        ``direct_bytes``: what Algorithm 1 keeps for a plane, its counts and its scores.
    """
    for n in sizes:
        X, y = _wave(n)
        listed, ranks = all_pairs(y), np.argsort(np.argsort(y))
        n_rows = len(implicit(ranks, n).sign)
        pair_bytes = sum(array.nbytes for array in vars(listed).values() if isinstance(array, np.ndarray))
        weight = C / len(listed.sign)
        for tol in tolerances:
            pairs_seconds, _ = _fit_pairs(X, y, weight, gamma, tol, "dual_cd")
            direct_seconds, planes = _fit_pairs(X, y, weight, gamma, tol, "cutting_plane")
            yield n, tol, len(listed.sign), pair_bytes, n_rows, 16 * n, planes, pairs_seconds, direct_seconds


def _wave(n):
    rng = np.random.default_rng(n)
    X = rng.standard_normal((n, 5))
    return X, X[:, 0] + np.sin(2 * X[:, 1]) + 0.3 * rng.standard_normal(n)


def _fit_pairs(X, y, C, gamma, tol, solver):
    """Return the seconds of one fit and its number of iterations."""
    seconds, (model,) = least_seconds(fit_path, SwappedPairsSVM(gamma=gamma, solver=solver, tol=tol), X, y, (C,))
    return seconds, model.solution.n_iter


COSTS = (0.01, 1.0, 100.0)


@columns("n", "r", "C", "slack_sum", "deviation")
def slack_bound(data, experiment, *, trials):
    """The slack sum of ordinal regression against the absolute rank deviation on the training data (Diez et al. 2.2).

    Fit random problems and compare both sums.

    Parameters
    ----------
    data, experiment
        Not used: targets follow the inputs, with noise, in 2 to 7 ranks.
    trials : int

    Returns
    -------
    DataFrame
        One row per trial and C: ``n r C slack_sum deviation``, the sum of the hinge losses over all threshold rows, and
        the sum over the examples of the distance between predicted and true rank.
    """
    rng = np.random.default_rng(0)
    for _ in range(trials):
        n, r = int(rng.integers(20, 80)), int(rng.integers(2, 8))
        X = rng.standard_normal((n, 4))
        latent = X[:, 0] + rng.standard_normal(n)
        y = np.searchsorted(np.quantile(latent, np.arange(1, r) / r), latent) + 1.0
        for C, model in zip(COSTS, fit_path(SVOR(kernel="rbf", gamma=0.3), X, y, COSTS), strict=True):
            scores, problem = model.scores(X), model.problem.rows
            slack = np.maximum(0, problem.margin - problem.values(scores, model.solution.theta)).sum()
            yield n, r, C, float(slack), float(np.abs(model.labels(X) - y).sum())
