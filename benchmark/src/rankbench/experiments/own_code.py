"""The code of a user's own methods: modules that are neither installed nor part of this project."""

import hashlib
import importlib.util
import sysconfig
from pathlib import Path

from rankbench.records.sources import parsed

INSTALLED = {"site-packages", "dist-packages"}  # also those of the user and of Debian, which sysconfig does not name
STANDARD = Path(sysconfig.get_path("stdlib")).resolve()


def code_of(package):
    """Return a digest of the code of a module or package that lies outside the folders of installed packages.

    The modules beside it that it imports, directly or indirectly, are part of it, and all modules of a package.
    Comments, docstrings and layout do not count.

    Parameters
    ----------
    package : str
        A name without dots, as in ``import package``.

    Returns
    -------
    str
        16 hexadecimal digits, or ``""`` if it is installed (its version says what it is) or cannot be found.
    """
    spec = importlib.util.find_spec(package)
    if spec is None:
        return ""
    places = [Path(place).resolve() for place in spec.submodule_search_locations or [spec.origin or "built-in"]]
    if any(not INSTALLED.isdisjoint(place.parts) or place.is_relative_to(STANDARD) for place in places):
        return ""
    digest, found = hashlib.sha256(), 0
    for place in places:  # a folder without __init__.py may be in several
        for file in _with_neighbours(_modules_of(place), place.parent):
            digest.update(f"{file.relative_to(place.parent)}\0{parsed(file.read_bytes())[1]}\0".encode())
            found += 1
    return digest.hexdigest()[:16] if found else ""


def _modules_of(place):
    """Return the files of a module or package that hold code of Python, sorted."""
    return sorted(place.rglob("*.py")) if place.is_dir() else [place] * (place.suffix == ".py" and place.is_file())


def _with_neighbours(files, folder):
    """Return files and those of the modules in a folder that they import, directly or indirectly, sorted."""
    found, waiting = set(), [*files]
    while waiting:
        file = waiting.pop()
        if file in found:
            continue
        found.add(file)
        for dots, name, _ in parsed(file.read_bytes())[0]:
            first = name.partition(".")[0]
            if not dots:
                waiting += _modules_of(folder / f"{first}.py") or _modules_of(folder / first)
    return sorted(found)
