"""The columns of a TableEncoder as nodes of ONNX."""

import numpy as np


def encoded(encoder, inputs, ops):
    """Return the node of ``transform``, shape (m, q), from one input for each column of X, or from inputs with several
    columns, in their order.

    Dates are given as days since 1970, and durations as days. A missing number is nan, and a missing text is empty,
    because ONNX has no other; so is a category that an ordered column has not, where ``transform`` refuses it.
    """
    columns = [_column(one, at, ops) for one in inputs for at in range(one.type.shape[1] or 1)]
    if len(columns) != encoder.n_features_in_:
        raise ValueError(f"ONNX must be given {encoder.n_features_in_} columns, got {len(columns)}: name them in X")
    numbers = [of for of in encoder.columns_ if "fill" in of]
    blocks, at = [], {of["at"]: [place, len(numbers) + place] for place, of in enumerate(numbers)}
    if numbers:
        values = ops.Concat(*(ops.double(_values(of, columns[of["at"]], ops)) for of in numbers), axis=1)
        missing = ops.IsNaN(values)
        blocks = [ops.Where(missing, np.array([[of["fill"] for of in numbers]]), values), ops.double(missing)]
    end = 2 * len(numbers)
    for of in encoder.columns_:
        if "fill" not in of:
            places = _looked_up(of, columns[of["at"]], ops, values_int64s=of["places"], default_int64=-1)
            blocks.append(ops.double(ops.Equal(places, np.arange(len(of["made"]))[None])))
            at[of["at"]] = range(end, end := end + len(of["made"]))
    order = [place for of in encoder.columns_ for place in [*at[of["at"]]][: len(of["made"])]]
    return ops.Gather(ops.Concat(*blocks, axis=1), np.array(order, dtype=np.int64), axis=1)


def _column(variable, at, ops):
    """Return one column of an input, shape (m, 1)."""
    return variable if variable.type.shape[1] == 1 else ops.Gather(variable, np.array([at], dtype=np.int64), axis=1)


def _values(of, column, ops):
    """Return a column of numbers; the places of its categories if these have an order."""
    if of["order"] is None:
        return column
    of = {**of, "names": of["order"]}
    return _looked_up(of, column, ops, values_floats=np.arange(len(of["order"]), dtype=float), default_float=np.nan)


def _looked_up(of, column, ops, **values):
    """Return what belongs to the names of a column."""
    names = ["" if name is None else name for name in of["names"]]
    if strange := [name for name in names if not isinstance(name, str)]:
        raise NotImplementedError(f"column {of['name']!r} must hold texts to become ONNX, got {strange[0]!r}")
    return ops.LabelEncoder_2(column, keys_strings=names, **values)
