"""The user's own tables: they lie in a folder as `rankbench.datasets.table.Table`, and nothing is fetched or read.

``config/tables/{name}.json`` says what the table ``resources/tables/{name}.npz`` is.
"""

from pathlib import Path
from types import SimpleNamespace

from rankbench.datasets.sheet import Row, load_sheet
from rankbench.experiments.files import read_values

SHEET = "config/datasets.tsv"
TABLES = "config/tables"


class OwnTable(SimpleNamespace):
    """What is known of a table without opening it.

    Attributes
    ----------
    name, title : str
    data : str
        Path of the same table as a data frame (parquet), with the names that its owner gave.
    kind : {"rows", "pairs"}
    rows : int
    attributes : list of str
        See `rankbench.datasets.table.Table`.
    target, groups : str
        Columns; ``groups`` may be ``""``.
    nominal : list of str
        Columns that hold names.
    grades : list of str
        Names of the ranks 0, 1, ... of the target; empty if it holds no grades.
    missing : bool
        Whether numbers are missing.
    kept_whole : str
        What no split may cut, in words.
    repeated : bool
        Whether there are rows with the same inputs that no split may cut.
    table_sha256 : str
        See `rankbench.datasets.table.table_digest`.
    """

    repeated = False  # in the file of a folder that was written before 2026-11-26 it is missing

    @property
    def columns(self) -> list[str]:
        """The names that an experiment may use."""
        return [*self.attributes, self.target]

    @property
    def note(self) -> dict:
        """What its file says."""
        return {key: value for key, value in vars(self).items() if key != "name"}


def load_datasets(root: str | Path = ".") -> dict[str, Row | OwnTable]:
    """Return name -> what is known of a data set, for those of the sheet and the user's own tables in a folder."""
    root = Path(root)
    files = sorted((root / TABLES).glob("*.json"))
    own = {file.stem: OwnTable(name=file.stem, **read_values(file)) for file in files}
    return own if own and not (root / SHEET).exists() else {**load_sheet(root / SHEET), **own}


def fetched(datasets: dict[str, Row | OwnTable]) -> list[str]:
    """Return the names of the data sets of the sheet, which are fetched and read."""
    return [name for name, known in datasets.items() if isinstance(known, Row)]
