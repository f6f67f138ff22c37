"""The users' own tables: they lie in a folder as `rankbench.datasets.table.Table`, and nothing is fetched or read.

``config/tables/{name}.json`` says what the table ``resources/tables/{name}.npz`` is.
"""

from pathlib import Path
from types import SimpleNamespace

from rankbench.records.files import read_values

from .sheet import Row, load_sheet

SHEET = "config/datasets.tsv"
TABLES = "config/tables"


class OwnTable(SimpleNamespace):
    """What is known of a table without opening it.

    Attributes
    ----------
    name, title : str
    file : str
        Path of the user's file.
    options : dict
        How it is read, see `rankbench.compare.read.read_file`.
    forms : dict of str to dict
        The columns that are used, each with the fields of its `rankbench.compare.cells.Form`.
    kind : {"rows", "pairs"}
    rows : int
    attributes : list of str
        See `rankbench.datasets.table.Table`.
    items : list of (str, str, str)
        Of pairs: an attribute, its column of the first items and that of the second.
    battles : bool
        Whether the first attribute of pairs names the items.
    halves : bool
        Whether the file says 1, 0.5 and 0 for the results of pairs 1, 0 and -1.
    target, groups, weight : str
        Columns; ``groups`` and ``weight`` may be ``""``.
    nominal : list of str
        Columns that hold names.
    order : list of str
        Values of the target that are the ranks 0, 1, ...; empty if it is used as it is.
    grades : list of str
        Names of the ranks 0, 1, ... of the target; empty if it holds no grades.
    missing : bool
        Whether numbers are missing.
    kept_whole : str
        What no split may cut, in words.
    repeated : bool
        Whether there are rows with the same inputs that no split may cut.
    budget : float
        Minutes for which a comparison was planned; 0 if there was none.
    table_sha256 : str
        See `rankbench.datasets.table.table_digest`.
    """


def load_datasets(root: str | Path = ".") -> dict[str, Row | OwnTable]:
    """Return name -> what is known of a data set, for those of the sheet and the user's own tables in a folder."""
    root = Path(root)
    files = sorted((root / TABLES).glob("*.json"))
    own = {file.stem: OwnTable(**{"name": file.stem, **read_values(file)}) for file in files}
    return own if own and not (root / SHEET).exists() else {**load_sheet(root / SHEET), **own}


def fetched(datasets: dict[str, Row | OwnTable]) -> list[str]:
    """Return the names of the data sets of the sheet, which are fetched and read."""
    return [name for name, known in datasets.items() if isinstance(known, Row)]
