"""The packages of an optional extra, for messages that say how to install them."""

from importlib.metadata import PackageNotFoundError, requires
from shlex import quote


def packages_of(extra: str) -> str:
    """Return the packages of an extra as arguments of ``pip install``.

    They are named one by one, because ``pip install 'rankmargin[...]'`` works only for a package on PyPI, and this one
    comes from a checkout or a wheel. So rankmargin itself is not among them.

    >>> packages_of("reference")
    "'cvxopt>=1.3'"
    """
    try:
        lines = [line.partition("; extra == ") for line in requires("rankmargin") or ()]
    except PackageNotFoundError:  # run from its sources, in the folder of the checkout
        return quote(f".[{extra}]")
    return " ".join(quote(requirement) for requirement, _, name in lines if name.strip("\"'") == extra)
