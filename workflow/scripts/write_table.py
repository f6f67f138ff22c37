"""Write one table in every format."""

import gc
import os
import sys
from pathlib import Path

gc.disable()  # see run_job.py

from rankbench.experiments.experiment import Experiment  # noqa: E402
from rankbench.experiments.files import digests, write_note, write_text  # noqa: E402
from rankbench.experiments.frames import read_statistic  # noqa: E402
from rankbench.registry import TABLES  # noqa: E402
from rankbench.statistics.runs import rivals  # noqa: E402

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

task, paths = snakemake.params.task, {name: path for name, path in snakemake.input.items() if name != "again"}
frames = {name: read_statistic(path) for name, path in paths.items()}
table, experiment = TABLES[snakemake.wildcards.table], rivals(Experiment.of(task["experiment"]))
texts = table.render(frames, experiment, task["titles"])
note, *files = map(Path, snakemake.output)
for path in files:
    write_text(path, texts[path.suffix.removeprefix(".")])
write_note(note, files, task=task, read=digests(paths.values()))

sys.stderr.flush()
os._exit(0)
