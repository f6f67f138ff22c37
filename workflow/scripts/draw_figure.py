"""Draw one figure in every format."""

import sys
from pathlib import Path

from rankbench.experiments.experiment import Experiment
from rankbench.figures import draw_or_say, save_figure
from rankbench.records.files import require, write_note
from rankbench.records.frames import read_statistic
from rankbench.registry import FIGURES

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

task, read, paths = snakemake.params.task, snakemake.params.read, dict(snakemake.input.items())
require({path: read[name] for name, path in paths.items()})
name, frames = snakemake.wildcards.figure, {need: read_statistic(path) for need, path in paths.items()}
figure, text = draw_or_say(FIGURES[name], frames, Experiment.of(task["experiment"]), task["titles"])
note, *files = snakemake.output
save_figure(figure, Path(note).with_suffix(""), title=name, description=text)
write_note(note, files, task=task, read=read)
