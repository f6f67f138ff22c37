"""Put the records and test scores of all jobs of an experiment into two frames."""

import sys
from pathlib import Path

from rankbench.experiments.collect import collect_records, collect_scores, read_runs
from rankbench.experiments.files import aside

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

name, asked = snakemake.wildcards.experiment, (snakemake.params.experiment, snakemake.params.digests)
paths = [list(map(Path, files)) for files in (snakemake.input.records, snakemake.input.scores)]
records, kept = read_runs(*paths, snakemake.params.experiment["metrics"])
frames = (collect_records(records, name, *asked), collect_scores(records, kept, name))
print(f"{len(records)} runs, {sum(record.status == 'ok' for record in records)} ok", file=sys.stderr)
for frame, path in zip(frames, snakemake.output, strict=True):
    with aside(path) as beside:
        frame.to_parquet(beside)
