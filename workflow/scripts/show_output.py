"""Write one table, or draw one figure, in every format."""

import sys
from pathlib import Path

from rankbench.experiments.experiment import Experiment
from rankbench.figures import draw_or_say, save_figure
from rankbench.records.files import require, write_note, write_text
from rankbench.records.frames import read_statistic
from rankbench.registry import FIGURES, TABLES
from rankbench.statistics.runs import rivals

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

task, read, paths = snakemake.params.task, snakemake.params.read, dict(snakemake.input.items())
require({path: read[name] for name, path in paths.items()})
frames = {name: read_statistic(path) for name, path in paths.items()}
experiment, (note, *files) = rivals(Experiment.of(task["experiment"])), map(Path, snakemake.output)
if "table" in dict(snakemake.wildcards):
    texts = TABLES[note.stem].render(frames, experiment, task["titles"])
    for path in files:
        write_text(path, texts[path.suffix.removeprefix(".")])
else:
    figure, text = draw_or_say(FIGURES[note.stem], frames, experiment, task["titles"])
    save_figure(figure, note.with_suffix(""), title=note.stem, description=text)
write_note(note, files, task=task, read=read)
