"""Comma-separated text with two items in each row: the attributes of the first, those of the second, and a label."""

from dataclasses import replace
from pathlib import Path

from rankbench.datasets.readers import csv
from rankbench.datasets.table import Table

KIND = "pairs"


def read(path: Path, row) -> Table:
    """Read a CSV file of numbers: d columns of the first item, d of the second in the same order, and the target.

    The target is -1 if the first item is better, 1 if the second is, else 0. Attributes get the names of the
    first half of the columns.
    """
    table = csv.read(path, replace(row, nominal=()))
    d, odd = divmod(table.X.shape[1], 2)
    if odd or row.nominal:
        raise ValueError(f"{path}: expected the numbers of two items in each row, got {2 * d + odd} columns")
    return Table(table.X, table.y, table.attributes[:d], ((),) * d, kind=KIND)
