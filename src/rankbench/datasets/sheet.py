"""The sheet of data sets, ``config/datasets.tsv``: one row per set, every cell checked before anything is fetched."""

from dataclasses import MISSING, dataclass, fields
from pathlib import Path, PurePosixPath

import jsonschema
import yaml

from rankbench.datasets.readers import reader_and_url
from rankbench.home import SCHEMAS
from rankbench.registry import READERS

# JSON Schema accepts 2.0 as an integer, but range and numpy do not.
Validator = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int),
)


@dataclass(frozen=True)
class Row:
    """One data set; ``config/README.md`` explains every column."""

    name: str
    title: str
    reader: str
    file: tuple[str, ...]
    urls: tuple[str, ...]
    sha256: tuple[str, ...]
    table_sha256: str
    columns: tuple[str, ...]
    separator: str
    target: str
    nominal: tuple[str, ...]
    drop: tuple[str, ...]
    missing: str
    rows: int
    attributes: int
    licence: str
    reference: str
    groups: str = ""  # an optional column of the sheet

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its raw files, without the folders of `file`."""
        return tuple(PurePosixPath(file).name for file in self.file)

    @property
    def kind(self) -> str:
        """What an example of it is: ``rows``, or ``pairs`` of items."""
        return READERS[self.reader].kind

    @property
    def kept_whole(self) -> str:
        """What no split may cut, in words; empty if it is nothing."""
        return f"groups: {self.groups}" if self.groups else ""

    @property
    def pins(self) -> dict:
        """The cells that decide where to look for the bytes: after a change the set is fetched again.

        For its digests see `rankbench.datasets.registered`.
        """
        return self._pick("reader", "file")

    @property
    def layout(self) -> dict:
        """The cells that decide which values are read from the bytes: after a change the table is built again."""
        return self._pick(
            "columns", "separator", "target", "groups", "nominal", "drop", "missing", "rows", "attributes"
        )

    def _pick(self, *names: str) -> dict:
        return {name: list(v) if isinstance(v := getattr(self, name), tuple) else v for name in names}


def load_sheet(path: Path) -> dict[str, Row]:
    """Read and validate the sheet.

    Parameters
    ----------
    path : Path
        The tab-separated sheet, ``config/datasets.tsv``.

    Returns
    -------
    dict
        Name to :class:`Row`, in the order of the sheet.

    Raises
    ------
    ValueError
        If a cell is invalid; the message names the file, the line, the set and the column, what came and what is
        accepted.
    """
    path = Path(path)
    schema = SCHEMAS / "datasets.schema.yaml"
    validator = Validator(yaml.safe_load(schema.read_text(encoding="utf-8")))
    rows: dict[str, Row] = {}
    for line, cells in _lines(path):
        where = f"{path}, line {line} ({cells['name']})"
        values = {column: _typed(where, column, cell) for column, cell in cells.items()}
        for error in validator.iter_errors(values):
            column = ".".join(map(str, error.absolute_path)) or "the row"
            raise ValueError(f"{where}, column {column}: {error.message}")
        row = Row(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})
        _check(where, row)
        if row.name in rows:
            raise ValueError(f"{where}, column name: {row.name!r} is also in an earlier line")
        rows[row.name] = row
    return rows


def _lines(path: Path):
    """Yield (line number, {column: cell}) for every row below the header."""
    expected = [field.name for field in fields(Row)]
    optional = {field.name for field in fields(Row) if field.default is not MISSING}
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: expected UTF-8 text: {error}") from error
    header, *lines = [line.split("\t") for line in text.splitlines()] or [[]]
    unknown, absent = sorted(set(header) - set(expected)), sorted(set(expected) - optional - set(header))
    if unknown or absent or len(set(header)) < len(header):
        raise ValueError(f"{path}, line 1: each of {expected} must occur once; unknown {unknown}, missing {absent}")
    for number, cells in enumerate(lines, 2):
        if len(cells) != len(header):
            raise ValueError(f"{path}, line {number}: expected {len(header)} cells, got {len(cells)}: {cells}")
        yield number, dict(zip(header, (cell.strip() for cell in cells)))


def _typed(where: str, column: str, cell: str):
    """Convert a cell to the type of its column; lists are separated by spaces."""
    [kind] = [field.type for field in fields(Row) if field.name == column]
    if kind is int:
        if not (cell.isascii() and cell.isdigit() and len(cell) < 10):
            raise ValueError(f"{where}, column {column}: expected a whole number below 10^9, got {cell!r}")
        return int(cell)
    return cell.split() if kind is not str else cell


def _check(where: str, row: Row) -> None:
    """Check what the schema cannot: columns must agree with each other and with the folder of readers."""
    if row.reader not in READERS:
        raise ValueError(f"{where}, column reader: no reader {row.reader!r}; there are {', '.join(sorted(READERS))}")
    for url in row.urls:
        if (reader := reader_and_url(url)[0]) and reader not in READERS:
            raise ValueError(f"{where}, column urls: no reader {reader!r}; there are {', '.join(sorted(READERS))}")
    groups = (row.groups,) if row.groups else ()
    for column, names in (("nominal", row.nominal), ("drop", row.drop), ("target", (row.target,)), ("groups", groups)):
        unknown = [name for name in names if row.columns and name not in row.columns]
        if unknown:
            raise ValueError(f"{where}, column {column}: {unknown} not among the columns {list(row.columns)}")
    if len(row.sha256) != len(row.file):
        raise ValueError(f"{where}, column sha256: expected one for each of {list(row.file)}, got {list(row.sha256)}")
    if len(set(row.names)) != len(row.file):
        raise ValueError(
            f"{where}, column file: the names of the files must differ, not only their folders, got {list(row.file)}"
        )
    if len(row.file) > 1 and (others := [url for url in row.urls if not url.endswith(("/", ".zip"))]):
        raise ValueError(f"{where}, column urls: if there are several files, a URL must end in / or .zip, got {others}")
    named = [row.target, *groups, *row.nominal, *row.drop]
    if twice := sorted({name for name in named if named.count(name) > 1}):
        raise ValueError(f"{where}: {twice} may be in only one of target, groups, nominal and drop")
