"""A row of the sheet of data sets with as few filled cells as possible."""

import pytest

from rankbench.datasets.sheet import Row


@pytest.fixture
def make_row():
    """Build a Row for a file with the columns a, k (nominal) and y, changed by keywords."""

    def make(**changes) -> Row:
        plain = {
            "name": "toy",
            "title": "Toy",
            "reader": "csv",
            "file": ("toy/toy.csv",),
            "urls": (),
            "sha256": ("0" * 64,),
            "table_sha256": "",
            "columns": (),
            "separator": "",
            "target": "y",
            "nominal": ("k",),
            "drop": (),
            "missing": "refuse",
            "rows": 3,
            "attributes": 2,
            "licence": "none stated",
            "reference": "nobody",
        }
        return Row(**{**plain, **changes})

    return make
