"""Paths of the files of the benchmark itself, from whatever folder it is run: schemas, data."""

from pathlib import Path

HOME = Path(__file__).parents[2]  # the checkout: the benchmark is installed in place
SCHEMAS = HOME / "workflow" / "schemas"
DATA = HOME / "resources" / "data"  # the files that may be passed on
