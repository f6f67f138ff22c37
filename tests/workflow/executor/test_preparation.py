"""What the warm process loads before it forks a job, and which jobs start in the ordinary way."""

import json
import os

import pytest
from checkout import left

pytestmark = pytest.mark.workflow

# A job says which modules were there when it began, what was prepared, and from which process it was forked.
SAYS = """
import sys
there = "colorsys" in sys.modules
import colorsys
import marker
from prepares import prepare_job
import json
import os

values = {"marked": marker.MARKED, "early": there, "parent": os.getppid(), "threads": os.environ["OMP_NUM_THREADS"]}
with open(snakemake.output[0], "w") as file:
    json.dump(values, file)
marker.MARKED.append("left")
"""
# What lies before the digits of a name says how the job is prepared.
PREPARES = """
import sys, threading, time
import marker

def prepare_job(job):
    assert job["params"] == {"value": {"a": [1, 2.5]}} and "tmpdir" in job["resources"]
    kind = sys.modules["prepares"].KIND = open("kind").read()
    if kind == "raises":
        raise ValueError("no such thing")
    if kind == "threads":
        threading.Thread(target=time.sleep, args=(300,), daemon=True).start()
    marker.MARKED[:] = [kind]
"""
OTHERS = """
rule threads:
    output:
        "out/threads{n}.txt",
    threads: 2
    script:
        "one.py"

ruleorder: threads > one
"""


@pytest.mark.parametrize("kind", ["plain", "raises", "threads"])
def test_a_job_finds_what_is_prepared_and_nothing_that_other_jobs_left(workflow, kind):
    """A preparation that goes wrong is left out; a process with threads is not forked; and each starts only once."""
    workflow.write("one.py", SAYS)
    workflow.write("marker.py", "MARKED = []\n")
    workflow.write("prepares.py", PREPARES)
    workflow.write("kind", kind)
    workflow.write("Snakefile", workflow.read("Snakefile") + OTHERS)
    path = os.pathsep.join([str(workflow.path), *filter(None, [os.environ.get("PYTHONPATH")])])
    names = ["a", "b", "threads1"]
    code, text = workflow.run(names, PYTHONPATH=path)
    assert code == 0, text
    a, b, two = (json.loads(workflow.read(f"out/{name}.txt")) for name in names)
    assert two["threads"] == "2" and not two["marked"] and not two["early"], "another number of threads: a new process"
    assert a["parent"] == b["parent"] != two["parent"] and a["threads"] == b["threads"] == "1"
    assert a["marked"] == b["marked"] == (["plain"] if kind == "plain" else [])
    assert a["early"] == b["early"] == (kind != "threads")
    assert not left(workflow.path)
