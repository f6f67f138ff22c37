"""What the first look accepts is never refused later: each odd file is run to its answer, or refused at once.

10 files by default; ``ODD_FILES=300`` runs 300.
"""

import os
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from odd_files import write_odd_file

from rankbench.command.doors import run as door
from rankbench.compare.answers import answers
from rankbench.compare.own import load_datasets
from rankbench.compare.snippet import snippet_of
from rankbench.datasets.table import load_table
from rankbench.experiments.collect import Run, collect_records
from rankbench.experiments.draw import draw_from
from rankbench.experiments.job import Data, run_seed
from rankbench.experiments.measures import measured
from rankbench.experiments.preprocess import encode
from rankbench.experiments.protocol import load_asked
from rankbench.experiments.record import Record
from rankbench.statistics.best import best
from rankmargin import metrics

BLOCK = 10  # files of one test
BLOCKS = int(os.environ.get("ODD_FILES", "10")) // BLOCK
CHEAP = (
    "ridge",
    "all_pairs_linear",
    "logistic",
    "svor_linear",
    "cumulative_link",
    "compare_linear",
    "rank_linear",
    "bradley_terry",
)


def run(experiment, table, path, method, seed):
    """Return the record of one run, made as a job makes it, but with at most two values of each parameter."""
    (name,), condition = experiment.datasets, list(experiment.conditions)[-1]
    arguments = experiment.split_arguments(name, condition)
    (split,) = draw_from(path, [seed], names=(name, name), **arguments)
    assert not split.absent
    task = experiment.task(name, condition, method)
    task = replace(task, grid={key: values[:2] for key, values in task.grid.items()})
    record = Record(name, name, condition, method, seed, len(split.train), len(split.test), len(table.attributes))
    record.source_digest = experiment.digests[method]
    X = encode(table.X, table.column_levels, task.preprocess["nominal"])
    arrays = run_seed(record, task, Data(table, X, split))
    assert record.status == "ok", f"{method}: {record.reason}"
    record.metrics = {metric: measured(getattr(metrics, metric), arrays) for metric in experiment.metrics}
    assert np.isfinite(list(record.metrics.values())).all()
    return record


def answered(folder, name, methods=CHEAP):
    """Run some methods on two hold-outs; return the experiment, the statistic and the answer in words."""
    path = folder / f"resources/tables/{name}.npz"
    table, experiment = load_table(path), load_asked(root=folder)[0][name]
    here = {key: method for key, method in experiment.methods.items() if key in methods}
    experiment = replace(experiment, methods=here, seeds=2, reference_method=next(iter(here)))
    records = [run(experiment, table, path, method, seed) for method in here for seed in range(2)]
    made_by = {"commit": "", "machine": "", "versions": {}}
    runs = {(name, name, one.condition, one.method, one.seed): Run(one, {}, made_by) for one in records}
    cells = best(collect_records(runs, {}, experiment), experiment)
    return experiment, cells, answers(cells, experiment)[name]


@pytest.mark.parametrize("block", range(BLOCKS))
def test_an_odd_file_is_answered_or_refused_at_once(block, tmp_path, capsys):
    accepted = 0
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        path, target, more = write_odd_file(tmp_path, seed)
        folder = tmp_path / f"f{seed}"
        code = door(["compare", str(path), target, *more, "--folder", str(folder), "--prepare", "--budget", "60"])
        said = capsys.readouterr()
        if code == 2:
            assert said.err.startswith("rankbench compare: ") and said.err.count("\n") == 1, said.err
            assert not folder.exists()
            continue
        accepted += 1
        assert all(line.isprintable() for line in said.out.splitlines())
        ((name, own),) = load_datasets(folder).items()
        experiment, _, texts = answered(folder, name)
        assert any("best" in text or "first" in text for text in texts), texts
        data = pd.read_parquet(folder / own.data)
        assert len(data) == own.rows and own.target == data.columns[-1]
        for method, entry in experiment.methods.items():
            chosen = {key: values[0] for key, values in entry.grid.items()}
            compile(snippet_of(own, entry, chosen, 20), method, "exec")
    assert accepted >= BLOCK // 3
