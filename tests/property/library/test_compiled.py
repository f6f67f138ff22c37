"""An edit of a compiled function reaches all its callers, in this and in every other file, and undoing it too."""

import ast
import importlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rankmargin import sources

PACKAGE = Path(sources.__file__).parent
INNER = "from rankmargin.compiled import njit\n@njit(cache=True)\ndef inner(x):\n    return x + {}\n"
OUTER = (
    "from rankmargin.compiled import njit\nfrom rankmargin.inner import inner\n"
    "@njit(cache=True)\ndef outer(x):\n    return 10 * inner(x)\n"
)
CALL = "from rankmargin.outer import outer; print(outer(1), sum(outer.stats.cache_hits.values()))"


@pytest.fixture
def package(tmp_path):
    """A copy of the mechanism with two modules of two lines: outer calls inner."""
    folder = tmp_path / "src" / "rankmargin"
    folder.mkdir(parents=True)
    for name in ("sources.py", "compiled.py"):
        shutil.copy(PACKAGE / name, folder)
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


@pytest.mark.fault("compiled code: an edit in another file, an edit under way, no place to keep it")
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
    assert len(list(root.glob("rankmargin.outer-*"))) == 2


@pytest.mark.fault("compiled code: an edit in another file, an edit under way, no place to keep it")
def test_a_process_that_outlives_an_edit_leaves_nothing_wrong(package):
    late = f"""
from pathlib import Path
from rankmargin.inner import inner
Path({str(package / "inner.py")!r}).write_text({INNER.format(2)!r})
{CALL}
"""
    assert run(package, late) == ("20 0", "")  # its own code is from before the edit
    assert run(package) == ("30 0", "")
    (package / "inner.py").write_text(INNER.format(1))
    edited_first = late.replace("from rankmargin.inner import inner", "import rankmargin.sources as s").replace(
        "Path(", "s.source_digest('rankmargin.outer'); Path(", 1
    )
    assert run(package, edited_first) == ("30 0", "")
    (package / "inner.py").write_text(INNER.format(1))
    assert run(package) == ("20 1", "")


@pytest.mark.fault("compiled code: an edit in another file, an edit under way, no place to keep it")
def test_no_place_to_keep_the_code(package):
    text, warning = run(package, NUMBA_CACHE_DIR="/dev/null/cache")
    assert text == "20 0"
    assert warning.count("RuntimeWarning: compiled code cannot be cached in /dev/null/cache, so that") == 1


@pytest.mark.fault("compiled code: an edit in another file, an edit under way, no place to keep it")
def test_the_second_place_is_the_users_cache(package, tmp_path):
    (package / "__pycache__").write_text("no folder")
    for hits in (0, 1):
        assert run(package, XDG_CACHE_HOME=str(tmp_path / "cache")) == (f"20 {hits}", "")


@pytest.mark.fault("compiled code: an edit in another file, an edit under way, no place to keep it")
def test_without_compilation(package):
    assert run(package, CALL.split(",")[0] + ")", NUMBA_DISABLE_JIT="1") == ("20", "")


@pytest.mark.fault("compiled code: an edit in another file, an edit under way, no place to keep it")
def test_folders_of_old_sources_are_removed(package):
    run(package)
    (old,) = (package / "__pycache__").glob("rankmargin.outer-*")
    (package / "inner.py").write_text(INNER.format(2))
    run(package)
    assert old.is_dir()
    os.utime(old, (time.time() - 8 * 86400,) * 2)
    (package / "inner.py").write_text(INNER.format(3))
    run(package)
    assert not old.exists() and len(list((package / "__pycache__").glob("rankmargin.outer-*"))) == 2


def compiled_functions():
    """Return (module, name) -> definition of every compiled function of the library."""
    found = {}
    for file in PACKAGE.rglob("*.py"):
        module = ".".join(("rankmargin", *file.relative_to(PACKAGE).with_suffix("").parts))
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and any("njit" in ast.unparse(d) for d in node.decorator_list):
                found[module, node.name] = node
    return found


def calls_across_files():
    """Yield (caller's module, caller, callee's module) of each compiled function that names one of another file."""
    functions = compiled_functions()
    for (module, name), node in functions.items():
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        for other, callee in functions:
            if other != module and callee in names and (module, callee) not in functions:
                yield module, name, other


CALLS = sorted(set(calls_across_files()))


def test_the_pairs_are_found():
    short = {(caller.rpartition(".")[2], callee.rpartition(".")[2]) for caller, _, callee in CALLS}
    assert short >= {("kernel_prank", "prank"), ("closest_pairs", "kd_tree"), ("spanning_tree", "kd_tree")}
    assert short >= {("all_distances", "closest_pairs"), ("example_smo", "smo_block")}


@pytest.mark.fault("compiled code: an edit in another file, an edit under way, no place to keep it")
@pytest.mark.parametrize(("module", "caller", "other"), CALLS)
def test_the_cache_of_a_caller_follows_the_file_of_its_callee(module, caller, other, monkeypatch):
    function = getattr(importlib.import_module(module), caller)
    assert f"{module}-{sources.source_digest(module)}" in Path(function.stats.cache_path).parts
    before, content_of = sources.source_digest(module), sources.content_of
    monkeypatch.setattr(sources, "content_of", lambda name: content_of(name) + b"EDITED = 1\n" * (name == other))
    sources.source_digest.cache_clear()
    assert sources.source_digest(module) != before
    monkeypatch.undo()
    sources.source_digest.cache_clear()


EDITS = {  # what is written instead in a compiled function of that module
    "rankmargin.methods.prank": ("b[r] -= z", "b[r] -= 2 * z"),
    "rankmargin.solvers.smo_block": ("return max(norm + other", "return 2.0 + max(norm + other"),
    "rankmargin.spatial.kd_tree": ("out[p] += difference * difference", "out[p] += abs(difference)"),
    "rankmargin.spatial.closest_pairs": ("= square, i, j", "= square, j, i"),
}
SEEN = {  # of each function that calls one of another file: numbers in which an edit there is seen
    "rankmargin.methods.kernel_prank.learn": "(learn(X @ X.T, grade, beta, scores, b, np.arange(40)), b)",
    "rankmargin.solvers.example_smo._partner": "_partner(np.arange(2.0), np.ones(2), b, b == 0, 0, 2, 0)",
    "rankmargin.spatial.all_distances._search": "_search(0, X.T.copy(), b, 1.0, 1, 0.0, beta + np.arange(40), 5)",
    "rankmargin.spatial.closest_pairs._search": "_search(*tree[1:], beta + np.arange(40), 5)",
    "rankmargin.spatial.spanning_tree._boruvka": "_boruvka(*tree[1:])",
    "rankmargin.spatial.spanning_tree._nearest_outside": "_nearest_outside(*tree[1:], np.arange(40), "
    "np.full(tree.start.size, -1), 0, np.inf, np.empty(40), np.empty(128, np.int64), np.empty(128))",
}
ROUNDS = [[other for other in EDITS if (other in {m for m, _, _ in CALLS}) == calls_too] for calls_too in (False, True)]


def numbers(folder, callers):
    """Return what the callers compute in a process of its own, and how many functions it compiled."""
    code = f"""
import importlib, json
import numpy as np
from rankmargin.spatial.kd_tree import build
X, told, missed = np.random.default_rng(0).standard_normal((40, 2)), {{}}, 0
tree = build(X)
for name, expression in {[(name, SEEN[name]) for name in callers]}:
    module = importlib.import_module(name.rpartition(".")[0])
    beta, scores, b, grade = np.zeros(40), np.zeros(40), np.zeros(2), np.arange(40) % 3
    told[name] = repr(eval(expression, {{**vars(module), **globals()}}))
    missed += sum(getattr(module, name.rpartition(".")[2]).stats.cache_misses.values())
print(json.dumps([told, missed]))
"""
    return json.loads(run(folder, code)[0])


@pytest.mark.fault("compiled code: an edit in another file, an edit under way, no place to keep it")
def test_every_caller_has_the_numbers_of_its_edited_callee_and_then_the_old_ones(tmp_path, record_property):
    """In the first round only modules are edited that call no other file: no caller's own file has changed."""
    folder, n_seen = tmp_path / "src" / "rankmargin", 0
    shutil.copytree(PACKAGE, folder)
    assert {f"{module}.{caller}" for module, caller, _ in CALLS} == set(SEEN)
    assert {other for _, _, other in CALLS} == set(EDITS)
    before, _ = numbers(folder, SEEN)
    for edited in ROUNDS:
        callers = [f"{module}.{caller}" for module, caller, other in CALLS if other in edited]
        for other in edited:
            file, (old, new) = folder.parent.joinpath(*other.split(".")).with_suffix(".py"), EDITS[other]
            assert old in file.read_text()
            file.write_text(file.read_text().replace(old, new))
        told, missed = numbers(folder, callers)
        assert missed == len(callers) and not [name for name in callers if told[name] == before[name]]
        for other in edited:
            shutil.copy(
                PACKAGE.parent.joinpath(*other.split(".")).with_suffix(".py"),
                folder.parent.joinpath(*other.split(".")).with_suffix(".py"),
            )
        n_seen += len(callers)
    assert numbers(folder, SEEN) == [before, 0] and n_seen == len(CALLS)
    record_property("tried", 2 * n_seen)
    record_property("survived", 2 * n_seen)


def test_all_compiled_code_is_kept_that_way():
    for module, name in compiled_functions():
        function = getattr(importlib.import_module(module), name)
        assert f"{module}-{sources.source_digest(module)}" in Path(function.stats.cache_path).parts
