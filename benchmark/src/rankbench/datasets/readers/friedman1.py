"""Friedman's first regression problem (Annals of Statistics 19, 1991), made by scikit-learn; needs no file."""

import numpy as np
from sklearn.datasets import make_friedman1

from rankbench.datasets.assemble import assemble
from rankbench.datasets.table import Table


def read(path, row) -> Table:
    """Make ``row.rows`` examples, always the same ones: 10 uniform inputs, five of which have no effect, noise of sd 1.

    Numbers are rounded to six digits, because the last bits of a sine depend on the processor.
    """
    X, y = make_friedman1(n_samples=row.rows, n_features=10, noise=1.0, random_state=1991)
    cells = np.round(np.column_stack([X, y]), 6).tolist()
    return assemble(row.name, [*(f"x{j}" for j in range(1, 11)), "y"], enumerate(cells, 1), row)
