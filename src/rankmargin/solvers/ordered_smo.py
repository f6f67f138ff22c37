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


def ordered_smo(rows, space, C_values, tol=1e-3, max_iter=10_000_000):
    """Solve the threshold rows for each C with ordered thresholds; parameters and result as :func:`smo`."""
    return [_solve(rows, space, C, tol, max_iter) for C in C_values]


def _solve(rows, space, C, tol, max_iter):
    merged = np.zeros(max(rows.n_thresholds - 1, 0), dtype=bool)
    seen = set()
    while True:
        block = np.concatenate([[0], np.cumsum(~merged)])
        joint = replace(
            rows, threshold=block[rows.threshold].astype(np.int32), n_thresholds=int(block[-1]) + 1, ordered=False
        )
        solution = smo(joint, space, [C], tol, max_iter)[0]
        theta = solution.theta[block]
        wanted = merged | (np.diff(theta) < 0)
        multipliers = rows.order_multipliers(solution.alpha)
        wanted &= ~(merged & (multipliers < -tol * C * rows.cost.max()))
        if np.array_equal(wanted, merged) or tuple(wanted) in seen:
            break
        seen.add(tuple(merged))
        merged = wanted
    return replace(solution, theta=theta)
