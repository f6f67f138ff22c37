"""Checkouts where no job could run, and Ctrl-C: one line before anything is set up, or one line and a prompt."""

import os
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from checkout import ROOT, left

from rankbench.experiments.places import hold

STOPPED = "stopped; the same command resumes it"


def make_in(folder, *arguments, **options):
    """Run make there as a user does who has just cloned; return exit code and everything it printed."""
    shutil.copy(ROOT / "Makefile", folder)
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS"))}
    told = subprocess.run(
        ["make", *arguments], cwd=folder, env=kept, capture_output=True, text=True, timeout=60, **options
    )
    return told.returncode, told.stdout + told.stderr


@pytest.mark.parametrize(
    "name", ["a b", "a(b", "a)b", "a'b", 'a"b', "a;b", "a&b", "a*b", "a\\b", "a`b", "a|b", "a<b", "a$b"]
)
def test_such_a_path_is_refused_in_a_line_before_the_set_up(tmp_path, name):
    (tmp_path / name).mkdir()
    code, text = make_in(tmp_path / name, "reproduce")
    assert code == 2 and len(text.splitlines()) == 1 and f"the path of this checkout, {tmp_path / name}, holds" in text
    assert os.listdir(tmp_path / name) == ["Makefile"]


@pytest.mark.parametrize("name", ["Zürich", "señal-漢字", "a_b.c+d=e,f:g@h~i%20"])
def test_other_paths_are_not_refused(tmp_path, name):
    (tmp_path / name).mkdir()
    _, text = make_in(tmp_path / name, "-n", "report")
    assert "No rule to make target 'run.lock'" in text and "holds" not in text


@pytest.mark.parametrize("part", [".", ".snakemake", "results", "resources"])
def test_a_checkout_that_cannot_be_written_is_refused_in_a_line(part):
    folder = Path(tempfile.mkdtemp())  # pytest's own are closed to other users
    try:
        folder.chmod(0o777 if part != "." else 0o755 if not os.getuid() else 0o555)
        if part != ".":
            (folder / part).mkdir()
            (folder / part).chmod(0o555)
        shutil.copy(ROOT / "Makefile", folder)
        another = {"user": 65534} if not os.getuid() else {}
        told = subprocess.run(["make", "reproduce"], cwd=folder, capture_output=True, text=True, timeout=60, **another)
        assert told.returncode == 2 and told.stderr.count("\n") == 1
        assert f"this user cannot write here ({part})" in told.stderr
    finally:
        folder.chmod(stat.S_IRWXU)
        shutil.rmtree(folder)


def wait_for(process, word):
    """Wait until the command has a process with this word among its arguments."""
    while process.poll() is None:
        with suppress(psutil.NoSuchProcess):
            if [one for one in psutil.Process(process.pid).children(recursive=True) if word in " ".join(one.cmdline())]:
                return
        time.sleep(0.01)
    raise AssertionError(process.communicate()[0])


def press_often(process):
    """Press Ctrl-C ten times within a second."""
    for _ in range(10):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.1)


@pytest.mark.workflow
@pytest.mark.parametrize(
    ("word", "end"), [("-m snakemake", press_often), ("server.py", subprocess.Popen.terminate)], ids=["keys", "signal"]
)
def test_make_ends_with_one_line_and_leaves_nothing(checkout, word, end):
    """While Snakemake starts, and while a job runs; in the first moments of the command: test_stop."""
    process = checkout.start_make("reproduce", "EXPERIMENTS=smoke", "CORES=2")
    wait_for(process, word)
    end(process)
    text, _ = process.communicate(timeout=60)
    assert not left(checkout.path) and process.returncode != 0
    assert text.count(STOPPED) == 1 and "Traceback" not in text and "KeyboardInterrupt" not in text
    assert all(line.startswith("make: ***") for line in text.split(STOPPED)[1].split("\n") if line), text


@pytest.mark.workflow
def test_snakemake_itself_refuses_a_folder_with_another_run(checkout):
    """In one line without a place in our files, also of what is found wrong with the folder."""
    with hold(checkout.path):
        code, text = checkout.snakemake("--config", "experiments=[smoke]")
    line = "another run is active in this folder: wait until it ends, or stop it"
    assert code != 0 and "Error" not in text and "Traceback" not in text and ".smk" not in text, text
    assert text.count(line) == 1 and text.rstrip().splitlines()[-1].startswith(line)
    assert not [*checkout.path.rglob("*.npz")]
