"""The simulated pairs of Venuto et al., made again exactly as their R program made them; needs no file.

The target ``label_l1``, ``label_l2`` or ``label_linf`` names the latent function r, a squared norm. The attribute ``r``
of an item is the value of this function, from which the labels were made. Only the method that knows the truth uses it.
"""

import numpy as np

from rankbench.datasets.table import Table
from rankbench.papers.svmcompare.simulated_pairs import FUNCTIONS, make_pools


def read(path, row) -> Table:
    """Make the pool of ``row.rows`` pairs in the plane."""
    function = row.target.removeprefix("label_")
    pool, norm = make_pools(row.rows)[function], FUNCTIONS[function][0]
    X = np.column_stack([pool.X, norm(pool.X), pool.X2, norm(pool.X2)])
    return Table(X, pool.y.astype(np.float64), ("x1", "x2", "r"), ((),) * 3, kind="pairs")
