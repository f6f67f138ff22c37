"""Read a user's file as a data frame of what stands in it. A file has one reading, or is refused with the option that
says how to read it."""

import csv
import difflib
import gzip
import io
import re
import zipfile
from datetime import date
from itertools import islice
from pathlib import Path

import pandas as pd

from rankbench.configuration.labels import listed, one_line, quoted

MOST_ROWS = 1_000_000
MOST_CELLS = 100_000_000
MOST_BYTES = 1 << 30  # of a file when it is unpacked: a packed file can be a bomb
TOO_MANY = f"has more than {MOST_ROWS:,} rows; compare on a random sample of them"
TOO_LONG = f"holds more than {MOST_BYTES >> 30} GB; compare on a random sample of its rows"
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
AGREEING = 100  # records that must have as many cells
WINDOWS = "the file is not UTF-8 and was read as Windows-1252; if letters look wrong: iconv -f ENCODING -t UTF-8"
LONE_CR = re.compile(rb"\r(?!\n)")
SVMLIGHT = re.compile(rb"\s*[-+.\deE]+(\s+qid:\d+)?(\s+\d+:\S+)+\s*(#.*)?$")


class TableError(ValueError):
    """Methods cannot be compared on a table; the message names the file or column, what came and what is accepted."""


def read_file(path, sep="", sheet="", header=1):
    """Read a csv, tsv or SVMlight file (plain or gzip), or a parquet or Excel file, as a data frame.

    Returns
    -------
    frame : DataFrame
        Columns of texts (`pandas.StringDtype`) hold what stands in the file. The others are numbers, dates or names (a
        categorical column). The names of the columns are on one line.
    notes : list of str
        What a reader of the answer must know, such as the encoding.

    Raises
    ------
    TableError
        If there is no such file, its ending is unknown, it is not what its ending says, or it has several readings.
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
        reader, options = READERS[ending], {"sep": sep, "sheet": sheet, "header": header}
        if idle := [f"--{key}" for key, value in options.items() if value not in ("", 1) and key not in TAKEN[reader]]:
            raise TableError(f"{idle[0]} is not for {ending.lstrip('.')} files")
        names, columns, notes = reader(path, **{key: options[key] for key in TAKEN[reader]})
        if not columns or not len(columns[0]):
            raise TableError("there are no rows below the column names")
        if len(columns[0]) > MOST_ROWS:
            raise TableError(TOO_MANY)
        frame = pd.DataFrame(dict(zip(column_names(names), columns, strict=True)))
    except TableError as error:
        raise TableError(f"{one_line(path)}: {error}") from error
    except Exception as error:  # what a library raises for a file that is not what its ending says has no common class
        said = one_line(error)[:200] or type(error).__name__
        raise TableError(f"{one_line(path)}: cannot be read as {ending.lstrip('.')}: {said}") from error
    return frame, notes


def ending_of(path):
    """Return the ending of the name of a file that can be read, the longest one that fits, or ``""``."""
    return max((end for end in READERS if Path(path).name.lower().endswith(end)), key=len, default="")


def column_names(cells):
    """Return the names of the columns of a file, each on one line; a column without a name is called ``column 3``.

    Raises
    ------
    TableError
        If two columns have the same name.
    """
    names = [one_line(cell) for cell in cells]
    for name in filter(None, names):
        if names.count(name) > 1:
            raise TableError(f"the column {name!r} occurs twice; every column needs a different name")
    for at, name in enumerate(names):
        names[at] = name or free_name(f"column {at + 1}", names)
    return names


def free_name(name, used):
    """Return the name, with a number if it is used already."""
    return next(free for free in (name, *(f"{name} ({k})" for k in range(2, 10**6))) if free not in used)


def bytes_of(path):
    """Return the bytes of a file, unpacked if its name ends in .gz."""
    with gzip.open(path) if path.suffix.lower() == ".gz" else open(path, "rb") as stream:
        content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise TableError(TOO_LONG)
    return content


def read_delimited(path, sep, header):
    """Read delimited text as texts; it is UTF-8, or else Windows-1252."""
    content = bytes_of(path)
    if SVMLIGHT.match(next((line for line in content[:100_000].splitlines() if line[:1] not in (b"#", b"")), b"")):
        return read_svmlight(path)
    encoding, notes = "utf-8-sig", []
    if b"\x00" in content[:100_000]:
        raise TableError("is no text of UTF-8 or Windows-1252; if it is UTF-16: iconv -f UTF-16 -t UTF-8")
    if lone := LONE_CR.search(content):
        line = 1 + content.count(b"\n", 0, lone.start())
        raise TableError(f"line {line} holds a carriage return without a line feed; replace or remove it")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        encoding, notes = "cp1252", [WINDOWS]
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            raise TableError("is neither UTF-8 nor Windows-1252: iconv -f ENCODING -t UTF-8") from None
    text = "".join(islice(io.StringIO(text, newline=""), header - 1, None))
    if not text.strip():
        raise TableError("is empty" if header == 1 else f"--header={header}: there is no such line")
    sep = {"tab": "\t", "\\t": "\t"}.get(sep, sep) or _separator(text, ".tsv" in path.name.lower())
    if len(sep) != 1:
        raise TableError(f"--sep must be one character, or tab, got {sep!r}")
    options = {"header": None, "dtype": "str", "keep_default_na": False, "skipinitialspace": True}
    try:
        cells = pd.read_csv(io.StringIO(text), sep=sep, nrows=MOST_ROWS + 2, **options)
    except pd.errors.ParserError as error:
        if not (found := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", str(error))):
            raise
        expected, line, saw = found[1], int(found[2]) + header - 1, found[3]
        why = f"line {line} has {saw} cells, and those above have {expected}"
        raise TableError(f"{why}; if the column names are in another line than {header}: --header=LINE") from error
    return list(cells.iloc[0]), [cells[name].iloc[1:].reset_index(drop=True) for name in cells], notes


def _separator(text, tabs):
    """Return the separator by which the first records have as many cells, outside quotes; refuse two such, if `tabs`
    are not those of the name of the file."""
    sizes = {}
    for sep in SEPARATORS:
        records = csv.reader(io.StringIO(text, newline=""), delimiter=sep, skipinitialspace=True)
        sizes[sep] = [len(one) for one in islice(filter(lambda one: any(map(str.strip, one)), records), AGREEING)]
    agreeing = [sep for sep, of in sizes.items() if of and len({*of}) == 1 < of[0]]
    if tabs and "\t" in agreeing:
        return "\t"
    if len(agreeing) > 1:
        ways = " and ".join(f"{SEPARATORS[sep]}s ({sizes[sep][0]} columns)" for sep in agreeing)
        raise TableError(f'can be split at {ways}; say it: --sep="{agreeing[-1] if agreeing[-1] != chr(9) else "tab"}"')
    return agreeing[0] if agreeing else max(sizes, key=lambda sep: sizes[sep][0] if sizes[sep] else 0)


def read_svmlight(path):
    """Read ``2 qid:1 1:0.5 2:0.3``: the columns label, qid if there is one, and the features 1, 2, ..."""
    from sklearn.datasets import load_svmlight_file

    content = bytes_of(path)
    X, y, query = load_svmlight_file(io.BytesIO(content), query_id=True)
    if X.shape[0] * X.shape[1] > MOST_CELLS:
        raise TableError(f"has {X.shape[0]:,} rows and {X.shape[1]:,} features; at most {MOST_CELLS:,} cells are read")
    grouped = b"qid:" in content
    names = ["label", *["qid"] * grouped, *map(str, range(1, X.shape[1] + 1))]
    columns = [pd.Series(y), *[pd.Series(query)] * grouped, *map(pd.Series, X.toarray().T)]
    return names, columns, ["an SVMlight file: features that a line leaves out are 0"]


def read_parquet(path):
    """Read a parquet file; decimals are numbers, and an index is a column too."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        groups = [file.metadata.row_group(at) for at in range(file.metadata.num_row_groups)]
        if file.metadata.num_rows > MOST_ROWS:
            raise TableError(TOO_MANY)
        if sum(group.total_byte_size for group in groups) > MOST_BYTES:
            raise TableError(TOO_LONG)
        names, columns, notes = [], [], []
        for name, column in zip(file.schema_arrow.names, file.read().columns, strict=True):
            made = _arrow_column(column)
            if made is None:
                notes.append(f"{one_line(name)} is not read: its cells are {column.type}")
            else:
                names, columns = [*names, name], [*columns, made]
    return names, columns, notes


def _arrow_column(column):
    """Return a column of numbers, dates, texts or names; None if its cells are something else."""
    from pyarrow import compute, float64, types

    kind = column.type
    if types.is_dictionary(kind):
        texts = types.is_string(kind.value_type) or types.is_large_string(kind.value_type)
        return column.to_pandas() if texts else _arrow_column(column.cast(kind.value_type))
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return column.to_pandas().astype("str")
    if types.is_boolean(kind):
        return compute.if_else(column, "True", "False").to_pandas().astype("str")
    if types.is_integer(kind):
        return pd.Series(pd.array(column.to_pylist(), dtype="Int64" if types.is_signed_integer(kind) else "UInt64"))
    if types.is_floating(kind) or types.is_decimal(kind) or types.is_null(kind):
        return column.cast(float64(), safe=False).to_pandas()
    if types.is_date(kind) or types.is_timestamp(kind):
        return column.to_pandas(date_as_object=False).dt.tz_localize(None)
    return None


def read_excel(path, sheet, header):
    """Read a sheet of an Excel file; a column with a text among its cells is a column of texts."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > MOST_BYTES:
                raise TableError(TOO_LONG)
    try:
        file = pd.ExcelFile(path)
    except ValueError:
        raise TableError("is no Excel file; if it is text, name it .csv") from None
    with file:
        options = {"header": None, "dtype": object, "keep_default_na": False}
        sheets = [name for name in file.sheet_names if len(pd.read_excel(file, sheet_name=name, nrows=1, **options))]
        if (sheet and sheet not in file.sheet_names) or (not sheet and len(sheets) > 1):
            raise TableError(f"holds the sheets {listed(map(repr, sheets))}; say which: --sheet={quoted(sheets[:1])}")
        if not sheets:
            raise TableError("is empty")
        options |= {"sheet_name": sheet or sheets[0], "skiprows": header - 1, "nrows": MOST_ROWS + 2}
        cells = pd.read_excel(file, **options)
    if not len(cells):
        raise TableError(f"--header={header}: there is no such row")
    return list(cells.iloc[0].map(_excel_text)), [_excel_column(cells[name].iloc[1:]) for name in cells], []


def _excel_column(cells):
    """Return a column of numbers, of dates, or of texts."""
    cells = cells.reset_index(drop=True).replace(r"^\s*$", None, regex=True)
    kinds = {type(cell) for cell in cells.dropna()}
    if kinds and kinds <= {int, float}:
        return pd.to_numeric(cells)
    if kinds and all(issubclass(kind, date) for kind in kinds):
        return pd.to_datetime(cells, errors="coerce")
    return cells.map(_excel_text).astype("str")


def _excel_text(cell):
    """Return a cell as a text; a whole number has no decimals."""
    if pd.isna(cell):
        return ""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


TAKEN = {read_delimited: ("sep", "header"), read_excel: ("sheet", "header"), read_parquet: (), read_svmlight: ()}
TEXTS = (".csv", ".tsv", ".txt", ".dat", ".csv.gz", ".tsv.gz", ".txt.gz")
READERS = dict.fromkeys(TEXTS, read_delimited) | dict.fromkeys((".svm", ".svmlight", ".libsvm"), read_svmlight)
READERS |= {".parquet": read_parquet} | dict.fromkeys((".xlsx", ".xlsm", ".xls"), read_excel)
