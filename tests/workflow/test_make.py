"""What make compare passes on: every word as it was given, whatever a shell or make would make of it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from rankbench.command.doors import run

ROOT = Path(__file__).parents[2]
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


def made(folder, *words, shell="/bin/sh"):
    """Return the arguments that Python gets from make."""
    (folder / ".venv/bin").mkdir(parents=True, exist_ok=True)
    for name in ("Makefile", "requirements.lock", "run.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    (folder / ".venv/installed").touch()
    python = folder / ".venv/bin/python"
    python.write_text("#!/bin/sh\nprintf '%s\\0' \"$@\"\n")
    python.chmod(0o755)
    # Under `make test`, make would pass on that it is called by make, and say which folder it enters.
    of_make = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    environment = {name: value for name, value in os.environ.items() if name not in of_make}
    done = subprocess.run(
        ["make", "compare", f"SHELL={shell}", *words],
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
    names = ["groups", "drop", "nominal", "order", "decimal", "keep"]
    arguments, _ = made(
        tmp_path, f"CSV={word}", f"TARGET={word}", *(f"{name.upper()}={word}" for name in names), shell=shell
    )
    assert arguments[:3] == ["-m", "rankbench", "compare"] and arguments[-3:] == ["--", word, word]
    assert arguments[3:9] == [f"--{name}={word}" for name in names]
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("words", [["", ""], ["w.csv", ""], ["", "y"]])
def test_a_file_and_a_column_are_needed(words, capsys):
    """What make passes on where CSV or TARGET is not given."""
    assert run(["compare", "--groups=", "--budget=", "--retry=", "--cores=all", "--", *words]) == 2
    assert capsys.readouterr().err == "rankbench compare: needs a file and a column, such as wines.csv and quality\n"
