"""Old Excel workbooks (BIFF): the first sheet, whose first row names the columns."""

import io
from pathlib import Path

import xlrd
from xlrd.compdoc import SIGNATURE, CompDoc, CompDocError

from rankbench.datasets.assemble import assemble
from rankbench.datasets.table import Table


def read(path: Path, row) -> Table:
    """Read a workbook; ``row.columns``, if given, replaces the names of its first row.

    Raises
    ------
    ValueError
        If it is no such workbook. On damaged files xlrd raises errors of a dozen types; all become this one.
    """
    content = Path(path).read_bytes()
    try:
        book = xlrd.open_workbook(file_contents=_stream(content), logfile=io.StringIO(), ragged_rows=True)
        sheet = book.sheet_by_index(0)
        cells = [[_cell(cell) for cell in sheet.row(i)] for i in range(sheet.nrows)]
    except Exception as error:
        raise ValueError(f"{path}: expected an .xls workbook: {type(error).__name__}: {error}") from error
    if not cells:
        raise ValueError(f"{path}: expected a row of column names, got an empty sheet")
    rows = ((i, line + [""] * (len(cells[0]) - len(line))) for i, line in enumerate(cells[1:], 2) if any(line))
    return assemble(path, row.columns or [str(name).strip() for name in cells[0]], rows, row)


def _cell(cell: xlrd.sheet.Cell) -> str | float:
    """Return a number as it is, text without outer blanks, and errors, dates and booleans as text that is no number."""
    if cell.ctype in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK):
        return cell.value
    return cell.value.strip() if cell.ctype == xlrd.XL_CELL_TEXT else str(cell)


class _FiniteCompDoc(CompDoc):
    """Refuse a circular chain of sectors, which xlrd would follow endlessly."""

    def _get_stream(self, mem, base, sat, sec_size, start_sid, *args, **kwargs):
        seen, sector = set(), start_sid
        while 0 <= sector < len(sat):
            if sector in seen:
                raise CompDocError(f"the chain of sectors from {start_sid} never ends")
            seen.add(sector)
            sector = sat[sector]
        return super()._get_stream(mem, base, sat, sec_size, start_sid, *args, **kwargs)


def _stream(content: bytes) -> bytes:
    """Return the bytes of the workbook inside the OLE2 container that encloses them since Excel 5."""
    if not content.startswith(SIGNATURE):
        return content
    container = _FiniteCompDoc(content, logfile=io.StringIO())
    for name in ("Workbook", "Book"):
        memory, start, length = container.locate_named_stream(name)
        if memory is not None:
            return memory[start : start + length]
    raise CompDocError("no stream Workbook or Book in the OLE2 container")
