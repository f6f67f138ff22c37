"""Attribute-relation files (Weka, OpenML): dense data, numeric and nominal attributes.

scipy.io.arff is not used, because it does not accept quoted values, and its errors have many types and name neither
line nor column. The tests compare the two.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from rankbench.datasets.assemble import assemble
from rankbench.datasets.lines import numbered_lines, split_cells
from rankbench.datasets.table import Table

ATTRIBUTE = re.compile(r"""@attribute\s+('[^']*'|"[^"]*"|\S+)\s+(.+)""", re.IGNORECASE)


def read(path: Path, row) -> Table:
    """Read an ARFF file; ``row.columns``, if given, replaces the names of its attributes.

    Attributes that the file declares as nominal must be in ``row.nominal`` or ``row.drop``.
    """
    lines = ((number, line) for number, line in numbered_lines(path) if not line.startswith("%"))
    attributes = _header(path, lines)
    names = row.columns or tuple(name for name, _ in attributes)
    nominal = {name for name, (_, levels) in zip(names, attributes) if levels}
    if unexpected := sorted(nominal - {*row.nominal, *row.drop}):
        raise ValueError(f"{path}: {unexpected} declared nominal, but in neither nominal nor drop of {row.name}")
    return assemble(path, names, _rows(path, lines, attributes), row)


def _header(path: Path, lines: Iterator[tuple[int, str]]) -> list[tuple[str, tuple[str, ...]]]:
    """Consume `lines` up to ``@data``; return the name and the levels of every attribute, () for numeric ones."""
    attributes = []
    for number, line in lines:
        word = line.split(maxsplit=1)[0].lower()
        if word == "@data":
            return attributes
        if word == "@relation":
            continue
        match = ATTRIBUTE.fullmatch(line)
        if not match:
            raise ValueError(f"{path}, line {number}: expected @attribute NAME TYPE or @data, got {line[:60]!r}")
        name, kind = match[1].strip("'\""), match[2].strip()
        levels = ()
        if kind.startswith("{") and kind.endswith("}"):
            levels = tuple(split_cells(path, number, kind[1:-1].strip(), quote="'"))
        attributes.append((name, levels))
    raise ValueError(f"{path}: expected a line @data, got none")


def _rows(path: Path, lines: Iterator[tuple[int, str]], attributes: list) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and cells; the comma at the end of the lines of Torgo's files begins no cell."""
    for number, line in lines:
        cells = split_cells(path, number, line, quote="'")
        if len(cells) == len(attributes) + 1 and cells[-1] == "":
            cells.pop()
        yield number, cells
