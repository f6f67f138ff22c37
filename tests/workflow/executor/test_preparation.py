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
marker.MARKED.append("left")
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
    "hangs": "not finished after 5 s",
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
    """Neither what other kinds need nor what earlier jobs left; a preparation that goes wrong is left out."""
    kinds = ["plain", "b", "c", *WRONG, "threads"]
    names = [f"{kind}{number}" for number in (1, 2) for kind in kinds]
    said, lines = run(prepared, names, "--warm-imports", "colorsys", "--warm-seconds", "5")
    own = {"b1", "b2", "c1", "c2"}
    assert all(one["marked"] == ([name[0]] if name in own else []) for name, one in said.items())
    parents = {kind: {said[f"{kind}{number}"]["parent"] for number in (1, 2)} for kind in kinds}
    parents.pop("threads")  # their scripts start in the ordinary way
    assert {len(group) for group in parents.values()} == {1} and len(set.union(*parents.values())) == 3
    assert all(said[f"{kind}1"]["early"] == ["colorsys", "json"] for kind in parents)
    assert all(parents[kind] == parents["plain"] for kind in WRONG), "forked from the process that has made the imports"
    assert "executor warm: scripts whose imports start threads start in the ordinary way" in lines
    assert len(lines) == 1 + len(WRONG)
    for kind, why in WRONG.items():
        (line,) = [line for line in lines if kind in line]
        assert line.startswith('executor warm: not prepared: call ["prepares:prepare"') and line.endswith(why)


def test_more_kinds_than_may_wait(prepared):
    names = [f"{kind}{number}" for number in (1, 2) for kind in "bcdefg"]
    said, _ = run(prepared, names, "--warm-processes", "2")
    assert all(one["marked"] == [name[0]] for name, one in said.items())
    assert not prepared.left_over()


def test_a_wrong_setting_is_refused_by_name():
    for setting in ("nothing:there", "os", "os:nothing"):
        with pytest.raises(WorkflowError, match=f"warm-prepare must be MODULE:FUNCTION, got '{setting}'"):
            function_of(setting)
    with pytest.raises(WorkflowError, match="warm-sources must name packages, got 'nothing'"):
        folders_of("nothing")
