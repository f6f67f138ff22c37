"""The vehicle silhouettes of Statlog as ranks of size: nine files, each line with numbers and a class.

The set has four classes without an order. The order is declared here, after the vehicle types of Shashua and Levin
(section 4: small, medium, large), whose pictures were never public: the cars Opel and Saab are 1, the van 2, the bus
3.
"""

from pathlib import Path

from rankbench.datasets.assemble import assemble
from rankbench.datasets.lines import numbered_lines, split_cells
from rankbench.datasets.table import Table

SIZES = {"opel": "1", "saab": "1", "van": "2", "bus": "3"}


def read(path: Path, row) -> Table:
    """Read the files ``row.names`` of the folder `path`; ``row.columns`` names their columns, the class last."""
    return assemble(path, row.columns, _vehicles(path, row.names), row)


def _vehicles(path: Path, names):
    """Yield the number and file of each line and its cells, with the size instead of the class."""
    for file in [path / name for name in names] if len(names) > 1 else [path]:
        for number, line in numbered_lines(file):
            *numbers, kind = split_cells(file, number, line, separator=" ")
            yield f"{number} of {file.name}", [*numbers, SIZES[kind]]
