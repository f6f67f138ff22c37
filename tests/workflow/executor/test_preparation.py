"""What a warm process loads before it is forked, and what becomes of a job whose preparation goes wrong."""

import json
import os

import pytest
from snakemake.exceptions import WorkflowError

from snakemake_executor_plugin_warm.executor import folders_of, function_of

pytestmark = pytest.mark.workflow

# A job says which modules were there when it began, who prepared its process, and from which process it was forked.
SAYS = """
import sys
there = set(sys.modules)
import json
import marker
import json
import os

values = {"marked": marker.MARKED, "early": sorted({"json", "colorsys"} & there), "parent": os.getppid()}
with open(snakemake.output[0], "w") as file:
    json.dump(values, file)
"""
MARKER = "MARKED = []\n"
# The function of the setting `prepare`, and those that it names. `kind` is what lies before the digits of a name.
PREPARES = """
import os, signal, sys, threading, time

def kind_of(job):
    assert job.rule == "one" and job.params.value == {"a": [1, 2.5]} and job.threads == 1 and job.input == []
    kind = job.wildcards.name.rstrip("0123456789")
    return None if kind == "plain" else ("prepares:prepare", {"kind": kind})

def prepare(kind):
    import marker

    marker.MARKED.append(kind)
    if kind == "raises":
        raise ValueError("no such thing")
    if kind == "crashes":
        os.kill(os.getpid(), signal.SIGSEGV)
    if kind == "hangs":
        time.sleep(300)
    if kind == "exits":
        sys.exit("gone")
    if kind == "threads":
        threading.Thread(target=time.sleep, args=(300,), daemon=True).start()
"""


WRONG = {
    "raises": "ValueError: no such thing",
    "exits": "SystemExit: gone",
    "crashes": "the process ended",
    "hangs": "no end after 2 s",
}


@pytest.fixture
def prepared(workflow):
    workflow.write("one.py", SAYS)
    workflow.write("marker.py", MARKER)
    workflow.write("prepares.py", PREPARES)
    return workflow


def run(prepared, names, *settings):
    """Run the jobs of these names; return what each says, and the lines of the executor."""
    path = os.pathsep.join([str(prepared.path), *filter(None, [os.environ.get("PYTHONPATH")])])
    code, text = prepared.run(names, "--warm-prepare", "prepares:kind_of", *settings, PYTHONPATH=path)
    assert code == 0, text
    said = {name: json.loads(prepared.read(f"out/{name}.txt")) for name in names}
    return said, [line for line in text.splitlines() if line.startswith("executor warm: ")]


def test_jobs_of_a_kind_share_a_process_that_has_loaded_what_the_kind_needs_and_nothing_else(prepared):
    said, lines = run(prepared, ["plain1", "b1", "c1", "b2", "c2", "plain2"], "--warm-imports", "colorsys")
    assert {name: one["marked"] for name, one in said.items()} == {
        "plain1": [], "plain2": [], "b1": ["b"], "b2": ["b"], "c1": ["c"], "c2": ["c"],
    }  # fmt: skip
    assert all(one["early"] == ["colorsys", "json"] for one in said.values())
    parents = {kind: {said[f"{kind}{number}"]["parent"] for number in (1, 2)} for kind in ("plain", "b", "c")}
    assert [len(group) for group in parents.values()] == [1, 1, 1] and len(set.union(*parents.values())) == 3
    assert not lines


def test_a_job_does_not_leave_anything_to_the_next(prepared):
    prepared.write("one.py", SAYS + "\nmarker.MARKED.append('left')\n")
    said, _ = run(prepared, ["b1", "b2", "b3"])
    assert all(one["marked"] == ["b"] for one in said.values())


def test_more_kinds_than_may_wait(prepared):
    names = [f"{kind}{number}" for number in (1, 2) for kind in "bcdefg"]
    said, _ = run(prepared, names, "--warm-processes", "2")
    assert all(one["marked"] == [name[0]] for name, one in said.items())
    assert not prepared.left_over()


@pytest.mark.fault("executor warm: a preparation that raises, exits, crashes, never ends or starts threads")
def test_a_preparation_that_goes_wrong_is_left_out(prepared):
    names = [f"{kind}{number}" for kind in WRONG for number in (1, 2)]
    said, lines = run(prepared, [*names, "plain1"], "--warm-seconds", "2")
    assert all(one["marked"] == [] for one in said.values())
    assert len({one["parent"] for one in said.values()}) == 1, "forked from the process that has made the imports"
    assert all(line.startswith("executor warm: not prepared: ") and "prepares:prepare" in line for line in lines)
    assert len(lines) == len(WRONG)
    for kind, why in WRONG.items():
        (line,) = [line for line in lines if kind in line]
        assert line.endswith(why)


@pytest.mark.fault("executor warm: a preparation that raises, exits, crashes, never ends or starts threads")
def test_a_process_with_threads_is_not_forked(prepared):
    said, lines = run(prepared, ["threads1", "b1"])
    assert said["threads1"]["marked"] == [] and said["b1"]["marked"] == ["b"]
    assert lines == ["executor warm: scripts whose imports start threads start in the ordinary way"]


def test_a_wrong_setting_is_refused_by_name(prepared):
    code, text = prepared.run(["a"], "--warm-prepare=os:nothing")
    assert code == 1 and "warm-prepare must be MODULE:FUNCTION, got 'os:nothing'" in text
    assert "Traceback" not in text and not prepared.left_over()
    for setting in ("nothing:there", "os"):
        with pytest.raises(WorkflowError, match=f"warm-prepare must be MODULE:FUNCTION, got '{setting}'"):
            function_of(setting)
    with pytest.raises(WorkflowError, match="warm-sources must name packages, got 'nothing'"):
        folders_of("nothing")
