"""Read text files as numbered lines and split lines into cells; errors name the file and the line."""

import csv
import gzip
import io
from collections.abc import Iterator
from pathlib import Path

GZIP = b"\x1f\x8b"


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, stripped text) for every line of a plain or gzipped file, except blank lines."""
    content = Path(path).read_bytes()
    text = (gzip.decompress(content) if content.startswith(GZIP) else content).decode("utf-8-sig")
    for number, line in enumerate(io.StringIO(text, newline=None), 1):
        if line := line.strip():
            yield number, line


def split_cells(path: Path, number: int, line: str, *, separator: str = ",", quote: str = '"') -> list[str]:
    """Split one line at `separator` (``" "``: any run of blanks) outside quotes, and strip the cells."""
    if separator == " ":
        line = " ".join(line.split()) if quote not in line else line.replace("\t", " ")
    try:
        cells = next(csv.reader([line], delimiter=separator, quotechar=quote, skipinitialspace=True, strict=True), [])
    except csv.Error as error:
        where = f"{path}, line {number}"
        raise ValueError(f"{where}: expected cells separated by {separator!r}, got {line[:60]!r}: {error}") from error
    return [cell.strip() for cell in cells]
