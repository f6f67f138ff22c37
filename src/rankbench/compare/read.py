"""Read a user's file as a data frame of texts, numbers and dates."""

import csv
import difflib
import gzip
import io
import re
import zipfile
from contextlib import suppress
from datetime import date, datetime, time
from itertools import islice
from numbers import Real
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet

from .cells import listed
from .names import TableError, column_names, one_line

MOST_ROWS = 1_000_000
MOST_CELLS = 100_000_000
MOST_BYTES = 1 << 30  # of a file when it is unpacked: a packed file can be a bomb
TOO_MANY = f"has more than {MOST_ROWS:,} rows; compare on a random sample of them"
TOO_LONG = f"holds more than {MOST_BYTES >> 30} GB; compare on a random sample of its rows"
SEPARATORS = ",;|\t"  # the first is most often part of a name
AGREEING = 5  # records that must have as many cells
BEGINNING = 1 << 20  # bytes by which the separator is found, and which must hold the first line
NAMES = {"cp1252": "Windows-1252", "latin-1": "Latin-1"}  # of encodings that are guesses
LONE_CR = re.compile(rb"\r(?=[^\r\n])")  # followed by text of its line
GUESSED = "the file is not UTF-8 and was read as {}; if letters look wrong: iconv -f ENCODING -t UTF-8"


class Nested(str):
    """What a column holds whose cells are no single values."""


def read_file(path):
    """Read a csv, tsv (plain or gzip), parquet, arff or Excel file as a data frame.

    Returns
    -------
    frame : DataFrame
        Columns of texts (`pandas.StringDtype`) are not interpreted, see `rankbench.compare.cells.interpret`. The others
        are numbers, dates, names (a categorical column), or `Nested`. The names of the columns are on one line.
    notes : list of str
        What a reader of the answer must know, such as the encoding that was guessed.

    Raises
    ------
    TableError
        If there is no such file, its ending is unknown, it is not what its ending says, or too large.
    """
    path = Path(path)
    ending = ending_of(path)
    try:
        if path.is_dir():
            raise TableError("is a folder; name a file in it")
        if not ending:
            raise TableError(f"the name must end in one of {', '.join(READERS)}")
        if not path.is_file():
            names = [file.name for file in path.parent.iterdir()] if path.parent.is_dir() else []
            close = difflib.get_close_matches(path.name, names, 1)
            raise TableError("there is no such file" + (f"; did you mean {path.with_name(close[0])}?" if close else ""))
        cells, columns, notes = READERS[ending](path)
        names = column_names(cells)
        if not columns or not len(columns[0]):
            raise TableError("there are no rows below the column names")
        if len(columns[0]) > MOST_ROWS:
            raise TableError(TOO_MANY)
    except TableError as error:
        raise TableError(f"{one_line(path)}: {error}") from error
    except Exception as error:  # what a library raises for a file that is not what its ending says has no common class
        said = one_line(error)[:200] or type(error).__name__
        raise TableError(f"{one_line(path)}: cannot be read as {ending.lstrip('.')}: {said}") from error
    return pd.DataFrame(dict(zip(names, columns, strict=True))), notes


def ending_of(path):
    """Return the ending of the name of a file that can be read, the longest one that fits, or ``""``."""
    endings = [ending for ending in READERS if Path(path).name.lower().endswith(ending)]
    return max(endings, key=len, default="")


def bytes_of(path):
    """Return the bytes of a file, unpacked if its name ends in .gz."""
    with gzip.open(path) if path.suffix.lower() == ".gz" else open(path, "rb") as stream:
        content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise TableError(TOO_LONG)
    return content


def read_delimited(path):
    """Read delimited text as texts; UTF-8, or else UTF-16 with a mark at its beginning, or else Windows-1252."""
    content = bytes_of(path)
    start = content[:BEGINNING]
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _delimited(content, "utf-16")
    if b"\x00" in start:
        raise TableError("is no text")
    if len(start) == BEGINNING and not {*b"\r\n"} & {*start}:
        raise TableError(f"the first line has more than {BEGINNING:,} bytes")
    for encoding in ("utf-8-sig", "cp1252"):
        with suppress(UnicodeDecodeError):
            return _delimited(content, encoding)
    return _delimited(content, "latin-1")


def _refuse_lone_cr(content, encoding):
    """Refuse a CR outside quotes in a file whose rows end with LF: pandas would end the row there, and go on with a row
    of what is left. A file with no other line ends, as of old Macs, is read, and so are blank lines."""
    if not LONE_CR.search(content):  # that of UTF-16 is found too, before a zero
        return
    text = re.sub('"[^"]*"', "", content.decode(encoding))
    found = re.search(LONE_CR.pattern.decode(), text)
    if found and "\n" in text:
        row = 1 + text.count("\n", 0, found.start())
        raise TableError(
            f"row {row} (the column names are row 1) holds a carriage return outside quotes, where other rows end with "
            "a line feed; put the cell in quotes, or take the carriage return out"
        )


def _delimited(content, encoding):
    """Return the names and the columns of delimited text, and a note if its encoding was guessed."""
    _refuse_lone_cr(content, encoding)
    beginning = content[:BEGINNING].decode(encoding, errors="ignore")
    if told := re.match(r'\s*"?sep=(.)"?\s*?\r?\n', beginning):  # as Excel writes it for itself
        separator, content = told[1], content.decode(encoding)[told.end() :].encode(encoding)
    else:
        separator = separator_of(beginning)
    options = {"header": None, "dtype": "str", "keep_default_na": False, "skipinitialspace": True}
    try:
        cells = pd.read_csv(io.BytesIO(content), sep=separator, encoding=encoding, nrows=MOST_ROWS + 2, **options)
    except pd.errors.EmptyDataError as error:
        raise TableError("is empty") from error
    except pd.errors.ParserError as error:
        if "Expected" in str(error) and "saw" in str(error):
            raise TableError("a line has more cells than the first line, which must hold the column names") from error
        raise
    columns = [cells[name].iloc[1:].reset_index(drop=True) for name in cells]
    notes = [GUESSED.format(NAMES[encoding])] if encoding in NAMES else []
    return list(cells.iloc[0].fillna("")), columns, notes


def separator_of(text):
    """Return the separator by which the first records that hold something have as many cells, outside quotes. Of
    several, or if there is none, it is the one by which the first has most, and of these the one that is least often
    part of a name."""
    found = {}
    for at, separator in enumerate(SEPARATORS):
        records = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
        filled = (record for record in records if any(map(str.strip, record)))
        sizes = [len(record) for record in islice(filled, AGREEING)] or [0]
        found[separator] = (len({*sizes}) == 1 < sizes[0], sizes[0], at if sizes[0] > 1 else 0)
    return max(found, key=found.get)


def read_parquet(path):
    """Read a parquet file; decimals are numbers, texts are names, and an index is a column too."""
    with pa.parquet.ParquetFile(path) as file:
        schema, rows = file.schema_arrow, file.metadata.num_rows
        size = sum(file.metadata.row_group(at).total_byte_size for at in range(file.metadata.num_row_groups))
    if rows > MOST_ROWS:
        raise TableError(TOO_MANY)
    if rows * len(schema) > MOST_CELLS or size > MOST_BYTES:
        what = f"{rows:,} rows and {len(schema):,} columns ({size >> 20:,} MB)"
        raise TableError(f"has {what}; at most {MOST_CELLS:,} cells and {MOST_BYTES >> 30} GB are read")
    names = column_names(schema.names)
    texts = [field.name for field in schema if _is_text(field.type)]
    with pa.parquet.ParquetFile(path, read_dictionary=texts) as file:
        columns = [_arrow_column(column) for column in file.read().columns]
    return names, columns, []


def _is_nested(kind):
    """Return whether the cells of a column are no numbers, texts or dates."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    plain = pa.types.is_primitive(kind) or pa.types.is_decimal(kind) or pa.types.is_null(kind) or _is_text(kind)
    return not plain or (pa.types.is_temporal(kind) and kind.bit_width > 64)


def _is_text(kind):
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def _arrow_column(column):
    """Return a column of numbers, dates or names, or one that says that its cells are something else."""
    kind = column.type
    if _is_nested(kind):
        return pd.Series([Nested(kind)] * len(column), dtype=object)
    if pa.types.is_dictionary(kind) and not _is_text(kind.value_type):
        return _arrow_column(column.cast(kind.value_type))
    if pa.types.is_dictionary(kind):
        return column.to_pandas()
    if pa.types.is_boolean(kind):
        return pa.compute.if_else(column, "True", "False").dictionary_encode().to_pandas()
    if pa.types.is_temporal(kind):
        return column.cast(pa.int64() if kind.bit_width == 64 else pa.int32()).to_pandas().astype("datetime64[s]")
    if pa.types.is_integer(kind) and not column.null_count:
        return column.to_pandas()
    return column.cast(pa.float64(), safe=False).to_pandas()


def read_arff(path):
    """Read an arff file with numeric and nominal attributes."""
    from scipy.io import arff

    # scipy keeps names of grades as ASCII, so other letters are written as their numbers meanwhile
    text = re.sub(r"[^\x00-\x7f]|=", lambda letter: f"={ord(letter[0]):06x}", Path(path).read_text("utf-8"))
    rows, meta = arff.loadarff(io.StringIO(text))
    columns = []
    for name, kind in zip(meta.names(), meta.types(), strict=True):
        column = pd.Series(rows[name])
        if kind == "nominal":
            texts = column.str.decode("ascii").map(_with_letters).map(one_line)
            column = texts.where(texts != "?").astype("category")
        columns.append(column)
    return [*map(_with_letters, meta.names())], columns, []


def _with_letters(text):
    """Return a text with letters in place of their numbers."""
    return re.sub("=([0-9a-f]{6})", lambda number: chr(int(number[1], 16)), text)


def read_excel(path):
    """Read the first sheet of an Excel file, which a note names if there are others; a column with a text among its
    cells is a column of texts."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > MOST_BYTES:
                raise TableError(TOO_LONG)
    with pd.ExcelFile(path) as file:
        cells = pd.read_excel(file, header=None, dtype=object, keep_default_na=False, nrows=MOST_ROWS + 2)
        first, *others = file.sheet_names
    others = listed([repr(one_line(name)) for name in others], 4)
    if not len(cells):
        raise TableError(f"is empty: the sheet {first!r} is read, not {others}" if others else "is empty")
    notes = [f"the first sheet, {one_line(first)!r}, is read, not {others}"] if others else []
    return list(cells.iloc[0].map(_excel_text)), [_excel_column(cells[name].iloc[1:]) for name in cells], notes


def _excel_column(cells):
    """Return a column of numbers, of dates, or of texts."""
    cells = cells.reset_index(drop=True)
    filled = [cell for cell in cells if not _is_empty(cell)]
    if all(isinstance(cell, Real) and not isinstance(cell, bool) for cell in filled):
        numbers = pd.to_numeric(cells.where(~cells.map(_is_empty), np.nan))
        return numbers.astype(float) if numbers.dtype == object else numbers  # whole numbers of more than 64 bits
    if all(isinstance(cell, datetime | date | time) for cell in filled):
        days = pd.factorize(cells.map(_excel_text))[0]  # they only have to be told apart, and years may be any
        return pd.Series(days, dtype="datetime64[s]").where(~cells.map(_is_empty))
    return cells.map(_excel_text).astype("str")


def _is_empty(cell):
    return cell is None or cell is pd.NaT or (isinstance(cell, str) and not cell.strip()) or cell != cell


def _excel_text(cell):
    """Return a cell as a text; a whole number has no decimals."""
    if _is_empty(cell):
        return ""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


READERS = {
    ".csv": read_delimited,
    ".tsv": read_delimited,
    ".txt": read_delimited,
    ".csv.gz": read_delimited,
    ".tsv.gz": read_delimited,
    ".parquet": read_parquet,
    ".arff": read_arff,
    ".xlsx": read_excel,
    ".xls": read_excel,
}
