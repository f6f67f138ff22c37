"""Draw the splits of one data set under one condition for ten seeds."""

import sys

from rankbench.experiments.draw import draw_from
from rankbench.experiments.split import save_split
from rankbench.records.files import require, write_note

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

names = (snakemake.wildcards.experiment, snakemake.wildcards.dataset)
seeds = [int(f"{snakemake.wildcards.tens}{digit}") for digit in range(10)]
task, read = snakemake.params.task, snakemake.params.read
require({snakemake.input.table: read["table"]})
splits = draw_from(snakemake.input.table, seeds, names=names, **task["arguments"])
for path, note, split in zip(snakemake.output.splits, snakemake.output.notes, splits, strict=True):
    save_split(path, split)
    write_note(note, [path], task=task, read=read)
absent = [split.absent for split in splits if split.absent]
print(f"{len(splits) - len(absent)} of {len(splits)} splits drawn", *absent[:1], sep="; ", file=sys.stderr)
