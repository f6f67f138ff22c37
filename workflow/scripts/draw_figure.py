"""Draw one figure in every format."""

import sys
from pathlib import Path

from rankbench.experiments.frames import read_statistic
from rankbench.figures import FIGURES, draw_or_say, save_figure

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

name, context = snakemake.wildcards.figure, (snakemake.params.experiment, snakemake.params.titles)
frames = {need: read_statistic(path) for need, path in snakemake.input.items()}
figure, text = draw_or_say(FIGURES[name], frames, *context)
stem = Path(snakemake.output[0]).with_suffix("")
save_figure(figure, stem, title=name, description=text)
