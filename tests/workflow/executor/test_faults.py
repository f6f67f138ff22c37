"""What happens when a job, a warm process or Snakemake is killed, stopped or fails: failed jobs, and nothing left."""

import os
import signal
import time

import psutil
import pytest
from checkout import left

pytestmark = pytest.mark.workflow

# Jobs that do what their name says, once: a second attempt of the same job only writes its file.
DOES = """
import os, signal, subprocess, sys, time
from pathlib import Path

sys.stderr = open(snakemake.log[0], "a")
name = snakemake.wildcards.name
tried = Path(f"tried_{name}")
with tried.open("a") as file:
    file.write(f"{os.getpid()} {os.getppid()}\\n")
first = len(tried.read_text().splitlines()) == 1
if name.startswith("exit"):
    sys.exit(int(name[4:]))
if name.startswith("says"):
    sys.exit("said why")
if name.startswith("raises"):
    1 / 0
if name.startswith("kill") and first:
    os.kill(os.getpid(), signal.SIGKILL)
if name.startswith("segfault") and first:
    os.kill(os.getpid(), signal.SIGSEGV)
if name.startswith("parent") and first:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)
if name.startswith("memory"):
    import resource
    resource.setrlimit(resource.RLIMIT_DATA, (10**9, 10**9))
    bytearray(4 * 10**9)
if name.startswith("sleep"):
    child = subprocess.Popen(["sleep", "300"])
    Path(f"sleeps_{name}").write_text(f"{os.getpid()} {child.pid}")
    time.sleep(300)
if name.startswith("nap"):
    time.sleep(3)
Path(snakemake.output[0]).write_text("done")
"""

# After the first script a shell command kills the process that forked it.
KILLS = """
rule kill:
    input:
        "out/first.txt",
    output:
        "killed",
    shell:
        "kill -9 $(cut -d' ' -f2 tried_first); touch {output}"

use rule one as after with:
    input:
        "killed",
    output:
        "out/{name}.txt",
    wildcard_constraints:
        name="last",

ruleorder: after > one
"""


@pytest.fixture
def doing(workflow):
    workflow.write("one.py", DOES)
    return workflow


def test_a_job_that_fails_or_is_killed_runs_again_and_the_others_go_on(doing):
    bad, mended = ["exit3", "says", "raises", "memory"], ["kill", "segfault", "parent"]
    code, text = doing.run(["a", *bad, *mended, "b"], "--retries", "1", cores=1)
    assert code == 1 and doing.names("out/*.txt") == sorted(["a", *mended, "b"]), text
    assert all(told in text for told in ("exit status 3", "exit status 1", "SIGKILL", "SIGSEGV"))
    for name, told in (("raises", "ZeroDivisionError"), ("memory", "MemoryError"), ("says", "said why")):
        assert told in doing.read(f"log/{name}.log")
    tried = {name: doing.read(f"tried_{name}").splitlines() for name in ("a", "b", *bad, *mended)}
    assert {name: len(lines) for name, lines in tried.items()} == {"a": 1, "b": 1, **dict.fromkeys(bad + mended, 2)}
    before, after = (line.split()[1] for line in tried["parent"])
    assert before != after, "another process forked the second attempt"
    assert {line.split()[1] for lines in tried.values() for line in lines} == {before, after}, "two forked them all"
    assert not left(doing.path)


def test_an_idle_warm_process_that_is_killed_starts_again(doing):
    doing.write("Snakefile", doing.read("Snakefile") + KILLS)
    code, text = doing.run(["last"])
    assert code == 0 and doing.names("out/*.txt") == ["first", "last"], text
    first, last = (doing.read(f"tried_{name}").split()[1] for name in ("first", "last"))
    assert first != last and not left(doing.path)


@pytest.mark.parametrize(
    ("kill", "number"),
    [(os.killpg, signal.SIGINT), (os.killpg, signal.SIGKILL), (os.kill, signal.SIGKILL)],
    ids=["Ctrl-C", "SIGKILL of all", "SIGKILL of Snakemake"],
)
def test_nothing_is_left_behind(doing, kill, number):
    process = doing.start(["sleep1", "sleep2"])
    pids = [int(pid) for text in doing.wait_for("sleeps_sleep1", "sleeps_sleep2") for pid in text.split()]
    assert len(pids) == 4 and all(map(psutil.pid_exists, pids))
    kill(process.pid, number)
    started = time.monotonic()
    process.communicate(timeout=60)
    assert time.monotonic() - started < 2
    assert process.returncode != 0 and not left(doing.path)


def test_a_signal_to_snakemake_alone_lets_the_running_jobs_end(doing):
    process = doing.start(["nap1", "nap2", "nap3"], cores=2)
    while len(doing.names("tried_*")) < 2 and process.poll() is None:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGTERM)
    process.communicate(timeout=60)
    assert len(doing.names("tried_*")) == len(doing.names("out/*.txt")) == 2, "what had begun has ended, no more began"
    assert process.returncode != 0 and not left(doing.path)
