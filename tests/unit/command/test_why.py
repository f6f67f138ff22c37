"""Where ``rankbench why`` says a file comes from."""

from shutil import copytree

import pytest
import yaml
from checkout import ROOT

from rankbench.command.doors import run
from rankbench.experiments.experiment import digest_of_task
from rankbench.experiments.files import write_note, write_values
from rankbench.experiments.protocol import load_asked, read_config

SUMMARY = "results/smoke/statistics/summary.csv"
FEW = {"smoke.yaml", "contest_fresh_200.yaml", "contest_fresh_groups_200.yaml"}  # all of them take a second to read


@pytest.fixture
def folder(tmp_path, monkeypatch):
    def others(_, names):
        return [name for name in names if name.endswith(".yaml") and name not in {*FEW, "config.yaml"}]

    copytree(ROOT / "config", tmp_path / "config", ignore=others)
    config = {**read_config(ROOT), "experiments": ["smoke"]}
    (tmp_path / "config/config.yaml").write_text(yaml.safe_dump(config))
    monkeypatch.chdir(tmp_path)
    (tmp_path / SUMMARY).parent.mkdir(parents=True)
    return tmp_path


def test_it_names_rule_sources_and_the_command_that_makes_a_file_again(folder, capsys):
    (folder / SUMMARY).write_text("a\n1\n")
    read = {f"results/smoke/part{number}": f"{number:x}" * 64 for number in range(10)}
    write_note((folder / SUMMARY).with_suffix(".json"), [folder / SUMMARY], task={"old": 1}, read=read)
    assert run(["why", SUMMARY]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[:2] == [
        SUMMARY,
        f"rule      compute_statistic (experiment smoke, name summary) in {ROOT / 'workflow/rules/results.smk'}",
    ]
    assert said[2].startswith("made      at commit ") and "numpy" in said[2]
    assert said[3] == "from      results/smoke/part0 (sha256 000000000000)"
    assert said[11].strip() == "and 2 more files: summary.json names them"
    assert said[12].startswith("now       the next run makes it again: ")
    assert said[13].endswith(f"--config 'experiments=[smoke]' --force {SUMMARY}") and "--snakefile" in said[13]


def test_a_file_that_is_not_there_or_has_a_damaged_note(folder, capsys):
    assert run(["why", SUMMARY]) == 0
    said = capsys.readouterr().out
    assert f"{SUMMARY}: is not there\n" in said and "there is no summary.json" in said
    assert not [line for line in said.splitlines() if line.startswith("now")]
    (folder / "results/smoke/statistics/summary.json").write_text("{")
    assert run(["why", SUMMARY]) == 0 and "summary.json: damaged (" in capsys.readouterr().out


def test_a_table_of_an_experiment_that_is_not_in_the_list_is_looked_at(folder, capsys):
    table = folder / "resources/tables/r_ames.npz"
    table.parent.mkdir(parents=True)
    table.write_bytes(b"")
    write_note(table.with_suffix(".json"), [table], task={"old": 1}, read={})
    assert run(["why", "resources/tables/r_ames.npz"]) == 0
    assert "now       the next run makes it again: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("file", "missing"),
    [
        ("results/smok/records.parquet", "there is no experiment 'smok'"),
        ("results/smoke/tables/summry.csv", "config/experiments/smoke.yaml asks for no such file"),
        ("results/smoke/jobs/pyrimidines/all/swapped_pairs/99.npz", "smoke.yaml asks for no such file"),
        ("resources/tables/pyrimidins.npz", "there is no data set 'pyrimidins'"),
        ("resources/raw/pyrimidins/data.csv", "there is no data set 'pyrimidins'"),
    ],
)
def test_a_file_that_the_configuration_does_not_ask_for_is_refused(folder, file, missing, capsys):
    assert run(["why", file]) == 1
    assert missing in capsys.readouterr().err


def test_every_kind_of_file_that_an_experiment_asks_for_is_accepted(folder, capsys):
    (experiment,) = load_asked(["smoke"], folder)[0].values()
    dataset, condition, _ = next(iter(experiment.cells))
    split = experiment.split_files(dataset, condition, [0])
    files = [*split, experiment.run_files("npz")[0], *experiment.result_files, "results/smoke/test_scores.parquet"]
    for file in [*files, f"resources/tables/{dataset}.npz", "results/claims.csv", "results/report.html"]:
        assert run(["why", file]) == 0 and "is not there" in capsys.readouterr().out


@pytest.mark.parametrize("file", ["config/config.yaml", "results/smoke/other.txt", "/etc/passwd"])
def test_a_file_that_no_rule_makes_is_refused(folder, file, capsys):
    assert run(["why", file]) == 1
    assert f"rankbench why: {file}: " in capsys.readouterr().err


def test_a_table_of_rankbench_compare_is_made_by_it(folder, capsys):
    (folder / "config/datasets.tsv").unlink()
    (folder / "config/tables").mkdir()
    write_values(folder / "config/tables/wines.json", {"title": "Wines", "kind": "rows"})
    assert run(["why", "resources/tables/wines.npz"]) == 0
    said = capsys.readouterr().out
    assert "rankbench compare wrote this table" in said and "snakemake" not in said
    assert run(["why", "results/wines/jobs/wines/n200/search/0.json"]) == 1  # this folder has no such experiment
    assert "rule      run_job" in capsys.readouterr().out


def test_the_command_of_a_preparation_names_an_experiment_that_has_it(folder, capsys):
    (experiment,) = load_asked(["contest_fresh_groups_200"], folder)[0].values()
    digest = digest_of_task(experiment.warm_up("self_tuning"))
    assert run(["why", f"resources/warm_up/{digest}.txt"]) == 0
    named = capsys.readouterr().out.rpartition("experiments=[")[2].partition("]")[0]
    (asked,) = load_asked([named], folder)[0].values()
    assert digest in {digest_of_task(asked.warm_up(method)) for method in asked.methods}
