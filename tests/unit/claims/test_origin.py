"""What made the results of a run, and what keeps it from being one whole run."""

import json
from types import SimpleNamespace

import pandas as pd
import pytest

from rankbench.datasets.own import load_datasets
from rankbench.experiments.experiment import Experiment
from rankbench.records import files
from rankbench.records.files import note_of, write_note, write_text
from rankbench.records.frames import write_frame
from rankbench.report.origin import gaps, origin, outdated, several

SMALL = {
    "name": "small",
    "datasets": {"friedman1": {"n_train": 12, "n_test": 8}},
    "conditions": {"default": {}},
    "seeds": 2,
    "tuning": {"folds": 3, "metric": "swapped_pairs"},
    "methods": {"good": {"uses": "SVOR", "grid": {"C": [1]}}},
    "metrics": ["swapped_pairs"],
    "studies": {"pair_loss": {}},
    "outputs": {"statistics": [], "tables": [], "figures": []},
}


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Function (records or study, made_by, ...) that writes results of `SMALL` with their notes."""

    def write(path, made_by, status="ok", records=None, task=None):
        monkeypatch.setattr(files, "made_by", lambda packages: made_by)
        file = tmp_path / "results/small" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if records is None:
            write_text(file, "a\n1\n")
        else:
            write_frame(file, records)
        write_note(note_of(file), [file], task=task or {}, status=status)

    return write


def made_by(commit, **versions):
    return {"commit": commit, "machine": f"where {commit} was", "versions": versions}


def records(*rows):
    """Return records of (status, what made them)."""
    frame = pd.DataFrame({"status": [status for status, _ in rows], "method": "svr", "source_digest": "5eed"})
    told = [{**made, "versions": json.dumps(made["versions"])} for _, made in rows]
    return frame.assign(**pd.DataFrame(told))


def test_each_record_and_study_says_what_made_it(tmp_path, write):
    one, other, none = made_by("a1", numpy="1"), made_by("b2", numpy="2", mord="0.7"), made_by("")
    runs = records(("ok", one), ("failed", other), ("missing", {**none, "machine": ""}))
    write("records.parquet", made_by("c3"), records=runs)
    write("statistics/pair_loss.csv", made_by("c3", numpy="2"), task={"arguments": {}, "source": "5a1e"})
    write("statistics/overall.csv", made_by("c3", numpy="2"), task={"source": "beef"})
    assert origin("small", tmp_path) == {
        "runs": 3,
        "ok": 1,
        "commits": ["a1", "b2", "c3"],
        "machines": ["where a1 was", "where b2 was", "where c3 was"],
        "versions": {"mord": ["0.7"], "numpy": ["1", "2"]},
        "sources": {"svr": ["5eed"]},
        "studies": {"pair_loss": "5a1e"},
    }
    nothing = {"runs": 0, "ok": 0, "commits": [], "machines": [], "versions": {}, "sources": {}, "studies": {}}
    assert origin("nothing", tmp_path) == nothing


@pytest.mark.parametrize(
    ("sources", "study", "named"),
    [
        ({"svr": ["now"], "ours": ["now"]}, "now", []),
        ({"svr": ["now"], "ours": ["before"]}, "now", ["ours"]),
        ({"svr": ["before", "now"], "ours": ["now"]}, "now", ["svr"]),
        ({"svr": ["now"]}, "now", ["ours"]),
        ({"svr": ["now"], "ours": ["now"]}, "before", ["pair_loss"]),
        (None, None, ["svr", "ours", "pair_loss"]),
    ],
    ids=["all are", "one is not", "a part is not", "one has no runs", "a study is not", "kept before sources were"],
)
def test_methods_and_studies_are_named_that_other_sources_have_made(sources, study, named):
    experiment = SimpleNamespace(
        digests={"svr": "now", "ours": "now"}, studies={"pair_loss": {}}, study_digest={"pair_loss": "now"}.get
    )
    one = {} if sources is None else {"sources": sources, "studies": {"pair_loss": study}}
    assert outdated({"small": experiment}, {"small": one}) == ({"small": named} if named else {})


@pytest.mark.parametrize(
    ("commits", "told"),
    [
        ([["a1"], ["a1"]], ""),
        ([["a1"], ["a1"], ["b2"]], "b2 made three; a1 made the other 2 experiments"),
        ([["a1", "b2"], ["a1"], ["a1"]], "a1 and b2 made one; a1 made the other 2 experiments"),
        ([["a1-dirty"], ["a1-dirty"]], "a1-dirty made all experiments"),
        ([["a1"], ["a1"], []], "an unknown commit made three; a1 made the other 2 experiments"),
        ([["a1", "b2"]], "a1 and b2 made all experiments"),
        ([], ""),
    ],
)
def test_several_commits_are_told_from_one(commits, told):
    origins = {name: {"commits": of} for name, of in zip(("one", "two", "three"), commits)}
    assert several(origins) == told


def test_what_a_run_lacks_is_named_by_experiment(tmp_path, write):
    small, sheet = Experiment.of(SMALL), load_datasets()
    ask = lambda: gaps({"small": small}, sheet, tmp_path)  # noqa: E731
    assert ask() == {
        "small": "2 results not there, such as results/small/statistics/pair_loss.csv",
    }
    write("records.parquet", made_by("a1"), records=records(("ok", made_by("a1")), ("missing", made_by(""))))
    assert ask()["small"].startswith("1 result not there") and "and 2 more" in ask()["small"]
    write("statistics/pair_loss.csv", made_by("a1"), status="failed")
    assert ask()["small"].startswith("1 of 2 runs missing, and ")
    write("records.parquet", made_by("a1"), records=records(("ok", made_by("a1"))))
    assert ask()["small"].startswith("the study pair_loss is failed, and ")
    write("statistics/pair_loss.csv", made_by("a1"))
    assert "made for a different task: " in ask()["small"]
    note_of(tmp_path / "results/small/statistics/pair_loss.csv").unlink()
    assert ask()["small"].startswith("1 result not there")
