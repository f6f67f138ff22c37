"""The plan of a comparison: sizes that can be drawn, a budget that is kept, grids and costs of every method."""

import numpy as np
import pandas as pd
import pytest

from rankbench.command.doors import run
from rankbench.compare import plan
from rankbench.compare.plan import experiment_of, in_words
from rankbench.compare.read import TableError
from rankbench.datasets.table import Table
from rankbench.experiments.draw import draw


def table_of(n, d=8, y=None, groups=None):
    """Return a table of n rows without equal rows."""
    rng = np.random.default_rng(0)
    y = rng.random(n) if y is None else np.asarray(y, dtype=float)
    blocks = np.arange(float(n)) if groups is None else np.asarray(groups, dtype=float)
    names = tuple(f"x{j}" for j in range(d))
    return Table(rng.random((n, d)), y, names, ((),) * d, groups=None if groups is None else blocks, blocks=blocks)


def sizes(experiment):
    return [entry["n_train"] for entry in experiment["conditions"].values()]


def test_a_budget_that_is_too_short_is_refused_and_the_one_it_names_is_enough(tmp_path, capsys):
    for kind, table in (("values", table_of(1000)), ("grades", table_of(400, y=np.arange(400) % 3))):
        with pytest.raises(
            TableError, match=r"--budget=0\.5 is too short for 10 hold-outs: --budget=\d+ is enough"
        ) as refused:
            experiment_of(kind, table, "t", "T", 0.5, 2)
        enough = int(str(refused.value).split("--budget=")[2].split()[0])
        experiment, minutes, _ = experiment_of(kind, table, "t", "T", enough, 2)
        assert minutes <= enough and experiment["seeds"] >= 10
        with pytest.raises(TableError, match="is too short"):
            experiment_of(kind, table, "t", "T", enough - 1, 2)
    frame = pd.DataFrame({"a": np.arange(100) / 7, "y": np.arange(100)[::-1] / 3})
    frame.to_csv(tmp_path / "w.csv", index=False)
    arguments = [str(tmp_path / "w.csv"), "y", "--folder", str(tmp_path / "f"), "--prepare", "--cores", "2"]
    assert run(["compare", *arguments, "--budget", "0.01"]) == 1 and not (tmp_path / "f").exists()
    assert "--budget=0.01 is too short for 10 hold-outs: --budget=" in capsys.readouterr().err
    assert run(["compare", *arguments, "--budget", "4"]) == 0 and "a larger --budget" in capsys.readouterr().out


def test_a_short_budget_says_that_it_trains_on_fewer_rows():
    """600 rows have a training part of 420; without the note, the answer looked like one about 420."""
    table = table_of(600)
    short, minutes, most = experiment_of("values", table, "t", "T", 2.5, 2)
    n_train = sizes(short)[-1]
    assert 200 <= n_train < most == 420
    said = [*in_words("values", short, minutes, most, 2)]
    assert f"note      training on {n_train} of 420 possible rows: a larger --budget=minutes uses all" in said
    long, minutes, most = experiment_of("values", table, "t", "T", 60, 2)
    assert sizes(long)[-1] == most == 420
    assert not any("possible rows" in line for line in in_words("values", long, minutes, most, 2))


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
        experiment, _, _ = experiment_of(kind, table, "t", "T", 10, 2)
        for split in drawn(experiment, table):
            assert not split.absent
            for rows in (split.train, split.test):
                inside = np.zeros(200) if table.groups is None else table.groups
                assert any(len({*table.y[rows][inside[rows] == group]}) > 1 for group in {*inside[rows]})


def rng_rows(n, k):
    return np.random.default_rng(1).choice(n, k, replace=False)


def test_too_rare_a_target_is_refused_before_anything_runs():
    one, alone, few = np.zeros(100), np.arange(100), np.arange(100) % 50
    one[3] = 1
    y = np.where(np.arange(100) < 2, -1, few)  # of the groups of two equal rows two have something to order
    tables = [
        table_of(100, y=one),
        table_of(100, y=0 * one),
        table_of(100, groups=alone),
        table_of(100, y=y, groups=few),
    ]
    for table, kind in zip(tables, ("grades", "grades", "values", "values"), strict=True):
        with pytest.raises(TableError, match="test parts: each part needs two different targets that can be compared"):
            experiment_of(kind, table, "t", "T", 10, 2)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["values", "grades", "pairs"])
def test_a_comparison_is_planned_for_its_budget(kind):
    table = table_of(10_000, y=np.arange(10_000) % 3 - 1)
    short, minutes, most = experiment_of(kind, table, "t", "T", 10, 2)
    long, more_minutes, as_many = experiment_of(kind, table, "t", "T", 60, 2)
    assert minutes <= 10 and more_minutes <= 60 and short["seeds"] >= 10
    assert sizes(long) == [2000] and most == as_many == 2000
    assert short["datasets"]["t"]["n_train"] >= 1000
    assert long["seeds"] >= short["seeds"] and (kind == "pairs" or long["seeds"] > short["seeds"])


@pytest.mark.parametrize("n_ties", [0, 3, 200])
def test_methods_that_learn_from_ties_are_compared_if_each_part_has_one(n_ties):
    y = np.where(np.arange(400) % 2, 1.0, -1.0)
    y[:n_ties] = 0
    table = table_of(400, y=y)
    experiment, _, _ = experiment_of("pairs", table, "t", "T", 10, 2)
    enough = n_ties == 200
    assert ("compare_rbf" in experiment["methods"]) == enough == ("rank_linear" not in experiment["methods"])
    assert {"rank_rbf", "bradley_terry", "logistic"} <= {*experiment["methods"]}
    said = "\n".join(in_words("pairs", experiment, 1, 200, 2))
    assert ("not compared: " in said) == (not enough)
    for split in drawn(experiment, table) if enough else ():
        assert all((y[rows] == 0).any() for rows in (split.train, *(rows for rows, _ in split.inner)))


@pytest.mark.parametrize("cores", [2, 64])
def test_the_longest_job_ends_within_the_budget_too(cores):
    """The runs of a job come one after the other; 3,000 rows took 14 minutes of the 10 with 64 cores."""
    experiment, minutes, _ = experiment_of("values", table_of(3000), "t", "T", 10, cores)
    (sizes,), n_inputs = experiment["conditions"].values(), plan.n_inputs_of(table_of(3000))
    measured = plan.template_of("values")["methods"]
    times = {name: plan.points_of(one) / plan.points_of(measured[name]) for name, one in experiment["methods"].items()}
    run = max(plan.seconds_of("values", one, sizes["n_train"], n_inputs) * more for one, more in times.items())
    longest = experiment["seeds_per_job"] * run / 60
    assert longest <= minutes <= 10 and experiment["seeds"] >= 10


def test_missing_rivals_are_named_as_packages(monkeypatch):
    monkeypatch.setattr(plan, "find_spec", lambda _: None)
    with pytest.raises(TableError, match=r"catboost not installed: .* -m pip install lightgbm .*catboost"):
        plan.methods_of(plan.template_of("values"), False, True)


def test_no_method_is_given_targets_in_a_unit_that_test_rows_decide():
    for kind in ("values", "grades", "pairs"):
        template = plan.template_of(kind)
        preprocess = [template["preprocess"], *(one.get("preprocess", {}) for one in template["methods"].values())]
        assert {one.get("target", "raw") for one in preprocess} <= {"raw", "standardised_train"}
