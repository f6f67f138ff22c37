"""What make compare passes on: every word as it was given, whatever a shell or make would make of it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

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
    assert arguments[:2] == ["-m", "rankbench.compare"] and arguments[-3:] == ["--", word, word]
    assert arguments[2:8] == [f"--{name}={word}" for name in names]
    assert not (tmp_path / "x").exists()


def test_a_file_and_a_column_are_needed(tmp_path):
    for words in ([], ["CSV=w.csv"], ["TARGET=y"]):
        arguments, done = made(tmp_path, *words)
        assert done.returncode == 2 and "make compare CSV=wines.csv TARGET=quality" in done.stdout + done.stderr
        assert "--" not in arguments
