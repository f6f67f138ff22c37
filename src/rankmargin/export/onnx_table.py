"""The columns of a TableEncoder as nodes of ONNX."""

import numpy as np


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
