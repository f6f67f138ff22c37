"""The diabetes progression data that come with scikit-learn (Efron et al. 2004), unscaled; needs no file."""

import numpy as np
from sklearn.datasets import load_diabetes

from rankbench.datasets.assemble import assemble
from rankbench.datasets.table import Table


def read(path, row) -> Table:
    """Take the 442 patients of the bundled file, target ``progression``."""
    bundle = load_diabetes(scaled=False)
    cells = np.column_stack([bundle.data, bundle.target]).tolist()
    return assemble(row.name, [*bundle.feature_names, "progression"], enumerate(cells, 1), row)
