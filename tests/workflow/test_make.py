"""What make compare passes on: every word as it was given, whatever a shell or make would make of it."""

import os
import shutil
import subprocess

import pytest
from checkout import ROOT

from rankbench.command.doors import run

ODD = [
    "in/`touch x`.csv",
    "$(touch x)",
    "$(shell touch x)",
    "${HOME} $x $$",
    "a\"b'c",
    "-y",
    "a;touch x",
    "a\\b",
    "a b  c",
    "é#:%",
]


def made(folder, *words, shell="/bin/sh", target="compare"):
    """Return the arguments that Python gets from make, and what make said."""
    (folder / ".venv/bin").mkdir(parents=True, exist_ok=True)
    (folder / "benchmark").mkdir(exist_ok=True)
    for name in ("Makefile", "requirements.lock", "run.lock", "pyproject.toml", "benchmark/pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    (folder / ".venv/installed").touch()
    python = folder / ".venv/bin/python"
    python.write_text("#!/bin/sh\nprintf '%s\\0' \"$@\"\n")
    python.chmod(0o755)
    # Under `make test`, make would pass on that it is called by make, and say which folder it enters.
    of_make = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    environment = {name: value for name, value in os.environ.items() if name not in of_make}
    done = subprocess.run(
        ["make", target, f"SHELL={shell}", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
    )
    return done.stdout.split("\0")[:-1], done


@pytest.mark.parametrize("word", ODD)
@pytest.mark.parametrize("shell", [path for path in ("/bin/sh", "/bin/bash") if os.path.exists(path)])
def test_a_word_arrives_as_it_was_given_and_is_not_executed(word, shell, tmp_path):
    words = f"CSV={word}", f"TARGET={word}", f"GROUPS={word}", f"CORES={word}"
    arguments, _ = made(tmp_path, *words, shell=shell)
    assert arguments[:4] == ["-m", "rankbench", "compare", f"--groups={word}"]
    assert arguments[-4:] == [f"--cores={word}", "--", word, word]
    arguments, _ = made(tmp_path, f"CORES={word}", f"RETRY={word}", target="reproduce")
    assert arguments[2:] == ["reproduce", "diez_table1", "--cores", word, "--retry", word]
    assert not (tmp_path / "x").exists()


def test_the_folder_of_a_run_arrives_as_one_word_and_is_not_executed(tmp_path):
    arguments, _ = made(tmp_path, "RUN=../my run;touch x", target="artefact")
    assert arguments[2:] == ["artefact", "pack", "../my run;touch x"] and not (tmp_path / "x").exists()
    assert made(tmp_path, target="artefact")[0][2:] == ["artefact", "pack", "."]


@pytest.mark.parametrize("rivals", ["", "0", "1"])
def test_rivals_are_installed_and_compared_if_they_are_asked_for(rivals, tmp_path):
    (tmp_path / "rivals.lock").touch()
    arguments, done = made(tmp_path, "CSV=w.csv", "TARGET=y", f"RIVALS={rivals}", "INSTALL=true")
    assert ("--rivals" in arguments) == (rivals == "1") == (tmp_path / ".venv/rivals").exists() and not done.stderr


@pytest.mark.parametrize("words", [["", ""], ["", "y"]])
def test_a_file_and_a_column_are_needed(words, capsys):
    """What make passes on where CSV or TARGET is not given."""
    assert run(["compare", "--groups=", "--budget=", "--retry=", "--cores=all", "--", *words]) == 1
    assert capsys.readouterr().err == "rankbench compare: needs a file and a column, such as wines.csv and quality\n"
