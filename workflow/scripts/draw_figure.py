"""Draw one figure in every format."""

import gc
import os
import sys
from pathlib import Path

gc.disable()  # see run_job.py

from rankbench.experiments.experiment import Experiment  # noqa: E402
from rankbench.experiments.files import digests, write_note  # noqa: E402
from rankbench.experiments.frames import read_statistic  # noqa: E402
from rankbench.figures import draw_or_say, save_figure  # noqa: E402
from rankbench.registry import FIGURES  # noqa: E402

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

task, paths = snakemake.params.task, {name: path for name, path in snakemake.input.items() if name != "again"}
name, frames = snakemake.wildcards.figure, {need: read_statistic(path) for need, path in paths.items()}
figure, text = draw_or_say(FIGURES[name], frames, Experiment.of(task["experiment"]), task["titles"])
note, *files = snakemake.output
save_figure(figure, Path(note).with_suffix(""), title=name, description=text)
write_note(note, files, task=task, read=digests(paths.values()))

sys.stderr.flush()
os._exit(0)
