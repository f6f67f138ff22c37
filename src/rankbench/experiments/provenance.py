"""The versions and the commit that a record was made with; for the digest of its sources see `rankmargin.sources`."""

import subprocess
import sys

PACKAGES = ("numpy", "numba", "llvmlite", "sklearn", "lightgbm", "xgboost", "skordinal", "mord")


def versions():
    """Return the versions that can change a number: of Python and of those of `PACKAGES` that are imported here."""
    loaded = {name: sys.modules[name].__version__ for name in PACKAGES if name in sys.modules}
    return {"python": ".".join(map(str, sys.version_info[:3])), **loaded}


def commit(root):
    """Return the commit of a checkout, followed by ``-dirty`` if a file differs from it; ``""`` without git."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=7", "--exclude=*"]
    try:
        asked = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    except OSError:  # git is not installed
        return ""
    return asked.stdout.strip()
