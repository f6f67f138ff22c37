"""What follows from the yaml of an experiment: its jobs and their files."""

import json
from dataclasses import asdict

from rankbench.experiments.experiment import Experiment


def test_a_condition_changes_what_a_job_is_told_about_pairs(yaml):
    yaml["methods"]["good"] |= {"uses": "RankSVR", "sampler": "random", "n_pairs": 5}
    yaml["datasets"]["one"]["n_pool"] = 10
    yaml["conditions"] = {
        "default": {},
        "noisy": {"n_pool": 4, "n_pairs": 7, "wrong_pairs": 0.5, "tuning": {"chosen_on": "test"}},
    }
    small = Experiment.of(yaml)
    plain, noisy = (small.task("one", c, "good").settings for c in small.conditions)
    told = ("sampler", "n_pairs", "wrong_pairs", "tune_on")
    assert [plain[key] for key in told] == ["random", 5, 0.0, "validation"]
    assert [noisy[key] for key in told] == ["random", 7, 0.5, "test"]
    assert [small.task("one", "noisy", "bad").settings[key] for key in told[:3]] == ["", 0, 0.0]
    assert [small.split_arguments("one", c)["n_pool"] for c in small.conditions] == [10, 4]
    assert plain["source_digest"] == noisy["source_digest"]


def test_the_condition_changes_parameters_over_the_data_set_over_the_method(yaml):
    yaml["methods"]["good"]["params"] = {"kernel": "rbf", "gamma": 1, "tol": 0.1}
    yaml["datasets"]["two"]["params"] = {"kernel": "poly", "gamma": 2}
    yaml["conditions"]["wide"] = {"params": {"gamma": 3}}
    small = Experiment.of(yaml)
    tasks = [small.task(d, c, "good").settings for d, c in (("one", "default"), ("two", "wide"))]
    assert tasks[0]["params"] == {"kernel": "rbf", "gamma": 1, "tol": 0.1}
    assert tasks[1]["params"] == {"kernel": "poly", "gamma": 3, "tol": 0.1}
    assert "params" not in small.split_arguments("two", "wide")


def test_sets_of_pairs_and_methods_of_some_data_sets(yaml):
    yaml["datasets"] = {
        "one": {"split": "comparisons", "place": 0, "attributes": ["a", "b"]},
        "two": {"split": "published"},
    }
    yaml["conditions"] = {"few": {"equality": 3, "inequality": 4, "test": {"equality": 5, "inequality": 6}}}
    yaml["tuning"] = {"metric": "zero_one"}
    yaml["methods"]["good"] |= {"datasets": ["two"], "attributes": ["r"], "preprocess": {"scaling": "none"}}
    small = Experiment.of(yaml)
    assert [cell[::2] for cell in small.cells] == [("one", "bad"), ("two", "good"), ("two", "bad")]
    assert small.split_arguments("one", "few") == {
        "split": "comparisons",
        "place": 0,
        "equality": 3,
        "inequality": 4,
        "test": {"equality": 5, "inequality": 6},
    }
    assert small.part_sizes("one", "few") == (7, 11)
    good, bad = (small.task("one", "few", m).settings for m in ("good", "bad"))
    assert (good["attributes"], bad["attributes"]) == (("r",), ("a", "b"))
    assert (good["preprocess"]["scaling"], bad["preprocess"]["scaling"]) == ("none", "standard")


def test_conditions_that_ask_for_the_same_splits_have_one_file(yaml):
    yaml["conditions"] = {"plain": {}, "wide": {"params": {"tol": 0.1}}, "short": {"n_train": 9}}
    small = Experiment.of(yaml)
    files = [small.split_files("one", condition, [7])[0] for condition in small.conditions]
    assert files == [f"resources/splits/small/one/{name}/7.npz" for name in ("plain", "plain", "short")]


def test_the_document_of_an_experiment_makes_it_again(yaml):
    yaml["methods"]["good"] |= {"tuning": {"chosen_on": "bins"}, "datasets": ["two"]}
    yaml["conditions"] = {"short": {"n_train": 9, "wrong_pairs": 0.0, "tuning": {"chosen_on": "test"}}}
    small = Experiment.of(yaml, file="small.yaml")
    again = Experiment.of(json.loads(json.dumps(small.document)), file=small.file, seeds_per_job=2)
    assert asdict(again) == asdict(small)
    told = {key: value for key, value in yaml.items() if key not in ("seeds_per_job", "studies")}
    del told["methods"]["good"]["params"], told["methods"]["bad"]["params"]
    assert small.document == told, "what the yaml says, without what is empty"
