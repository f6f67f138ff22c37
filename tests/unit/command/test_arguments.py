"""What the command line may say, and in what words it is refused."""

import os
import sys
from shutil import copytree

import pytest
from checkout import ROOT

from rankbench.command import doors
from rankbench.command.doors import cores, parse, run


def refused(words, capsys):
    with pytest.raises(SystemExit) as ended:
        parse(words)
    said = capsys.readouterr()
    assert ended.value.code == 2 and said.err.count("\n") <= 1
    return said.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["reprodce"], "invalid choice: 'reprodce' (choose from 'reproduce', 'compare', "),
        (["reproduce", "--cors", "2"], "rankbench: unrecognized arguments: --cors"),
        (["compare"], "rankbench compare: the following arguments are required: FILE"),
        (["reproduce", "--cores", "0"], "--cores: must be a whole number > 0, got '0'"),
        (["compare", "a.csv", "--decimal", "dot"], "--decimal: invalid choice: 'dot' (choose from 'point', 'comma')"),
        (["compare", "a.csv", "--header", "x"], "--header: must be a whole number > 0, got 'x'"),
        (["diff", "a", "b", "--within", "x"], "--within: invalid float value: 'x'"),
        (["compare", "a.csv", "y", "--budget", "nan"], "--budget: invalid minutes value: 'nan'"),
        (["compare", "a.csv", "y", "y"], "rankbench: unrecognized arguments: y"),
        (["report", "a"], "rankbench: unrecognized arguments: a"),
        (["artefact", "pak"], "invalid choice: 'pak' (choose from 'pack', 'records', 'judge', "),
    ],
)
def test_a_wrong_word_is_refused_in_a_line(words, message, capsys):
    assert message in refused(words, capsys)


def test_cores_are_those_that_the_process_may_use(monkeypatch):
    """``nproc``, which make asked before, says 1 where OMP_NUM_THREADS is 1."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 1, 5}, raising=False)
    assert cores("all") == cores("") == 3 and cores("2") == 2


@pytest.mark.parametrize(
    "words",
    [["reproduce"], ["report"], ["check"], ["list"], ["why", "results/claims.csv"], ["artefact", "check"]],
)
def test_a_folder_without_a_configuration_is_refused_by_name(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(words) == 1 and not [*tmp_path.iterdir()]
    assert capsys.readouterr().err.startswith(f"rankbench {words[0]}: there is no config/config.yaml in {tmp_path}: ")


def test_the_check_looks_at_every_experiment_and_overlay(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    copytree(ROOT / "config", "config")
    assert run(["check", "smoke"]) == 0 and capsys.readouterr().out.startswith("1 experiment and ")
    assert run(["check", "smok"]) == 1 and "did you mean 'smoke'?" in capsys.readouterr().err
    overlay = tmp_path / "config/smoke.yaml"
    overlay.write_text(overlay.read_text() + "seed: 1\n")
    assert run(["check", "smoke"]) == 1 and "seed: unknown key" in capsys.readouterr().err
    overlay.unlink()
    yaml = tmp_path / "config/experiments/smoke.yaml"
    yaml.write_text(yaml.read_text().replace("n_bins", "n_bin"))
    assert run(["check"]) == 1 and "n_bin: unknown key" in capsys.readouterr().err


def test_what_snakemake_is_started_with(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    copytree(ROOT / "config", "config")
    started = []
    monkeypatch.setattr("rankbench.command.doors.stop.run", lambda command: started.append(command) or 7)
    assert run(["reproduce", "smoke,b", "c", "--cores", "3", "-n", "--retry", "timeout memory,failed"]) == 7
    python, _, module, option, snakefile, *rest = started[0]
    assert (python, module, option) == (sys.executable, "snakemake", "--snakefile")
    assert snakefile == str(ROOT / "workflow/Snakefile")
    assert rest[:2] == ["--workflow-profile", str(ROOT / "workflow/profiles/default")]
    again = "retry=[timeout,memory,failed]"
    assert rest[2:] == ["--cores", "3", "--config", "experiments=smoke,b,c", again, "--dry-run"]


def test_a_home_that_cannot_be_written_is_refused_with_the_cure(monkeypatch):
    """As in a container; Snakemake ended in forty lines of its own."""
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/sys/kernel")
    with pytest.raises(ValueError, match=r"/sys/kernel/\.cache: cannot be written: .*: set XDG_CACHE_HOME to"):
        doors.snakemake("--cores", "1")


def test_a_profile_of_a_cluster_is_refused(monkeypatch):
    """Ctrl-C would leave its jobs on the cluster, and the next run would write the same files."""
    monkeypatch.setenv("SNAKEMAKE_PROFILE", "slurm")
    with pytest.raises(ValueError, match="SNAKEMAKE_PROFILE=slurm is for snakemake itself"):
        doors.snakemake("--cores", "1")
