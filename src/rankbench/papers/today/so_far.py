"""What a run has finished so far: ``python -m rankbench.papers.today.so_far EXPERIMENT`` in its checkout.

The workflow collects records when all jobs have ended. This collects those of a run that goes on or was broken off, by
the sources of the checkout that made them, into a folder of its own, so that the workflow is not disturbed.
"""

import sys
from pathlib import Path

from rankbench.experiments.collect import collect_records, collect_scores, read_runs
from rankbench.experiments.frames import write_frame
from rankbench.experiments.protocol import load_asked
from rankbench.experiments.provenance import commit

from .averages import averages


def folder_of(name, root):
    """Return the folder of the records so far of an experiment."""
    return Path(root, f"results/{name}/so_far")


def gather(name, root="."):
    """Write ``records.parquet`` and, if the experiment has them, ``averages.parquet`` of what is there."""
    experiment, folder = load_asked((name,), root)[0][name], folder_of(name, root)
    runs, reasons, _ = read_runs(experiment, root)
    folder.mkdir(exist_ok=True)
    records = collect_records(runs, reasons, experiment)
    write_frame(folder / "records.parquet", records, protocol=experiment.document, commit=commit(root))
    if "averages" in experiment.outputs["statistics"]:
        write_frame(folder / "averages.parquet", averages(collect_scores(runs, name), experiment))
    print(f"{name}: {len(runs):,} of {len(records):,} runs so far", flush=True)


if __name__ == "__main__":
    gather(sys.argv[1])
