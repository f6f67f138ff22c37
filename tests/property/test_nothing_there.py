"""With no record, or all records but one, every statistic, table and figure can still be made."""

from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from rankbench.datasets.sheet import load_sheet
from rankbench.experiments.collect import Run, collect_records
from rankbench.experiments.protocol import files_of, load_experiments
from rankbench.experiments.record import IDENTITY, Record
from rankbench.figures import draw_or_say, save_figure
from rankbench.registry import FIGURES, PUBLISHED, STATISTICS, STUDIES, TABLES
from rankbench.statistics.runs import rivals

ROOT = Path(__file__).parents[2]
SHEET = load_sheet(ROOT / "config/datasets.tsv")
NAMES = [*files_of(ROOT)]
CONFIG = {"experiments": NAMES, "data": {"mirrors": []}}
EXPERIMENTS = load_experiments(CONFIG, SHEET, ROOT)
SAVED = set()  # figures of nothing that were written once: their files differ in names only


def covering():
    """Return experiments in which every statistic, table and figure occurs: for each the one with the fewest runs."""
    asked = {name: set().union(*one.outputs.values()) for name, one in EXPERIMENTS.items() if one.methods}
    by_size = sorted(asked, key=lambda name: len(list(replace(EXPERIMENTS[name], seeds=2).runs)))
    return sorted({next(name for name in by_size if output in asked[name]) for output in set().union(*asked.values())})


def made_records(experiment):
    """Return a record of every run: metrics of the place of the method and some noise, sizes that fit every table."""
    rng, digests, methods = np.random.default_rng(0), experiment.digests, list(experiment.methods)
    return [
        Record(
            *identity,
            n_train=12,
            n_test=12,
            n_attributes=2,
            metrics={key: 0.3 + 0.01 * methods.index(identity[3]) + 0.1 * rng.random() for key in experiment.metrics},
            source_digest=digests[identity[3]],
            n_pool=50,
            sample_seconds=0.5,
        )
        for identity in experiment.runs
    ]


def frames_of(records, experiment, folder):
    """Return all statistics of an experiment, nothing of its studies, read back from csv as by figures and tables."""
    made_by = {"commit": "", "machine": "", "versions": {}}
    runs = {tuple(getattr(one, key) for key in IDENTITY): Run(one, {}, made_by) for one in records}
    records = collect_records(runs, {}, experiment)
    frames = {key: STATISTICS[key](records, experiment) for key in experiment.outputs["statistics"]}
    for study in experiment.studies:
        frames[study] = pd.DataFrame(columns=STUDIES[study].load().columns)
    for key, frame in frames.items():
        frame.to_csv(folder / f"{key}.csv", index=False)
    read = {key: pd.read_csv(folder / f"{key}.csv") for key in frames}
    if experiment.published:
        read["published"] = pd.read_csv(PUBLISHED[experiment.published])
    return read


@pytest.mark.fault("results: not one run")
@pytest.mark.parametrize("name", covering())
def test_results_of_nothing_say_so(name, tmp_path):
    experiment, titles = replace(EXPERIMENTS[name], seeds=2), {key: row.title for key, row in SHEET.items()}
    frames = frames_of([], experiment, tmp_path)
    assert all((frames[key]["n_runs"] == 0).all() for key in {"summary", "sampling_seconds"} & frames.keys())
    for key in experiment.outputs["tables"]:
        assert set(TABLES[key].render(frames, rivals(experiment), titles)) == {"csv", "md", "tex", "html"}
    for key in experiment.outputs["figures"]:
        figure, text = draw_or_say(FIGURES[key], frames, experiment, titles)
        assert text
        if key not in SAVED:
            SAVED.add(key)
            save_figure(figure, tmp_path / key, title=key, description=text)
            assert (tmp_path / f"{key}.png").exists()
        plt.close(figure)


@pytest.mark.fault("results: one job without a record")
@pytest.mark.parametrize("name", covering())
def test_results_are_made_without_one_job(name, tmp_path):
    experiment, titles = replace(EXPERIMENTS[name], seeds=2), {k: r.title for k, r in SHEET.items()}
    records = made_records(experiment)
    last = max(at for at, record in enumerate(records) if record.method in rivals(experiment).methods)
    del records[last]
    frames = frames_of(records, experiment, tmp_path)
    if "summary" in frames:
        assert frames["summary"]["n_missing"].max() == 1
    if "per_dataset" in frames:
        assert frames["per_dataset"]["n_missing"].max() == 2  # with one run of two a method is incomplete
    for key in experiment.outputs["tables"]:
        assert set(TABLES[key].render(frames, rivals(experiment), titles)) == {"csv", "md", "tex", "html"}
    for key in experiment.outputs["figures"]:
        figure, text = draw_or_say(FIGURES[key], frames, experiment, titles)
        assert text and (figure.axes or set(FIGURES[key].needs) & experiment.studies.keys())
        plt.close(figure)
