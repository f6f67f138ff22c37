"""Studies of Yu, Kim and Na: costs, curves over one input, the two parts of a prediction."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from scipy.optimize import linprog

from rankbench.experiments.job import Data, run_seed
from rankbench.experiments.measures import measured
from rankbench.experiments.preprocess import encode
from rankbench.papers.ranksvr.seconds import higher_first
from rankbench.records.record import Record
from rankbench.statistics.columns import columns
from rankmargin import RankSVR
from rankmargin.estimators.path import fit_path
from rankmargin.kernels import Kernel
from rankmargin.metrics import absolute_error
from rankmargin.sampling import draws_needed, p_close_pair


@columns("p", "q", "exact", "draws", "trials", "share")
def close_draws(data, experiment, *, p, q, n, trials):
    """How often the best of s random pairs is among the closest p percent of all (claim R14, the rule of 59).

    Ask PClosePair for one pair of n points of the plane, many times.

    Parameters
    ----------
    p, q : float
        Of equation 10.
    n : int
    trials : int

    Returns
    -------
    DataFrame
        ``p q exact draws trials share``, one row: ``exact`` = log(1 - q) / log(1 - p), ``draws`` the integer above,
        ``share`` of the trials whose pair is among the closest p of all pairs.
    """
    rng = np.random.default_rng(59)
    Z, order = rng.standard_normal((n, 2)), rng.permutation(n).astype(float)
    i, j = np.triu_indices(n, 1)
    near = np.quantile(((Z[i] - Z[j]) ** 2).sum(axis=1), p)
    hits = 0
    for _ in range(trials):
        ((above, below),) = p_close_pair(Z, 1, order, {"kernel": "rbf"}, rng, p, q)
        hits += ((Z[above] - Z[below]) ** 2).sum() <= near
    exact = np.log(1 - q) / np.log(1 - p)
    yield p, q, exact, draws_needed(p, q), trials, hits / trials


@columns("dataset", "C", "C_rank", "seed", "error")
def cost_sweep(data, experiment, *, method, condition, seeds, C, C_rank):
    """How much the two costs matter: the error of one method of an experiment over a grid of C and C_rank (claim R13).

    Run the first seeds of a method under a condition of the experiment with every pair of costs.

    Parameters
    ----------
    data, experiment
        As every study; the data sets must be the experiment's own: splits, kernels and scaling are.
    method, condition : str
        Keys of the experiment.
    seeds : int
    C, C_rank : sequences of float

    Returns
    -------
    DataFrame
        ``dataset C C_rank seed error``: the mean absolute error of each run, in standard deviations of the target.

    Raises
    ------
    ValueError
        When a run is not ok.
    """
    for dataset, (table, splits) in data.items():
        task = experiment.task(dataset, condition, method)
        X, spread = encode(table.X, table.levels, task.preprocess["nominal"]), table.y.std()
        for cost, cost_rank, split in product(C, C_rank, splits[:seeds]):
            changed = replace(task, params={**task.params, "C": cost, "C_rank": cost_rank})
            sizes = (len(split.train), len(split.test), X.shape[1])
            record = Record("cost_sweep", dataset, condition, method, split.seed, *sizes)
            arrays = run_seed(record, changed, Data(table, X, split))
            if record.status != "ok":
                raise ValueError(f"{dataset}, C {cost}, C_rank {cost_rank}, seed {split.seed}: {record.reason}")
            yield dataset, cost, cost_rank, split.seed, measured(absolute_error, arrays) / spread


KERNELS = {
    "linear": {"kernel": "linear"},
    "poly": {"kernel": "poly", "gamma": 0.5, "degree": 2, "coef0": 1.0},
    "rbf": {"kernel": "rbf", "gamma": 0.5},
}
N, N_POOL, N_TEST, N_PAIRS = 15, 20, 40, 30


@columns("kernel", "seed", "n", "n_pairs", "largest_difference", "svr_share", "rank_share")
def expansion(data, experiment, *, seeds, params):
    """The prediction as an SVR part and a ranking part (claim R21), held against the primal solved by a general QP.

    Solve small random problems twice: the dual by RankSVR, the primal (Definition 3) by cvxopt.

    Parameters
    ----------
    data, experiment
        Not used: problems are made here.
    seeds : int
    params : dict
        ``C C_rank epsilon margin``.

    Returns
    -------
    DataFrame
        ``kernel seed n n_pairs largest_difference svr_share rank_share``: ``largest_difference`` of the primal
        prediction from the sum of SVR part, ranking part and bias over new points, and the share of either part,
        sd(part) / (sd(svr) + sd(rank)).
    """
    for (kernel, options), seed in product(KERNELS.items(), range(seeds)):
        X, y, Z, pairs, new = _expansion_problem(seed)
        (model,) = fit_path(RankSVR(tol=1e-9, **params, **options), X, y, [params["C"]], Z=Z, pairs=pairs)
        rows, alpha = model.problem.rows, model.solution.alpha
        svr = model.kernel.expansion(new, model.X, rows.coefficients(alpha * (rows.threshold >= 0)))
        rank = model.function(new) + model.shift - svr
        primal = primal_predictions(X, y, Z, pairs, new, options, **params)
        difference = np.abs(svr + rank + model.bias - model.shift - primal).max()
        shares = np.array([svr.std(), rank.std()]) / (svr.std() + rank.std())
        yield kernel, seed, len(X), len(pairs), difference, *shares


def _expansion_problem(seed):
    """Return targets of a noisy wave, pairs of other points in its order, and new points."""
    rng = np.random.default_rng([21, seed])
    X, Z, new = (rng.standard_normal((size, 3)) for size in (N, N_POOL, N_TEST))

    def wave(points):
        return 2.0 * np.sin(points[:, 0]) + points[:, 1]

    i, step = rng.integers(N_POOL, size=N_PAIRS), rng.integers(1, N_POOL, size=N_PAIRS)
    pairs = higher_first(np.column_stack([i, (i + step) % N_POOL]), wave(Z))
    return X, wave(X) + 0.1 * rng.standard_normal(N), Z, pairs, new


def primal_predictions(X, y, Z, pairs, new, kernel, *, C, C_rank, epsilon, margin):
    """Return w.phi(new) + b of the primal of Definition 3, in explicit features phi of all points.

    Variables are (w, b, xi, xi*, zeta); the features come from an eigendecomposition of the kernel matrix of all
    points, so that phi(x).phi(z) = k(x, z) among them.
    """
    import cvxopt

    points, n, p = np.vstack([X, Z, new]), len(X), len(pairs)
    values, vectors = np.linalg.eigh(Kernel(*kernel.values()).gram(points, points))
    positive_values = values > 1e-12 * values.max()
    features = vectors[:, positive_values] * np.sqrt(values[positive_values])
    d, one = features.shape[1], np.ones((n, 1))
    known, pool = features[:n], features[n : n + len(Z)]
    steps = pool[pairs[:, 0]] - pool[pairs[:, 1]]
    G = np.block(
        [
            [-known, -one, -np.eye(n), np.zeros((n, n + p))],  # y - f <= epsilon + xi
            [known, one, np.zeros((n, n)), -np.eye(n), np.zeros((n, p))],  # f - y <= epsilon + xi*
            [-steps, np.zeros((p, 1 + 2 * n)), -np.eye(p)],  # f(z_i) - f(z_j) >= margin - zeta
            [np.zeros((2 * n + p, d + 1)), -np.eye(2 * n + p)],  # xi, xi*, zeta >= 0
        ]
    )
    h = np.concatenate([epsilon - y, epsilon + y, np.full(p, -margin), np.zeros(2 * n + p)])
    P = np.diag(np.concatenate([np.ones(d), np.zeros(1 + 2 * n + p)]))
    q = np.concatenate([np.zeros(d + 1), np.full(2 * n, C), np.full(p, C_rank)])
    options = {"show_progress": False, "abstol": 1e-11, "reltol": 1e-11, "feastol": 1e-11, "maxiters": 300}
    answer = cvxopt.solvers.qp(*(cvxopt.matrix(array) for array in (P, q, G, h)), options=options)
    solution = np.array(answer["x"]).ravel()
    return features[n + len(Z) :] @ solution[:d] + solution[d]


@columns("margin", "distance", "lowest", "highest", "width")
def slope_range(data, experiment, *, distances, margins, largest_slope):
    """Example 3 of Yu et al.: one point and one ordered pair at distance d leave a range of slopes (claim R23).

    Find the least and greatest a of f(x) = a x + 1, |a| <= largest_slope, with f(z_1) - f(z_2) >= margin.

    Parameters
    ----------
    distances : sequence of float
        z_1 - z_2.
    margins : sequence of float
        The "some positive value" of the example.
    largest_slope : float
        Without a bound every range is infinite.

    Returns
    -------
    DataFrame
        ``margin distance lowest highest width``, by linear programming; nan where no slope is left.
    """
    for margin, distance in product(margins, distances):
        ends = [_extreme(sign, distance, margin, largest_slope) for sign in (1, -1)]
        yield margin, distance, *ends, ends[1] - ends[0]


def _extreme(sign, distance, margin, largest_slope):
    """Return the least (sign 1) or greatest (sign -1) feasible slope."""
    answer = linprog([sign], [[-distance]], [-margin], bounds=[(-largest_slope, largest_slope)])
    return float(answer.x[0]) if answer.status == 0 else float("nan")


N_POINTS, N_WAVES = 3, 4
GRID = np.linspace(0.0, 1.0, 201)
DENSE = (0.15, 0.35)
SHORT, LONG = (0.02, 0.1), (0.4, 0.8)
# Scene -> number of pairs, the range of the middle of a pair, the range of its length; None: two uniform points.
SCENES = {
    "fig1_few": (3, None, None),
    "fig1_many": (10, None, None),
    "fig2_long": (3, (0.0, 1.0), LONG),
    "fig2_short": (3, (0.0, 1.0), SHORT),
    "fig3_dense": (5, DENSE, SHORT),
    "fig3_spread": (5, (0.0, 1.0), SHORT),
}


@dataclass(frozen=True)
class Draw:
    """A function on [0, 1] with mean 0 and standard deviation 1, three points of it, and ordered pairs.

    Attributes
    ----------
    amplitudes, phases : (N_WAVES,) arrays
    X : (3, 1) inputs whose targets are known
    Z : (2 p, 1) ends of the pairs; rows 2 k and 2 k + 1 are pair k
    pairs : (p, 2) int array, the higher end first
    """

    amplitudes: np.ndarray
    phases: np.ndarray
    X: np.ndarray
    Z: np.ndarray
    pairs: np.ndarray

    def target(self, x):
        """Return the function at inputs of any shape: waves of half a period to N_WAVES half periods."""
        on_grid = self._waves(GRID)
        return (self._waves(np.ravel(x)) - on_grid.mean()) / on_grid.std()

    def _waves(self, x):
        k = np.arange(1, N_WAVES + 1)
        return np.sin(np.pi * np.outer(x, k) + self.phases) @ self.amplitudes


def make_draw(scene, number):
    """Return draw `number` of a scene; the function and the points are the same in all scenes."""
    n_pairs, middles, lengths = SCENES[scene]
    rng = np.random.default_rng([2010, number])
    amplitudes, phases = rng.standard_normal(N_WAVES), rng.uniform(0, 2 * np.pi, N_WAVES)
    X = rng.uniform(size=(N_POINTS, 1))
    ends = np.array([_pair(rng, at, n_pairs, middles, lengths) for at in range(n_pairs)])
    known = Draw(amplitudes, phases, X, ends.reshape(-1, 1), np.arange(2 * n_pairs).reshape(-1, 2))
    return replace(known, pairs=higher_first(known.pairs, known.target(known.Z)))


def _pair(rng, at, n_pairs, middles, lengths):
    """Return the two ends of pair `at`; their middles are spread evenly over their range, each anywhere in its part."""
    if middles is None:
        return rng.uniform(size=2)
    length, (low, high) = rng.uniform(*lengths), middles
    middle = low + (high - low) * (at + rng.uniform()) / n_pairs
    middle = np.clip(middle, length / 2, 1 - length / 2)
    return middle + np.array([-0.5, 0.5]) * length


def fit_draw(known, margin, params, with_pairs=True):
    """Return RankSVR fitted to a draw, or, with ``with_pairs=False``, SVR fitted to its points without the pairs."""
    pairs_given = {"Z": known.Z, "pairs": known.pairs} if with_pairs else {}
    (model,) = fit_path(RankSVR(**params, margin=margin), known.X, known.target(known.X), [params["C"]], **pairs_given)
    return model


@columns("scene", "kind", "number", "x", "y")
def one_dimension_curves(data, experiment, *, draw, margin, params):
    """Figures 1 to 3 of Yu et al.: what orderings do to a regression curve over one input. One draw, to be looked at.

    Draw one function and fit it with and without the pairs of each scene.

    Parameters
    ----------
    data, experiment
        Not used: the functions are made here.
    draw : int
        Which of the draws of `one_dimension_errors`.
    margin : float
        In standard deviations of the function.
    params : dict
        Arguments of RankSVR, ``C`` among them.

    Returns
    -------
    DataFrame
        ``scene kind number x y``: for each scene the curves ``target``, ``svr`` and ``ranksvr`` (``number`` 0), the
        ``point``s, and the two ends of each ``pair``.
    """
    for scene in SCENES:
        known = make_draw(scene, draw)
        curves = {"target": known.target(GRID)}
        for kind, with_pairs in (("svr", False), ("ranksvr", True)):
            curves[kind] = fit_draw(known, margin, params, with_pairs).scores(GRID[:, None])
        yield from ((scene, kind, 0, x, y) for kind, values in curves.items() for x, y in zip(GRID, values))
        yield from ((scene, "point", at, x, y) for at, (x, y) in enumerate(zip(known.X[:, 0], known.target(known.X))))
        ends = zip(known.Z[:, 0], known.target(known.Z))
        yield from ((scene, "pair", at // 2, x, y) for at, (x, y) in enumerate(ends))


@columns("scene", "margin", "draw", "svr_error", "ranksvr_error")
def one_dimension_errors(data, experiment, *, draws, margins, params):
    """Figures 1 to 3 of Yu et al. on many draws: the error of the curve for few and many, long and short, spread and
    clustered pairs.

    Fit every draw of every scene at every margin.

    Parameters
    ----------
    data, experiment
        Not used: the functions are made in `one_dimension_curves`.
    draws : int
    margins : sequence of float
        In standard deviations of the function.
    params : dict
        Arguments of RankSVR, ``C`` among them.

    Returns
    -------
    DataFrame
        ``scene margin draw svr_error ranksvr_error``: mean absolute errors on an even grid of [0, 1], in standard
        deviations of the function.
    """
    for scene, number in product(SCENES, range(draws)):
        known = make_draw(scene, number)
        alone = _curve_error(known, fit_draw(known, 1.0, params, with_pairs=False))
        for margin in margins:
            yield scene, margin, number, alone, _curve_error(known, fit_draw(known, margin, params))


def _curve_error(known, model):
    return float(np.abs(model.scores(GRID[:, None]) - known.target(GRID)).mean())
