"""Put the records and test scores of all jobs of an experiment into two frames."""

import sys

from rankbench.experiments.collect import collect_records, collect_scores, read_runs
from rankbench.experiments.experiment import Experiment
from rankbench.records.files import write_note
from rankbench.records.frames import write_frame
from rankbench.records.provenance import commit

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

task, read, made = snakemake.params.task, snakemake.params.read, snakemake.output
experiment = Experiment.of(task["experiment"])
runs = read_runs(experiment, read)
print(f"{len(runs)} runs, {sum(run.record.status == 'ok' for run in runs.values())} ok", file=sys.stderr)
frame, document = collect_records(runs, experiment), experiment.document
write_frame(made.records, frame, protocol=document, digests=task["digests"], commit=commit("."))
write_frame(made.scores, collect_scores(runs, experiment.name))
for note, file in zip(made.notes, (made.records, made.scores), strict=True):
    write_note(note, [file], task=task, read=read)
