"""Studies of Venuto et al.: counts of pairs, the dual problem, level curves, two hard-margin programs."""

from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
from scipy.stats import spearmanr

from rankbench.experiments.job import Data
from rankbench.experiments.measures import METRICS, measure
from rankbench.experiments.preprocess import encode, learn_scaling
from rankbench.experiments.split import seed_of
from rankbench.experiments.tune import fit_points, loss_of, tune
from rankbench.papers.svmcompare.max_margin import max_margin_lp, max_margin_qp
from rankbench.papers.svmcompare.methods.compare_as_programmed import RULES
from rankbench.papers.svmcompare.simulated_pairs import FUNCTIONS
from rankbench.statistics.columns import columns
from rankbench.statistics.runs import rivals
from rankmargin import ComparisonSVM
from rankmargin.certificates import judge
from rankmargin.estimators.path import fit_path
from rankmargin.problem.rows.comparisons import compare as predict
from rankmargin.problem.rows.comparisons import flipped, inequalities, opposed


@columns("dataset", "seed", "n_train", "n_test", "equality_train", "equality_test", "auc")
def comparison_baseline(data, experiment):
    """What is known of comparisons without learning: class counts of both parts, and the AUC of one direction for all.

    Count the labels of the training and test part of each seed of each data set.

    Returns
    -------
    DataFrame
        ``dataset seed n_train n_test equality_train equality_test auc``, one row per data set and seed: ``n_train
        n_test`` (sizes), ``equality_train equality_test`` (shares of equality pairs) and ``auc``, that of calling every
        test pair the commoner direction.
    """
    for dataset, (table, splits) in data.items():
        for split in splits:
            train, test = table.y[split.train], table.y[split.test]
            shares = [(train == 0).mean(), (test == 0).mean()]
            commoner = max(np.mean(test[test != 0] == direction) for direction in (1, -1))
            yield dataset, split.seed, len(train), len(test), *shares, 0.5 * float(commoner)


@columns("dataset", "n_equality", "n_inequality", "n_first_better", "n_second_better")
def comparison_counts(data, experiment):
    """How many pairs of each label data sets have.

    Count the labels of each data set of pairs.

    Returns
    -------
    DataFrame
        ``dataset n_equality n_inequality n_first_better n_second_better``, one row per data set.
    """
    for dataset, (table, _) in data.items():
        equal, first, second = (int((table.y == label).sum()) for label in (0, -1, 1))
        yield dataset, equal, first + second, first, second


ITEM = ("x1", "x2")
STEPS, SHORTEST, RIDGE = 200, 1e-8, 1e-9


@columns(
    "dataset",
    "n",
    "n_equality",
    "rows_rank",
    "rows_rank2",
    "rows_compare",
    "objective",
    "dual_bound",
    "primal",
    "support_share",
    "fpr_at_0",
    "fnr_at_infinity",
)
def comparison_dual(data, experiment, *, sizes, C, gamma, primal_up_to):
    """The soft-margin comparison problem, looked at from outside: rows, primal and dual, support vectors, ends of the
    ROC (Venuto et al., section 3.2, Tables 2 and 3).

    Fit ``compare`` with a Gaussian kernel on sets of each size, half of whose pairs are equal.

    Parameters
    ----------
    data : dict
        Data sets of pairs of items with the attributes x1 and x2.
    sizes : sequence of int
        Training pairs; the sets are the first ones of either kind in the table, the next as many are for testing.
    C, gamma : float
    primal_up_to : int
        Up to this size a general solver minimises the primal (15) directly.

    Returns
    -------
    DataFrame
        One row per data set and size: ``dataset n n_equality``; ``rows_rank rows_rank2 rows_compare``, the pairs given
        to each solver; ``objective`` of (15) at the dual solution, the ``dual_bound`` and ``primal``, what was found
        directly; ``support_share`` of the m rows; ``fpr_at_0 fnr_at_infinity`` of the test pairs.
    """
    for (dataset, (table, _)), n in product(data.items(), sizes):
        yield {"dataset": dataset, **_one(table.only(ITEM), n, C, gamma, n <= primal_up_to)}


def _one(table, n, C, gamma, with_primal):
    kinds = [np.flatnonzero(table.y == 0), np.flatnonzero(table.y != 0)]
    train, test = (np.concatenate([rows[a : a + n // 2] for rows in kinds]) for a in (0, n // 2))
    scaler = partial(learn_scaling, scaling="standard_sample", items=2)(table.X[train])
    X, y = scaler(table.X[train]), table.y[train]
    (model,) = fit_path(ComparisonSVM(gamma=gamma, tol=1e-6), X, y, [C])
    certificate = judge(model)
    scores, labels = model.scores(scaler(table.X[test])), table.y[test]
    size = np.abs(scores)
    everything = predict(scores, 0.0)
    return {
        "n": n,
        "n_equality": int((y == 0).sum()),
        "rows_rank": float(inequalities(y).cost.sum()),
        "rows_rank2": float(opposed(y).cost.sum()),
        "rows_compare": float(flipped(y).cost.sum()),
        "objective": certificate.objective,
        "dual_bound": certificate.dual_bound,
        "primal": _primal(model, C) if with_primal else np.nan,
        "support_share": float(np.mean(model.solution.alpha > 0)),
        "fpr_at_0": max(float(np.mean(size[labels == 0] >= 0.0)), float(np.mean(everything[labels == 0] != 0))),
        "fnr_at_infinity": 1.0 - float(np.mean(size[labels != 0] >= np.inf)),
    }


def _primal(model, C):
    """Return the least value of (15) that Newton's method finds without the dual, shape ().

    The hinge is replaced by a quadratic of width delta on its bend, for ever smaller delta; unknown are the
    coefficients of the pairs and the bias.
    """
    K, rows = model.problem.space.K, model.problem.rows
    pair = np.where(rows.plus >= 0, rows.plus, rows.minus)
    up = rows.sign * np.where(rows.plus >= 0, 1.0, -1.0)
    A = np.column_stack([K[pair] * up[:, None], rows.sign])
    norm = np.zeros((len(K) + 1, len(K) + 1))
    norm[:-1, :-1] = K
    best, z = np.inf, np.zeros(len(norm))
    for delta in 10.0 ** -np.arange(-1.0, 5.5, 0.5):
        z = _newton(z, A, norm, C, delta)
        best = min(best, 0.5 * z @ norm @ z + C * np.maximum(1.0 - A @ z, 0.0).sum())
    return float(best)


def _newton(z, A, norm, C, delta):
    """Minimise 1/2 z.norm.z + C sum_t h(1 - A z) with h the hinge, quadratic on [0, delta]."""

    def value(z):
        short = np.maximum(1.0 - A @ z, 0.0)
        bend = np.minimum(short, delta)
        return 0.5 * z @ norm @ z + C * (bend**2 / (2 * delta) + short - bend).sum()

    for _ in range(STEPS):
        short = 1.0 - A @ z
        inside = A[(short > 0) & (short < delta)]
        gradient = norm @ z - C * (np.clip(short / delta, 0.0, 1.0) @ A)
        curvature = norm + (C / delta) * (inside.T @ inside) + RIDGE * np.eye(len(z))
        step, length, now = np.linalg.solve(curvature, -gradient), 1.0, value(z)
        while value(z + length * step) > now and length > SHORTEST:
            length /= 2.0
        if length <= SHORTEST or -gradient @ step < 1e-10 * now:
            break
        z = z + length * step
    return z


@columns("method", "seed", "x1", "x2", "r")
def level_curves(data, experiment, *, box, steps, truth, shown):
    """Learned ranking functions of items in the plane and the true one, on a grid (Figure 3 of Venuto et al.).

    Tune and fit every method of the experiment on the sets that are shown and evaluate its ranking function.

    Parameters
    ----------
    data, experiment
        As every study; one data set of the experiment, of pairs of items with the attributes x1 and x2. Models are
        those of its first condition.
    box : float
        The grid covers [-box, box]^2.
    steps : int
        Values on each axis.
    truth : {"l1", "l2", "linf"}
        Whose square is the true ranking function.
    shown : sequence of int
        Seeds of sets.

    Returns
    -------
    DataFrame
        One row per method (and ``truth``, seed -1), seed and grid point: ``method seed x1 x2 r``. Ranking functions are
        known up to a constant: each has the mean 0 on the grid; |difference| = 1 is where a comparison changes.

    Raises
    ------
    ValueError
        When a method sees other attributes.
    """
    points = _grid(box, steps)
    curves = [("truth", -1, FUNCTIONS[truth][0](points)), *_learned_curves(data, experiment, points, shown)]
    for method, seed, r in curves:
        yield from ((method, seed, *point, value) for point, value in zip(points, r - r.mean()))


@columns("method", "seed", "correlation")
def recovery(data, experiment, *, box, steps, truth):
    """How well the true ranking function is recovered (Figure 3 of Venuto et al.), on every set of the experiment.

    Tune and fit every method on every set, as for `level_curves`.

    Returns
    -------
    DataFrame
        ``method seed correlation``: the rank correlation of the learned and the true function on the grid.
    """
    points = _grid(box, steps)
    true = FUNCTIONS[truth][0](points)
    for method, seed, r in _learned_curves(data, experiment, points, range(experiment.seeds)):
        yield method, seed, spearmanr(r, true).statistic


def _grid(box, steps):
    axis = np.linspace(-box, box, steps)
    return np.column_stack([axis.ravel() for axis in np.meshgrid(axis, axis)])


def _learned_curves(data, experiment, points, seeds):
    """Yield each method, each of some seeds, and the values (m,) of the function learned from that set."""
    ((dataset, (table, splits)),) = data.items()
    condition = next(iter(experiment.conditions))
    for method in rivals(experiment).methods:
        task = experiment.task(dataset, condition, method)
        if task.attributes != ITEM:
            raise ValueError(
                f"attributes must be {', '.join(ITEM)} for level curves, got {task.attributes} of {method}"
            )
        seen = table.only(task.attributes)
        X = encode(seen.X, seen.column_levels, task.preprocess["nominal"])
        for split in splits:
            if split.seed in seeds:
                model, scaler = _learned(task, Data(seen, X, split), (dataset, method, split.seed))
                yield method, split.seed, model.ranks(scaler(np.hstack([points, points]))[:, : points.shape[1]])


@columns("dataset", "seed", "rule", "unscaled", "zero_one", "comparison_auc")
def without_scaling(data, experiment, *, method):
    """How often a model of Venuto et al. has a bias that is not below 0, so that eq. (13) gives no comparison function,
    and what each rule for it gives.

    Tune and fit the method with each of `RULES` on every set under the first condition.

    Parameters
    ----------
    data, experiment
        As every study.
    method : str
        The method of the experiment, one that has ``rule``.

    Returns
    -------
    DataFrame
        ``dataset seed rule unscaled zero_one comparison_auc``: whether the chosen model has no scaling, and its
        measures on the test part.
    """
    condition = next(iter(experiment.conditions))
    for dataset, (table, splits) in data.items():
        task = experiment.task(dataset, condition, method)
        X = encode(table.X, table.column_levels, task.preprocess["nominal"])
        for split, rule in product(splits, RULES):
            ruled = replace(task, params={**task.params, "rule": rule})
            model, scaler = _learned(ruled, Data(table, X, split), (dataset, method, split.seed))
            X_test, y = scaler(X[split.test]), table.y[split.test]
            found = [measure(METRICS[name], y, model, X_test) for name in ("zero_one", "comparison_auc")]
            yield dataset, split.seed, rule, not model.scaled, *found


def _learned(task, data, names):
    """Return the model that the method of a task learns from the training set of a seed, and what scales its pairs."""
    loss = loss_of(task.metric)
    scaling = partial(learn_scaling, scaling=task.preprocess["scaling"], items=data.table.items)
    options = {"params": task.params, "pairs": None}
    y, split = data.table.y, data.split
    choice = tune(task.uses, data.X, y, split.inner, task.grid, loss=loss, scaling=scaling, seed=names, **options)
    scaler, seed = scaling(data.X[split.train]), seed_of(*names, "final fit")
    X, y = scaler(data.X[split.train]), y[split.train]
    (model,) = fit_points(task.uses, X, y, [choice.params], seed=seed, **options)
    return model, scaler


CLEAR = 0.3  # distance of a difference of ranks from the boundaries -1 and 1


def separable_pairs(seed, n, scale):
    """Return pairs with the labels t_1[w.(x' - x)] for a random w; no pair is near a boundary.

    Parameters
    ----------
    seed : int
    n : int
        Number of pairs; each label occurs at least once.
    scale : (d,) sequence of float
        Factor by which each feature of the items is multiplied.

    Returns
    -------
    X, X2 : (n, d) arrays
    y : (n,) labels -1, 0, 1
    """
    rng, d = np.random.default_rng(seed), len(scale)
    angle = rng.standard_normal(d)
    w = 2.0 * angle / np.linalg.norm(angle)
    while True:
        X, X2 = rng.uniform(-1.0, 1.0, (2, 20 * n, d))
        rank = (X2 - X) @ w
        clear = np.flatnonzero(np.abs(np.abs(rank) - 1.0) > CLEAR)[:n]
        y = np.sign(rank[clear]).astype(int) * (np.abs(rank[clear]) > 1.0)
        if len(clear) == n and len(np.unique(y)) == 3:
            return X[clear] * scale, X2[clear] * scale, y


def scaled(X, X2):
    """Divide each feature by the standard deviation of its differences, in both directions."""
    sd = np.vstack([X2 - X, X - X2]).std(axis=0)
    return X / sd, X2 / sd


PANELS = ("original", "flipped", "scaled")


@columns("panel", "what", "x1", "x2", "y", "margin")
def max_margin_panels(data, experiment, *, n, spread, seed):
    """The hard-margin linear and quadratic programs on one separable set, as it is and scaled (Venuto et al., Fig. 2).

    Solve both programs in each panel; in the first only the linear one, as in the paper.

    Parameters
    ----------
    n : int
        Pairs.
    spread : float
        How many times larger the second feature is than the first.
    seed : int

    Returns
    -------
    DataFrame
        ``panel what x1 x2 y margin``: for ``what = difference`` a difference x' - x with its label, for ``lp`` and
        ``qp`` the weights (x1, x2) and the margin mu of the program. In the panels ``flipped`` and ``scaled`` they
        are those of the flipped data (8): inequality pairs point upwards, equality pairs stand in both directions.
    """
    X, X2, y = separable_pairs(seed, n, (1.0, spread))
    for panel in PANELS:
        A, B = scaled(X, X2) if panel == "scaled" else (X, X2)
        shown, labels = (B - A, y) if panel == "original" else _flipped(B - A, y)
        yield from ((panel, "difference", *point, label, np.nan) for point, label in zip(shown, labels))
        programs = {"lp": max_margin_lp} | ({} if panel == "original" else {"qp": max_margin_qp})
        for name, solve in programs.items():
            solved = solve(A, B, y)
            yield panel, name, *solved.w, np.nan, solved.margin


def _flipped(differences, y):
    up = differences[y != 0] * y[y != 0, None]
    equal = differences[y == 0]
    return np.vstack([up, equal, -equal]), np.repeat([1, 0], [len(up), 2 * len(equal)])


@columns("seed", "scaled", "lp", "qp", "angle", "violation")
def separable_programs(data, experiment, *, sets, n, spread):
    """How the hard-margin linear and quadratic programs compare on many random separable sets (Venuto et al., 3.1).

    Solve both programs on each set, as it is and with scaled features.

    Parameters
    ----------
    sets, n : int
        Sets, and pairs of each.
    spread : float
        How many times larger the second feature is than the first.

    Returns
    -------
    DataFrame
        ``seed scaled lp qp angle violation``, one row per set and scaling: ``lp qp`` (margins mu), ``angle`` (degrees
        between the two weights) and ``violation``, by how much the scaled solution of the quadratic program misses a
        constraint of the linear one with mu = -1 / beta and w = -u / beta (Lemma 1); at most 0 if it is feasible.
    """
    for seed in range(sets):
        X, X2, y = separable_pairs(seed, n, (1.0, spread))
        for name, (A, B) in {False: (X, X2), True: scaled(X, X2)}.items():
            lp, qp = max_margin_lp(A, B, y), max_margin_qp(A, B, y)
            cosine = lp.w @ qp.w / np.linalg.norm(lp.w) / np.linalg.norm(qp.w)
            angle = np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))
            yield seed, name, lp.margin, qp.margin, angle, qp.margin - _margin(qp.w, B - A, y)


def _margin(w, differences, y):
    """Return the largest mu that is feasible for (7) with these weights."""
    rank = differences @ w
    return min((1.0 - np.abs(rank[y == 0])).min(), ((rank * y)[y != 0] - 1.0).min())
