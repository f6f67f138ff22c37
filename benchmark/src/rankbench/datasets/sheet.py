"""The sheet of data sets, ``config/datasets.tsv``: one row per set, every cell checked before anything is fetched."""

import csv
from pathlib import Path, PurePosixPath
from typing import Annotated

from annotated_types import Ge
from pydantic import BeforeValidator, model_validator
from pydantic.dataclasses import dataclass

from rankbench.configuration.checked import KEYS, adapter_of, checked, refuse
from rankbench.configuration.values import DISTINCT, NAME, TEXT, named, one_of
from rankbench.registry import READERS

PART = "[A-Za-z0-9_][A-Za-z0-9_.-]*"
PATH = named("a path in a mirror", f"{PART}(/{PART})*")
URL = named(
    "an http(s) address, or package:name==version/path",
    rf"https?://[^/]+/(?s:.*)|package:{PART}==[0-9.]+/{PART}(/{PART})*",
)
DIGEST = named("64 hexadecimal digits, or unknown", "[0-9a-f]{64}|unknown")
CELLS = BeforeValidator(lambda cell: cell.split() if isinstance(cell, str) else cell)  # separated by spaces
COLUMNS = Annotated[tuple[str, ...], *DISTINCT, CELLS]
COUNTED = Annotated[int, Ge(0)]
PINS = {"reader", "file", "sha256", "table_sha256"}
LAYOUT = {"columns", "separator", "target", "groups", "order", "nominal", "drop", "missing", "rows", "attributes"}


@dataclass(frozen=True, config=KEYS)
class Row:
    """One data set: the columns of the sheet."""

    name: NAME
    """the set's name everywhere: in experiment files, paths and records; lower case, digits, `_`"""
    title: TEXT
    """the name as it is printed in tables and figures; for the sets of a paper as in its tables"""
    reader: NAME
    """the format: a file of `benchmark/src/rankbench/datasets/readers/` (`delimited`: text without header; `csv`;
    `arff`; `xls`; `partitions`: an archive of published hold-outs; `letor`: the documents judged for the query that
    `target` names, as match scores (`all_queries`: for every query of the file)) or of a room, whose module explains
    it; a set that is made or bundled needs no file"""
    file: Annotated[tuple[PATH, ...], *DISTINCT, CELLS]
    """path of the file inside a mirror, e.g. `uci/some.data`; several where the set has several; empty for a set that
    needs no file"""
    urls: Annotated[tuple[URL, ...], *DISTINCT, CELLS]
    """where the file can be downloaded, in the order in which the addresses are tried: the publisher first, then public
    copies pinned to a commit.
    `package:name==version/path` is a file of a Python package that is installed in this version. If a set
    has several files, a URL is that of their folder and ends in `/`, or that of an archive and ends in `.zip`"""
    sha256: Annotated[tuple[DIGEST, ...], CELLS]
    """of each file at `file`, in that order; `unknown` for a file that we have never had: it is accepted unchecked, and
    the last line of `results/logs/data/{name}.fetch.log` gives its sha256"""
    table_sha256: named("64 hexadecimal digits, or empty", "([0-9a-f]{64})?")
    """digest of the values as they are read (`table_digest`), the same for every format. May be left empty for a new
    set; `results/logs/data/{name}.table.log` gives it. Empty for ratings that are computed: their last digits differ
    between processors, and `sha256` proves the file"""
    columns: COLUMNS
    """names of the file's columns from left to right: required for `delimited`, replaces the file's own names
    elsewhere"""
    separator: one_of("", "comma", "blank")
    """`delimited` and `partitions` only: `comma`, or `blank` for any run of spaces and tabs"""
    target: TEXT
    """the column to order by; higher is better. If its values are names, see `order`"""
    nominal: COLUMNS
    """columns whose values are names, even where they are written as numbers; levels are sorted and coded 0, 1, ..."""
    drop: COLUMNS
    """columns that are neither target nor attribute: identifiers, other outcomes, estimates of the target"""
    missing: one_of("refuse", "drop_row", "keep")
    """what to do with `?` or an empty cell in a column that is used: `refuse` the file, `drop_row`, or `keep` it. If it
    is kept, jobs replace a missing number by the mean of the training part and mark it in an extra column; a missing
    name becomes the level `missing`"""
    rows: COUNTED
    """rows after incomplete ones are dropped; for a simulated set, how many are drawn; 0 if we have never had the
    file"""
    attributes: COUNTED
    """number of inputs, nominal ones counted once, 0 if we have never had the files; rows, attributes and the number of
    nominal columns are checked when the table is built"""
    licence: TEXT
    """terms as the publisher states them"""
    reference: TEXT
    """whom to cite, and the collection from which the file comes"""
    groups: str = ""
    """rows are compared with each other only within the same value of the column named here (queries, persons). An
    experiment on a data set with groups needs `split: groups`, so that hold-outs and folds split no group"""
    order: str = ""
    """names of the values of the target from the lowest to the highest, as in `none<mild<severe`; they become 0, 1, ...
    Empty where the target is a number"""

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
        """The cells that say which bytes and values it has: after a change the set is fetched again."""
        return adapter_of(Row).dump_python(self, mode="json", include=PINS)

    @property
    def layout(self) -> dict:
        """The cells that decide which values are read from the bytes: after a change the table is built again."""
        return adapter_of(Row).dump_python(self, mode="json", include=LAYOUT)

    @model_validator(mode="after")
    def _agrees(self, info):
        if info.context:
            refuse(self._contradictions(info.context))
        return self

    def _contradictions(self, readers):
        """Yield the columns that do not agree with each other or with the readers that there are."""
        if self.reader not in readers:
            yield f"reader: no reader {self.reader!r}; there are {', '.join(sorted(readers))}"
        named = {"nominal": self.nominal, "drop": self.drop, "target": (self.target,)}
        named |= {"groups": (self.groups,)} if self.groups else {}
        for column, names in named.items():
            if twice := [name for other in named if other != column for name in names if name in named[other]]:
                yield f"{column}: {twice} may be in only one of target, groups, nominal and drop"


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
        If cells are invalid; a line of the message names the file, the line, the set and the column.
    """
    path = Path(path)
    rows: dict[str, Row] = {}
    lines = path.read_text(encoding="utf-8").splitlines()
    for line, cells in enumerate(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, restkey="more"), 2):
        row = checked(Row, cells, where := f"{path}, line {line} ({cells.get('name')})", READERS)
        if row.name in rows:
            raise ValueError(f"{where}: name: {row.name!r} is also in an earlier line")
        rows[row.name] = row
    return rows
