"""The versions of what a record stands on; the digest of its sources comes from `rankmargin.sources`."""

import sys


def versions():
    """Return the versions that can move a number: Python and the numerical packages this process has imported."""
    loaded = {name: sys.modules[name].__version__ for name in ("numpy", "numba", "llvmlite") if name in sys.modules}
    return {"python": ".".join(map(str, sys.version_info[:3])), **loaded}
