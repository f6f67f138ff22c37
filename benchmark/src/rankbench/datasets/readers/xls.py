"""Old Excel workbooks (BIFF): the first sheet, whose first row names the columns."""

import io
from pathlib import Path

import xlrd

from rankbench.datasets.assemble import assemble
from rankbench.datasets.table import Table


def read(path: Path, row) -> Table:
    """Read a workbook; ``row.columns``, if given, replaces the names of its first row."""
    sheet = xlrd.open_workbook(path, logfile=io.StringIO(), ragged_rows=True).sheet_by_index(0)
    cells = [[_cell(cell) for cell in sheet.row(i)] for i in range(sheet.nrows)]
    rows = ((i, line + [""] * (len(cells[0]) - len(line))) for i, line in enumerate(cells[1:], 2) if any(line))
    return assemble(path, row.columns or [str(name).strip() for name in cells[0]], rows, row)


def _cell(cell: xlrd.sheet.Cell) -> str | float:
    """Return a number as it is, text without outer blanks, and errors, dates and booleans as text that is no number."""
    if cell.ctype in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK):
        return cell.value
    return cell.value.strip() if cell.ctype == xlrd.XL_CELL_TEXT else str(cell)
