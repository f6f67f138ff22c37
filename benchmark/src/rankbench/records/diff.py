"""Compare the records of two runs, bit by bit (``rankbench diff``).

A and B are folders ``results`` of two checkouts, or folders of one experiment in them.
Every column of every record is compared, except times, memory, machine and commit, and the score of every test
example. An experiment that only one of the two folders has is a difference too.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from .frames import read_frame

FILES = ("records.parquet", "test_scores.parquet")


def host_columns(columns):
    """Return the columns of records that depend on where they are made: times, memory, machine and commit."""
    return [name for name in columns if name.endswith("_seconds") or name in ("peak_megabytes", "machine", "commit")]


def differences(one, other, within=0.0):
    """Compare two frames column by column.

    Parameters
    ----------
    one, other : DataFrame
        Records or test scores of the same experiment.
    within : float
        Largest relative difference that numbers may have: ``|a - b| <= within |b|``; 0 requires equal bits (of numbers
        that are not nan).

    Returns
    -------
    list of str
        One line per column that differs; empty if there is no difference.
    """
    if list(one.columns) != list(other.columns):
        return [f"columns: {list(one.columns)} against {list(other.columns)}"]
    if len(one) != len(other):
        return [f"rows: {len(one)} against {len(other)}"]
    compared = [name for name in one.columns if name not in host_columns(one.columns)]
    return [line for name in compared if (line := _column_difference(name, one[name], other[name], within))]


def _column_difference(name, a, b, within):
    """Return a line that says how many rows of a column differ; the empty string if none differs."""
    numbers = pd.api.types.is_float_dtype(a) and pd.api.types.is_float_dtype(b)
    a, b = (column.to_numpy(dtype=float if numbers else object) for column in (a, b))
    if numbers and within:
        wrong = ~np.isclose(a, b, rtol=within, atol=0.0, equal_nan=True)
    elif numbers:
        wrong = (a.view(np.int64) != b.view(np.int64)) & ~(np.isnan(a) & np.isnan(b))
    else:
        wrong = a != b
    if not wrong.any():
        return ""
    first = int(np.argmax(wrong))
    return f"{name}: {wrong.sum()} of {len(wrong)} rows; row {first}: {a[first]!r} against {b[first]!r}"


def files_in(path):
    """Return the files with records or test scores in a folder, by their paths below it."""
    path = Path(path)
    found = [*path.glob("*.parquet"), *path.glob("*/*.parquet")]
    return {file.relative_to(path).as_posix(): file for file in sorted(found) if file.name in FILES}


def compare(one, other, within=0.0):
    """Compare all files of two runs and print the differences, at least one line per file; return whether all are
    equal.

    Raises
    ------
    FileNotFoundError
        If no file is in both.
    Damaged
        If a file holds no frame.
    """
    here, there = files_in(one), files_in(other)
    if not here.keys() & there.keys():
        raise FileNotFoundError(f"no experiment has records in both {one} and {other}")
    equal = here.keys() == there.keys()
    for name in sorted(here.keys() | there.keys()):
        if name not in here or name not in there:
            print(f"{name}: only in {one if name in here else other}")
            continue
        a, b = read_frame(here[name])[0], read_frame(there[name])[0]
        lines = differences(a, b, within)
        word = "equal bit by bit" if not within else f"equal within {within:g}"
        columns = len(a.columns) - len(host_columns(a.columns))
        print(f"{here[name]} | {there[name]}: {'different' if lines else word}, {len(a)} rows, {columns} columns")
        for line in lines:
            print(f"  {line}")
        equal &= not lines
    return equal
