"""Thresholds kept in order: theta_0 <= theta_1 <= ... (Chu and Keerthi, explicit constraints).

An active set on the order constraints: where theta_k <= theta_{k+1} binds, the two thresholds are one, so their rows
share one equality
constraint and :func:`~rankmargin.solvers.smo.smo` solves the merged problem.  The multiplier of a merged gap is the
balance
sum sign alpha of the rows left of it, which must be >= 0; a gap of negative multiplier is opened again.
"""

from dataclasses import replace

import numpy as np

from rankmargin.solvers.smo import smo
from rankmargin.solvers.solution import warn_unconverged

OPEN_BELOW = 1e-9


def ordered_smo(rows, space, C_values, tol=1e-3, max_iter=10_000_000):
    """Solve the threshold rows for each C with ordered thresholds; parameters and result as :func:`smo`."""
    return [_solve(rows, space, C, tol, max_iter) for C in C_values]


def _solve(rows, space, C, tol, max_iter):
    merged = np.zeros(rows.n_thresholds - 1, dtype=bool)
    seen = set()
    while tuple(merged) not in seen:
        seen.add(tuple(merged))
        block = np.append(0, np.cumsum(~merged))
        joint = replace(
            rows, threshold=block[rows.threshold].astype(np.int32), n_thresholds=int(block[-1]) + 1, ordered=False
        )
        solution = smo(joint, space, [C], tol, max_iter)[0]
        theta = solution.theta[block]
        multipliers = np.where(merged, rows.order_multipliers(solution.alpha), np.inf)
        negative = multipliers.min(initial=np.inf) < -OPEN_BELOW * solution.alpha.sum()
        ordered = _with_ordered_thresholds(solution, theta, rows, space, C)
        if not negative and ordered.gap <= tol:
            return ordered
        if np.any(np.diff(theta) < 0):
            merged |= np.diff(theta) < 0
        elif negative:
            merged[np.argmin(multipliers)] = False
    warn_unconverged("ordered_smo", C, ordered.gap, tol, max_iter)
    return replace(ordered, converged=False)


def _with_ordered_thresholds(solution, theta, rows, space, C):
    """Lift thresholds that cross, and say what the objective is then."""
    theta = np.maximum.accumulate(theta)
    scores = space.scores(solution.beta)
    short = np.maximum(rows.margin - rows.values(scores, theta), 0.0)
    objective = 0.5 * float(solution.beta @ scores) + C * float(rows.cost @ short)
    return replace(solution, theta=theta, objective=objective)
