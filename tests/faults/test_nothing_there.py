"""Not one data set could be had: every statistic, table and figure of every experiment is made and says so."""

from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest

from rankbench.datasets.sheet import load_sheet
from rankbench.experiments import plan
from rankbench.experiments.collect import collect_records
from rankbench.experiments.protocol import load_experiments
from rankbench.figures import FIGURES, draw_or_say, save_figure
from rankbench.statistics import STATISTICS
from rankbench.tables import TABLES

ROOT = Path(__file__).parents[2]
SHEET = load_sheet(ROOT / "config/datasets.tsv")
NAMES = sorted(file.stem for file in (ROOT / "config/experiments").glob("*.yaml"))
CONFIG = {"experiments": NAMES, "data": {"mirrors": []}, "seeds_per_job": 20}
EXPERIMENTS = load_experiments(CONFIG, SHEET, ROOT)
WITH_RECORDS = [name for name in NAMES if EXPERIMENTS[name]["methods"]]


def frames_of_nothing(name, experiment, folder):
    """Return all statistics of an experiment whose runs left no record, read back from csv as by figures and tables."""
    records = collect_records([], name, experiment, plan.digests(name, experiment))
    assert set(records["status"]) == {"missing"}
    frames = {key: STATISTICS[key](records, experiment) for key in experiment["outputs"]["statistics"]}
    for study in experiment["studies"]:
        frames[study] = pd.DataFrame(columns=import_module(f"rankbench.studies.{study}").COLUMNS)
    for key, frame in frames.items():
        frame.to_csv(folder / f"{key}.csv", index=False)
    read = {key: pd.read_csv(folder / f"{key}.csv") for key in frames}
    if "published" in experiment:
        read["published"] = pd.read_csv(ROOT / "resources/published" / experiment["published"])
    return read


@pytest.mark.fault("results: not one run")
@pytest.mark.parametrize("name", WITH_RECORDS)
def test_results_of_nothing_say_so(name, tmp_path):
    experiment, titles = EXPERIMENTS[name], {key: row.title for key, row in SHEET.items()}
    frames = frames_of_nothing(name, experiment, tmp_path)
    for key in experiment["outputs"]["tables"]:
        assert set(TABLES[key].render(frames, experiment, titles)) == {"csv", "md", "tex", "html"}
    for key in experiment["outputs"]["figures"]:
        figure, text = draw_or_say(FIGURES[key], frames, experiment, titles)
        save_figure(figure, tmp_path / key, title=key, description=text)
        assert text and (tmp_path / f"{key}.png").exists()
