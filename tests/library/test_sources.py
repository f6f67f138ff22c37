"""Digests of the source files that a module uses."""

import sys

import pytest

from rankmargin import sources


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


def test_an_unknown_module_is_an_error(package):
    with pytest.raises(ModuleNotFoundError, match=r"no source for module 'ours\.e'"):
        sources.source_digest("ours.e")


def test_a_job_stands_on_what_it_runs():
    names = sources.closure(["rankbench.experiments.job"])
    wanted = {"rankbench.datasets.table", "rankbench.experiments.tune", "rankmargin.metrics", "rankmargin.certificates"}
    assert wanted <= set(names)
    others = ("rankbench.statistics", "rankbench.experiments.collect", "rankmargin.estimators")
    assert not [name for name in names if name.startswith(others)]
