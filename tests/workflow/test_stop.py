"""How a command ends that has started a process which has started others: with one line, at any moment, and whole."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest
from checkout import hears_signals, left

from rankbench.command.stop import STOPPED, Stop

CHILD = """
import subprocess, sys, time
other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(other.pid, flush=True)
time.sleep(60)
"""
PROGRAM = f"""
import sys
from rankbench.command.stop import stop
stop.heed()
print("ready", flush=True)
sys.exit(stop.run([sys.executable, "-c", {CHILD!r}]))
"""


@pytest.fixture
def command(tmp_path):
    """A command in a process group of its own, which obeys signals already."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "MARK": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hears_signals,
    )
    process.mark = str(tmp_path)
    assert process.stdout.readline() == "ready\n"
    yield process
    for one in left(process.mark, 0):
        one.kill()
    process.communicate()


def ended(command):
    """Return what the command said on standard error, when nothing is left of it."""
    command.wait(timeout=60)
    assert not left(command.mark)
    return command.stderr.read()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_everything_with_one_line(command, number):
    command.stdout.readline()  # the last process starts, and is not seen until its program does
    ends = time.monotonic() + 60
    while len(left(command.mark, 0)) < 3 and time.monotonic() < ends:
        time.sleep(0.01)
    assert len(left(command.mark, 0)) == 3
    for _ in range(3):
        command.send_signal(number)
    assert ended(command) == STOPPED and command.returncode == 128 + number


@pytest.mark.parametrize("milliseconds", [0, 2, 20])
def test_no_signal_is_lost_while_the_process_starts(command, milliseconds):
    time.sleep(milliseconds / 1000)
    command.send_signal(signal.SIGTERM)
    assert ended(command) == STOPPED and command.returncode == 128 + signal.SIGTERM


def test_everything_ends_with_a_command_that_is_killed(command):
    other = psutil.Process(int(command.stdout.readline()))
    other.kill()  # only the process itself is tied to the command; Snakemake's own ones are tied to it
    command.kill()
    assert ended(command) == ""


def test_the_exit_code_is_that_of_the_process(capsys):
    assert Stop().run([sys.executable, "-c", "raise SystemExit(3)"]) == 3 and capsys.readouterr().err == ""
    killed = "import os; os.kill(os.getpid(), 9)"
    assert Stop().run([sys.executable, "-c", killed]) == 137
    assert capsys.readouterr().err == "Snakemake was killed by signal 9: the same command resumes it\n"
