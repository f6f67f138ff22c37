"""Draw one figure in every format."""

import gc
import os
import sys
from pathlib import Path

gc.disable()  # see run_job.py

from rankbench.experiments.experiment import Experiment  # noqa: E402
from rankbench.experiments.files import seal  # noqa: E402
from rankbench.experiments.frames import read_statistic  # noqa: E402
from rankbench.figures import FIGURES, draw_or_say, save_figure  # noqa: E402

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

name, context = snakemake.wildcards.figure, (Experiment.of(snakemake.params.experiment), snakemake.params.titles)
frames = {need: read_statistic(path) for need, path in snakemake.input.items()}
figure, text = draw_or_say(FIGURES[name], frames, *context)
stem = Path(snakemake.output[0]).with_suffix("")
save_figure(figure, stem, title=name, description=text)
seal(snakemake.output[0])  # the svg, which the report reads

sys.stderr.flush()
os._exit(0)
