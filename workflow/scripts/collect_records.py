"""Put the records and test scores of all jobs of an experiment into two frames."""

import sys

from rankbench.experiments.collect import collect_records, collect_scores, read_runs
from rankbench.experiments.experiment import Experiment
from rankbench.experiments.frames import write_frame
from rankbench.experiments.provenance import commit

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

experiment, digests = Experiment.of(snakemake.params.experiment), snakemake.params.digests
records, kept = read_runs(snakemake.input.records, snakemake.input.scores, experiment.metrics)
print(f"{len(records)} runs, {sum(record.status == 'ok' for record in records)} ok", file=sys.stderr)
frame = collect_records(records, experiment, digests)
write_frame(snakemake.output.records, frame, protocol=experiment.document, digests=digests, commit=commit("."))
write_frame(snakemake.output.scores, collect_scores(records, kept, experiment.name))
