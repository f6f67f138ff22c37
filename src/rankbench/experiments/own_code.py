"""The code of a user's own methods: modules that are neither installed nor part of this project."""

import hashlib
import importlib.util
import sysconfig
from pathlib import Path

from rankmargin.sources import parsed

INSTALLED = {"site-packages", "dist-packages"}  # also those of the user and of Debian, which sysconfig does not name
STANDARD = Path(sysconfig.get_path("stdlib")).resolve()


def code_of(package):
    """Return a digest of the code of a module or package that lies outside the folders of installed packages.

    Of a module the modules beside it that it imports, directly or indirectly, are part of it; of a package all its
    modules. Comments, docstrings and layout do not count.

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
    if spec is None or spec.origin in (None, "built-in", "frozen"):
        return ""
    file = Path(spec.origin).resolve()
    if file.suffix != ".py" or not INSTALLED.isdisjoint(file.parts) or file.is_relative_to(STANDARD):
        return ""
    files = sorted(file.parent.rglob("*.py")) if spec.submodule_search_locations else _with_neighbours(file)
    digest = hashlib.sha256()
    for one in files:
        digest.update(f"{one.relative_to(file.parent)}\0{parsed(one.read_bytes())[1]}\0".encode())
    return digest.hexdigest()[:16]


def _with_neighbours(file):
    """Return a file and the files beside it whose modules it imports, directly or indirectly, sorted."""
    found, waiting = set(), [file]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        found.add(one)
        for _, name, _ in parsed(one.read_bytes())[0]:
            first = name.split(".")[0]
            beside = file.with_name(f"{first}.py")
            waiting += [beside] if beside.is_file() else sorted((file.parent / first).rglob("*.py")) if first else []
    return sorted(found)
