"""The figures of the pages, drawn from the kept results of the last full run, and those of the contest."""

import io
from functools import cache
from pathlib import Path

import contest_figures
import pandas as pd

from rankbench.datasets.sheet import load_sheet
from rankbench.experiments.protocol import load_asked
from rankbench.figures import draw_or_say
from rankbench.figures.style import style
from rankbench.records.frames import read_frame
from rankbench.registry import FIGURES, PUBLISHED, STATISTICS
from rankbench.report.artefact import KEPT

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs/pictures"


@cache
def drawn(name):
    """Return the figure of this experiment in `PICTURES` and its description."""
    if callable(PICTURES[name]):
        return PICTURES[name]()
    sheet = load_sheet(ROOT / "config/datasets.tsv")
    experiment = load_asked((name,), ROOT)[0][name].with_rows(sheet)
    titles = {dataset: sheet[dataset].title for dataset in experiment.datasets}
    figure = FIGURES[PICTURES[name]]
    frames = {need: kept_statistic(name, need, experiment) for need in figure.needs}
    if experiment.published:
        frames["published"] = pd.read_csv(PUBLISHED[experiment.published])
    return draw_or_say(figure, frames, experiment, titles)


def kept_statistic(owner, name, experiment):
    """Return a kept statistic, or compute it from the kept records."""
    folder = ROOT / KEPT / "frames" / owner
    for file in (folder / f"statistics/{name}.csv", folder / f"statistics/{name}.csv.gz"):
        if file.exists():
            return pd.read_csv(file).assign(shortfall="")  # all cells of it are complete
    records, _ = read_frame(folder / "records.parquet")  # the kept columns do not include why a run failed
    return STATISTICS[name](records.assign(reason=""), experiment)


PICTURES = {  # experiment whose records or statistics are kept -> figure, or what draws it
    "contest_fresh_200": contest_figures.duels,
    "contest_fresh_200_trade": contest_figures.trade,
    "contest_fresh_curves": contest_figures.curves,
    "diez_table1": "dot_plot",
    "herbrich_fig2_2": "learning_curves",
    "shashua_levin_fig2": "shashua_levin_users",
    "shashua_levin_vehicle": "shashua_levin_vehicle",
    "svmcompare_fig3": "level_curves",
    "svmcompare_fig4": "comparison_curves",
    "svmcompare_fig5": "comparison_curves",
    "svmcompare_fig6": "chess_auc",
    "ranksvr_table2": "error_ratios",
    "ranksvr_fig4": "pair_curves",
    "ranksvr_fig5": "pair_curves",
}


def file(name):
    return FOLDER / f"{name}.svg"


def made():
    """Return path -> SVG of every picture, the same bytes each time."""
    return {file(name): svg(name) for name in PICTURES}


def svg(name):
    figure, text = drawn(name)
    out = io.BytesIO()
    with style():
        figure.savefig(out, format="svg", metadata={"Date": None, "Title": name, "Description": text})
    return out.getvalue()
