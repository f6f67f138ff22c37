"""Coding of nominal attributes, filling of missing cells and scaling, learned on the training part only."""

from dataclasses import dataclass

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
class Scaler:
    """``(x - center) * factor`` per column; a column that is constant in the training part has factor 0 and becomes 0.

    Attributes
    ----------
    center, factor : (p,) float64
    """

    center: np.ndarray
    factor: np.ndarray

    def __call__(self, X):
        return np.ascontiguousarray((X - self.center) * self.factor)


@dataclass(frozen=True)
class UnitRows:
    """Divides each item of a row by its length; an item of zeros stays unchanged. Nothing is learned."""

    items: int

    def __call__(self, X):
        parts = X.reshape(len(X) * self.items, -1)
        length = np.linalg.norm(parts, axis=1, keepdims=True)
        return np.divide(parts, length, out=np.zeros_like(parts), where=length > 0).reshape(X.shape)


@dataclass(frozen=True)
class Filler:
    """Replaces missing cells by the training mean and marks them in columns of zeros and ones; then scales the rows.

    Attributes
    ----------
    imputer : sklearn.impute.SimpleImputer
    scaler : Scaler or UnitRows
    """

    imputer: object
    scaler: object

    def __call__(self, X):
        return self.scaler(self.imputer.transform(X))


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
    """Learn a `Scaler` from the training part, or a `Filler`.

    Parameters
    ----------
    X : (n, p) float64
    scaling : {"standard", "standard_sample", "minmax", "unit", "none"}
        Mean 0 and standard deviation 1 (with divisor n, or n - 1 as in R), range 0 to 1, rows of length 1, or no
        change.
    items : int
        Number of items in a row (see `rankbench.datasets.table.Table`). An attribute is scaled in the same way in all
        of them, learned from its n * items values.
    fill : bool
        Whether rows may have missing cells (nan), in the training part or elsewhere.

    Returns
    -------
    callable
        (n, p) rows -> (n, p) rows, or (n, p + m) rows with marks for the m columns that lack cells in the training
        part.
    """
    if fill:
        from sklearn.impute import SimpleImputer  # imported here, because other jobs should not spend a second on it

        imputer = SimpleImputer(add_indicator=True, keep_empty_features=True).fit(X)
        return Filler(imputer, learn_scaling(imputer.transform(X), scaling))
    if scaling == "unit":
        return UnitRows(items)
    X = X.reshape(len(X) * items, -1)
    low, high = X.min(axis=0), X.max(axis=0)
    center, spread = {
        "standard": lambda: (X.mean(axis=0), X.std(axis=0)),
        "standard_sample": lambda: (X.mean(axis=0), X.std(axis=0, ddof=1)),
        "minmax": lambda: (low, high - low),
        "none": lambda: (np.zeros(X.shape[1]), np.ones(X.shape[1])),
    }[scaling]()
    varies = (high > low) & (spread > 0)
    factor = np.divide(1.0, spread, out=np.zeros_like(spread), where=varies)
    return Scaler(np.tile(center, items), np.tile(factor, items))
