"""The steps that prepare a warm process."""

import ast
import importlib
import json
import os
import sys
from contextlib import suppress


def make_step(kind, value, request):
    """Make one step of the preparation of a process.

    Parameters
    ----------
    kind, value : str
        ``import`` and names of modules with blanks between them; ``script`` and the path of a script, whose imports are
        made; ``call`` and a JSON list: the name ``module:function``, and keyword arguments.
    request : dict
        The request that needs the step first.
    """
    if kind == "import":
        for module in value.split():
            importlib.import_module(module)
    elif kind == "script":
        sys.path.append(os.path.dirname(value))
        with open(request["file"], "rb") as file:
            nodes = ast.parse(file.read()).body
        for node in nodes:
            if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and node.module != "__future__"):
                with suppress(Exception):  # the job will say more about it
                    exec(compile(ast.Module([node], []), value, "exec"), {})
    else:
        name, arguments = json.loads(value)
        module, _, function = name.partition(":")
        getattr(importlib.import_module(module), function)(**arguments)
