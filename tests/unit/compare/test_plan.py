"""The plan of a comparison: sizes that can be drawn, a budget that is kept, grids and costs of every method."""

from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
import yaml

from rankbench.command.doors import run
from rankbench.compare.names import TableError
from rankbench.compare.prepare import plan_in_words
from rankbench.compare.protocol import (
    experiment_of,
    n_inputs_of,
    points_of,
    seconds_of,
    seconds_of_runs,
    sizes_of,
    template_of,
)
from rankbench.datasets.table import Table
from rankbench.experiments.draw import draw

RANKERS = {"lightgbm_ranker", "xgboost_ranker"}


def table_of(n, d=8, y=None, groups=None):
    """Return a table of n rows without equal rows."""
    rng = np.random.default_rng(0)
    y = rng.random(n) if y is None else np.asarray(y, dtype=float)
    blocks = np.arange(float(n)) if groups is None else np.asarray(groups, dtype=float)
    names = tuple(f"x{j}" for j in range(d))
    return Table(rng.random((n, d)), y, names, ((),) * d, groups=None if groups is None else blocks, blocks=blocks)


def sizes(experiment):
    return [entry["n_train"] for entry in experiment["conditions"].values()]


def test_rivals_are_compared_on_request(tmp_path, capsys, monkeypatch):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.random(300), "q": np.arange(300) % 6, "y": rng.random(300)})
    frame.to_csv(tmp_path / "w.csv", index=False)
    arguments = [str(tmp_path / "w.csv"), "y", "--folder", str(tmp_path / "f"), "--prepare", "--budget", "30"]
    monkeypatch.setattr("rankbench.compare.protocol.find_spec", lambda package: package != "xgboost" or None)
    assert run(["compare", *arguments, "--rivals"]) == 2 and not (tmp_path / "f").exists()
    assert "--rivals: xgboost is not installed: " in capsys.readouterr().err
    monkeypatch.setattr("rankbench.compare.protocol.find_spec", lambda package: package)
    usual, rivals = 9, {"lightgbm", "xgboost", "catboost"}
    for more, expected in (([], set()), (["--rivals"], rivals), (["--rivals", "--groups", "q"], rivals | RANKERS)):
        assert run(["compare", *arguments, *more]) == 0
        methods = yaml.safe_load((tmp_path / "f/config/experiments/w_y.yaml").read_text())["methods"]
        assert len(methods) == usual + len(expected) and expected <= set(methods)
    with pytest.raises(TableError, match="--rivals: none of them learns from pairs"):
        experiment_of("pairs", table_of(1000), "t", "T", 10, 2, rivals=True)


def test_a_budget_that_is_too_short_is_refused_and_the_one_it_names_is_enough(tmp_path, capsys):
    for kind, table in (("values", table_of(1000)), ("grades", table_of(400, y=np.arange(400) % 3))):
        with pytest.raises(
            TableError, match=r"--budget=0\.5 is too short for 10 hold-outs: --budget=\d+ is enough"
        ) as refused:
            experiment_of(kind, table, "t", "T", 0.5, 2)
        enough = int(str(refused.value).split("--budget=")[2].split()[0])
        experiment, minutes = experiment_of(kind, table, "t", "T", enough, 2)
        assert minutes <= enough and experiment["seeds"] >= 10
        with pytest.raises(TableError, match="is too short"):
            experiment_of(kind, table, "t", "T", enough - 1, 2)
    frame = pd.DataFrame({"a": np.arange(100) / 7, "y": np.arange(100)[::-1] / 3})
    frame.to_csv(tmp_path / "w.csv", index=False)
    arguments = [str(tmp_path / "w.csv"), "y", "--folder", str(tmp_path / "f"), "--prepare", "--cores", "2"]
    assert run(["compare", *arguments, "--budget", "0.01"]) == 2 and not (tmp_path / "f").exists()
    assert capsys.readouterr().err.startswith(
        "rankbench compare: --budget=0.01 is too short for 10 hold-outs: --budget="
    )
    assert run(["compare", *arguments, "--budget", "4"]) == 0 and "a larger --budget" in capsys.readouterr().out


@pytest.mark.parametrize(("n", "n_train", "n_test"), [(30, 21, 9), (45, 31, 14), (60, 42, 18), (100, 70, 30)])
def test_a_small_table_is_cut_into_seven_and_three_tenths(n, n_train, n_test):
    experiment, _ = experiment_of("values", table_of(n), "t", "T", 10, 2)
    assert sizes(experiment) == [n_train] and experiment["datasets"]["t"]["n_test"] == n_test
    assert experiment["seeds"] >= 20


def test_sizes_are_a_curve_whose_test_part_is_no_larger_than_its_training_part():
    assert sizes_of(10_000, 70) == [125, 500, 2000] and sizes_of(100, 70) == [70]
    experiment, _ = experiment_of("values", table_of(10_000), "t", "T", 60, 2)
    assert experiment["datasets"]["t"]["n_test"] == 2000


def drawn(experiment, table):
    """Return every split that the comparison will draw."""
    entry, folds = experiment["datasets"]["t"], experiment["tuning"]["folds"]
    return [
        draw(table, seed=seed, names=("t", "t"), n_train=size, n_test=entry["n_test"], n_folds=folds, split="groups")
        for size in sizes(experiment)
        for seed in range(experiment["seeds"])
    ]


@pytest.mark.parametrize("useful", [4, 6])
def test_every_hold_out_has_something_to_order(useful):
    """Rare targets: few rows that are not 0, and few groups with two values."""
    rare = np.zeros(200)
    rare[rng_rows(200, 2 * useful)] = 1
    groups = np.repeat(np.arange(50), 4)
    in_groups = np.where(groups < useful, np.arange(200) % 4, 0)
    for kind, table in (("grades", table_of(200, y=rare)), ("values", table_of(200, y=in_groups, groups=groups))):
        experiment, _ = experiment_of(kind, table, "t", "T", 10, 2)
        for split in drawn(experiment, table):
            assert not split.absent
            for rows in (split.train, split.test):
                inside = np.zeros(200) if table.groups is None else table.groups
                assert any(len({*table.y[rows][inside[rows] == group]}) > 1 for group in {*inside[rows]})


def rng_rows(n, k):
    return np.random.default_rng(1).choice(n, k, replace=False)


def test_too_rare_a_target_is_refused_before_anything_runs():
    one = np.zeros(100)
    one[3] = 1
    with pytest.raises(TableError, match=r"hold-outs of this table cannot be drawn: .* two different targets"):
        experiment_of("grades", table_of(100, y=one), "t", "T", 10, 2)


def test_every_hold_out_has_a_group_for_each_fold():
    """Two of 30 groups hold half of the rows, so a few rows may all be of one group."""
    groups = np.concatenate([np.repeat([0, 1], 150), np.arange(300) % 28 + 2])
    table = table_of(600, groups=groups)
    for budget in (8, 60):
        experiment, _ = experiment_of("values", table, "t", "T", budget, 2)
        for split in drawn(experiment, table):
            assert not split.absent and not {*groups[split.train]} & {*groups[split.test]}
            assert len({*groups[split.train]}) >= 3
    with pytest.raises(TableError, match="hold-outs of this table cannot be drawn: "):
        experiment_of("values", table_of(310, groups=groups[:310] % 2), "t", "T", 10, 2)


@pytest.mark.parametrize("kind", ["values", "grades", "pairs"])
def test_a_comparison_is_planned_for_its_budget(kind):
    table = table_of(10_000, y=np.arange(10_000) % 3 - 1)
    short, minutes = experiment_of(kind, table, "t", "T", 10, 2)
    long, more_minutes = experiment_of(kind, table, "t", "T", 60, 2)
    assert minutes <= 10 and more_minutes <= 60 and short["seeds"] >= 10
    assert sizes(long) == [125, 500, 2000]
    assert short["datasets"]["t"]["n_train"] >= 1000
    assert long["seeds"] >= short["seeds"] and (kind == "pairs" or long["seeds"] > short["seeds"])


def test_many_columns_leave_time_for_fewer_rows():
    assert seconds_of("values", "forest", 500, 32) == 2 * seconds_of("values", "forest", 500)
    assert seconds_of("values", "ridge", 500, 80) == seconds_of("values", "ridge", 500)
    few, many = (experiment_of("values", table_of(10_000, d), "t", "T", 10, 2)[0] for d in (8, 80))
    assert sizes(many)[-1] < sizes(few)[-1]


def test_inputs_are_counted_as_methods_see_them():
    X = np.array([[0.5, 0, 1], [np.nan, 1, 2], [2.5, 2, 3]])
    table = Table(X, np.arange(3.0), ("a", "colour", "b"), ((), ("blue", "red", "white"), ()))
    assert n_inputs_of(table) == 6  # a, its mark, three colours, b


def test_a_budget_buys_larger_grids():
    grids = [
        experiment_of("values", table_of(1000), "t", "T", budget, 2)[0]["methods"]["forest"]["grid"]
        for budget in (8, 60)
    ]
    assert [points_of(grid) for grid in grids] == [12, 36]


def test_every_method_has_a_measured_cost_and_a_larger_grid():
    for kind in ("values", "grades", "pairs"):
        template = yaml.safe_load((files("rankbench.compare") / f"{kind}.yaml").read_text())
        every = template["methods"] | template.get("rivals", {}) | template.get("rivals_with_groups", {})
        for name, method in every.items():
            seconds = [seconds_of(kind, name, rows) for rows in (50, 125, 2000, 4000)]
            assert seconds[0] == seconds[1] and seconds[2] < seconds[3]
            larger = template["larger_grids"][name]
            assert larger.keys() == method["grid"].keys()
            assert points_of(larger) > points_of(method["grid"]) or not larger  # RankSearchCV has a search of its own


@pytest.mark.parametrize("kind", ["values", "grades", "pairs"])
def test_every_method_has_a_grid_of_the_size_of_ours(kind):
    template = yaml.safe_load((files("rankbench.compare") / f"{kind}.yaml").read_text())
    every = template["methods"] | template.get("rivals", {}) | template.get("rivals_with_groups", {})
    for name, method in every.items():
        usual, larger = points_of(method["grid"]), points_of(template["larger_grids"][name])
        if not method["grid"]:  # RankSearchCV, which has a search of its own
            continue
        if len(method["grid"]) == 1:  # linear
            assert 4 <= usual <= 5 and 6 <= larger <= 8
        else:
            assert 12 <= usual <= 15 and 32 <= larger <= 36


@pytest.mark.parametrize(("kind", "rivals"), [("values", False), ("grades", True)])
def test_every_run_has_expected_seconds_so_that_long_ones_start_first(kind, rivals, monkeypatch):
    monkeypatch.setattr("rankbench.compare.protocol.find_spec", lambda package: package)
    table = table_of(400, y=None if kind == "values" else np.arange(400) % 3)
    experiment, _ = experiment_of(kind, table, "t", "T", 600, 2, rivals)  # the larger grids fit
    seconds = seconds_of_runs(kind, experiment, table)
    expected = {
        ("run_job", "t", method, "t", size) for method in experiment["methods"] for size in experiment["conditions"]
    }
    assert seconds.keys() == expected and min(seconds.values()) > 0
    (measured, *_), n_train = [*template_of(kind)["methods"].items()], sizes(experiment)[-1]
    grids = [points_of(grid) for grid in (experiment["methods"][measured[0]]["grid"], measured[1]["grid"])]
    assert grids[0] > grids[1]
    assert seconds["run_job", "t", measured[0], "t", f"n_{n_train}"] == pytest.approx(
        seconds_of(kind, measured[0], n_train, n_inputs_of(table)) * grids[0] / grids[1]
    )


@pytest.mark.parametrize(("cores", "words"), [(1, "on 1 core;"), (3, "on 3 cores;")])
def test_the_time_is_said_with_its_cores(cores, words):
    experiment, minutes = experiment_of("values", table_of(400), "t", "T", 20 / cores, cores)
    lines = [*plan_in_words(experiment, "t", minutes, cores)]
    assert experiment["seeds"] < 50 and f"min {words}" in lines[1]
