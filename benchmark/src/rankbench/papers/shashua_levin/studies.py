"""Studies of Shashua and Levin: sizes of problems, ranges of C, equalities, thresholds."""

from itertools import product

import numpy as np

from rankbench.experiments.seconds import least_seconds
from rankbench.experiments.split import seed_of
from rankbench.statistics.columns import columns
from rankmargin import FixedMarginSVM, RankBoundarySVM, SumOfMarginsSVM
from rankmargin.estimators.path import fit_path
from rankmargin.problem.rows.pairs import all_pairs
from rankmargin.problem.rows.thresholds import explicit, sandwiched

USER_C = 0.001


@columns("dataset", "n", "seed", "pairs", "pairwise_seconds", "fixed_margin_seconds", "gap")
def pair_growth(data, experiment, *, sizes, samples):
    """Pairwise ranking with a large margin on one user's ratings: pairs and seconds against the number of examples.

    Fit both with a linear kernel at each size.

    Returns
    -------
    DataFrame
        ``dataset n seed pairs pairwise_seconds fixed_margin_seconds gap``: the gap is that of the pairwise fit.
    """
    by_pairs = RankBoundarySVM(kernel="linear", solver="dual_cd", tol=1e-3)
    for (name, (table, _)), seed, n in product(data.items(), range(samples), sizes):  # the sizes alternate
        at = np.random.default_rng(seed_of("pair growth", name, seed)).permutation(len(table.y))[:n]
        X, y = table.X[at], table.y[at]
        pairwise, (model,) = least_seconds(fit_path, by_pairs, X, y, (USER_C,))
        fixed, _ = least_seconds(fit_path, FixedMarginSVM(kernel="linear"), X, y, (USER_C,))
        solution = model.solution
        gap = (solution.objective - solution.dual_bound) / solution.objective
        yield name, n, seed, len(model.problem.rows.plus), pairwise, fixed, gap


@columns("n", "k", "formula", "fixed_margin", "sum_of_margins", "pairs", "multiclass")
def problem_sizes(data, experiment, *, sizes, ranks):
    """Dual variables of the fixed margin, of pairwise ranking and of a general multi-class machine, counted.

    Count the rows that the methods solve, for ranks of random sizes.

    Returns
    -------
    DataFrame
        ``n k formula fixed_margin sum_of_margins pairs multiclass``: the formula is 2 n - n_1 - n_k, multiclass k n.
    """
    for n, k in product(sizes, ranks):
        rng = np.random.default_rng(seed_of("problem sizes", n, k))
        rank = np.sort(np.append(np.arange(k), rng.choice(k, n - k, p=rng.dirichlet(np.ones(k)))))
        counts = np.bincount(rank)
        policies = [len(rows_of(rank, k).plus) for rows_of in (explicit, sandwiched)]
        yield n, k, 2 * n - counts[0] - counts[-1], *policies, len(all_pairs(rank).plus), k * n


# Places on the printed range [2 (k - 1) / N, 2 (k - 1)]: 0 its lower end, 1 its upper end, in the logarithm.
PLACES = (-0.1, 0.0, 0.25, 0.5, 0.75, 1.0, 1.1)
SLACK = 1e-4


@columns("k", "shares", "seed", "place", "C", "status", "rows", "errors", "norm")
def sum_of_margins_sweep(data, experiment, *, size, ranks, samples):
    """The sum of margins along its range of C: which C have an optimum, how many margin errors there are, the norm.

    Fit every place on ranks of equal shares and on ranks whose first is rare.

    Returns
    -------
    DataFrame
        ``k shares seed place C status rows errors norm``: status ``ok``, or ``outside`` where the method says that C is
        outside its range, or ``none`` where no sum of margins above 0 exists; ``errors`` are rows of the N that are on
        the wrong side of their threshold by more than 1e-4 of the spread of f.
    """
    for k, shares, seed in product(ranks, ("equal", "rare"), range(samples)):
        X, y = _ranked(size, k, shares, seed)
        yield from ((k, shares, seed, place, *_place_on_range(X, y, place)) for place in PLACES)


def _ranked(size, k, shares, seed):
    """Return examples in ranks of equal sizes, or with a first rank of two examples."""
    X, order = _ordered(size, 0.3, "sum of margins", k, shares, seed)
    if shares == "equal":
        return X, 1.0 + order * k // size
    return X, np.where(order < 2, 1.0, 2.0 + (order - 2) * (k - 1) // (size - 2))


def _cost(y, place):
    """Return C at a place on the printed range, and the number N of rows."""
    counts = np.unique(y, return_counts=True)[1]
    N = 2 * len(y) - counts[0] - counts[-1]
    return 2 * (len(counts) - 1) * float(N) ** (place - 1), N


def _place_on_range(X, y, place):
    C, N = _cost(y, place)
    try:
        model = fit_path(SumOfMarginsSVM(gamma=0.5, tol=1e-6), X, y, (C,))[0]
    except ValueError as error:
        return C, "outside" if str(error).startswith("C must be in") else "none", N, np.nan, np.nan
    s = model.scores(X)
    short = model.problem.rows.margin - model.problem.rows.values(s, model.solution.theta)
    norm = float(np.sqrt(model.solution.beta @ model.problem.space.scores(model.solution.beta)))
    return C, "ok", N, int(np.sum(short > SLACK * np.ptp(s))), norm


RELAXED_PLACES = (0.02, 0.1, 0.25)  # on the printed range of C, in the logarithm


@columns("k", "seed", "C", "value", "norm")
def relaxed_norm(data, experiment, *, size, ranks, samples):
    """The sum of margins with its norm relaxed to at most one, solved as a cone program by cvxopt (claim L14).

        max sum_j (b_j - a_j) - C sum_j (sum_{rank j} max(0, s_i - a_j) + sum_{rank j+1} max(0, b_j - s_i)),   s = X w,
        over ||w|| <= 1 and a_1 <= b_1 <= a_2 <= ...                                                         (13)-(17)

    The library's own solver divides by the norm of its solution; this one does not know that the norm should be one.

    Solve problems with ranks of equal shares at three C each.

    Returns
    -------
    DataFrame
        ``k seed C value norm``: the optimum and the norm of w.
    """
    for k, seed, place in product(ranks, range(samples), RELAXED_PLACES):
        X, y = _ranked(size, k, "equal", seed)
        C, _ = _cost(y, place)
        C = max(C, 1.01 / np.unique(y, return_counts=True)[1].min())  # below, thresholds run away
        yield k, seed, C, *relaxed(X, y, C)


def relaxed(X, y, C):
    """Return the optimum and the norm of w of the relaxed problem."""
    from cvxopt import matrix, solvers, spmatrix

    rank, d = np.unique(y, return_inverse=True)[1], X.shape[1]
    m = 2 * int(rank.max())  # thresholds a_1, b_1, a_2, ...
    below, above = np.flatnonzero(2 * rank < m), np.flatnonzero(rank > 0)
    i, threshold = np.append(below, above), np.append(2 * rank[below], 2 * rank[above] - 1)
    sign, n = np.repeat([[1.0], [-1.0]], [len(below), len(above)], axis=0), len(i)
    G = np.block(
        [
            [sign * X[i], -sign * np.eye(m)[threshold], -np.eye(n)],  # sign (s_i - threshold) <= slack
            [np.zeros((n, d + m)), -np.eye(n)],
            [np.zeros((m - 1, d)), np.eye(m - 1, m) - np.eye(m - 1, m, 1), np.zeros((m - 1, n))],  # thresholds in order
            [np.zeros((1, d + m + n))],
            [-np.eye(d), np.zeros((d, m + n))],  # (1, w) in the second-order cone
        ]
    )
    h = np.zeros(len(G))
    h[-d - 1] = 1.0
    costs = np.concatenate([np.zeros(d), np.tile([1.0, -1.0], m // 2), np.full(n, C)])
    dims = {"l": 2 * n + m - 1, "q": [d + 1], "s": []}
    at = np.nonzero(G)
    sparse = spmatrix(G[at], *(part.tolist() for part in at), size=G.shape)
    options = {"show_progress": False, "abstol": 1e-8, "reltol": 1e-8, "feastol": 1e-8}
    solved = solvers.conelp(matrix(costs), sparse, matrix(h), dims, options=options)
    if solved["status"] != "optimal":
        raise ValueError(f"the cone program of {len(y)} examples and C = {C:g} was not solved: {solved['status']}")
    return -float(solved["primal objective"]), float(np.linalg.norm(np.array(solved["x"][:d])))


NOISES = (0.0, 0.5)
FREE = 1e-6


@columns("policy", "k", "seed", "noise", "threshold", "free", "difference")
def threshold_recovery(data, experiment, *, size, ranks, samples):
    """Which thresholds of the two policies can be read off support vectors, and how far those are from the best ones.

    Fit both policies and look at the rows of each threshold whose dual variable is inside its box.

    Returns
    -------
    DataFrame
        ``policy k seed noise threshold free difference``: one row per threshold; ``free`` rows of it, and the distance
        of the mean of what they say from the threshold of the solution, over the range of f (NaN without free rows).
    """
    for k, noise, seed in product(ranks, NOISES, range(samples)):
        X, order = _ordered(size, noise, "threshold recovery", k, noise, seed)
        y = 1.0 + order * k // size
        machines = FixedMarginSVM(gamma=0.5, tol=1e-8, C=10.0), SumOfMarginsSVM(gamma=0.5, tol=1e-8, C=None)
        for name, machine in zip(("fixed_margin", "sum_of_margins"), machines, strict=True):
            (model,) = fit_path(machine, X, y, (machine.C,))
            yield from ((name, k, seed, noise, *row) for row in _read_off(model, X))


def _ordered(size, noise, *names):
    """Return examples and their places in a noisy order; the names decide the draw."""
    rng = np.random.default_rng(seed_of(*names))
    X = rng.standard_normal((size, 3))
    return X, np.argsort(np.argsort(X[:, 0] + 0.3 * X[:, 1] ** 2 + noise * rng.standard_normal(size)))


def _read_off(model, X):
    """Yield threshold, its free rows and how far what they say is from the solution."""
    rows, alpha, s = model.problem.rows, model.solution.alpha, model.scores(X)
    upper = model.C * rows.cost
    inside = (alpha > FREE * upper) & (alpha < (1 - FREE) * upper)
    said = s[rows.plus] - rows.sign * rows.margin
    for j, theta in enumerate(model.solution.theta):
        free = inside & (rows.threshold == j)
        difference = abs(said[free].mean() - theta) / np.ptp(s) if free.any() else np.nan
        yield j, int(free.sum()), difference


KERNELS = {"linear": {"kernel": "linear"}, "rbf": {"kernel": "rbf", "gamma": 0.4}}
COSTS, NUS = (0.1, 1.0, 10.0), (0.51, 0.66, 0.81)  # nu times n / 2 must not be whole: thresholds would not be unique
TOL = 1e-9


@columns("policy", "kernel", "seed", "setting", "difference", "range")
def two_rank_equalities(data, experiment, *, size, samples):
    """The two policies of Shashua and Levin with two ranks, against scikit-learn's SVC and NuSVC.

    Compare decision functions on the training examples.

    Returns
    -------
    DataFrame
        ``policy kernel seed setting difference range``: the setting is C or nu (then C = 2 / (nu n)); the difference is
        the largest of two decision functions in units where the margin is at +-1, the range that of theirs.
    """
    for seed in range(samples):
        rng = np.random.default_rng(seed_of("two ranks", seed))
        X = rng.standard_normal((size, 3))
        f = X[:, 0] + 0.2 * X[:, 1] ** 2 + 0.3 * rng.standard_normal(size)
        y = np.where(f > np.median(f), 2.0, 1.0)
        for name, kernel in KERNELS.items():
            pairs = [("fixed_margin", C, *_fixed_margin(X, y, C, kernel)) for C in COSTS]
            pairs += [("sum_of_margins", nu, *_sum_of_margins(X, y, nu, kernel)) for nu in NUS]
            for policy, setting, ours, theirs in pairs:
                yield policy, name, seed, setting, np.abs(ours - theirs).max(), np.ptp(theirs)


def _fixed_margin(X, y, C, kernel):
    from sklearn.svm import SVC

    model = fit_path(FixedMarginSVM(tol=TOL, **kernel), X, y, (C,))[0]
    theirs = SVC(C=C, tol=TOL, **kernel).fit(X, y)
    return model.scores(X) - model.boundaries[0], theirs.decision_function(X)


def _sum_of_margins(X, y, nu, kernel):
    from sklearn.svm import NuSVC

    model = fit_path(SumOfMarginsSVM(tol=TOL, **kernel), X, y, (2 / (nu * len(y)),))[0]
    theirs = NuSVC(nu=nu, tol=TOL, **kernel).fit(X, y)
    lower, upper = model.solution.theta
    return 2 * (model.scores(X) - model.boundaries[0]) / (upper - lower), theirs.decision_function(X)
