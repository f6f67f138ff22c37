"""Read a user's file as a data frame of what stands in it. A file has one reading, or is refused with the option that
says how to read it."""

import csv
import gzip
import io
from itertools import islice
from pathlib import Path

import pandas as pd

from rankbench.configuration.labels import listed, one_line, quoted

MOST_ROWS = 1_000_000
MOST_CELLS = 100_000_000  # of an SVMlight file, which leaves zeros out
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


class TableError(ValueError):
    """Methods cannot be compared on a table; the message names the file or column, what came and what is accepted."""


def read_file(path, sep="", sheet="", header=1):
    """Read a csv, tsv or SVMlight file, or a parquet or Excel file, as a data frame.

    Returns
    -------
    DataFrame
        Columns of numbers, and of texts (`pandas.StringDtype`), which hold what stands in the file. The names of the
        columns are on one line; a column without a name is called ``column 3``.

    Raises
    ------
    TableError
        If the ending of the file is unknown, it is not what its ending says, or it has several readings.
    """
    ending = ending_of(path)
    try:
        if not ending:
            raise TableError(f"the name must end in one of {', '.join(READERS)}")
        names, columns = READERS[ending](Path(path), sep, sheet, header)
        if not columns or not len(columns[0]):
            raise TableError("there are no rows below the column names")
        if len(columns[0]) > MOST_ROWS:
            raise TableError(f"has more than {MOST_ROWS:,} rows; compare on a random sample of them")
        names = pd.Index([one_line(name) or f"column {at}" for at, name in enumerate(names, 1)])
        if len(twice := names[names.duplicated()]):
            raise TableError(f"the column {twice[0]!r} occurs twice; every column needs a different name")
    except TableError as error:
        raise TableError(f"{one_line(path)}: {error}") from error
    except Exception as error:  # what a library raises for a file that is not what its ending says has no common class
        said = one_line(error)[:200] or type(error).__name__
        raise TableError(f"{one_line(path)}: cannot be read as {ending.lstrip('.')}: {said}") from error
    return pd.DataFrame(dict(zip(names, columns, strict=True)))


def ending_of(path):
    """Return the ending of the name of a file that can be read, the longest one that fits, or ``""``."""
    return max((end for end in READERS if Path(path).name.lower().endswith(end)), key=len, default="")


def read_delimited(path, sep, _, header):
    """Read delimited text, which is UTF-8, as texts."""
    with gzip.open(path) if path.suffix.lower() == ".gz" else open(path, "rb") as stream:
        content = stream.read()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        cure = "iconv -f ENCODING -t UTF-8, where ENCODING is WINDOWS-1252 or UTF-16 as a rule"
        raise TableError(f"is not UTF-8: {cure}") from None
    text = "".join(islice(io.StringIO(text, newline=""), header - 1, None))
    sep = {"tab": "\t"}.get(sep, sep) or ("\t" if ".tsv" in path.name.lower() else _separator(text))
    options = {"header": None, "dtype": "str", "keep_default_na": False, "skipinitialspace": True, "engine": "c"}
    try:
        cells = pd.read_csv(io.StringIO(text), sep=sep, **options)
    except pd.errors.ParserError as error:
        cure = f"if the column names are in another line than {header}: --header=LINE"
        raise TableError(f"{one_line(error)}; {cure}") from error
    return list(cells.iloc[0]), [cells[name].iloc[1:].reset_index(drop=True) for name in cells]


def _separator(text):
    """Return the separator that the line of the column names holds outside quotes; refuse two."""
    line = next(filter(str.strip, io.StringIO(text, newline="")), "")
    found = [sep for sep in SEPARATORS if len(next(csv.reader([line], delimiter=sep, skipinitialspace=True), ())) > 1]
    if len(found) > 1:
        ways = " and ".join(SEPARATORS[sep] for sep in found)
        last = found[-1].replace("\t", "tab")
        raise TableError(f'the column names hold {ways}; say what separates them: --sep="{last}"')
    return found[0] if found else ","


def read_svmlight(path, *_):
    """Read ``2 qid:1 1:0.5 2:0.3``: the columns label, qid if there is one, and the features 1, 2, ..."""
    from sklearn.datasets import load_svmlight_file

    X, y, query = load_svmlight_file(str(path), query_id=True)
    if X.shape[0] * X.shape[1] > MOST_CELLS:
        raise TableError(f"has {X.shape[0]:,} rows and {X.shape[1]:,} features; at most {MOST_CELLS:,} cells are read")
    grouped = bool(len(query))
    names = ["label", *["qid"] * grouped, *map(str, range(1, X.shape[1] + 1))]
    return names, [pd.Series(y), *[pd.Series(query)] * grouped, *map(pd.Series, X.toarray().T)]


def read_parquet(path, *_):
    """Read a parquet file; an index is a column too."""
    import pyarrow.parquet as pq

    frame = pq.read_table(path).to_pandas(ignore_metadata=True, integer_object_nulls=True)
    return [*frame], [column if column.dtype.kind in "iuf" else _texts(column) for _, column in frame.items()]


def read_excel(path, _, sheet, header):
    """Read a sheet of an Excel file; a column with a text among its cells is a column of texts."""
    sheets = pd.read_excel(path, sheet_name=None, header=None, dtype=object, keep_default_na=False)
    filled = [sheet] if sheet else [name for name, cells in sheets.items() if len(cells)]
    if len(filled) != 1 or filled[0] not in sheets:
        raise TableError(f"holds the sheets {listed(map(repr, sheets))}; say which: --sheet={quoted([*sheets][:1])}")
    cells = sheets[filled[0]].replace(r"^\s*$", None, regex=True)
    return list(_texts(cells.iloc[header - 1])), [_excel_column(cells[name].iloc[header:]) for name in cells]


def _excel_column(cells):
    numbers = {*map(type, cells.dropna())} <= {int, float}
    return (pd.to_numeric(cells) if numbers else _texts(cells)).reset_index(drop=True)


def _texts(cells):
    """Return cells as texts, missing ones as empty texts."""
    return cells.astype(object).where(cells.notna(), "").map(str).astype("str")


READERS = dict.fromkeys((".csv", ".tsv", ".txt", ".dat", ".csv.gz", ".tsv.gz", ".txt.gz"), read_delimited)
READERS |= dict.fromkeys((".svm", ".svmlight", ".libsvm", ".svm.gz"), read_svmlight)
READERS |= {".parquet": read_parquet} | dict.fromkeys((".xlsx", ".xlsm", ".xls"), read_excel)
