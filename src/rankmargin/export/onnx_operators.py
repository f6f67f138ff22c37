"""Operators of ONNX by their names; kernels, and the columns of a TableEncoder, as nodes of them."""

from functools import partial
from typing import Any

import numpy as np

from rankmargin.problem.kernels import EXACT


class Operators:
    """The operators of ONNX by name, in the requested version."""

    def __init__(self, version):
        self.version = version

    def __getattr__(self, name):
        from skl2onnx.algebra import onnx_ops

        return partial(getattr(onnx_ops, f"Onnx{name}"), op_version=self.version)

    def times(self, X, weights):
        """Return X (m, k) times weights (k,), (k, q) or a node, shape (m, 1) or (m, q)."""
        weights = np.asarray(weights, dtype=np.float64)
        return self.MatMul(X, weights[:, None] if weights.ndim == 1 else weights)

    def double(self, value):
        """Return values in double precision; a condition is 1.0 where it holds and 0.0 elsewhere."""
        return self.Cast(value, to=11)

    def not_zero(self, value):
        """Return values with 1 in place of 0, to divide by them."""
        return self.Add(value, self.double(self.Equal(value, np.array([0.0]))))


def expansion(kernel, X, Z, coefficients, ops):
    """Return sum_i coefficients_i k(z_i, x) of each row x of X, shape (m, 1)."""
    values = None if callable(kernel.name) else _VALUES.get(kernel.name)
    if values is None:
        raise NotImplementedError(f"kernel must be one of {', '.join(_VALUES)} to become ONNX, got {kernel.name!r}")
    used = np.flatnonzero(coefficients)
    if not len(used):
        return ops.times(X, np.zeros(Z.shape[1]))
    rows = Z[used]
    rows = rows.toarray() if hasattr(rows, "toarray") else np.asarray(rows, dtype=np.float64)
    return ops.times(values(kernel, X, rows, ops), coefficients[used])


def _poly(kernel, X, Z, ops):
    inside = ops.Add(ops.times(X, kernel.gamma * Z.T), np.array([float(kernel.coef0)]))
    return ops.Pow(inside, np.array([float(kernel.degree)]))


def _cosine(kernel, X, Z, ops):
    lengths = np.sqrt((Z * Z).sum(axis=1))
    directions = Z / np.where(lengths > 0.0, lengths, 1.0)[:, None]
    length = ops.Sqrt(ops.times(ops.Mul(X, X), np.ones(Z.shape[1])))
    return ops.Div(ops.times(X, directions.T), ops.not_zero(length))


def _squares(kernel, X, Z, ops, factor=1.0):
    """Return factor gamma ||x - z||^2, from products after the median of Z is subtracted, so that they round little; if
    rows of Z are too far apart for that, from differences, which need an array (m, n, d)."""
    centre, scale = np.median(Z, axis=0), (factor * kernel.gamma) ** 0.5
    Z = (Z - centre) * scale
    X = ops.Mul(ops.Sub(X, centre[None, :]), np.array([scale]))
    n, d = Z.shape
    if 4 * (d + 5) * 2.0**-53 * float((Z * Z).sum(axis=1).max()) > EXACT:
        apart = ops.Sub(ops.Reshape(X, np.array([-1, 1, d], dtype=np.int64)), Z[None])
        return ops.Reshape(ops.times(ops.Mul(apart, apart), np.ones(d)), np.array([-1, n], dtype=np.int64))
    norms = ops.Add(ops.times(ops.Mul(X, X), np.ones(Z.shape[1])), (Z * Z).sum(axis=1)[None, :])
    return ops.Max(ops.Sub(norms, ops.times(X, 2.0 * Z.T)), np.array([0.0]))


def _matern(kernel, X, Z, ops):
    """Return exp(-t), (1 + t) exp(-t) or (1 + t + t^2 / 3) exp(-t)."""
    factor = {"matern12": 1.0, "matern32": 3.0, "matern52": 5.0}[kernel.name]
    squares = _squares(kernel, X, Z, ops, factor)
    t = ops.Sqrt(squares)
    smooth = ops.Exp(ops.Neg(t))
    if factor == 1.0:
        return smooth
    polynomial = ops.Add(t, np.array([1.0]))
    if factor == 5.0:
        polynomial = ops.Add(polynomial, ops.Div(squares, np.array([3.0])))
    return ops.Mul(polynomial, smooth)


def _of_differences(kernel, X, Z, ops):
    """Return exp(-gamma sum of |x - z| or of (x - z)^2 / (x + z)); the sum needs an array (m, n, d)."""
    n, d = Z.shape
    X = ops.Reshape(X, np.array([-1, 1, d], dtype=np.int64))
    differences = ops.Abs(ops.Sub(X, Z[None]))
    if kernel.name == "chi2":
        total = ops.Add(X, Z[None])
        differences = ops.Div(ops.Mul(differences, differences), ops.not_zero(total))
    distances = ops.Reshape(ops.times(differences, np.ones(d)), np.array([-1, n], dtype=np.int64))
    return ops.Exp(ops.Mul(distances, np.array([-float(kernel.gamma)])))


_VALUES: dict[str, Any] = {
    "rbf": lambda kernel, X, Z, ops: ops.Exp(ops.Neg(_squares(kernel, X, Z, ops))),
    "poly": _poly,
    "cosine": _cosine,
    "laplacian": _of_differences,
    "chi2": _of_differences,
    **dict.fromkeys(("matern12", "matern32", "matern52"), _matern),
    "linear": lambda kernel, X, Z, ops: ops.times(X, Z.T),
}


def encoded(encoder, inputs, ops):
    """Return the node of ``transform``, shape (m, q), from one input for each column of X, or from inputs with several
    columns, in their order.

    Dates are given as days since 1970, and durations as days. A missing number is nan, and a missing text is empty,
    because ONNX has no other; so is a category that an ordered column has not, where ``transform`` refuses it.
    """
    columns = [_column(variable, number, ops) for variable in inputs for number in range(variable.type.shape[1] or 1)]
    if len(columns) != encoder.n_features_in_:
        raise ValueError(f"ONNX must be given {encoder.n_features_in_} columns, got {len(columns)}: name them in X")
    numbers = [known for known in encoder.columns_ if "fill" in known]
    blocks, places_of = [], {known["at"]: [place, len(numbers) + place] for place, known in enumerate(numbers)}
    if numbers:
        values = ops.Concat(*(ops.double(_values(known, columns[known["at"]], ops)) for known in numbers), axis=1)
        missing = ops.IsNaN(values)
        blocks = [ops.Where(missing, np.array([[known["fill"] for known in numbers]]), values), ops.double(missing)]
    end = 2 * len(numbers)
    for known in encoder.columns_:
        if "fill" not in known:
            places = _looked_up(known, columns[known["at"]], ops, values_int64s=known["places"], default_int64=-1)
            blocks.append(ops.double(ops.Equal(places, np.arange(len(known["made"]))[None])))
            places_of[known["at"]] = range(end, end := end + len(known["made"]))
    order = [place for known in encoder.columns_ for place in [*places_of[known["at"]]][: len(known["made"])]]
    return ops.Gather(ops.Concat(*blocks, axis=1), np.array(order, dtype=np.int64), axis=1)


def _column(variable, number, ops):
    """Return one column of an input, shape (m, 1)."""
    return variable if variable.type.shape[1] == 1 else ops.Gather(variable, np.array([number], dtype=np.int64), axis=1)


def _values(known, column, ops):
    """Return a column of numbers; the places of its categories if these have an order."""
    if known["order"] is None:
        return column
    known = {**known, "names": known["order"]}
    return _looked_up(
        known, column, ops, values_floats=np.arange(len(known["order"]), dtype=float), default_float=np.nan
    )


def _looked_up(known, column, ops, **values):
    """Return what belongs to the names of a column."""
    names = ["" if name is None else name for name in known["names"]]
    if strange := [name for name in names if not isinstance(name, str)]:
        raise NotImplementedError(f"column {known['name']!r} must hold texts to become ONNX, got {strange[0]!r}")
    return ops.LabelEncoder_2(column, keys_strings=names, **values)
