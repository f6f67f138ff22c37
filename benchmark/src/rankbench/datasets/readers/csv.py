"""Comma-separated text whose first line names the columns."""

from pathlib import Path

from rankbench.datasets.assemble import assemble
from rankbench.datasets.lines import numbered_lines, split_cells
from rankbench.datasets.table import Table


def read(path: Path, row) -> Table:
    """Read a CSV file; ``row.columns``, if given, replaces the names of its header."""
    rows = ((number, split_cells(path, number, line)) for number, line in numbered_lines(path))
    _, header = next(rows)
    return assemble(path, row.columns or header, rows, row)
