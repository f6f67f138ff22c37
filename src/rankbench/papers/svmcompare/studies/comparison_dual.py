"""The soft-margin comparison problem, looked at from outside: rows, primal and dual, support vectors, ends of the ROC
(Venuto et al., section 3.2, Tables 2 and 3)."""

from functools import partial

import numpy as np
import pandas as pd

from rankbench.experiments.preprocess import learn_scaling
from rankmargin.certificates import judge
from rankmargin.methods import compare
from rankmargin.metrics import comparison_roc
from rankmargin.model import compare as predict
from rankmargin.rows.comparisons import flipped, inequalities, opposed

COLUMNS = ("dataset", "n", "n_equality", "rows_rank", "rows_rank2", "rows_compare", "objective", "dual_bound", "primal")
COLUMNS += ("support_share", "fpr_at_0", "fnr_at_infinity")
STEPS, SHORTEST, RIDGE = 200, 1e-8, 1e-9


def run(data, experiment, *, sizes, C, gamma, primal_up_to):
    """Fit ``compare`` with a Gaussian kernel on sets of each size, half of whose pairs are equal.

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
        `COLUMNS`, one row per data set and size: ``rows_rank rows_rank2 rows_compare``, the pairs given to each
        solver; ``objective`` of (15) at the dual solution, the ``dual_bound`` and ``primal``, what was found directly;
        ``support_share`` of the m rows; ``fpr_at_0 fnr_at_infinity`` of the test pairs.
    """
    rows = []
    for dataset, (table, _) in data.items():
        for n in sizes:
            rows.append({"dataset": dataset, **_one(table.only(("x1", "x2")), n, C, gamma, n <= primal_up_to)})
    return pd.DataFrame(rows, columns=COLUMNS)


def _one(table, n, C, gamma, with_primal):
    kinds = [np.flatnonzero(table.y == 0), np.flatnonzero(table.y != 0)]
    train, test = (np.concatenate([rows[a : a + n // 2] for rows in kinds]) for a in (0, n // 2))
    scaler = partial(learn_scaling, scaling="standard_sample", items=2)(table.X[train])
    X, y = scaler(table.X[train]), table.y[train]
    (model,) = compare.fit_path(X, y, [C], gamma=gamma, tol=1e-6)
    certificate = judge(model)
    scores, labels = model.scores(scaler(table.X[test])), table.y[test]
    fpr, tpr, _ = comparison_roc(labels, scores)
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
        "fpr_at_0": max(fpr[-1], float(np.mean(everything[labels == 0] != 0))),
        "fnr_at_infinity": 1.0 - tpr[0],
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
