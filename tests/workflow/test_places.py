"""Checkouts where no job could run, and Ctrl-C: one line before anything is set up, or one line and a prompt."""

import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from pathlib import Path

import psutil
import pytest
from checkout import ROOT

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


def of_checkout(path):
    """Return the processes that run in the checkout."""
    found = []
    for process in psutil.process_iter():
        try:
            found += [process] if str(path) in process.cwd() and process.status() != "zombie" else []
        except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
            continue
    return found


def stop(checkout, process, presses):
    """Press Ctrl-C a number of times within a second; return what make printed, after its last process has ended."""
    for _ in range(presses):
        try:
            os.killpg(process.pid, signal.SIGINT)
        except ProcessLookupError:
            break
        time.sleep(1 / presses)
    return ended(checkout, process)


def ended(checkout, process):
    """Return what make printed; nothing of it may go on."""
    text, _ = process.communicate(timeout=60)
    ends = time.monotonic() + 60
    while of_checkout(checkout.path) and time.monotonic() < ends:
        time.sleep(0.05)
    assert not of_checkout(checkout.path) and process.returncode != 0
    return text


def wait_for(process, word):
    """Wait until the command has a process of this name, or with this word among its arguments; of the command itself
    until it obeys signals, which it does before anything else."""
    while process.poll() is None:
        try:
            children = psutil.Process(process.pid).children(recursive=True)
            found = [child for child in children if word in " ".join([child.name(), *child.cmdline()])]
            if found and (word != "rankbench" or obeys(found[0])):
                return
        except psutil.NoSuchProcess:
            continue
        time.sleep(0.01)
    raise AssertionError(process.communicate()[0])


def obeys(process):
    """Return whether a process has a function of its own for SIGTERM."""
    caught = re.search(r"SigCgt:\s*(\w+)", Path(f"/proc/{process.pid}/status").read_text())[1]
    return int(caught, 16) >> (signal.SIGTERM - 1) & 1


@pytest.mark.workflow
@pytest.mark.parametrize(("word", "presses"), [("rankbench", 1), ("-m snakemake", 10)])
def test_ctrl_c_says_one_line_and_leaves_nothing(checkout, word, presses):
    process = checkout.start_make("reproduce", "EXPERIMENTS=smoke", "CORES=2")
    wait_for(process, word)
    text = stop(checkout, process, presses)
    assert text.count(STOPPED) == 1 and "Traceback" not in text and "KeyboardInterrupt" not in text
    assert all(line.startswith("make: ***") for line in text.split(STOPPED)[1].split("\n") if line), text


@pytest.mark.workflow
def test_a_terminated_make_leaves_nothing(checkout):
    process = checkout.start_make("reproduce", "EXPERIMENTS=smoke", "CORES=2")
    wait_for(process, "server.py")  # the warm process: a job has begun
    process.terminate()
    text = ended(checkout, process)
    assert text.count(STOPPED) == 1 and "Traceback" not in text


@pytest.mark.workflow
def test_snakemake_itself_refuses_a_folder_with_another_run(checkout):
    """In one line without a place in our files, also of what is found wrong with the folder."""
    with hold(checkout.path):
        code, text = checkout.snakemake("--config", "experiments=[smoke]")
    line = "another run is active in this folder: wait until it ends, or stop it"
    assert code != 0 and "Error" not in text and "Traceback" not in text and ".smk" not in text, text
    assert text.count(line) == 1 and text.rstrip().splitlines()[-1].startswith(line)
    assert not [*checkout.path.rglob("*.npz")]
