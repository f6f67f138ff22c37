"""The versions that belong into a bug report."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("numpy", "scipy", "numba", "llvmlite", "scikit-learn", "pandas", "cvxopt", "matplotlib")
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "NUMBA_CACHE_DIR")


def show_versions() -> None:
    """Print the versions of rankmargin, of Python and of the packages that it needs, and the settings of threads.

    Examples
    --------
    >>> import rankmargin
    >>> rankmargin.show_versions()  # doctest: +ELLIPSIS
    rankmargin      ...
    python          ...
    """
    from rankmargin import __version__

    print(f"{'rankmargin':16}{__version__}")
    print(f"{'python':16}{platform.python_version()} on {platform.platform()}, {os.cpu_count()} cores")
    for name in PACKAGES:
        print(f"{name:16}{_version(name)}")
    for name in THREADS:
        print(f"{name:24}{os.environ.get(name, 'not set')}")


def _version(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
