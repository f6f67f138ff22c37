"""Write one table in every format."""

import sys
from pathlib import Path

from rankbench.experiments.experiment import Experiment
from rankbench.records.files import require, write_note, write_text
from rankbench.records.frames import read_statistic
from rankbench.registry import TABLES
from rankbench.statistics.runs import rivals

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

task, read, paths = snakemake.params.task, snakemake.params.read, dict(snakemake.input.items())
require({path: read[name] for name, path in paths.items()})
frames = {name: read_statistic(path) for name, path in paths.items()}
table, experiment = TABLES[snakemake.wildcards.table], rivals(Experiment.of(task["experiment"]))
texts = table.render(frames, experiment, task["titles"])
note, *files = map(Path, snakemake.output)
for path in files:
    write_text(path, texts[path.suffix.removeprefix(".")])
write_note(note, files, task=task, read=read)
