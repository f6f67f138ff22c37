"""The benchmark accepts what make compare writes; for a table that is refused nothing is written."""

from importlib.resources import files
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import yaml

from rankbench.compare.__main__ import main, words_of
from rankbench.compare.folder import name_of
from rankbench.compare.look import look_at
from rankbench.compare.protocol import experiment_of, points_of, seconds_of, sizes_of
from rankbench.compare.read import TableError
from rankbench.datasets.readers import read
from rankbench.datasets.sheet import load_sheet
from rankbench.experiments.group_hold_outs import draw

N = 300
RANKERS = {"lightgbm_ranker", "xgboost_ranker"}


def made(target):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a b": rng.random(N), "c": rng.choice(["red, dark", "white"], N), "q": np.arange(N) % 6})
    frame.loc[::7, "a b"] = np.nan
    values = {
        "values": rng.random(N),
        "grades": rng.choice(["bad", "good"], N),
    }
    return frame.assign(y=values[target])


@pytest.mark.parametrize(("kind", "more"), [("values", []), ("grades", ["--order", "bad good"])])
@pytest.mark.parametrize("groups", ["", "q"])
def test_the_folder_is_accepted_by_the_benchmark(kind, more, groups, tmp_path, capsys):
    frame = made(kind)
    frame.to_csv(tmp_path / "My Wines.csv", index=False)
    told = ["--groups", groups] if groups else []
    assert main([str(tmp_path / "My Wines.csv"), "y", *more, *told, "--folder", str(tmp_path / "f"), "--prepare"]) == 0
    said = capsys.readouterr().out
    assert "time      about " in said and said.splitlines()[-1] == f"folder    {tmp_path / 'f'}"
    (row,) = load_sheet(tmp_path / "f/config/datasets.tsv").values()
    table = read(tmp_path / "f/data/my_wines/my_wines.csv", row)
    assert (row.name, row.rows, len(table.X), row.missing) == ("my_wines", N, N, "keep")
    np.testing.assert_allclose(table.X[:, 0], frame["a b"])
    assert table.levels[1] == ("red, dark", "white")
    assert (table.groups is not None) == bool(groups)
    experiment = yaml.safe_load((tmp_path / "f/config/experiments/my_wines.yaml").read_text())
    assert experiment["datasets"]["my_wines"].get("split") == ("groups" if groups else None)
    assert experiment["datasets"]["my_wines"]["n_rows"] == N


def test_pairs_become_a_table_of_two_items(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"{name}_{end}": rng.random(60) for end in "ab" for name in ("elo", "age")})
    frame["club_a"], frame["club_b"] = rng.choice(["x", "y"], 60), rng.choice(["y", "z"], 60)
    frame["won"] = np.sign(frame["elo_a"] - frame["elo_b"]).astype(int)
    frame.to_csv(tmp_path / "w.csv", index=False)
    assert main([str(tmp_path / "w.csv"), "won", "--folder", str(tmp_path / "f"), "--prepare"]) == 0
    (row,) = load_sheet(tmp_path / "f/config/datasets.tsv").values()
    table = read(tmp_path / "f/data/w/w.csv", row)
    assert (table.kind, row.attributes, len(table.attributes), table.X.shape) == ("pairs", 5, 5, (60, 10))
    np.testing.assert_allclose(table.X[:, [0, 5]], frame[["elo_a", "elo_b"]])
    np.testing.assert_array_equal(table.X[:, 2:5].sum(axis=1), 1)
    np.testing.assert_array_equal(table.y, -frame["won"])


def test_rivals_are_compared_on_request(tmp_path, capsys, monkeypatch):
    made("values").to_csv(tmp_path / "w.csv", index=False)
    arguments = [str(tmp_path / "w.csv"), "y", "--folder", str(tmp_path / "f"), "--prepare"]
    monkeypatch.setattr("rankbench.compare.protocol.find_spec", lambda package: package != "xgboost" or None)
    assert main([*arguments, "--rivals"]) == 2 and not (tmp_path / "f").exists()
    assert "RIVALS: xgboost is not installed: " in capsys.readouterr().err
    monkeypatch.setattr("rankbench.compare.protocol.find_spec", lambda package: package)
    usual, rivals = 7, {"lightgbm", "xgboost"}
    for more, expected in (([], set()), (["--rivals"], rivals), (["--rivals", "--groups", "q"], rivals | RANKERS)):
        assert main([*arguments, *more]) == 0
        methods = yaml.safe_load((tmp_path / "f/config/experiments/w.yaml").read_text())["methods"]
        assert len(methods) == usual + len(expected) and expected <= set(methods)
    look = SimpleNamespace(n_inputs=8, frame=range(1000), kind="pairs", groups="")
    with pytest.raises(TableError, match="RIVALS: none of them learns from pairs"):
        experiment_of(look, "t", "T", 10, 2, rivals=True)


def test_the_same_table_gives_the_same_folder(tmp_path):
    made("values").to_csv(tmp_path / "w.csv", index=False)
    arguments = [str(tmp_path / "w.csv"), "y", "--folder", str(tmp_path / "f"), "--cores", "2", "--prepare"]
    assert main(arguments) == 0
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("f/**/*.*")}
    assert main(arguments) == 0
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("f/**/*.*")} == before and len(before) == 4


def test_nothing_is_written_of_a_table_that_is_refused(tmp_path, capsys):
    made("values").assign(y=1).to_csv(tmp_path / "w.csv", index=False)
    assert main([str(tmp_path / "w.csv"), "y", "--folder", str(tmp_path / "f"), "--prepare"]) == 2
    assert (
        capsys.readouterr().err == ("compare: TARGET=y: must have at least two different values, it has only 1\n")
        and not (tmp_path / "f").exists()
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--budget", "ten"], "compare: BUDGET must be a number of minutes > 0, got 'ten'\n"),
        (["--budget", "inf"], "compare: BUDGET must be a number of minutes > 0, got 'inf'\n"),
        (["--budget", "nan"], "compare: BUDGET must be a number of minutes > 0, got 'nan'\n"),
        (["--cores", "0"], "compare: CORES must be a whole number > 0, got '0'\n"),
        (["--cores", "2.5"], "compare: CORES must be a whole number > 0, got '2.5'\n"),
    ],
)
def test_odd_numbers_are_named(arguments, message, tmp_path, capsys):
    made("values").to_csv(tmp_path / "w.csv", index=False)
    assert main([str(tmp_path / "w.csv"), "y", "--folder", str(tmp_path / "f"), "--prepare", *arguments]) == 2
    assert capsys.readouterr().err == message and not (tmp_path / "f").exists()


def test_names_are_separated_by_spaces_or_commas():
    known = ["a b", "c", "d"]
    assert words_of("a b", known) == ["a b"] and words_of("c d", known) == ["c", "d"] and words_of("", known) == []
    assert words_of("a b, c", known) == ["a b", "c"] and words_of("bad, very good,") == ["bad", "very good"]


def test_a_budget_that_is_too_short_is_said(tmp_path, capsys):
    made("values").to_csv(tmp_path / "w.csv", index=False)
    arguments = [str(tmp_path / "w.csv"), "y", "--folder", str(tmp_path / "f"), "--prepare", "--cores", "2"]
    for budget, said in (
        ("0.01", "more than BUDGET=0.01, which is too short for 10 hold-outs"),
        ("4", "a larger BUDGET"),
    ):
        assert main([*arguments, "--budget", budget]) == 0 and said in capsys.readouterr().out


def test_sizes_are_a_curve_whose_test_part_is_no_larger_than_its_training_part():
    assert sizes_of(10_000) == [125, 500, 2000] and sizes_of(100) == [70]
    for rows, n_test in ((10_000, 2000), (100, 30)):
        look = SimpleNamespace(n_inputs=8, frame=range(rows), kind="grades", groups="")
        assert experiment_of(look, "t", "T", 60, 2)[0]["datasets"]["t"]["n_test"] == n_test


def test_every_hold_out_has_a_group_for_each_fold():
    """Two of 30 groups hold half of the rows, so a few rows may all be of one group."""
    groups = np.concatenate([np.repeat([0, 1], 150), np.arange(300) % 28 + 2])
    look = SimpleNamespace(n_inputs=8, frame=pd.DataFrame({"q": groups}), kind="values", groups="q")
    for budget in (0.5, 60):
        experiment = experiment_of(look, "t", "T", budget, 2)[0]
        assert min(entry["n_train"] for entry in experiment["conditions"].values()) >= 301
        sizes = {key: experiment["datasets"]["t"][key] for key in ("n_train", "n_test")}
        table = SimpleNamespace(groups=groups.astype(float))
        for seed in range(30):
            draw(table, seed=seed, names=("t", "t"), n_folds=3, **sizes)
    with pytest.raises(TableError, match="GROUPS=q: its 2 largest groups hold 300 of 310 rows"):
        experiment_of(SimpleNamespace(n_inputs=8, frame=look.frame[:310], kind="values", groups="q"), "t", "T", 10, 2)


def test_a_short_budget_takes_fewer_rows_but_not_too_few():
    look = SimpleNamespace(n_inputs=8, frame=range(1000), kind="values", groups="")
    experiment, minutes = experiment_of(look, "t", "T", 0.5, 2)
    assert [entry["n_train"] for entry in experiment["conditions"].values()] == [43, 200]
    assert minutes > 0.5 and experiment["datasets"]["t"]["n_test"] == 200


@pytest.mark.parametrize("kind", ["values", "grades", "pairs"])
def test_a_comparison_is_planned_for_its_budget(kind):
    look = SimpleNamespace(n_inputs=8, frame=range(10_000), kind=kind, groups="")
    short, minutes = experiment_of(look, "t", "T", 10, 2)
    long, more_minutes = experiment_of(look, "t", "T", 60, 2)
    assert minutes <= 10 and more_minutes <= 60 and short["seeds"] >= 10
    assert [entry["n_train"] for entry in long["conditions"].values()] == [125, 500, 2000]
    assert short["datasets"]["t"]["n_train"] >= 1000
    assert long["seeds"] >= short["seeds"] and (kind == "pairs" or long["seeds"] > short["seeds"])


def test_many_columns_leave_time_for_fewer_rows():
    assert seconds_of("values", "forest", 500, 32) == 2 * seconds_of("values", "forest", 500)
    assert seconds_of("values", "ridge", 500, 80) == seconds_of("values", "ridge", 500)
    largest = []
    for n_inputs in (8, 80):
        look = SimpleNamespace(n_inputs=n_inputs, frame=range(10_000), kind="values", groups="")
        largest.append(experiment_of(look, "t", "T", 10, 2)[0]["datasets"]["t"]["n_train"])
    assert largest[1] < largest[0]
    assert look_at(made("values"), "y").n_inputs == 5  # a b, its mark, q, two colours


def test_a_budget_buys_larger_grids():
    look = SimpleNamespace(n_inputs=8, frame=range(1000), kind="values", groups="")
    grids = [experiment_of(look, "t", "T", budget, 2)[0]["methods"]["forest"]["grid"] for budget in (3, 60)]
    assert [points_of(grid) for grid in grids] == [12, 36]


def test_every_method_has_a_measured_cost_and_a_larger_grid():
    for kind in ("values", "grades", "pairs"):
        template = yaml.safe_load((files("rankbench.compare") / f"{kind}.yaml").read_text())
        every = template["methods"] | template.get("rivals", {}) | template.get("rivals_with_groups", {})
        for name, method in every.items():
            seconds = [seconds_of(kind, name, rows) for rows in (50, 125, 2000, 4000)]
            assert seconds[0] == seconds[1] and seconds[2] < seconds[3]
            larger = template["larger_grids"][name]
            assert larger.keys() == method["grid"].keys() and points_of(larger) > points_of(method["grid"])


@pytest.mark.parametrize("kind", ["values", "grades", "pairs"])
def test_every_method_has_a_grid_of_the_size_of_ours(kind):
    template = yaml.safe_load((files("rankbench.compare") / f"{kind}.yaml").read_text())
    every = template["methods"] | template.get("rivals", {}) | template.get("rivals_with_groups", {})
    for name, method in every.items():
        usual, larger = points_of(method["grid"]), points_of(template["larger_grids"][name])
        if len(method["grid"]) == 1:  # linear
            assert 4 <= usual <= 5 and 6 <= larger <= 8
        else:
            assert 12 <= usual <= 15 and 32 <= larger <= 36


def test_names_of_files_become_names_of_data_sets():
    assert [name_of(path) for path in ("a/Wine Quality.csv.gz", "2024.csv", "ü.csv")] == [
        "wine_quality",
        "table_2024",
        "table",
    ]
