"""Put the records and test scores of all jobs of an experiment into two frames."""

import sys
from pathlib import Path

from rankbench.experiments.collect import collect_records, collect_scores, read_records
from rankbench.experiments.files import aside

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

name, asked = snakemake.wildcards.experiment, (snakemake.params.experiment, snakemake.params.digests)
records = read_records(map(Path, snakemake.input.records))
frames = (collect_records(records, name, *asked), collect_scores(records, snakemake.input.scores, name))
for frame, path in zip(frames, snakemake.output, strict=True):
    with aside(path) as beside:
        frame.to_parquet(beside)
