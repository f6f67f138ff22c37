"""Answers of the contest on made-up tables, where they are known."""

import json
import re
from hashlib import sha256
from shutil import copy

import pandas as pd
import pytest
import yaml
from checkout import ROOT

from rankbench.datasets.sheet import load_sheet
from rankbench.experiments.experiment import Experiment
from rankbench.experiments.frames import write_frame
from rankbench.papers.today.contest import (
    EQUAL,
    IN_OUR_PLACE,
    OURS,
    RIVALS,
    Compared,
    Errors,
    losses_of,
    questions,
    searches_of,
)
from rankbench.papers.today.contest_tables import FACTS, chosen
from rankbench.papers.today.kept import CONTEST, COSTS, CURVES, KEPT, Kept, pack

USES = {
    "self_tuning": "a.B",
    "svm": "SwappedPairsSVM",
    "svr": "a.S",
    "trees": "a.T",
    "net": "a.N",
    "net_default": "a.N",
}
FRESH = {  # experiment -> where its methods are tuned, kind and fewest rows of its tables, seconds of a search
    "contest_fresh_200": ("contest_known_200", "values", 0, 10),
    "contest_fresh_1000": ("contest_known_200", "values", 1500, 40),
    "contest_confirm_200": ("contest_known_200", "confirmation", 0, 10),
    "contest_fresh_groups_200": ("contest_known_200", "groups", 0, 10),
    "contest_fresh_grades_200": ("contest_known_grades_200", "grades", 0, 10),
    "contest_fresh_comparisons_200": ("contest_known_comparisons_200", "comparisons", 0, 10),
}
NO_NAMES = ("elo", "glicko")  # methods that the known tables cannot have
WIDER = {  # methods that ended at an edge on fresh tables and have a wider space there; the protocol names them
    "contest_fresh_groups_200": ("swapped_pairs_rbf", "catboost", "xgboost_ranker", "catboost_ranker"),
}
PROTOCOL = {
    "datasets": {f"d{k}": {} for k in range(12)},
    "conditions": {"default": {}},
    "methods": {name: {"uses": uses, "label": name, "params": {}, "grid": {}} for name, uses in USES.items()},
    "seeds": 1,
    "metrics": ["concordance_index"],
}
ALONE = {"self_tuning": 0.80, "catboost": 0.82, "svr": 0.78, "extra_trees": 0.70}
BOTH = {
    ("self_tuning", "catboost"): 0.85,
    ("self_tuning", "svr"): 0.80,
    ("self_tuning", "extra_trees"): 0.76,
    ("svr", "catboost"): 0.84,
    ("svr", "extra_trees"): 0.79,
    ("catboost", "extra_trees"): 0.81,
}


COMPARED = Experiment.of({**PROTOCOL, "methods": {name: {"uses": "a.B", "label": name} for name in ALONE}})


def averages(tables=12, without=()):
    values = {**{(name, name): value for name, value in ALONE.items()}, **BOTH}
    return pd.DataFrame(
        [
            {"dataset": f"d{k}", "seed": 0, "method": one, "other": other, "value": value + 0.001 * k}
            for k in range(tables)
            for (one, other), value in values.items()
            if (k, one) not in without and (k, other) not in without
        ]
    )


def test_the_control_of_an_average_is_the_average_of_the_best_two_rivals():
    found = questions(averages(), COMPARED)
    assert found.iloc[:, :8].to_numpy().tolist() == [
        ["self_tuning", "catboost", "+2.00", "+2.00", "+2.00", 0, 12, "no"],
        ["self_tuning + catboost", "catboost + extra_trees", "-4.00", "-4.00", "-4.00", 12, 12, "yes"],
        ["self_tuning + extra_trees", "catboost + extra_trees", "+5.00", "+5.00", "+5.00", 0, 12, "no"],
        ["self_tuning + svr", "catboost + extra_trees", "+1.00", "+1.00", "+1.00", 0, 12, "no"],
        ["self_tuning + catboost", "svr + catboost", "-1.00", "-1.00", "-1.00", 12, 12, "yes"],
        ["self_tuning + extra_trees", "svr + extra_trees", "+3.00", "+3.00", "+3.00", 0, 12, "no"],
    ]
    assert list(found["better / alike / worse"][:2]) == ["0.00 / 0.00 / 1.00", "1.00 / 0.00 / 0.00"]
    assert list(found["clear"][:2]) == ["worse", "better"]
    assert set(found["p"]) == {"0"} and set(found["would settle"]) == {""}  # all differences are alike


def test_few_tables_answer_nothing():
    found = questions(averages(tables=9), COMPARED)
    assert set(found["answer"]) == {"too few tables"} and set(found["tables"]) == {9}


def test_a_failed_run_counts_as_the_constant_answer():
    errors = Errors(averages(tables=2, without=[(1, "catboost")]))
    assert errors.of("catboost").to_dict() == {"d0": pytest.approx(0.18), "d1": 0.5}
    both = {"d0": 0.15, "d1": 1 - 0.801}
    assert errors.of("self_tuning", "catboost").to_dict() == pytest.approx(both), "the other's order alone"
    assert errors.of("catboost", "self_tuning").to_dict() == pytest.approx(both)


def test_an_average_without_a_failed_member_is_that_of_all_others():
    """Of three the average of the two others, whichever of them has failed."""
    of_three = averages(tables=2).query("method == 'svr' and other == 'extra_trees'")
    more = of_three.assign(other="catboost + extra_trees", value=0.9)  # the average of three, where none has failed
    frame = pd.concat([averages(tables=2), more[more["dataset"] == "d0"]])
    errors = Errors(frame[~((frame["dataset"] == "d1") & (frame[["method", "other"]] == "catboost").any(axis=1))])
    assert errors.of("svr", "catboost", "extra_trees").to_dict() == pytest.approx({"d0": 0.1, "d1": 1 - 0.791})


def test_a_yes_about_an_average_needs_most_tables_too():
    """Ours is better on 5 of 12 tables, by so much that the interval is below 0."""
    control, gains = pd.Series([0.5] * 12), pd.Series([0.4] * 5 + [-0.001] * 7)
    assert Compared(control - gains, control, 0.005, EQUAL).answer == "yes"
    assert Compared(control - gains, control, 0.005, EQUAL, by_most=True).answer == "open"


def test_a_gain_that_is_none_answers_no():
    control = pd.Series([0.5] * 12)
    assert Compared(control - 0.0009, control, 0.005, EQUAL).answer == "yes", "its interval is below 0"
    around = control + pd.Series([0.0008, -0.0008] * 6)
    assert Compared(around, control, 0.005, EQUAL).answer == "no" and Compared(around, control, 0.005).answer == "open"


@pytest.fixture
def checkout(tmp_path):
    """A checkout with a run of part A whose searches were cut short, and with what was kept of another run."""
    cell = {"dataset": "servo", "condition": "default", "seed": 0, "status": "ok", "reason": "", "params": "{}"}
    cell |= {"n_train": 111, "n_test": 56, "source_digest": "d", **dict.fromkeys(COSTS, 8.0)}
    searched = {"trees": ("depth high", 5, 1, 60), "net": ("", 59, 1, 60), "self_tuning": ("", 0, 0, 1)}
    rows = [
        {**cell, "method": name, "edges": edges, "n_settings": tried, "n_failed": failed, "n_drawn": drawn}
        for name, (edges, tried, failed, drawn) in searched.items()
    ]
    made = {"commit": "abc1234", "machine": "a large one", "versions": '{"lightgbm": "9.9"}', "concordance_index": 0.8}
    folder = tmp_path / "results/contest_known_200"
    (folder / "statistics").mkdir(parents=True)
    rows += [{**rows[0], "dataset": "boston"}, {**rows[1], "dataset": "boston", "status": "missing"}]
    protocol = {
        **PROTOCOL,
        "datasets": {"servo": {}, "boston": {}},
        "methods": {name: PROTOCOL["methods"][name] for name in searched},
        "reference_method": "trees",
    }
    write_frame(folder / "records.parquet", pd.DataFrame(rows).assign(**made), protocol=protocol, commit="abc1234")
    pairs = averages(tables=2).replace({"dataset": {"d0": "servo", "d1": "boston"}})
    pairs.to_csv(folder / "statistics/averages.csv", index=False)
    (tmp_path / KEPT).mkdir(parents=True)
    (tmp_path / KEPT / "run.json").write_text(
        '{"packed": "2020-01-01", "experiments": {"contest_fresh_200": {"runs": 7}}}'
    )
    (tmp_path / "config").mkdir()
    copy(ROOT / "config/datasets.tsv", tmp_path / "config/datasets.tsv")
    return tmp_path


def test_searches_and_averages_of_finished_tables_are_kept_and_what_is_kept_of_others_stays(checkout):
    assert pack(checkout, checkout) == {"contest_known_200": 3}
    shown = searches_of(Kept("contest_known_200", checkout)).set_index("method")
    assert shown.loc["trees"].to_list() == [1, 5.0, "100%", 8.0, "100%", "1 x depth high", "no"]
    assert shown.loc["net"].to_list() == [1, 59.0, "0%", 8.0, "0%", "", "yes"]
    assert list(shown.index) == ["trees", "net"], "the others had nothing to choose"
    losses = losses_of(Kept("contest_known_200", checkout))
    assert losses.round(6).to_numpy().tolist() == [[name, 0.2] for name in ("trees", "net", "self_tuning")]
    assert list(losses) == ["method", "Servo"]
    of_servo = averages(tables=1).assign(dataset="servo")
    pd.testing.assert_frame_equal(Kept("contest_known_200", checkout).averages, of_servo)
    assert list(Kept("contest_known_200", checkout).experiment.datasets) == ["servo"], "a run on boston is missing"
    run = json.loads((checkout / KEPT / "run.json").read_text(encoding="utf-8"))
    assert {name: of["runs"] for name, of in run["experiments"].items()} == {
        "contest_fresh_200": 7,
        "contest_known_200": 3,
    }


def test_the_page_names_the_methods_that_are_not_ready():
    names = {
        "contest_known_200": "known tables",
        "contest_known_grades_200": "known tables with grades",
        "contest_fresh_groups_200": "groups",
        "contest_known_comparisons_200": "known comparisons",
    }
    waiting = set()
    for name in (name for name in CONTEST if name != CURVES):  # whose searches are too few for each size
        shown = searches_of(Kept(name, ROOT)).set_index("method")
        part = names.get(name, name)
        waiting |= {f"{method} ({part})" for method in shown.index[shown["ready"] == "no"]}
    page = (ROOT / "docs/reproduction/contest.md").read_text("utf-8")
    named = re.search(r"^\*\*Not ready\*\*: (.*)\.$", page, re.MULTILINE)[1]
    assert set(named.split("; ")) == (waiting or {"none"})


def test_learning_curves_take_methods_as_they_are_from_fresh_tables():
    curves, fresh = (
        yaml.safe_load((ROOT / f"config/experiments/today/{name}.yaml").read_text("utf-8"))
        for name in ("contest_fresh_curves", "contest_fresh_200")
    )
    assert curves["methods"] == {name: fresh["methods"][name] for name in curves["methods"]}
    rows = pd.read_csv(FACTS).set_index("name")["rows"]
    assert list(curves["datasets"]) == [name for name in fresh["datasets"] if name in rows and rows[name] >= 2900]


@pytest.mark.parametrize("fresh_name", FRESH)
def test_fresh_tables_stand_in_an_order_that_nobody_chose_and_nothing_is_tuned_on_them(fresh_name):
    known_name, kind, fewest, seconds = FRESH[fresh_name]
    known, fresh = (
        yaml.safe_load((ROOT / f"config/experiments/today/{name}.yaml").read_text("utf-8"))
        for name in (known_name, fresh_name)
    )
    rows = pd.read_csv(FACTS).set_index("name")["rows"]
    names = [name for row in chosen().values() if row["kind"] == kind and rows[name := f"r_{row['name']}"] >= fewest]
    assert list(fresh["datasets"]) == sorted(names, key=lambda name: sha256(name.encode()).hexdigest())
    shared = [name for name in fresh["methods"] if name not in (*NO_NAMES, *WIDER.get(fresh_name, ()))]
    for name in WIDER.get(fresh_name, ()):
        assert {**fresh["methods"][name], "grid": {}} == {**known["methods"][name], "grid": {}}
    assert {name: fresh["methods"][name] for name in shared} == {name: known["methods"][name] for name in shared}
    assert fresh["tuning"].pop("budget") == {"settings": 60, "seconds": seconds}
    known["tuning"].pop("budget")
    assert all(fresh[key] == known[key] for key in ("preprocess", "tuning", "metrics"))
    sheet = load_sheet(ROOT / "config/datasets.tsv")
    assert all((of.get("split") == "groups") == bool(sheet[name].groups) for name, of in fresh["datasets"].items())


def test_the_planned_comparisons_have_their_methods():
    fresh = yaml.safe_load((ROOT / "config/experiments/today/contest_fresh_200.yaml").read_text("utf-8"))
    assert {*RIVALS, OURS, IN_OUR_PLACE} <= set(fresh["methods"])
