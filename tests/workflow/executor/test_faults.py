"""What happens when a job, a warm process or Snakemake is killed, stopped or fails: failed jobs, and nothing left."""

import os
import signal
import time

import psutil
import pytest

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

KILLS = """
rule kill_between:
    input:
        "out/first.txt",
    output:
        "killed",
    shell:
        "branch=$(cut -d' ' -f2 tried_first); root=$(cut -d' ' -f4 /proc/$branch/stat); "
        "case $WHOM in root) it=$root;; branch) it=$branch;; esac; "
        "kill -9 $it; echo $root $branch >{output}"

use rule one as second with:
    input:
        "killed",
    output:
        "out/{name}.txt",
    wildcard_constraints:
        name="last",

ruleorder: second > one
"""


@pytest.fixture
def doing(workflow):
    workflow.write("one.py", DOES)
    return workflow


@pytest.mark.fault("executor warm: a job that fails, is killed, crashes or runs out of memory")
def test_a_job_that_fails_is_a_failed_job_and_the_others_go_on(doing):
    bad = ["exit3", "says", "raises", "kill", "segfault", "memory"]
    code, text = doing.run(["a", *bad, "b"])
    assert code == 1 and doing.names("out/*.txt") == ["a", "b"]
    assert all(told in text for told in ("exit status 3", "exit status 1", "SIGKILL", "SIGSEGV"))
    for name, told in (("raises", "ZeroDivisionError"), ("memory", "MemoryError"), ("says", "said why")):
        assert told in doing.read(f"log/{name}.log")
    assert len({doing.read(f"tried_{name}").split()[1] for name in ("a", *bad, "b")}) == 1, (
        "one process forked them all"
    )
    assert not doing.left_over()


@pytest.mark.fault("executor warm: a job that is killed runs again; a warm process that is killed starts again")
def test_a_second_attempt_succeeds(doing):
    code, text = doing.run(["a", "kill", "parent", "b", "c"], "--retries", "1", cores=1)
    assert code == 0 and doing.names("out/*.txt") == ["a", "b", "c", "kill", "parent"], text
    tried = {name: doing.read(f"tried_{name}").splitlines() for name in ("kill", "parent", "a")}
    assert len(tried["kill"]) == len(tried["parent"]) == 2 and len(tried["a"]) == 1
    assert tried["parent"][0].split()[1] != tried["parent"][1].split()[1], "another process forked the second attempt"
    assert not doing.left_over()


@pytest.mark.fault("executor warm: SIGKILL of an idle warm process")
@pytest.mark.parametrize("whom", ["root", "branch"])
def test_idle_warm_processes_that_are_killed_start_again(doing, whom):
    """Between the two scripts a shell command runs, which kills them."""
    doing.write("Snakefile", doing.read("Snakefile") + KILLS)
    code, text = doing.run(["last"], WHOM=whom)
    assert code == 0 and doing.names("out/*.txt") == ["first", "last"], text
    first, last = (doing.read(f"tried_{name}").split()[1] for name in ("first", "last"))
    assert first in doing.read("killed").split() and last not in doing.read("killed").split() and first != last
    assert not doing.left_over()


@pytest.mark.fault("executor warm: Ctrl-C, SIGTERM and SIGKILL of Snakemake and of its group")
@pytest.mark.parametrize(
    ("kill", "number"),
    [(os.killpg, signal.SIGINT), (os.killpg, signal.SIGTERM), (os.killpg, signal.SIGKILL), (os.kill, signal.SIGKILL)],
    ids=["Ctrl-C", "SIGTERM of all", "SIGKILL of all", "SIGKILL of Snakemake"],
)
def test_nothing_is_left_behind(doing, kill, number):
    process = doing.start(["sleep1", "sleep2"])
    pids = [int(pid) for text in doing.wait_for("sleeps_sleep1", "sleeps_sleep2") for pid in text.split()]
    assert len(pids) == 4 and all(map(psutil.pid_exists, pids))
    kill(process.pid, number)
    process.communicate(timeout=60)
    assert process.returncode != 0 and not doing.left_over()


@pytest.mark.fault("executor warm: Ctrl-C, SIGTERM and SIGKILL of Snakemake and of its group")
def test_a_signal_to_snakemake_alone_lets_the_running_jobs_end(doing):
    process = doing.start(["nap1", "nap2", "nap3"], cores=2)
    while len(doing.names("tried_*")) < 2 and process.poll() is None:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGTERM)
    process.communicate(timeout=60)
    assert len(doing.names("tried_*")) == len(doing.names("out/*.txt")) == 2, "what had begun has ended, no more began"
    assert process.returncode != 0 and not doing.left_over()
