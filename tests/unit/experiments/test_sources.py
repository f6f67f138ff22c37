"""Digests of the source files that a module uses."""

import sys

import pytest
import shipped

from rankbench.experiments.methods import SOLVED, sources_of
from rankbench.records import sources


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package ``ours``: a imports b (relatively, inside a function), b imports sub.c; d stands alone."""
    files = {
        "__init__.py": "",
        "a.py": "def f():\n    from . import b\n    return b\n",
        "b.py": "from ours.sub import c\nimport json\n",
        "d.py": "import os\n",
        "sub/__init__.py": "",
        "sub/c.py": "x = 1\n",
    }
    for name, text in files.items():
        file = tmp_path / "ours" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sources, "PACKAGES", ("ours",))
    clear()
    yield tmp_path / "ours"
    clear()


def clear():
    sources.source_of.cache_clear()
    sources.content_of.cache_clear()
    sources.imports_of.cache_clear()
    sources.source_digest.cache_clear()


def test_the_closure_follows_all_imports_without_importing(package):
    assert sources.closure(["ours.a"]) == ["ours", "ours.a", "ours.b", "ours.sub", "ours.sub.c"]
    assert sources.closure(["ours.d"]) == ["ours", "ours.d"]
    assert not [name for name in sys.modules if name.startswith("ours.")]


@pytest.mark.parametrize(
    ("edited", "changes"), [("a", True), ("b", True), ("sub/c", True), ("sub/__init__", True), ("d", False)]
)
def test_only_what_is_imported_changes_the_digest(package, edited, changes):
    before = sources.source_digest("ours.a")
    (package / f"{edited}.py").write_text("y = 2\n")
    clear()
    assert (sources.source_digest("ours.a") != before) == changes


BEFORE = '''"""A module."""
import json  # for its numbers

SIZE = 2.0


def f(x, y=None):
    """Return f."""
    return {"a": SIZE, "b": [x, None, "text"]} if x else f"{y:.3f}"
'''
SAME = {
    "a comment": ("SIZE = 2.0", "SIZE = 2.0  # edited"),
    "a docstring": ("Return f.", "Return f of x and y.\n\n    Notes\n    -----\n    Edited.\n    "),
    "the docstring of the module": ('"""A module."""\n', "# No docstring.\n\n"),
    "no docstring": ('    """Return f."""\n', ""),
    "the text of a field": ("SIZE = 2.0\n", 'SIZE = 2.0\n"""In metres."""\n'),
    "the layout": ('{"a": SIZE, "b"', "{'a': SIZE,\n            'b'"),
    "the form of a number": ("2.0", "2."),
    "a version": ("SIZE = 2.0\n", 'SIZE = 2.0\n__version__ = "2"\n'),
    "the public names": ("SIZE = 2.0\n", 'SIZE = 2.0\n__all__ = ["f"]\n'),
}
OTHER = {
    "a constant": ("2.0", "2.5"),
    "the type of a constant": ("2.0", "2"),
    "a text": ('"text"', '"Text"'),
    "None for a text": ('"text"', "None"),
    "nothing for None": ("[x, None,", "[x,"),
    "a default": ("y=None", "y"),
    "a constant beside a version": ("SIZE = 2.0\n", "SIZE = __version__ = 2.0\n"),
    "a name": ("{y:.3f}", "{x:.3f}"),
    "a format": ("{y:.3f}", "{y:.4f}"),
    "an operator": ("if x", "if not x"),
    "an import": ("import json", "import sys"),
    "a docstring that is no longer one": ('    """Return f."""\n', '    g = """Return f."""\n'),
}


@pytest.mark.parametrize("edit", [*SAME, *OTHER])
def test_only_code_is_part_of_the_digest(package, edit):
    """An edited comment, docstring or layout is the same digest; any other edit is another one."""
    before, after = (SAME | OTHER)[edit]
    edited = BEFORE.replace(before, after)
    assert edited != BEFORE
    digests = []
    for text in (BEFORE, edited):
        (package / "d.py").write_text(text)
        clear()
        digests.append(sources.source_digest("ours.d"))
    assert (digests[0] == digests[1]) == (edit in SAME)


def test_the_digest_does_not_depend_on_the_version_of_python(package):
    """The same in 3.11, whose trees have no type parameters, and in newer versions: this one was computed by 3.11."""
    (package / "d.py").write_text(BEFORE)
    assert sources.source_digest("ours.d") == "ed52412aa6af2c1e"


def test_what_was_parsed_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kept"))
    content, parsed = BEFORE.encode(), sources.parsed.__wrapped__
    first = parsed(content)
    assert first[0] == [[0, "json", []]]
    (file,) = (tmp_path / "kept/sources").iterdir()
    with monkeypatch.context() as patch:
        patch.setattr(sources.ast, "parse", lambda content: pytest.fail("parsed again"))
        assert parsed(content) == first
    file.write_text("")
    assert parsed(content) == first
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/dev/null/kept")
    assert parsed(content) == first


def test_methods_name_what_they_take_from_the_library():
    """``rankmargin.SVOR`` after ``import rankmargin`` would not be seen."""
    uses = [method.uses for one in shipped.experiments().values() for method in one.methods.values()]
    named = {module for one in uses for module in sources_of(one)[0]} - {SOLVED}
    bare = [module for module in named if [0, "rankmargin", []] in sources.parsed(sources.content_of(module))[0]]
    assert len(named) > 10 and not bare


def test_an_edited_solver_leaves_the_runs_of_other_methods_alone():
    def stands_on(uses):
        return set(sources.closure(["rankbench.experiments.job", *sources_of(uses)[0]]))

    solver = "rankmargin.solvers.solver"
    others = ("sklearn.svm.SVR", "rankbench.baselines.lightgbm.LightGBM")
    assert not any(solver in stands_on(uses) for uses in others)
    today = "rankbench.papers.today.methods"
    pipeline = (f"{today}.inputs.Inputs", "rankmargin.SwappedPairsSVM")
    search = stands_on(f"{today}.self_tuning.SelfTuning")
    for stands in (stands_on("SVOR"), stands_on(pipeline), search):
        assert {solver, "rankmargin.certificates", "rankmargin.estimators.path"} <= stands
    assert {"rankmargin.search.search", "rankmargin.estimators.svor"} <= search
