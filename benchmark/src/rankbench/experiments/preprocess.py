"""Coding of nominal attributes, filling of missing cells and scaling, learned on the training part only."""

from dataclasses import dataclass
from functools import partial

import numpy as np


def encode(X, levels, nominal):
    """Turn nominal columns into numbers.

    Parameters
    ----------
    X : (n, d) float64
        Nominal columns hold level codes 0..L-1.
    levels : sequence of d tuples of str
        Names of the levels of each column, ``()`` for a numeric one.
    nominal : {"onehot", "ordinal", "appearance", "native"}
        One column of zeros and ones per level; the code itself as a number; the levels with new numbers 0, 1, ... in
        the order in which they first appear in the rows of the table; or the code, which `Categories` makes a category.

    Returns
    -------
    (n, p) float64
        ``p = d`` except for onehot, where a level that no row has keeps its column of zeros.
    """
    if nominal in ("ordinal", "native"):
        return np.array(X, dtype=np.float64)
    if nominal == "appearance":
        return np.column_stack([_by_appearance(X[:, j]) if names else X[:, j] for j, names in enumerate(levels)])
    blocks = [
        X[:, [j]] if not names else (X[:, [j]] == np.arange(len(names))).astype(np.float64)
        for j, names in enumerate(levels)
    ]
    return np.hstack(blocks)


def _by_appearance(codes):
    """Return the values of a column (n,), numbered in the order of their first rows."""
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first)).astype(np.float64)[inverse]


@dataclass(frozen=True)
class Categories:
    """Gives the columns as they are to a method that knows categories and missing cells; nothing is learned.

    Attributes
    ----------
    levels : sequence of p tuples of str
        Names of the levels of each column, ``()`` for a numeric one.
    """

    levels: tuple

    def __call__(self, X):
        """Return the rows X (n, p) as a DataFrame. A nominal column has the codes of all levels of the table as its
        categories, also of those that these rows lack."""
        import pandas as pd  # imported here, because other jobs should not spend half a second on it

        columns = {f"column_{j}": X[:, j] for j in range(X.shape[1])}
        for name, levels in zip(columns, self.levels, strict=True):
            if levels:
                columns[name] = pd.Categorical.from_codes(columns[name].astype(int), categories=range(len(levels)))
        return pd.DataFrame(columns)


def learn_scaling(X, scaling, items=1, fill=False):
    """Learn from the training part how rows are scaled.

    Parameters
    ----------
    X : (n, p) float64
    scaling : {"standard", "standard_sample", "minmax", "unit", "none"}
        Mean 0 and standard deviation 1 (with divisor n, or n - 1 as in R), range 0 to 1, rows of length 1, or no
        change. A column that is constant in the training part becomes 0.
    items : int
        Number of items in a row (see `rankbench.datasets.table.Table`). An attribute is scaled in the same way in all
        of them, learned from its n * items values.
    fill : bool
        Whether rows may have missing cells (nan), in the training part or elsewhere. They get the training mean and are
        marked in columns of zeros and ones.

    Returns
    -------
    callable
        (n, p) rows -> (n, p) rows, or (n, p + m) rows with marks for the m columns that lack cells in the training
        part.
    """
    if fill:
        from sklearn.impute import SimpleImputer  # imported here, because other jobs should not spend a second on it

        imputer = SimpleImputer(add_indicator=True, keep_empty_features=True).fit(X)
        scale = learn_scaling(imputer.transform(X), scaling)
        return lambda rows: scale(imputer.transform(rows))
    if scaling == "unit":
        return partial(_unit_rows, items=items)
    X = X.reshape(len(X) * items, -1)
    low, high = X.min(axis=0), X.max(axis=0)
    center, spread = {
        "standard": lambda: (X.mean(axis=0), X.std(axis=0)),
        "standard_sample": lambda: (X.mean(axis=0), X.std(axis=0, ddof=1)),
        "minmax": lambda: (low, high - low),
        "none": lambda: (np.zeros(X.shape[1]), np.ones(X.shape[1])),
    }[scaling]()
    varies = (high > low) & (spread > 0)
    factor = np.tile(np.divide(1.0, spread, out=np.zeros_like(spread), where=varies), items)
    center = np.tile(center, items)
    return lambda rows: np.ascontiguousarray((rows - center) * factor)


def _unit_rows(X, items):
    """Return the rows with each item divided by its length; an item of zeros stays unchanged."""
    parts = X.reshape(len(X) * items, -1)
    length = np.linalg.norm(parts, axis=1, keepdims=True)
    return np.divide(parts, length, out=np.zeros_like(parts), where=length > 0).reshape(X.shape)
