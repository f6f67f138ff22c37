"""What made a record: a digest of the sources it stands on, and the versions of what they import."""

import ast
import hashlib
import importlib.util
import sys
from functools import cache
from pathlib import Path

PACKAGES = ("rankmargin", "rankbench")


@cache
def source_of(module):
    """Return the source file of a module of this project, without importing it; None where there is no such module."""
    package, *rest = module.split(".")
    spec = importlib.util.find_spec(package)
    base = Path(spec.submodule_search_locations[0]).joinpath(*rest)
    return next((f for f in (base.with_suffix(".py") if rest else base, base / "__init__.py") if f.is_file()), None)


@cache
def imports_of(module):
    """Return the modules of this project that a module imports anywhere in its source, parent packages included."""
    path = source_of(module)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = importlib.util.resolve_name("." * node.level + base, package)
            names.add(base)
            names.update(f"{base}.{alias.name}" for alias in node.names)
    parents = {name.rsplit(".", depth)[0] for name in names | {module} for depth in range(1, name.count(".") + 1)}
    ours = {name for name in names | parents if name.split(".")[0] in PACKAGES}
    return frozenset(name for name in ours if source_of(name))


def closure(modules):
    """Return all modules of this project that the given ones import, directly or through others, and themselves."""
    found, waiting = set(), list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting.extend(imports_of(module))
    return sorted(found)


@cache
def source_digest(*modules, others=()):
    """Return a digest of the sources that modules stand on: editing any of them changes it, editing another file does
    not.

    Parameters
    ----------
    modules : str
        Names such as ``rankmargin.methods.pairwise``.
    others : tuple of str
        What else counts, such as packages that are not ours with their versions.

    Returns
    -------
    str
        16 hexadecimal digits of a sha256 over names and bytes.

    Raises
    ------
    ModuleNotFoundError
        When a module is not part of the project.
    """
    for module in modules:
        if source_of(module) is None:
            raise ModuleNotFoundError(f"no source for module {module!r}")
    digest = hashlib.sha256()
    for module in closure(modules):
        digest.update(module.encode() + b"\0" + source_of(module).read_bytes() + b"\0")
    for name in sorted({*others}):
        digest.update(name.encode() + b"\0")
    return digest.hexdigest()[:16]


def versions():
    """Return the versions that can move a number: Python and the numerical packages this process has imported."""
    loaded = {name: sys.modules[name].__version__ for name in ("numpy", "numba", "llvmlite") if name in sys.modules}
    return {"python": ".".join(map(str, sys.version_info[:3])), **loaded}
