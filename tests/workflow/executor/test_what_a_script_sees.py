"""A script in a fork sees what it sees in a process of its own: its `snakemake`, its environment, a fresh state."""

import json

import pytest

pytestmark = pytest.mark.workflow

SEES = """
import json, os, random, signal, sys, tempfile, threading, gc
import numpy as np, numpy.random

seen = {
    "pickled": [list(snakemake.output), dict(snakemake.params), dict(snakemake.wildcards), dict(snakemake.config)],
    "more": [snakemake.threads, list(snakemake.log), snakemake.rule, snakemake.resources.tmpdir, snakemake.scriptdir],
    "file": [__file__, __name__, len(sys.argv), os.path.basename(sys.argv[0]).split(".", 1)[1]],
    "place": [os.getcwd(), tempfile.gettempdir(), os.environ["TMPDIR"], os.path.basename(sys.path[0])],
    "threads": [value for name, value in sorted(os.environ.items()) if name.endswith("NUM_THREADS")],
    "state": [threading.active_count(), gc.isenabled(), sorted(map(str, signal.pthread_sigmask(0, [])))],
    "signals": [str(signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD)],
    "open": sorted(os.listdir("/proc/self/fd"))[:3] + [len(os.listdir("/proc/self/fd")) <= 5],
}
own = {"drawn": [random.random(), np.random.rand()], "pid": os.getpid(), "parent": os.getppid()}
with open(snakemake.output[0], "w") as file:
    json.dump([seen, own], file)
"""


def test_it_sees_the_same_as_in_a_process_of_its_own(workflow):
    workflow.write("one.py", SEES)
    names = ["a", "b", "c"]
    seen = {}
    for executor in ("warm", "local"):
        code, text = workflow.run(names, executor=executor)
        assert code == 0, text
        seen[executor] = [json.loads(workflow.read(f"out/{name}.txt")) for name in names]
        for name in names:
            (workflow.path / f"out/{name}.txt").unlink()
    warm, cold = seen["warm"], seen["local"]
    for (ours, _), (theirs, _) in zip(warm, cold, strict=True):
        assert ours == theirs
    assert len({own["pid"] for _, own in warm}) == 3 and len({own["parent"] for _, own in warm}) == 1
    assert len({number for _, own in warm for number in own["drawn"]}) == 6, "each job draws numbers of its own"
