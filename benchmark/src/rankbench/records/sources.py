"""Find the source files that a module uses, without importing it; the digest of their code."""

import ast
import hashlib
import importlib.util
from functools import cache
from pathlib import Path

from rankmargin import _HOMES

PACKAGES = ("rankmargin", "rankbench")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
ANNOUNCED = ("__version__", "__all__", "_HOMES")  # a new version or a new estimator changes no number of the others


@cache
def source_of(module):
    """Return the source file of a module of this project, without importing it; None if there is no such module."""
    package, *rest = module.split(".")
    spec = importlib.util.find_spec(package)
    base = Path(spec.submodule_search_locations[0]).joinpath(*rest)
    return next((f for f in (base.with_suffix(".py") if rest else base, base / "__init__.py") if f.is_file()), None)


@cache
def content_of(module):
    """Return the bytes of the source of a module, as they were when this process first read them."""
    return source_of(module).read_bytes()


@cache
def parsed(content):
    """Return the imports of a source as ``[[dots before the name, name, [names from it]], ...]``, and the sha256 of its
    code.
    """
    tree = ast.parse(content)
    imports = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports += [[0, alias.name, []] for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            imports.append([node.level, node.module or "", [alias.name for alias in node.names]])
    return imports, hashlib.sha256(repr(_told(tree)).encode()).hexdigest()


def _told(part):
    """Return a part of a syntax tree as nested tuples, without docstrings (also of fields), comments, places in
    the file, and what a package announces.

    Fields that are empty are left out: newer versions of Python have more of them. So the tuples, unlike those of
    `ast.dump` and the text of `ast.unparse`, do not depend on the version.
    """
    if isinstance(part, list):
        return tuple(map(_told, part))
    if not isinstance(part, ast.AST):
        return part
    given = {name: value for name, value in ast.iter_fields(part) if value is not None and value != []}
    if isinstance(part, ast.JoinedStr):  # Python 3.12.1 adds empty texts
        given["values"] = [value for value in part.values if getattr(value, "value", None) != ""]
    if isinstance(part, DOCUMENTED) and part.body:
        given["body"] = [line for line in part.body if not _is_text(line) and not _announces(line)]
    return type(part).__name__, *((name, _told(value)) for name, value in given.items())


def _is_text(line):
    """Return whether a statement is a text that nothing uses."""
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)


def _announces(line):
    """Return whether a statement sets nothing but one of `ANNOUNCED`."""
    return isinstance(line, ast.Assign) and all(
        isinstance(target, ast.Name) and target.id in ANNOUNCED for target in line.targets
    )


@cache
def imports_of(module):
    """Return the modules of this project that a module imports anywhere in its source, parent packages included."""
    package = module if source_of(module).name == "__init__.py" else module.rpartition(".")[0]
    names = set()
    for level, base, imported in parsed(content_of(module))[0]:
        base = importlib.util.resolve_name("." * level + base, package) if level else base
        names.update([base, *(f"{base}.{name}" for name in imported)])
        if base == "rankmargin":  # estimators are loaded when they are first used
            names.update(_HOMES[name] for name in imported if name in _HOMES)
    parents = {name.rsplit(".", depth)[0] for name in names | {module} for depth in range(1, name.count(".") + 1)}
    ours = {name for name in names | parents if name.split(".")[0] in PACKAGES}
    return frozenset(name for name in ours if source_of(name))


def closure(modules):
    """Return the given modules and all modules of this project that they import, directly or indirectly, sorted."""
    found, waiting = set(), list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting.extend(imports_of(module))
    return sorted(found)


@cache
def source_digest(*modules, others=()):
    """Return a digest of the code that modules use: it changes when any of it is edited.

    An edit of a comment, a docstring or the layout of a file changes nothing, and no new version of the package.

    Parameters
    ----------
    modules : str
        Names such as ``rankmargin.estimators.pairwise``.
    others : tuple of str
        Further strings that the digest depends on, such as other packages with their versions.

    Returns
    -------
    str
        16 hexadecimal digits of a sha256 over names and code.
    """
    digest = hashlib.sha256()
    for module in closure(modules):
        digest.update(f"{module}\0{parsed(content_of(module))[1]}\0".encode())
    for name in sorted({*others}):
        digest.update(name.encode() + b"\0")
    return digest.hexdigest()[:16]
