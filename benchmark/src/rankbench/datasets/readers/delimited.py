"""Text without a header, such as UCI's ``.data`` files; the sheet names the columns."""

from pathlib import Path

from rankbench.datasets.assemble import assemble
from rankbench.datasets.lines import numbered_lines, split_cells
from rankbench.datasets.table import Table

SEPARATORS = {"comma": ",", "blank": " "}


def read(path: Path, row) -> Table:
    """Read a file whose cells are separated by ``row.separator`` and whose columns are ``row.columns``."""
    if row.separator not in SEPARATORS or not row.columns:
        raise ValueError(
            f"{row.name}: reader delimited needs columns, and a separator out of {', '.join(SEPARATORS)}; "
            f"got {list(row.columns)} and {row.separator!r}"
        )
    separator = SEPARATORS[row.separator]
    cells = ((number, split_cells(path, number, line, separator=separator)) for number, line in numbered_lines(path))
    return assemble(path, row.columns, cells, row)
