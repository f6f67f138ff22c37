"""Studies of Yu, Kim and Na that measure seconds: samplers, training, two norms."""

from itertools import product

import numpy as np
from scipy.optimize import linprog

from rankbench.experiments.preprocess import encode, learn_scaling
from rankbench.experiments.seconds import least_seconds
from rankbench.experiments.split import seed_of
from rankbench.statistics.columns import columns
from rankmargin import RankSVR
from rankmargin.estimators.pair_sampling import SAMPLERS
from rankmargin.estimators.path import fit_path
from rankmargin.estimators.spatial import all_distances
from rankmargin.kernels import Kernel
from rankmargin.oracles.objective import Problem
from rankmargin.problem.rows.orderings import tube_and_orderings
from rankmargin.problem.spaces import make_space
from rankmargin.solvers.smo import smo

GROWTH_KERNEL = {"kernel": "rbf", "gamma": 1.0}


@columns("sampler", "n", "seed", "seconds")
def sampler_growth(data, experiment, *, sizes, d, n_pairs, seeds):
    """Seconds of the samplers against the number of points (claims R07 and R08): ClosePair as Algorithm 1 prints it,
    with all distances, compared with the exact search that needs only a few of them.

    Ask every sampler for pairs of standard normal points, whose order is that of one input.

    Parameters
    ----------
    data, experiment
        Not used: points are made here.
    sizes : sequence of int
    d : int
    n_pairs : int
    seeds : int
        Sets of points of each size.

    Returns
    -------
    DataFrame
        ``sampler n seed seconds``: the fewest processor seconds of three samples; ``close_pair_as_printed`` computes
        every distance.
    """
    for seed, n, (name, sampler) in product(range(seeds), sizes, TIMED.items()):  # runs alternate
        Z = np.random.default_rng([7, n, seed]).standard_normal((n, d))
        seconds, _ = least_seconds(sampler, Z, n_pairs, Z[:, 0], GROWTH_KERNEL, seed)
        yield name, n, seed, seconds


def close_pair_as_printed(Z, n_pairs, order, kernel, rng):
    """Return the closest pairs by computing every distance, with memory for as many as are asked for."""
    points = np.ascontiguousarray(Z.T)
    distance = all_distances.Distance(all_distances.EUCLIDEAN, points, np.zeros(len(Z)), 1.0, 1, 0.0)
    pairs = all_distances.closest_pairs(distance, order, n_pairs)
    return higher_first(pairs, order)


def higher_first(pairs, values):
    """Return pairs (p, 2) of items with that of the higher value first."""
    return np.where((values[pairs[:, 0]] > values[pairs[:, 1]])[:, None], pairs, pairs[:, ::-1])


TIMED = {**SAMPLERS, "close_pair_as_printed": close_pair_as_printed}
PRINTED_KERNEL = {"kernel": "rbf", "gamma": 0.1}


@columns("dataset", "sampler", "seed", "n_pool", "seconds")
def sampling_as_printed(data, experiment, *, n_pairs, draws):
    """Seconds of the samplers on the data sets of Table 3 of Yu et al., ClosePair as Algorithm 1 prints it among them
    (claims R06, R07, R09, R11).

    Ask every sampler for pairs of all rows of each data set, one-hot and standardised.

    Returns
    -------
    DataFrame
        ``dataset sampler seed n_pool seconds``: the fewest processor seconds of three samples;
        ``close_pair_as_printed`` computes every distance.
    """
    for seed, (name, (table, _)), (sampler, ask) in product(range(draws), data.items(), TIMED.items()):  # alternating
        coded = encode(table.X, table.levels, "onehot")
        Z = learn_scaling(coded, "standard")(coded)
        drawn = seed_of("sampling as printed", name, seed) % 2**32
        seconds, _ = least_seconds(ask, Z, n_pairs, table.y, PRINTED_KERNEL, drawn)
        yield name, sampler, seed, len(Z), seconds


DIMENSIONS, GAMMA, NOISE, TOLERANCE = 10, 0.1, 0.1, 1e-3


@columns("margin", "points", "n_pairs", "seed", "seconds", "gap")
def training_seconds(data, experiment, *, sizes, C, C_rank, margins, seeds, points):
    """How training time grows with the size of the data (claim R19).

    Fit n targets and as many random pairs among n other points, Gaussian kernel, to a gap of 1e-3: points and pairs
    grow together, as the paper's sentence has it. And fit a fixed number of targets and points with ever more pairs.

    Parameters
    ----------
    data, experiment
        Not used: a noisy wave over ten dimensions is made here.
    sizes : sequence of int
        Numbers n of targets, of points that the pairs order, and of pairs.
    C, C_rank : float
    margins : sequence of float
    seeds : int
        Problems of each size; the sizes alternate.
    points : int
        The fixed number of targets.

    Returns
    -------
    DataFrame
        ``margin points n_pairs seed seconds gap``: ``points`` is ``n_pairs`` or the fixed number; the fewest processor
        seconds of three of solving, kernel matrix given, and the relative gap reached.
    """
    for seed, margin, n, n_points in product(range(seeds), margins, sizes, (None, points)):
        size = n if n_points is None else n_points
        yield margin, size, n, seed, *_solve(*_wave_problem(size, n, seed), margin, C, C_rank)


def _wave_problem(n, n_pairs, seed):
    """Return points (2 n, 10), targets of the first n, and pairs of the others in the order of the wave."""
    rng = np.random.default_rng([19, seed])
    points, w = rng.standard_normal((2 * n, DIMENSIONS)), rng.standard_normal(DIMENSIONS)
    wave = np.sin(points @ w) + points[:, 0]
    i, step = rng.integers(n, size=n_pairs), rng.integers(1, n, size=n_pairs)
    pairs = n + np.column_stack([i, (i + step) % n])
    return points, wave[:n] + NOISE * rng.standard_normal(n), higher_first(pairs, wave)


def _solve(points, y, pairs, margin, C, C_rank):
    """Return the processor seconds of one solve and the relative gap it reached."""
    space = make_space(points, Kernel("rbf", GAMMA))
    rows = tube_and_orderings(y, 0.1, pairs.astype(np.int32), len(points), margin, C_rank / C)
    seconds, (solution,) = least_seconds(smo, Problem(rows, space), [C], tol=TOLERANCE)
    return seconds, solution.gap


NORM_DIMENSIONS, NORM_GAMMA, EPSILON, MARGIN = 5, 0.2, 0.1, 0.1


@columns("form", "n", "n_pairs", "seed", "seconds")
def norm_seconds(data, experiment, *, sizes, seeds, C, C_rank):
    """Seconds of regression with orderings in its 1-norm form, a linear program, and in its 2-norm form (claim R22).

    Fit n targets and n ordered pairs of them in both forms: scipy's HiGHS and the solver of RankSVR (gap 1e-3).

    Parameters
    ----------
    data, experiment
        Not used: problems are made here.
    sizes : sequence of int
    seeds : int
        Problems of each size.
    C, C_rank : float

    Returns
    -------
    DataFrame
        ``form n n_pairs seed seconds``; ``form`` is ``1-norm`` or ``2-norm``; the fewest processor seconds of three,
        kernel matrix included.

    Raises
    ------
    ValueError
        When the linear program is not solved.
    """
    for seed, n, (form, fit) in product(range(seeds), sizes, {"1-norm": one_norm, "2-norm": _two_norm}.items()):
        X, y, pairs = _ring(n, seed)
        seconds, _ = least_seconds(fit, X, y, pairs, C, C_rank)
        yield form, n, len(pairs), seed, seconds


def _ring(n, seed):
    rng = np.random.default_rng([22, seed])
    X = rng.standard_normal((n, NORM_DIMENSIONS))
    wave = np.sin(X[:, 0]) + X[:, 1]
    pairs = np.column_stack([np.arange(n), np.roll(np.arange(n), 1)])
    return X, wave + 0.1 * rng.standard_normal(n), higher_first(pairs, wave)


def _two_norm(X, y, pairs, C, C_rank):
    fit_path(RankSVR(C_rank=C_rank, epsilon=EPSILON, margin=MARGIN, gamma=NORM_GAMMA), X, y, [C], pairs=pairs)


def one_norm(X, y, pairs, C, C_rank):
    """Minimise sum |alpha_i| + C sum (xi + xi*) + C_rank sum zeta for f = sum_i alpha_i k(x_i, .) + b; return alpha, b.

    The rows are those of RankSVR (Zhu and Goldberg 2007, with its tube); alpha = u - v with u, v >= 0.
    """
    K, n, p = Kernel("rbf", NORM_GAMMA).gram(X, X), len(X), len(pairs)
    one, steps = np.ones((n, 1)), K[pairs[:, 0]] - K[pairs[:, 1]]
    A = np.block(
        [
            [-K, K, -one, -np.eye(n), np.zeros((n, n + p))],
            [K, -K, one, np.zeros((n, n)), -np.eye(n), np.zeros((n, p))],
            [-steps, steps, np.zeros((p, 1 + 2 * n)), -np.eye(p)],
        ]
    )
    limits = np.concatenate([EPSILON - y, EPSILON + y, np.full(p, -MARGIN)])
    costs = np.concatenate([np.ones(2 * n), [0.0], np.full(2 * n, C), np.full(p, C_rank)])
    bounds = [(0, None)] * (2 * n) + [(None, None)] + [(0, None)] * (2 * n + p)
    answer = linprog(costs, A, limits, bounds=bounds, method="highs")
    if answer.status != 0:
        raise ValueError(f"the linear program of n = {n} was not solved: {answer.message}")
    return answer.x[:n] - answer.x[n : 2 * n], answer.x[2 * n]
