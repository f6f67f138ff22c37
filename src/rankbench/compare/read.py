"""Read a user's file as a data frame."""

import gzip
import warnings
from pathlib import Path

import pandas as pd

MOST_ROWS = 1_000_000
SEPARATORS = ",;\t|"


class TableError(ValueError):
    """Methods cannot be compared on a table; the message names the file or column, what came and what is accepted."""


def read_file(path):
    """Read a csv, tsv (plain or gzip), parquet, arff or Excel file as a data frame.

    Raises
    ------
    TableError
        If there is no such file, its ending is unknown, or it is not what its ending says.
    """
    path = Path(path)
    name = path.name.lower()
    ending = next((ending for ending in sorted(READERS, key=len, reverse=True) if name.endswith(ending)), None)
    if ending is None:
        raise TableError(f"{path}: the name must end in one of {', '.join(READERS)}")
    if not path.is_file():
        raise TableError(f"{path}: there is no such file")
    try:
        frame = READERS[ending](path)
    except (ValueError, OSError, EOFError, ImportError, NotImplementedError, pd.errors.ParserWarning) as error:
        said = " ".join(str(error).split())[:200]
        said += "; save it as UTF-8" if isinstance(error, UnicodeDecodeError) else ""
        if isinstance(error, pd.errors.ParserWarning):
            said = "a line has more cells than the first line, which must hold the names of the columns"
        raise TableError(f"{path}: cannot be read as {ending.lstrip('.')}: {said}") from error
    frame.columns = [str(column).strip() for column in frame.columns]
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise TableError(f"{path}: the column {twice[0]!r} occurs twice; every column needs a different name")
    if len(frame) > MOST_ROWS:
        raise TableError(f"{path}: has more than {MOST_ROWS:,} rows; compare on a random sample of them")
    return frame


def read_delimited(path):
    """Read delimited text; the separator is the most frequent one of comma, semicolon, tab and bar in the header."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
        header = file.readline().decode("utf-8-sig")
    separator = max(SEPARATORS, key=header.count)
    options = {"na_values": ["?"], "skipinitialspace": True, "nrows": MOST_ROWS + 1, "encoding": "utf-8-sig"}
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)  # rows longer than the header
        warnings.simplefilter("ignore", pd.errors.DtypeWarning)  # a column of numbers and names
        frame = pd.read_csv(path, sep=separator, index_col=False, **options)
    return frame if separator == "," else frame.apply(_with_decimal_comma)


def _with_decimal_comma(column):
    """Return a column of texts such as 0,5 as numbers; other columns are returned as they are."""
    if pd.api.types.is_numeric_dtype(column) or not column.notna().any():
        return column
    texts = column.dropna().astype(str)
    numbers = texts.str.fullmatch(r"[+-]?\d*(,\d+)?(e[+-]?\d+)?", case=False).all() and texts.str.contains(",").any()
    return pd.to_numeric(column.str.replace(",", ".")) if numbers else column


def read_parquet(path):
    """Read a parquet file; decimals, as databases write them, become numbers."""
    import pyarrow.parquet

    if pyarrow.parquet.ParquetFile(path).metadata.num_rows > MOST_ROWS:
        return pd.DataFrame(index=range(MOST_ROWS + 1))
    schema, frame = pyarrow.parquet.read_schema(path), pd.read_parquet(path)
    decimals = [field.name for field in schema if pyarrow.types.is_decimal(field.type) and field.name in frame]
    return frame.astype(dict.fromkeys(decimals, float))


def read_arff(path):
    """Read an arff file with numeric and nominal attributes."""
    from scipy.io import arff

    with open(path, encoding="utf-8") as file:
        rows, meta = arff.loadarff(file)
    frame = pd.DataFrame(rows)
    for name, kind in zip(meta.names(), meta.types(), strict=True):
        if kind == "nominal":
            text = frame[name].str.decode("utf-8")
            frame[name] = text.where(text != "?")
    return frame


def read_excel(path):
    """Read the first sheet of an Excel file."""
    return pd.read_excel(path, nrows=MOST_ROWS + 1)


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
