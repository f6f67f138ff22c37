"""The sum of margins with its norm relaxed to at most one, solved as a cone program by cvxopt (claim L14).

    max sum_j (b_j - a_j) - C sum_j (sum_{rank j} max(0, s_i - a_j) + sum_{rank j+1} max(0, b_j - s_i)),   s = X w,
    over ||w|| <= 1 and a_1 <= b_1 <= a_2 <= ...                                                         (13)-(17)

The library's own solver divides by the norm of its solution; this one does not know that the norm should be one.
"""

import numpy as np
import pandas as pd

from rankbench.papers.shashua_levin.studies.sum_of_margins_sweep import _ranked

COLUMNS = ("k", "seed", "C", "value", "norm")
PLACES = (0.02, 0.1, 0.25)  # on the printed range of C, in the logarithm


def run(data, experiment, *, size, ranks, samples):
    """Solve problems with ranks of equal shares at three C each.

    Returns
    -------
    DataFrame
        ``k seed C value norm``: the optimum and the norm of w.
    """
    rows = []
    for k in ranks:
        for seed in range(samples):
            X, y = _ranked(size, k, "equal", seed)
            counts = np.unique(y, return_counts=True)[1]
            N = 2 * len(y) - counts[0] - counts[-1]
            for place in PLACES:
                C = max(2 * (k - 1) * float(N) ** (place - 1), 1.01 / counts.min())  # below, thresholds run away
                rows.append((k, seed, C, *relaxed(X, y, C)))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def relaxed(X, y, C):
    """Return the optimum and the norm of w of the relaxed problem."""
    from cvxopt import matrix, solvers, spmatrix

    rank, d = np.unique(y, return_inverse=True)[1], X.shape[1]
    k = int(rank.max()) + 1
    a, b = d + 2 * np.arange(k - 1), d + 2 * np.arange(k - 1) + 1  # thresholds a_1, b_1, a_2, ...
    sides = [(i, 1.0, a[rank[i]]) for i in range(len(y)) if rank[i] < k - 1]
    sides += [(i, -1.0, b[rank[i] - 1]) for i in range(len(y)) if rank[i] > 0]
    n_thresholds, n_rows = 2 * (k - 1), len(sides)
    width = d + n_thresholds + n_rows
    G = np.zeros((2 * n_rows + n_thresholds - 1 + 1 + d, width))
    for row, (i, sign, at) in enumerate(sides):  # sign (s_i - threshold) <= slack
        G[row, :d], G[row, at], G[row, d + n_thresholds + row] = sign * X[i], -sign, -1.0
        G[n_rows + row, d + n_thresholds + row] = -1.0
    for step in range(n_thresholds - 1):  # thresholds in order
        G[2 * n_rows + step, [d + step, d + step + 1]] = 1.0, -1.0
    G[-d:, :d] = -np.eye(d)  # (1, w) in the second-order cone
    h = np.zeros(len(G))
    h[-d - 1] = 1.0
    costs = np.concatenate([np.zeros(d), np.tile([1.0, -1.0], k - 1), np.full(n_rows, C)])
    dims = {"l": 2 * n_rows + n_thresholds - 1, "q": [d + 1], "s": []}
    at = np.nonzero(G)
    sparse = spmatrix(G[at], *(part.tolist() for part in at), size=G.shape)
    options = {"show_progress": False, "abstol": 1e-8, "reltol": 1e-8, "feastol": 1e-8}
    solved = solvers.conelp(matrix(costs), sparse, matrix(h), dims, options=options)
    if solved["status"] != "optimal":
        raise ValueError(f"the cone program of {len(y)} examples and C = {C:g} was not solved: {solved['status']}")
    return -float(solved["primal objective"]), float(np.linalg.norm(np.array(solved["x"][:d])))
