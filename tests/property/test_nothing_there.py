"""With no record, or all records but one, every statistic, table and figure can still be made."""

import re
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import shipped

from rankbench.experiments.collect import Run, collect_records
from rankbench.figures import draw_or_say, save_figure
from rankbench.records.record import IDENTITY, Record
from rankbench.registry import FIGURES, PUBLISHED, STATISTICS, STUDIES, TABLES
from rankbench.statistics.runs import rivals

TITLES = {key: row.title for key, row in shipped.sheet().items()}


def covering():
    """Return experiments of two seeds in which every statistic of records, table and figure occurs once: each in the
    experiment with the fewest runs, and the statistics besides that they need."""
    of_methods = [replace(one, seeds=2) for one in shipped.experiments().values() if one.methods]
    smallest = {}  # output -> experiment
    for experiment in sorted(of_methods, key=lambda one: len(list(one.runs))):
        for kind, outputs in experiment.outputs.items():
            for output in outputs:
                if kind != "statistics" or STATISTICS[output].reads == "records":
                    smallest.setdefault((kind, output), experiment.name)
    chosen = []
    for experiment in of_methods:
        outputs = {
            kind: [one for one in of if smallest.get((kind, one)) == experiment.name]
            for kind, of in experiment.outputs.items()
        }
        needs = {need for key in outputs["figures"] for need in FIGURES[key].needs}
        needs |= {need for key in outputs["tables"] for need in TABLES[key].needs}
        if any(outputs.values()):
            outputs["statistics"] = [key for key in STATISTICS if key in {*outputs["statistics"], *needs}]
            chosen.append(replace(experiment, outputs=outputs))
    return chosen


every = pytest.mark.parametrize("experiment", covering(), ids=lambda experiment: experiment.name)


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
    records = collect_records(runs, experiment)
    frames = {key: STATISTICS[key](records, experiment) for key in experiment.outputs["statistics"]}
    for study in experiment.studies:
        frames[study] = pd.DataFrame(columns=STUDIES[study].load().columns)
    for key, frame in frames.items():
        frame.to_csv(folder / f"{key}.csv", index=False)
    read = {key: pd.read_csv(folder / f"{key}.csv") for key in frames}
    if experiment.published:
        read["published"] = pd.read_csv(PUBLISHED[experiment.published])
    return read


def check_table(texts):
    """Every format is there, and no percent sign comments out the rest of a line of TeX."""
    assert set(texts) == {"csv", "md", "tex", "html"}
    assert not re.search(r"^.*[^\\\n]%.*$", texts["tex"], re.MULTILINE)


@every
def test_results_of_nothing_say_so(experiment, tmp_path):
    frames = frames_of([], experiment, tmp_path)
    assert all((frames[key]["n_runs"] == 0).all() for key in {"summary", "sampling_seconds"} & frames.keys())
    for key in experiment.outputs["tables"]:
        check_table(TABLES[key].render(frames, rivals(experiment), TITLES))
    for key in experiment.outputs["figures"]:
        figure, text = draw_or_say(FIGURES[key], frames, experiment, TITLES)
        assert text
        save_figure(figure, tmp_path / key, title=key, description=text)
        assert (tmp_path / f"{key}.png").exists()
        plt.close(figure)


@every
def test_results_are_made_without_one_job(experiment, tmp_path):
    records = made_records(experiment)
    last = max(at for at, record in enumerate(records) if record.method in rivals(experiment).methods)
    del records[last]
    frames = frames_of(records, experiment, tmp_path)
    if "summary" in frames:
        assert frames["summary"]["n_missing"].max() == 1
    if "per_dataset" in frames:
        assert frames["per_dataset"]["n_missing"].max() == 2  # with one run of two a method is incomplete
    for key in experiment.outputs["tables"]:
        check_table(TABLES[key].render(frames, rivals(experiment), TITLES))
    for key in experiment.outputs["figures"]:
        figure, text = draw_or_say(FIGURES[key], frames, experiment, TITLES)
        assert text and (figure.axes or set(FIGURES[key].needs) & experiment.studies.keys())
        plt.close(figure)
