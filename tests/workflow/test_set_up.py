"""The set-up of .venv: the same locks by uv and by pip, and for a run only what a run needs."""

import os
import re
import shutil
import subprocess

import pytest
from checkout import ROOT

TOOLS = ("sh", "make", "sed", "touch", "echo", "mkdir", "cp", "cat", "pwd", "tr", "env", "expr")
# Writes what it is called with; as Python it makes an environment whose pip is the same program.
RECORDER = """#!/bin/sh
echo "${0##*/} $*" >> "$CALLS"
case "$*" in
  *"-m venv .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/pip ;;
  *"venv "*) mkdir -p .venv/bin ;;
  *"-r /dev/stdin") cat > "$CALLS.stdin" ;;
esac
"""


@pytest.fixture
def set_up(tmp_path, monkeypatch):
    """Return a function that makes a target with programs that only write what they are called with."""
    programs, folder = tmp_path / "bin", tmp_path / "checkout"
    programs.mkdir()
    folder.mkdir()
    for name in TOOLS:
        (programs / name).symlink_to(shutil.which(name))
    for name in ("Makefile", "run.lock", "requirements.lock", "rivals.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)

    def make(*arguments, uv=False):
        for name in ("python3", *(["uv"] if uv else [])):
            (programs / name).write_text(RECORDER)
            (programs / name).chmod(0o755)
        no_outer_make = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS"))}
        environment = {**no_outer_make, "PATH": str(programs), "CALLS": str(tmp_path / "calls")}
        subprocess.run(["make", *arguments], cwd=folder, env=environment, check=True, capture_output=True, timeout=60)
        return [line for line in (tmp_path / "calls").read_text().splitlines() if " -c " not in line]

    make.stdin = tmp_path / "calls.stdin"
    return make


def installs(calls):
    """Return what is installed, in this order: for each call the file of its requirements or ``-e .``, and whether
    hashes are required."""
    matches = [re.search(r"^(pip|uv pip) install .*(-r (\S+)|-e (\.))$", call) for call in calls]
    return [(match[3] or match[4], "--require-hashes" in match[0]) for match in matches if match]


def test_with_pip(set_up):
    calls = set_up(".venv/rivals")
    assert calls[0] == "python3 -m venv .venv" and not any(call.startswith("uv") for call in calls)
    assert installs(calls) == [("/dev/stdin", True), ("run.lock", True), (".", False), ("rivals.lock", True)]
    assert all("--no-compile" in call for call in calls[1:])


def test_the_first_thing_that_pip_installs_is_the_locked_pip_alone(set_up):
    set_up(".venv/installed")
    entry = set_up.stdin.read_text()
    assert entry in (ROOT / "run.lock").read_text() and entry.count("==") == 1 and entry.startswith("pip==")
    assert entry.count("--hash=sha256:") == 2 and not entry.endswith("\\\n"), "a wheel and a source, both whole"


def test_with_uv_if_it_is_there(set_up):
    calls = set_up(".venv/rivals", uv=True)
    assert calls[0].startswith("uv venv") and not any(call.startswith("pip") for call in calls)
    assert installs(calls) == [("run.lock", True), (".", False), ("rivals.lock", True)]


def test_with_pip_although_uv_is_there(set_up):
    calls = set_up(".venv/installed", "UV=", uv=True)
    assert [file for file, _ in installs(calls)] == ["/dev/stdin", "run.lock", "."]
    assert not any(call.startswith("uv") for call in calls)


@pytest.mark.parametrize("uv", [False, True])
def test_only_development_installs_what_only_development_needs(set_up, uv):
    assert ("requirements.lock", True) not in installs(set_up(".venv/installed", uv=uv))
    assert installs(set_up(".venv/development", uv=uv))[-1] == ("requirements.lock", True)


@pytest.mark.parametrize(
    ("target", "needs_development"),
    [(target, False) for target in ("reproduce", "report", "artefact", "compare")]
    + [(target, True) for target in ("test", "quick", "docs", "lint", "audit", "mutants")],
)
def test_which_targets_need_development(target, needs_development):
    rule = re.search(rf"^{target}: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)[1]
    assert (".venv/development" in rule, ".venv/installed" in rule) == (needs_development, not needs_development)
