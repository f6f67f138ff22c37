"""Make the Table that a row of the sheet describes from the named columns of cells that a reader found."""

import math
import reprlib
from array import array
from collections.abc import Iterable, Sequence

import numpy as np

from rankbench.datasets.table import Table

MISSING = ("", "?")


def assemble(origin, names: Sequence[str], rows: Iterable[tuple[int, Sequence[str | float]]], row) -> Table:
    """Choose target and attributes, drop or refuse incomplete rows, code nominal columns.

    The codes of levels do not depend on the order of the file: levels are sorted, as numbers if all of them are numbers
    (then ``8`` and ``8.0`` are one level).

    Parameters
    ----------
    origin : path or str
        The source of the cells, for messages.
    names : sequence of d0 str
        Names of the columns of the source.
    rows : iterable of (int, sequence of d0 cells)
        Line number and cells, text or floats; ``?`` and the empty cell count as missing.
    row : rankbench.datasets.sheet.Row
        Its target, groups, nominal, drop and missing are used. ``missing`` is ``refuse``, ``drop_row``, or ``keep``: a
        missing number is nan, a missing name is the level ``missing``.

    Returns
    -------
    Table

    Raises
    ------
    ValueError
        If the cells are not what the row says; the message names origin, line and column.
    """
    attributes = _attributes(origin, names, row)
    groups = (row.groups,) if row.groups else ()
    columns = [*attributes, *groups, row.target]
    at = [names.index(name) for name in columns]
    codes = [{} if name in (*row.nominal, *groups) else None for name in columns]
    grade_of = {name: grade for grade, name in enumerate(row.order.split("<"))} if row.order else {}
    values = array("d")
    for line, cells in rows:
        if len(cells) != len(names):
            raise ValueError(f"{origin}, line {line}: expected {len(names)} cells, got {len(cells)}")
        used = [cells[i] for i in at]
        if row.missing == "drop_row" and any(cell in MISSING for cell in used):
            continue
        for column, code, cell in zip(columns, codes, used):
            if cell in MISSING and (row.missing != "keep" or column in (row.target, row.groups)):
                raise ValueError(f"{origin}, line {line}, column {column!r}: expected a value, got {cell!r}")
            if grade_of and column == row.target:
                values.append(grade_of[cell])
            elif code is not None:
                values.append(code.setdefault("missing" if cell in MISSING else cell, len(code)))
            else:
                values.append(math.nan if cell in MISSING else _number(origin, line, column, cell))
    matrix = np.array(values).reshape(-1, len(columns))
    levels = [_sort_levels(matrix[:, j], code) if code else () for j, code in enumerate(codes[:-1])]
    d = len(attributes)
    X, y = np.ascontiguousarray(matrix[:, :d]), matrix[:, -1].copy()
    return Table(X, y, tuple(attributes), tuple(levels[:d]), groups=matrix[:, d].copy() if groups else None)


def _attributes(origin, names: Sequence[str], row) -> list[str]:
    """Return the names of the columns that are neither target nor groups nor dropped, in the order of the source."""
    if len(set(names)) != len(names) or "" in names:
        raise ValueError(f"{origin}: column names must be different and not empty, got {reprlib.repr(list(names))}")
    groups = (row.groups,) if row.groups else ()
    for cell, wanted in (("target", (row.target,)), ("groups", groups), ("nominal", row.nominal), ("drop", row.drop)):
        if unknown := [name for name in wanted if name not in names]:
            raise ValueError(f"{origin}: no column {unknown} ({cell} of {row.name}) among {reprlib.repr(list(names))}")
    return [name for name in names if name not in (row.target, *groups, *row.drop)]


def _number(origin, line: int, column: str, cell: str | float) -> float:
    try:
        number = float(cell)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or "_" in str(cell):
        where = f"{origin}, line {line}, column {column!r}"
        raise ValueError(f"{where}: expected a finite number, got {reprlib.repr(cell)}")
    return number


def _sort_levels(column: np.ndarray, code: dict) -> tuple[str, ...]:
    """Recode `column` (n,) in place from order of appearance to sorted levels; return their names."""
    try:
        values = [float(label) for label in code]
        named = all(map(math.isfinite, values))
    except ValueError:
        named = False
    keys = values if named else [str(label) for label in code]
    order = sorted(set(keys))
    rank = {key: i for i, key in enumerate(order)}
    column[:] = np.array([rank[key] for key in keys], dtype=float)[column.astype(int)]
    return tuple(repr(key + 0.0).removesuffix(".0") if named else key for key in order)
