"""The versions of what a record stands on, and the commit; for the digest of its sources see `rankmargin.sources`."""

import subprocess
import sys


def versions():
    """Return the versions that can move a number: Python and the numerical packages this process has imported."""
    loaded = {name: sys.modules[name].__version__ for name in ("numpy", "numba", "llvmlite") if name in sys.modules}
    return {"python": ".".join(map(str, sys.version_info[:3])), **loaded}


def commit(root):
    """Return the commit of a checkout, with ``-dirty`` behind it if a file differs from it; ``""`` where it is none."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=7", "--exclude=*"]
    try:
        asked = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    except OSError:  # there is no git
        return ""
    return asked.stdout.strip()
