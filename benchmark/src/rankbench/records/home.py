"""Paths of the files of the benchmark itself, in a checkout or an installed wheel, whatever the current folder is."""

from pathlib import Path

PACKAGE = Path(__file__).parents[1]
# In a checkout `workflow` and `resources` in the package are links to those at the top; a wheel has the files there.
WORKFLOW = (PACKAGE / "workflow").resolve()
RESOURCES = (PACKAGE / "resources").resolve()
DATA = RESOURCES / "data"  # the files that may be redistributed
