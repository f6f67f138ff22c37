"""Coding of nominal attributes, filling of missing cells and scaling, learned on the training part only."""

from dataclasses import dataclass

import numpy as np

NOMINAL = ("onehot", "ordinal", "appearance")
SCALING = ("standard", "standard_sample", "minmax", "unit", "none")


def encode(X, levels, nominal):
    """Turn nominal columns into numbers.

    Parameters
    ----------
    X : (n, d) float64
        Nominal columns hold level codes 0..L-1.
    levels : sequence of d tuples of str
        Names of the levels of each column, ``()`` for a numeric one.
    nominal : {"onehot", "ordinal", "appearance"}
        A column of zeros and ones for every level; the code itself as a number; or the levels numbered 0, 1, ... anew,
        in the order in which they first appear in the rows of the table.

    Returns
    -------
    (n, p) float64
        ``p = d`` for numbers; a level that no row has keeps its column of zeros for onehot.
    """
    if nominal not in NOMINAL:
        raise ValueError(f"nominal must be one of {', '.join(NOMINAL)}, got {nominal!r}")
    if nominal == "ordinal":
        return np.array(X, dtype=np.float64)
    if nominal == "appearance":
        return np.column_stack([_by_appearance(X[:, j]) if names else X[:, j] for j, names in enumerate(levels)])
    blocks = [
        X[:, [j]] if not names else (X[:, [j]] == np.arange(len(names))).astype(np.float64)
        for j, names in enumerate(levels)
    ]
    return np.hstack(blocks)


def _by_appearance(codes):
    """Number the values of a column in the order of their first rows."""
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first)).astype(np.float64)[inverse]


@dataclass(frozen=True)
class Scaler:
    """``(x - center) * factor`` a column; what was constant in the training part has factor 0 and becomes 0 everywhere.

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
    """Each item of a row is divided by its length; one of zeros stays as it is. Nothing is learned."""

    items: int

    def __call__(self, X):
        parts = X.reshape(len(X) * self.items, -1)
        length = np.linalg.norm(parts, axis=1, keepdims=True)
        return np.divide(parts, length, out=np.zeros_like(parts), where=length > 0).reshape(X.shape)


@dataclass(frozen=True)
class Filler:
    """Missing cells become the training mean, and a column of zeros and ones marks them; then rows are scaled.

    Attributes
    ----------
    imputer : sklearn.impute.SimpleImputer
    scaler : Scaler or UnitRows
    """

    imputer: object
    scaler: object

    def __call__(self, X):
        return self.scaler(self.imputer.transform(X))


def learn_scaling(X, scaling, items=1, fill=False):
    """Learn a `Scaler` from the training part, or a `Filler`.

    Parameters
    ----------
    X : (n, p) float64
    scaling : {"standard", "standard_sample", "minmax", "unit", "none"}
        Mean 0 and standard deviation 1 (divided by n, or by n - 1 as R does), range 0 to 1, rows of length 1, or as it
        is.
    items : int
        How many items stand beside each other in a row, see `rankbench.datasets.table.Table`: an attribute is scaled
        alike in all of them, by what its n * items values are.
    fill : bool
        Whether rows may have missing cells (nan), in the training part or elsewhere.

    Returns
    -------
    callable
        (n, p) rows -> (n, p) rows, or (n, p + m) with the marks of the m columns that lack cells in the training part.
    """
    if scaling not in SCALING:
        raise ValueError(f"scaling must be one of {', '.join(SCALING)}, got {scaling!r}")
    if fill:
        from sklearn.impute import SimpleImputer  # imported here: a second that other jobs need not spend

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
