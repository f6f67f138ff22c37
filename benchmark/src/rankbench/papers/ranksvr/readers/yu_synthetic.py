"""The made functions of Yu et al. (2010), section 6.1: linear, cubic and RBF in a random direction; need no file."""

import numpy as np

from rankbench.datasets.assemble import assemble
from rankbench.datasets.table import Table

SEED = 2010
FUNCTIONS = {
    "linear": lambda X, w: X @ w,
    "cubic": lambda X, w: (X @ w + 1.0) ** 3,
    "rbf": lambda X, w: np.exp(-np.sum((X - w) ** 2, axis=1)),
}


def read(path, row) -> Table:
    """Make ``row.rows`` points with ``row.attributes`` inputs and the value of the function that ``row.target`` names.

    ``linear`` is w.x, ``cubic`` (w.x + 1)^3, ``rbf`` exp(-||w - x||^2), all without noise. The distribution of x and w
    is lost. Here both are uniform on the unit cube, where all three functions vary. There is one w and one set of
    points for each dimension.
    """
    rng = np.random.default_rng([SEED, row.attributes])
    w = np.round(rng.uniform(size=row.attributes), 6)
    X = np.round(rng.uniform(size=(row.rows, row.attributes)), 6)
    cells = np.column_stack([X, np.round(FUNCTIONS[row.target](X, w), 9)])
    names = [*(f"x{j}" for j in range(1, row.attributes + 1)), row.target]
    return assemble(row.name, names, enumerate(cells.tolist(), 1), row)
