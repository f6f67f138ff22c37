"""What is expected of jobs, and which of them start first."""

from collections import Counter

import pytest
from made_run import Plan

from rankbench.timing.expected import UNKNOWN, Expected
from rankbench.timing.keep import KIND, keep, read_kept, read_timeline, seconds_by_kind, write_kept
from rankbench.timing.schedule import ALL

RUN = ("run_job", "smoke", "svor5", "friedman1", "default")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "seconds.csv.gz"


def cell(method, dataset):
    return {"experiment": "smoke", "dataset": dataset, "condition": "default", "method": method, "seed": "1"}


def test_a_kind_that_is_not_kept_takes_as_long_as_the_nearest_that_is(file):
    """By hand: the cell itself, the method on other data sets, the experiment, the rule, and nothing."""
    others = [("run_job", "smoke", "svor5", "servo", "default"), ("run_job", "smoke", "herbrich5", "servo", "default")]
    write_kept({RUN: 2.0, others[0]: 4.0, others[1]: 9.0, ("run_job", "toys", "x", "y", "z"): 25.0}, file)
    plan = Plan(["smoke"], file)
    seconds = plan.expected.seconds
    assert seconds("run_job", cell("svor5", "friedman1")) == 2
    assert seconds("run_job", cell("svor5", "herbrich_utility")) == 3
    assert seconds("run_job", cell("svm_multi_sp", "friedman1")) == 5
    assert seconds("run_job", {**cell("a", "b"), "experiment": "new"}) == 10
    assert seconds("run_study", {"experiment": "smoke", "study": "pair_loss"}) == UNKNOWN


def test_a_block_takes_as_long_as_its_runs(file):
    write_kept({("run_job", "toys", "m", "d", "default"): 2.0, ("split_table", "toys", "", "d", "c"): 3.0}, file)
    plan = Plan(["herbrich_fig2_2"], file)
    (rule,) = plan.expected.blocks
    assert plan.expected.runs(rule) == 100 and plan.expected.runs("split_table") == 1
    assert plan.expected.seconds(rule, {"dataset": "d", "condition": "c", "method": "m"}) == 200


def test_a_folder_of_somebodys_own_has_its_own_seconds(file, tmp_path, monkeypatch):
    """By hand: the cell is in both files, the experiment only in that of the folder."""
    write_kept({RUN: 2.0}, file)
    (tmp_path / "config").mkdir()
    write_kept({RUN: 4.0, ("run_job", "mine", "forest", "wines", "n_84"): 60.0}, tmp_path / "config/seconds.csv.gz")
    monkeypatch.chdir(tmp_path)
    mine = {"experiment": "mine", "dataset": "wines", "condition": "n_84", "method": "forest"}
    seconds = Expected({}, [], file).seconds
    assert seconds("run_job", mine) == 60 and seconds("run_job", cell("svor5", "friedman1")) == 3


def test_without_a_file_every_run_takes_as_long_as_every_other(tmp_path):
    plan = Plan(["smoke"], tmp_path / "absent.csv.gz")
    assert {job.seconds for job in plan.jobs().values()} == {UNKNOWN}


@pytest.mark.parametrize(
    "names", [["smoke"], ["diez_table1"], ["svmcompare_fig3", "herbrich_fig2_2", "herbrich_fig2_3"]]
)
def test_what_a_long_job_needs_comes_before_all_that_is_shorter(names):
    """The priority of a job is above those of all runs and studies that need it, by what it takes itself."""
    plan = Plan(names)
    jobs = {job: plan.expected.seconds(job.rule.name, job.wildcards_dict) for job in plan.needrun_jobs()}
    needed = [(job, need) for job in jobs for need in job.needs if need.priority]
    assert len(needed) > len(jobs) / 2
    for job, need in needed:
        assert need.priority >= job.priority + 0.999 * jobs[need], (job, need)
    longest = max(plan.needrun_jobs(), key=lambda job: job.priority)
    assert not longest.needs, "the first job of all can start at once"


def test_the_jobs_of_table_1():
    jobs = Plan(["diez_table1"]).jobs()
    assert len(jobs) == 785, "as docs/design/workflow.md says that Snakemake counts"
    assert Counter(job.kind[0] for job in jobs.values())["run_job"] == 720
    assert [job.name for job in jobs.values() if job.cores == ALL] == []
    names = {job.name for job in jobs.values()}
    assert {"run_job (diez_table1, servo, default, svor5, 7)", "write_report"} <= names


def test_a_study_that_is_timed_runs_alone():
    alone = {job.kind[2] for job in Plan(["diez_theory"]).jobs().values() if job.cores == ALL}
    assert alone == {"oracle_growth", "problem_growth"}


def test_what_a_run_took_is_kept_and_the_rest_stays(tmp_path, file):
    """By hand: ten runs in 5 s and thirty in 7 s are 0.3 s a run."""
    timeline = tmp_path / "timeline.csv"
    lines = [
        [*KIND, "runs", "start", "end"],
        ["plan", "", "", "", "", 0, "0.00", "3.00"],
        [*RUN, 10, "3.00", "8.00"],
        [*RUN, 30, "4.00", "11.00"],
        ["write_report", "", "", "", "", 1, "12.00", "12.50"],
    ]
    timeline.write_text("".join(",".join(map(str, line)) + "\n" for line in lines))
    write_kept({RUN: 99.0, ("warm_up", "", "", "", ""): 4.0}, file)
    keep(timeline, file)
    assert read_kept(file) == {RUN: 0.3, ("warm_up", "", "", "", ""): 4.0, ("write_report", "", "", "", ""): 0.5}
    assert seconds_by_kind(read_timeline(timeline)).keys() == read_kept(file).keys() - {("warm_up", "", "", "", "")}
    before = file.read_bytes()
    keep(timeline, file)
    assert file.read_bytes() == before, "the same seconds make the same bytes"


def test_the_kept_seconds_are_of_experiments_that_there_are_and_of_nearly_all():
    """Three experiments and the rules that make no runs have not been measured: they take the mean of their rule, or
    `UNKNOWN`."""
    plan = Plan()
    of_today = ("today", "today_grades", "today_curves", "today_large")  # they are not in the default list
    measured = {kind[:2] for kind in plan.expected.kept if len(kind) > 1}
    runs = {("run_job", name) for name, one in plan.experiments.items() if one.methods}
    studies = {("run_study", name) for name, one in plan.experiments.items() if one.studies}
    assert measured <= runs | studies | {("run_job", name) for name in of_today}
    unmeasured = {"diez_riddles", "diez_second_draw", "diez_sensitivity"}
    assert (runs | studies) - measured == {("run_job", name) for name in unmeasured}
