"""If an item crashes a watched process, only this item has no result but a reason; the others give their results."""

import ctypes
import faulthandler
import os
import signal
import subprocess
import sys
import time

import numba
import psutil
import pytest

from rankbench.experiments import watched as module
from rankbench.experiments.watched import Fault, watched


@numba.njit
def endless():
    x = 1
    while x != 0:
        x = x * 3 % 7919 + 1
    return x


def killed():
    os.kill(os.getpid(), signal.SIGKILL)


def segfault():
    faulthandler.disable()  # of pytest, which would print everything about it
    ctypes.string_at(0)


def leaves():
    sys.exit(3)


@pytest.fixture(autouse=True)
def _short_grace(monkeypatch):
    monkeypatch.setattr(module, "GRACE", 0.2)


def test_items_share_one_process_that_was_prepared():
    done = []

    def work(item):
        done.append(item)
        return os.getpid(), list(done)

    results = list(watched(lambda: done.append("ready"), work, [1, 2], 5))
    (one, (pid, first)), (two, (again, second)) = results
    assert (one, two, first, second) == (1, 2, ["ready", 1], ["ready", 1, 2])
    assert pid == again != os.getpid() and not psutil.pid_exists(pid) and done == []


@pytest.mark.parametrize(
    ("fault", "status", "reason"),
    [
        (segfault, "failed", "its process ended: SIGSEGV"),
        (leaves, "failed", "its process ended: exit code 3"),
        (endless, "timeout", "more than the limit of 0.3 s of processor time, and killed after 0.2 s more"),
    ],
)
def test_one_lost_item_is_told_and_the_others_go_on(fault, status, reason):
    endless.compile("()")
    results = dict(watched(lambda: None, lambda item: fault() if item == 2 else -item, [1, 2, 3], 0.3))
    assert results == {1: -1, 2: Fault(status, reason), 3: -3}


def sleeps():
    time.sleep(60)


def test_a_run_that_only_waits_ends_far_beyond_its_limit(monkeypatch):
    monkeypatch.setattr(module, "FAR", 2.0)
    results = dict(watched(lambda: None, lambda item: sleeps() if item == 2 else -item, [1, 2, 3], 0.3))
    told = "not finished after 1 s, 2 times its limit of processor time"
    assert results == {1: -1, 2: Fault("timeout", told), 3: -3}


STOPPED = """
import os, time
from rankbench.experiments.limits import limited
from rankbench.experiments.watched import watched
limits = {"seconds": 0.5, "megabytes": 2000}

def work(item):
    with limited(limits):
        open(f"started{item}", "w").close()
        ends = time.process_time() + 0.2
        while time.process_time() < ends:
            pass
    return item

print(list(watched(lambda: None, work, [1, 2], limits["seconds"])))
"""


@pytest.mark.parametrize("whom", ["both", "the run alone"])
def test_time_in_which_a_run_is_stopped_does_not_count(tmp_path, whom):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "start_new_session": True}
    process = subprocess.Popen([sys.executable, "-c", STOPPED], cwd=tmp_path, **options)
    while not (tmp_path / "started1").exists() and process.poll() is None:
        time.sleep(0.005)
    (child,) = psutil.Process(process.pid).children()
    stopped = [child] if whom == "the run alone" else [psutil.Process(process.pid), child]
    for one in stopped:
        one.suspend()
    time.sleep(1.5)  # three times the limit
    for one in stopped:
        one.resume()
    assert process.communicate(timeout=60)[0] == "[(1, 1), (2, 2)]\n"


def test_a_process_that_somebody_kills_gives_no_result():
    results = watched(lambda: None, lambda item: killed() if item == 2 else -item, [1, 2, 3], 5)
    assert next(results) == (1, -1)
    with pytest.raises(ChildProcessError, match="killed by SIGKILL: by a person, or because memory ran out"):
        next(results)


@pytest.mark.parametrize("fault", [segfault, endless])
def test_a_preparation_that_is_lost_is_left_out(fault):
    endless.compile("()")
    assert dict(watched(fault, lambda item: -item, [1, 2], 0.3)) == {1: -1, 2: -2}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_the_process_ends_with_the_one_that_watches_it(tmp_path):
    def outer():
        list(watched(lambda: (tmp_path / "pid").write_text(str(os.getpid())), lambda item: endless(), [1], 60))

    endless.compile("()")
    pid = os.fork()
    if not pid:
        outer()
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    inner, deadline = int((tmp_path / "pid").read_text()), time.monotonic() + 60
    while psutil.pid_exists(inner) and psutil.Process(inner).status() != "zombie" and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not psutil.pid_exists(inner) or psutil.Process(inner).status() == "zombie"
