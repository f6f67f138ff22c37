"""An edit of a user's own method is noticed, although it is no part of this project and has no version."""

import importlib
import sys

import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.experiments.own_code import code_of
from rankbench.experiments.protocol import _uses_fault

METHOD = '''"""My method."""
from helper_of_kim import double


class Ridge:
    def fit(self, X, y):
        self.coef_ = double(X[0])
        return self

    def predict(self, X):
        return X @ self.coef_
'''
HELPER = "def double(x):\n    return 2 * x\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "method_of_kim.py").write_text(METHOD)
    (tmp_path / "helper_of_kim.py").write_text(HELPER)
    (tmp_path / "other_of_kim.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    yield tmp_path
    for name in ("method_of_kim", "helper_of_kim"):
        sys.modules.pop(name, None)


EDITS = {
    "the method": ("method_of_kim.py", ("return X @ self.coef_", "return -X @ self.coef_"), True),
    "a file that it imports": ("helper_of_kim.py", ("2 * x", "3 * x"), True),
    "a comment": ("method_of_kim.py", ("class Ridge:", "# as in the book\nclass Ridge:"), False),
    "a docstring": ("method_of_kim.py", ("My method.", "The method of Kim."), False),
    "another file": ("other_of_kim.py", ("x = 1", "x = 2"), False),
}


@pytest.mark.parametrize("edit", EDITS)
def test_the_digest_changes_with_the_code_alone(folder, edit):
    name, replacement, changes = EDITS[edit]
    before = code_of("method_of_kim")
    file = folder / name
    file.write_text(file.read_text().replace(*replacement))
    assert len(before) == 16 and (code_of("method_of_kim") != before) == changes


PACKAGE = {"package_of_kim/__init__.py": "x = 1\n", "package_of_kim/model.py": "x = 1\n"}
IMPORTING = {"package_of_kim/__init__.py": "", "package_of_kim/model.py": "from helper_of_kim import double\nx = 1\n"}
# what a package is -> its files, the edited file and its new content, whether the edit changes the digest
PACKAGES = {
    "a module of it": (PACKAGE, "package_of_kim/model.py", "x = 2\n", True),
    "a folder without init": ({"package_of_kim/model.py": "x = 1\n"}, "package_of_kim/model.py", "x = 2\n", True),
    "a module beside it that it imports": (IMPORTING, "helper_of_kim.py", "def double(x):\n    return 3 * x\n", True),
    "a module beside it that it does not import": (IMPORTING, "other_of_kim.py", "x = 2\n", False),
    "its second place": (
        {"package_of_kim/first.py": "x = 1\n", "elsewhere/package_of_kim/second.py": "x = 1\n"},
        "elsewhere/package_of_kim/second.py",
        "x = 2\n",
        True,
    ),
}


@pytest.mark.parametrize("name", PACKAGES)
def test_the_digest_of_an_own_package_changes_with_its_code(folder, monkeypatch, name):
    files, edited, content, changes = PACKAGES[name]
    monkeypatch.syspath_prepend(folder / "elsewhere")
    for file, text in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)
    importlib.invalidate_caches()
    before = code_of("package_of_kim")
    (folder / edited).write_text(content)
    assert len(before) == 16 and (code_of("package_of_kim") != before) == changes


@pytest.mark.parametrize("package", ["sklearn", "json", "sys", "no_such_package"])
def test_what_is_installed_has_a_version_instead(package):
    assert code_of(package) == ""


@pytest.mark.parametrize("name", ["site-packages", "dist-packages"])
def test_what_a_user_or_debian_has_installed_is_installed(tmp_path, monkeypatch, name):
    """These folders are not those of this Python; a whole package of another library would be read for its digest."""
    (tmp_path / name).mkdir()
    (tmp_path / name / "library_of_lee.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(tmp_path / name)
    importlib.invalidate_caches()
    assert code_of("library_of_lee") == ""


def test_an_edit_changes_the_digest_of_the_runs_of_this_method_alone(folder):
    document = {
        "datasets": {"servo": {}},
        "conditions": {"default": {}},
        "methods": {
            "mine": {"uses": "method_of_kim.Ridge", "label": "Mine", "params": {}, "grid": {}},
            "ours": {"uses": "SVOR", "label": "Ours", "params": {}, "grid": {}},
        },
    }
    before, file = Experiment.of(document).digests, folder / "method_of_kim.py"
    file.write_text(file.read_text().replace("return X", "return -X"))
    after = Experiment.of(document).digests
    assert after["ours"] == before["ours"] and after["mine"] != before["mine"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import sys\nsys.exit(3)\n", "SystemExit: 3"),
        ("class Ranker:\n    fit = predict = None\n", "AttributeError: "),
        (METHOD + "\n\nclass Ranker(Ridge):\n    def __init__(self, C):\n        self.C = C\n", "TypeError: "),
        ("def (\n", "SyntaxError: "),
        ("raise RuntimeError('one\\ntwo')\n", "RuntimeError: one two"),
    ],
    ids=["ends the program", "no BaseEstimator", "an argument without a default", "no Python", "two lines"],
)
def test_a_faulty_module_is_told_in_one_line(folder, code, said):
    (folder / "method_of_kim.py").write_text(code)
    told = _uses_fault("method_of_kim.Ranker")
    assert told.startswith(f"method_of_kim.Ranker cannot be used: {said}") and "\n" not in told
