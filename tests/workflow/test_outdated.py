"""Only what depends on a change runs again; what Snakemake cannot know, such as a file that was exchanged, is named and
refused, and one command removes it."""

import os
from shutil import copytree, rmtree

import pytest
from checkout import job_counts

from rankbench.command.doors import run
from rankbench.records.diff import compare

pytestmark = pytest.mark.workflow
CONFIG = ["--config", "experiments=[smoke]"]
YAML = "config/experiments/smoke.yaml"
RESULTS = {"compute_statistic": 4, "draw_figure": 2, "write_table": 1, "write_report": 1, "all": 1}


def added(line):
    return lambda text: text + line


CHANGES = {  # file -> edit, further words of the command, and the jobs that a dry run then plans
    "a method": (
        {"src/rankmargin/estimators/svor.py": added("EDITED = 1\n")},
        [],
        {"look": 1, "warm_up": 1, "run_job": 6, "collect_records": 1, **RESULTS},
    ),
    "one seed more, and longer limits": (
        {YAML: lambda text: text.replace("seeds: 2", "seeds: 3").replace("seconds: ", "seconds: 1")},
        [],
        {"look": 1, "run_job": 9, "collect_records": 1, **RESULTS},
    ),
    "a comment, and runs in other jobs": (
        {"workflow/scripts/run_job.py": added("# Newer than all results\n")},
        ["seeds_per_job=2"],
        {},
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_runs_again_after_an_edit_of(after_smoke, change):
    edits, words, jobs = CHANGES[change]
    for name, edit in edits.items():
        file = after_smoke.path / name
        before = file.read_text()
        file.write_text(edit(before))
        assert file.read_text() != before
    code, told = after_smoke.snakemake("-n", *CONFIG, *words)
    assert code == 0 and ("outdated: " in told) == bool(jobs), told
    counts = {} if "Nothing to be done" in told else job_counts(told)
    assert {rule: count for rule, count in counts.items() if rule != "total"} == jobs
    if not jobs:
        rmtree(after_smoke.path / ".snakemake")
        code, told = after_smoke.snakemake("-n", *CONFIG, *words)
        assert code == 0 and "Nothing to be done" in told, "nor without Snakemake's memory"


def put(file, content):
    """Write bytes in place of others, with their times: Snakemake sees no change."""
    times = file.stat().st_atime_ns, file.stat().st_mtime_ns
    file.write_bytes(content)
    os.utime(file, ns=times)


def exchange(one, other):
    """Exchange two files."""
    first, second = one.read_bytes(), other.read_bytes()
    put(one, second)
    put(other, first)


def test_what_snakemake_cannot_know_is_refused_until_it_is_tidied(after_smoke, tmp_path, monkeypatch, capsys):
    """Without `.snakemake`: another protocol, files of every kind that are cut, edited, or in the place of others."""
    reference = copytree(after_smoke.path / "results", tmp_path / "reference")
    results, jobs = after_smoke.path / "results/smoke", after_smoke.path / "results/smoke/jobs/friedman1/default"
    rmtree(after_smoke.path / ".snakemake")
    yaml = after_smoke.path / YAML
    asked = yaml.read_bytes()
    put(yaml, asked.replace(b"folds: 3", b"folds: 2"))
    code, told = after_smoke.snakemake(*CONFIG)
    assert code == 1 and ": made for a different task: arguments" in told and "removes it" in told, told
    put(yaml, asked)
    for name, other in (("svor5/0", "herbrich5/0"), ("svm_multi_sp/0", "svm_multi_sp/1")):
        for ending in (".npz", ".json"):
            exchange(jobs / f"{name}{ending}", jobs / f"{other}{ending}")
    hurt = [
        results / "statistics/overall.csv",
        results / "tables/table1.html",
        results / "figures/dot_plot.svg",
        results / "jobs/herbrich_utility/default/svor5/0.npz",
        results / "jobs/herbrich_utility/default/svor5/1.json",
        after_smoke.path / "resources/tables/herbrich_utility.npz",
        after_smoke.path / "resources/splits/smoke/friedman1/default/0.npz",
    ]
    for file in hurt:
        put(file, file.read_bytes()[:-20])
    code, told = after_smoke.snakemake(*CONFIG)
    assert code == 1 and "`rankbench tidy smoke` removes it, and the same command makes it again" in told, told
    refused = [line for line in told.splitlines() if line.startswith("  refused")]
    assert len(refused) == 10 and all("damaged (" in line for line in refused), told
    monkeypatch.chdir(after_smoke.path)
    assert run(["tidy", "smoke"]) == 0 and capsys.readouterr().out.count("removed   ") >= len(hurt)
    assert run(["tidy", "smoke"]) == 0 and capsys.readouterr().out == "nothing to remove\n"
    code, told = after_smoke.snakemake(*CONFIG)
    assert code == 0 and "Everything that could run has run." in told, told
    assert compare(reference / "smoke", results)
    for path in (*reference.glob("smoke/statistics/*.csv"), *reference.glob("smoke/tables/table1.*[!n]")):
        assert (results.parent / path.relative_to(reference)).read_bytes() == path.read_bytes()
