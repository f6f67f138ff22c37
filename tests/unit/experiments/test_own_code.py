"""An edit of a user's own method is noticed, although it is no part of this project and has no version."""

import importlib
import subprocess
import sys

import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.experiments.own_code import code_of

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


def test_all_modules_of_an_own_package_count(folder):
    package = folder / "package_of_kim"
    package.mkdir()
    for name in ("__init__", "model"):
        (package / f"{name}.py").write_text("x = 1\n")
    importlib.invalidate_caches()
    before = code_of("package_of_kim")
    (package / "model.py").write_text("x = 2\n")
    assert before and code_of("package_of_kim") != before


def test_a_folder_without_init_is_a_package_too(folder):
    (folder / "folder_of_kim").mkdir()
    (folder / "folder_of_kim/model.py").write_text("x = 1\n")
    importlib.invalidate_caches()
    before = code_of("folder_of_kim")
    (folder / "folder_of_kim/model.py").write_text("x = 2\n")
    assert before and code_of("folder_of_kim") != before


def test_a_package_in_two_places_is_all_of_them(folder, monkeypatch):
    for place, name in (("one", "first"), ("two", "second")):
        (folder / place / "parts_of_kim").mkdir(parents=True)
        (folder / place / f"parts_of_kim/{name}.py").write_text("x = 1\n")
        monkeypatch.syspath_prepend(folder / place)
    importlib.invalidate_caches()
    before = code_of("parts_of_kim")
    (folder / "two/parts_of_kim/second.py").write_text("x = 2\n")
    assert before and code_of("parts_of_kim") != before


def test_modules_beside_a_package_count_if_it_imports_them(folder):
    package = folder / "package_of_kim"
    package.mkdir()
    (package / "__init__.py").write_text("from .model import x\n")
    (package / "model.py").write_text("from helper_of_kim import double\nx = double(1)\n")
    importlib.invalidate_caches()
    before = code_of("package_of_kim")
    (folder / "other_of_kim.py").write_text("x = 2\n")
    assert code_of("package_of_kim") == before
    (folder / "helper_of_kim.py").write_text(HELPER.replace("2 * x", "3 * x"))
    assert code_of("package_of_kim") != before


def test_a_file_that_is_no_python_counts_by_its_bytes(folder):
    package = folder / "package_of_kim"
    package.mkdir()
    (package / "__init__.py").write_text("x = 1\n")
    (package / "template.py").write_text("print {{ name }}\n")
    importlib.invalidate_caches()
    before = code_of("package_of_kim")
    (package / "template.py").write_text("print {{ title }}\n")
    assert before and code_of("package_of_kim") != before


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
    """In processes of their own, as two commands one after the other."""
    document = {
        "datasets": {"servo": {}},
        "conditions": {"default": {}},
        "methods": {
            "mine": {"uses": "method_of_kim.Ridge", "label": "Mine", "params": {}, "grid": {}},
            "ours": {"uses": "SVOR", "label": "Ours", "params": {}, "grid": {}},
        },
    }
    script = f"from {Experiment.__module__} import Experiment; print(Experiment.of({document!r}).digests)"

    def digests():
        done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=True)
        return eval(done.stdout)

    before, file = digests(), folder / "method_of_kim.py"
    file.write_text(file.read_text().replace("return X", "return -X"))
    after = digests()
    assert after["ours"] == before["ours"] and after["mine"] != before["mine"]
