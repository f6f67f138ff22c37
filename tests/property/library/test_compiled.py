"""An edit of a compiled function reaches all its callers, in this and in every other file, and undoing it too."""

import ast
import importlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rankmargin import compiled

PACKAGE = Path(compiled.__file__).parent
INNER = "from rankmargin.compiled import njit\n@njit\ndef inner(x):\n    return x + {}\n"
OUTER = (
    "from rankmargin.compiled import njit\nfrom rankmargin.inner import inner\n"
    "@njit\ndef outer(x):\n    return 10 * inner(x)\n"
)
CALL = "from rankmargin.outer import outer; print(outer(1), sum(outer.stats.cache_hits.values()))"


@pytest.fixture
def package(tmp_path):
    """A copy of the mechanism with two modules of two lines: outer calls inner."""
    folder = tmp_path / "src" / "rankmargin"
    folder.mkdir(parents=True)
    shutil.copy(PACKAGE / "compiled.py", folder)
    (folder / "__init__.py").touch()
    (folder / "outer.py").write_text(OUTER)
    (folder / "inner.py").write_text(INNER.format(1))
    return folder


def run(folder, code=CALL, **environ):
    known = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environ = {**known, "PYTHONPATH": str(folder.parent), "PYTHONDONTWRITEBYTECODE": "1", **environ}
    done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[0], done.stderr


@pytest.mark.parametrize("named", [False, True])
def test_an_edit_of_a_callee_in_another_file(package, tmp_path, named):
    environ = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")} if named else {}
    assert run(package, **environ) == ("20 0", "")
    assert run(package, **environ) == ("20 1", "")
    (package / "inner.py").write_text(INNER.format(2))
    assert run(package, **environ) == ("30 0", "")
    (package / "inner.py").write_text(INNER.format(1))
    assert run(package, **environ) == ("20 1", "")
    root = tmp_path / "cache" if named else package / "__pycache__"
    assert len(list(root.glob("rankmargin-*"))) == 2


def test_a_process_that_outlives_an_edit_leaves_nothing_wrong(package):
    late = f"""
from pathlib import Path
from rankmargin.inner import inner
Path({str(package / "inner.py")!r}).write_text({INNER.format(2)!r})
{CALL}
"""
    assert run(package, late) == ("20 0", "")  # its own code is from before the edit
    assert run(package) == ("30 0", "")


def test_no_place_to_keep_the_code(package):
    text, warning = run(package, NUMBA_CACHE_DIR="/dev/null/cache")
    assert text == "20 0"
    assert warning.count("RuntimeWarning: compiled code cannot be cached in /dev/null/cache, so that") == 1


def test_the_second_place_is_the_users_cache(package, tmp_path):
    (package / "__pycache__").write_text("no folder")
    for hits in (0, 1):
        assert run(package, XDG_CACHE_HOME=str(tmp_path / "cache")) == (f"20 {hits}", "")


def test_without_compilation(package):
    assert run(package, CALL.split(",")[0] + ")", NUMBA_DISABLE_JIT="1") == ("20", "")


def test_folders_of_old_sources_are_removed(package):
    run(package)
    (old,) = (package / "__pycache__").glob("rankmargin-*")
    (package / "inner.py").write_text(INNER.format(2))
    run(package)
    assert old.is_dir()
    os.utime(old, (time.time() - 8 * 86400,) * 2)
    (package / "inner.py").write_text(INNER.format(3))
    run(package)
    assert not old.exists() and len(list((package / "__pycache__").glob("rankmargin-*"))) == 2


def compiled_functions():
    """Return (module, name) -> definition of every compiled function of the library."""
    found = {}
    for file in PACKAGE.rglob("*.py"):
        module = ".".join(("rankmargin", *file.relative_to(PACKAGE).with_suffix("").parts))
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and any("njit" in ast.unparse(d) for d in node.decorator_list):
                found[module, node.name] = node
    return found


def test_the_files_with_compiled_functions_are_all_that_they_use():
    """What a compiled function takes from this package comes from such a file, so that the digest knows all of it."""
    files = {
        module: ast.parse((PACKAGE / f"{module.replace('.', '/')[11:]}.py").read_text("utf-8"))
        for module, _ in compiled_functions()
    }
    homes = {
        module: {
            name.asname or name.name: of.module
            for of in tree.body
            if isinstance(of, ast.ImportFrom)
            for name in of.names
        }
        for module, tree in files.items()
    }
    used = {
        homes[module][name.id]
        for (module, _), node in compiled_functions().items()
        for name in ast.walk(node)
        if isinstance(name, ast.Name) and homes[module].get(name.id, "").startswith("rankmargin.")
    }
    assert "rankmargin.compiled" in used and used <= {*files, "rankmargin.compiled"}


def test_all_compiled_code_is_kept_that_way():
    folders = set()
    for module, name in compiled_functions():
        folders.add(getattr(importlib.import_module(module), name).stats.cache_path)
    assert len(folders) == 1 and Path(*folders).name == compiled._cache_folder("rankmargin", None).name
