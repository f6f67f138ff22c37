"""Absence is recorded as data: an absent table, its splits, runs and studies state the reason."""

from types import SimpleNamespace

import pandas as pd
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from rankbench.datasets.table import save_absence
from rankbench.experiments import study
from rankbench.experiments.collect import read_run
from rankbench.experiments.draw import draw_from
from rankbench.experiments.job import run_job
from rankbench.experiments.split import save_split
from rankbench.statistics.columns import columns

WHY = "not fetched: one: no source gave the registered data"


@pytest.fixture
def absent(tmp_path):
    """A table that is not there."""
    save_absence(tmp_path / "table.npz", WHY)
    return tmp_path / "table.npz"


def test_its_splits_and_runs_say_the_same(absent, tmp_path, task):
    first, second = draw_from(absent, [3, 4], names=("small", "one"), n_train=12, n_test=8, n_folds=3)
    assert (first.seed, first.absent, second.seed, second.absent) == (3, WHY, 4, WHY)
    asked = [[tmp_path / f"{name}{seed}.npz" for name in ("split", "scores")] for seed in (3, 4)]
    for (path, _), split in zip(asked, (first, second), strict=True):
        save_split(path, split)
    run_job(task, absent, asked)
    records = [read_run(scores, []).record for _, scores in asked]
    assert [(r.seed, r.status, r.reason, r.metrics) for r in records] == [(s, "missing", WHY, {}) for s in (3, 4)]


@pytest.fixture
def asked(monkeypatch, files, tmp_path):
    """Run a study that was made for this test on an existing and an absent data set, or on those named."""
    save_absence(tmp_path / "absent.npz", WHY)
    paths = {"there": (files / "table.npz", [files / "split0.npz"]), "absent": (tmp_path / "absent.npz", [])}

    def ask(run, *names):
        monkeypatch.setitem(study.STUDIES, "made", SimpleNamespace(load=lambda: columns("a", "b")(run)))
        return study.run_study("made", {name: paths[name] for name in names}, {}, {"n": 2})

    return ask


def counted(data, experiment, n):
    return pd.DataFrame({"a": [len(splits) for _, splits in data.values()], "b": n})


def test_a_study_takes_the_data_that_are_there(asked):
    frame, record = asked(counted, "there", "absent")
    assert frame.to_dict("list") == {"a": [1], "b": [2]} and record["status"] == "ok"
    assert record["absent"] == ["absent"] and record["seconds"] > 0


def test_a_study_has_one_thread_of_blas_however_many_it_is_given(asked):
    def threads(data, experiment, n):
        return pd.DataFrame({"a": [most_threads()], "b": n})

    def most_threads():
        return max(library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas")

    with threadpool_limits(2, user_api="blas"):
        assert most_threads() == 2 and asked(threads, "there")[0]["a"].tolist() == [1] and most_threads() == 2


def test_a_study_without_data_or_that_fails_has_columns_and_a_reason(asked, capsys):
    frame, record = asked(counted, "absent")
    assert (list(frame), len(frame), record["status"], record["reason"]) == (
        ["a", "b"],
        0,
        "missing",
        "no data: absent",
    )
    frame, record = asked(lambda data, experiment, n: 1 / 0, "there")
    assert (list(frame), len(frame), record["status"]) == (["a", "b"], 0, "failed")
    assert record["reason"] == "ZeroDivisionError: division by zero" and "Traceback" in capsys.readouterr().err
