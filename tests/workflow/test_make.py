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
    names = ["groups", "drop", "nominal", "order", "decimal", "keep"]
    arguments, _ = made(
        tmp_path, f"CSV={word}", f"TARGET={word}", *(f"{name.upper()}={word}" for name in names), shell=shell
    )
    assert arguments[:3] == ["-m", "rankbench", "compare"] and arguments[-3:] == ["--", word, word]
    assert arguments[3:9] == [f"--{name}={word}" for name in names]
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("word", ["1 2", "1; touch x", "$$(touch x)", "`touch x`"])
def test_cores_arrive_as_one_word_and_are_not_executed(word, tmp_path):
    """``rankbench`` refuses them by name."""
    arguments, _ = made(tmp_path, "CSV=w.csv", "TARGET=y", f"CORES={word}")
    assert arguments[-4:] == [f"--cores={word}", "--", "w.csv", "y"]
    arguments, _ = made(tmp_path, f"CORES={word}", f"RETRY={word}", target="reproduce")
    assert arguments[2:] == ["reproduce", "diez_table1", "--cores", word, "--retry", word]
    assert not (tmp_path / "x").exists()
    assert made(tmp_path, "CSV=w.csv", "TARGET=y")[0][-4] == "--cores=all"


def test_the_folder_of_a_run_arrives_as_one_word_and_is_not_executed(tmp_path):
    arguments, _ = made(tmp_path, "RUN=../my run;touch x", target="artefact")
    assert arguments[2:] == ["artefact", "pack", "../my run;touch x"] and not (tmp_path / "x").exists()
    assert made(tmp_path, target="artefact")[0][2:] == ["artefact", "pack", "."]


@pytest.mark.parametrize(
    ("words", "target", "said"),
    [
        (["GROUP=person"], "compare", "GROUP is no variable here: did you mean GROUPS=person? (make compare knows CSV"),
        (["BUDGTE=3"], "compare", "BUDGTE is no variable here: did you mean BUDGET=3? (make compare knows CSV TARGET "),
        (["budget=3"], "compare", "budget is no variable here: did you mean BUDGET=3? (make compare knows CSV TARGET "),
        (["SEED=1"], "compare", "SEED is no variable here (make compare knows CSV TARGET GROUPS DROP NOMINAL ORDER "),
        (["EXPERIMENT=smoke"], "reproduce", "EXPERIMENT is no variable here: did you mean EXPERIMENTS=smoke?"),
        (["COR=$(shell touch x)"], "reproduce", "COR is no variable here: did you mean CORES=$(shell touch x)?"),
    ],
)
def test_a_variable_that_is_not_known_is_refused(words, target, said, tmp_path):
    """It would be ignored, and the answer would be about another question."""
    arguments, done = made(tmp_path, "CSV=w.csv", "TARGET=y", *words, target=target)
    assert not arguments and done.returncode == 2 and f"*** {said}" in done.stderr
    assert done.stderr.count("\n") == 1 and not (tmp_path / "x").exists()


def test_every_variable_of_the_makefile_is_known(tmp_path):
    """Those of its first lines, and those that name a program."""
    known = [
        "EXPERIMENTS=smoke",
        "RANKBENCH_MIRROR=/data;/more",
        "RUN=x",
        "HOW_MANY=4",
        "WHERE=claims",
        "UV=",
        "PYTHON=python3",
    ]
    known += ["RETRY=all", "CORES=2", "RIVALS=0", "BUDGET=1", "KEEP=NA", "BIN=.venv/bin", "PIP=pip", "PYTEST=pytest"]
    arguments, done = made(tmp_path, "CSV=w.csv", "TARGET=y", "INSTALL=true", *known)
    assert arguments[-2:] == ["w.csv", "y"] and not done.stderr


@pytest.mark.parametrize("words", [[], ["CSV=w.csv"], ["TARGET=y"], ["CSV= ", "TARGET=y"]])
def test_make_says_what_is_missing_before_it_installs_anything(words, tmp_path):
    arguments, done = made(tmp_path, "UV=", *words)
    assert not arguments and done.returncode == 2 and not done.stdout
    example = "make compare CSV=wines.csv TARGET=quality"
    assert f"*** make compare needs a file and the column to order by: {example}.  Stop." in done.stderr


@pytest.mark.parametrize("words", [["", ""], ["w.csv", ""], ["", "y"]])
def test_a_file_and_a_column_are_needed(words, capsys):
    """What make passes on where CSV or TARGET is not given."""
    assert run(["compare", "--groups=", "--budget=", "--retry=", "--cores=all", "--", *words]) == 2
    assert capsys.readouterr().err == "rankbench compare: needs a file and a column, such as wines.csv and quality\n"
