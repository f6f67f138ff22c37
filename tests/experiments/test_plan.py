"""Jobs and files of an experiment."""

import pytest

from rankbench.experiments import plan
from rankbench.experiments.record import Record, to_line
from rankbench.home import PUBLISHED


def test_runs_and_their_files_are_counted(small):
    runs, files = list(plan.runs("small", small)), plan.run_files("small", small, "json")
    assert len(runs) == len({*files}) == 2 * 2 * 3
    assert (runs[-1], files[-1]) == (("small", "two", "default", "bad", 2), "results/small/jobs/two/default/bad/2.json")


def test_a_job_is_told_everything(small):
    task = plan.job_task("small", small, "two", "default", "good")
    assert (task["experiment"], task["dataset"], task["condition"]) == ("small", "two", "default")
    assert task["source_digest"] != plan.job_task("small", small, "two", "default", "bad")["source_digest"]


def test_a_table_reads_its_statistics_and_the_printed_numbers(small):
    frames = plan.frames_of("small", {**small, "published": "diez_table1.csv"}, "table", "table1")
    assert frames["summary"] == "results/small/statistics/summary.csv"
    assert frames["published"] == str(PUBLISHED / "diez_table1.csv")
    assert "published" not in plan.frames_of("small", small, "table", "table1")


def test_a_condition_changes_what_a_job_is_told_about_pairs(small):
    small["methods"]["good"] |= {"uses": "ranksvr", "sampler": "random", "n_pairs": 5}
    small["datasets"]["one"]["n_pool"] = 10
    small["conditions"] = {
        "default": {},
        "noisy": {"n_pool": 4, "n_pairs": 7, "wrong_pairs": 0.5, "tuning": {"chosen_on": "test"}},
    }
    plain, noisy = (plan.job_task("small", small, "one", c, "good") for c in small["conditions"])
    told = ("sampler", "n_pairs", "wrong_pairs", "tune_on")
    assert [plain[key] for key in told] == ["random", 5, 0.0, "validation"]
    assert [noisy[key] for key in told] == ["random", 7, 0.5, "test"]
    assert "sampler" not in plan.job_task("small", small, "one", "noisy", "bad")
    assert [plan.split_arguments(small, "one", c)["n_pool"] for c in small["conditions"]] == [10, 4]
    assert plain["source_digest"] == noisy["source_digest"]


def test_the_condition_changes_parameters_over_the_data_set_over_the_method(small):
    small["methods"]["good"]["params"] = {"kernel": "rbf", "gamma": 1, "tol": 0.1}
    small["datasets"]["two"]["params"] = {"kernel": "poly", "gamma": 2}
    small["conditions"]["wide"] = {"params": {"gamma": 3}}
    tasks = [plan.job_task("small", small, d, c, "good") for d, c in (("one", "default"), ("two", "wide"))]
    assert tasks[0]["params"] == {"kernel": "rbf", "gamma": 1, "tol": 0.1}
    assert tasks[1]["params"] == {"kernel": "poly", "gamma": 3, "tol": 0.1}
    assert "params" not in plan.split_arguments(small, "two", "wide")


def test_sets_of_pairs_and_methods_of_some_data_sets(small):
    small["datasets"] = {
        "one": {"split": "comparisons", "place": 0, "attributes": ["a", "b"]},
        "two": {"split": "published"},
    }
    small["conditions"] = {"few": {"equality": 3, "inequality": 4, "test": {"equality": 5, "inequality": 6}}}
    small["tuning"] = {"validation_set": True, "metric": "zero_one"}
    small["methods"]["good"] |= {"datasets": ["two"], "attributes": ["r"], "preprocess": {"scaling": "none"}}
    assert [cell[::2] for cell in plan.cells(small)] == [("one", "bad"), ("two", "good"), ("two", "bad")]
    assert plan.split_arguments(small, "one", "few") == {
        "split": "comparisons",
        "place": 0,
        "equality": 3,
        "inequality": 4,
        "test": {"equality": 5, "inequality": 6},
    }
    assert plan.part_sizes(small, "one", "few") == (7, 11)
    good, bad = (plan.job_task("e", small, "one", "few", m) for m in ("good", "bad"))
    assert (good["attributes"], bad["attributes"]) == (("r",), ("a", "b"))
    assert (good["preprocess"]["scaling"], bad["preprocess"]["scaling"]) == ("none", "standard")


def test_conditions_that_ask_for_the_same_splits_have_one_file(small):
    small["conditions"] = {"plain": {}, "wide": {"params": {"tol": 0.1}}, "short": {"n_train": 9}}
    files = [plan.split_files("small", small, "one", condition, [7])[0] for condition in small["conditions"]]
    assert files == [f"resources/splits/small/one/{name}/7.npz" for name in ("plain", "plain", "short")]


@pytest.mark.parametrize(
    ("status", "was", "now", "again"),
    [
        ("timeout", {"seconds": 5, "megabytes": 500}, {"seconds": 9, "megabytes": 500}, True),
        ("memory", {"seconds": 5, "megabytes": 500}, {"seconds": 5, "megabytes": 900}, True),
        ("timeout", {"seconds": 5, "megabytes": 500}, {"seconds": 5, "megabytes": 500}, False),
        ("timeout", {"seconds": 5, "megabytes": 500}, {"seconds": 4, "megabytes": 500}, False),
        ("ok", {"seconds": 5, "megabytes": 500}, {"seconds": 9, "megabytes": 500}, False),
        ("failed", {"seconds": 5, "megabytes": 500}, {"seconds": 9, "megabytes": 500}, False),
    ],
)
def test_a_raised_limit_runs_again_what_it_stopped(tmp_path, status, was, now, again):
    record = Record("small", "one", "default", "good", 0, 12, 8, 2, status, limits=was)
    (tmp_path / "0.json").write_text(to_line(record))
    assert plan.stopped_by_less(tmp_path / "0.json", now) == again
    assert not plan.stopped_by_less(tmp_path / "1.json", now)


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe", b"[]", b'{"limits": [1]}', b'{"limits": {"reconds": 5}}', b'{"limits": {"seconds": "5"}}'],
)
def test_a_damaged_record_does_not_end_the_plan(tmp_path, content):
    (tmp_path / "0.json").write_bytes(content)
    assert not plan.stopped_by_less(tmp_path / "0.json", {"seconds": 9, "megabytes": 500})


def test_neither_metrics_nor_limits_nor_seeds_are_part_of_what_a_run_stands_on(small):
    task = plan.job_task("small", small, "one", "default", "good")
    changed = {**small, "metrics": ["mae"], "limits": {"seconds": 1, "megabytes": 900}, "seeds": 9, "seeds_per_job": 1}
    assert plan.job_task("small", changed, "one", "default", "good") == task
    assert (
        plan.job_task("small", {**small, "tuning": {**small["tuning"], "metric": "mae"}}, "one", "default", "good")
        != task
    )
