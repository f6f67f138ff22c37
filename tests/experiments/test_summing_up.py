"""The summary that ends a run."""

from pathlib import Path
from shutil import copytree

import pytest

from rankbench import summary
from rankbench.experiments import plan, protocol
from rankbench.experiments.collect import collect_records
from rankbench.experiments.record import Record

ROOT = Path(__file__).parents[2]


@pytest.fixture
def checkout(tmp_path):
    """A checkout with the configuration, without results."""
    for folder in ("config", "workflow/schemas", "resources/published"):
        copytree(ROOT / folder, tmp_path / folder)
    return tmp_path


def settle(checkout, name, change):
    """Write results of an experiment in which ``change(run) -> fields of its record`` (None: no record)."""
    yaml = protocol.read_yaml(checkout / f"config/experiments/{name}.yaml")
    experiment = {"seeds_per_job": 1, **protocol.NOTHING, **yaml}
    runs = [(run, change(run)) for run in plan.runs(name, experiment)]
    records = [Record(*run, 40, 40, 10, **fields) for run, fields in runs if fields is not None]
    for path in plan.result_files(name, experiment):
        (checkout / path).parent.mkdir(parents=True, exist_ok=True)
        (checkout / path).touch()
    collect_records(records, name, experiment, dict.fromkeys(experiment["methods"], "")).to_parquet(
        checkout / "results" / name / "records.parquet"
    )


def test_complete_results_are_said_to_be_complete(checkout, capsys):
    settle(checkout, "smoke", lambda run: {})
    assert summary.summarise(["smoke"], checkout)
    text = capsys.readouterr().out
    assert "18 of 18 ok" in text and "results/smoke/tables/table1.html" in text and "missing" not in text


def test_failures_are_counted_with_their_reason(checkout, capsys):
    def change(run):
        return {"status": "failed", "reason": "ValueError: no"} if run[1:4:2] == ("friedman1", "svor5") else {}

    settle(checkout, "smoke", change)
    assert not summary.summarise(["smoke"], checkout)
    text = capsys.readouterr().out
    assert "16 of 18 ok" in text
    assert "friedman1, svor5: 2 runs failed; seed 0: ValueError: no" in text


def test_a_data_set_that_never_came_is_named_with_what_to_do(checkout, capsys):
    settle(checkout, "diez_table1", lambda run: None if run[1] == "servo" else {})
    assert not summary.summarise(["diez_table1"], checkout)
    text = capsys.readouterr().out
    assert "660 of 720 ok" in text and "60 runs without data: servo" in text
    for wanted in ("servo/servo.data", "RANKBENCH_MIRROR", "https://archive.ics.uci.edu"):
        assert wanted in text


def test_nothing_ran(checkout, capsys):
    assert not summary.summarise([], checkout)
    text = capsys.readouterr().out
    assert "0 of 720 ok" in text and "missing   results/diez_table1/tables/table1.csv" in text
