"""The components in the folders, read from their sources: nothing is imported, so planning stays fast."""

import ast
import sys
from functools import cache

from rankmargin.sources import PACKAGES, source_of


@cache
def names_in(package):
    """Return the names of the public modules of a package, sorted."""
    folder = source_of(package).parent
    return tuple(sorted(file.stem for file in folder.glob("*.py") if not file.stem.startswith("_")))


@cache
def _body(module):
    return ast.parse(source_of(module).read_text(encoding="utf-8")).body


REQUIRED = object()


def constant_of(module, name, default=REQUIRED):
    """Return a literal that a module assigns at its top level; for a dict whose values are no literals, its keys.

    Raises
    ------
    AttributeError
        If the module does not assign the name and there is no `default`.
    """
    for node in _body(module):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                try:
                    return ast.literal_eval(node.value)
                except ValueError:
                    return tuple(ast.literal_eval(key) for key in node.value.keys)
    if default is REQUIRED:
        raise AttributeError(f"{module} must assign {name} a literal")
    return default


@cache
def foreign_imports(module):
    """Return the packages that a module imports, also inside functions, sorted: without this project, the standard
    library and numpy."""
    names = set()
    for node in (node for statement in _body(module) for node in ast.walk(statement)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module.split(".")[0])
    return tuple(sorted(names - {*PACKAGES, *sys.stdlib_module_names, "numpy"}))


def functions_of(module):
    """Return the public functions of a module: name -> tuple of the names of its arguments."""
    return {
        node.name: tuple(argument.arg for argument in (*node.args.args, *node.args.kwonlyargs))
        for node in _body(module)
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }


def functions_in(package):
    """Return the public functions of all public modules of a package: name -> tuple of the names of its arguments."""
    return {name: of for module in names_in(package) for name, of in functions_of(f"{package}.{module}").items()}
