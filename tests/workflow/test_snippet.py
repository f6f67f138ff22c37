"""The program of a report runs and orders the rows as the method of the benchmark does, for every method."""

import contextlib
import io

import joblib
import numpy as np
import pandas as pd
import pytest
import yaml
from scipy.stats import spearmanr

from rankbench.command.doors import run as door
from rankbench.compare.folder import rows_of
from rankbench.compare.program import program_of
from rankbench.compare.read import TableError
from rankbench.configuration.model import Method
from rankbench.datasets.own import load_datasets
from rankbench.datasets.table import load_table
from rankbench.experiments.experiment import Experiment
from rankbench.experiments.measures import METRICS, measure
from rankbench.experiments.methods import paths_of
from rankbench.experiments.preprocess import encode, learn_scaling
from rankbench.experiments.tune import fit_points

N = 90


def made(kind):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.standard_normal(N) for name in ("elo_a", "age_a", "elo_b", "age_b")})
    if kind == "battles":
        first, second = (rng.permuted(np.tile(np.arange(8), (N, 1)), axis=1)[:, :2]).T
        won = np.sign((first - second + rng.logistic(size=N)).round())
        items = {"model_a": [f"m{k}" for k in first], "model_b": [f"m{k}" for k in second]}
        words = {1: "model_a", -1: "model_b", 0: "tie"}
        return pd.DataFrame({**items, "y": [words[one] for one in won]})
    if kind == "pairs":
        return frame.assign(y=np.sign((frame["elo_a"] - frame["elo_b"]).round()))
    frame = frame.assign(colour=rng.choice(["red", "blue"], N), q=np.arange(N) % 6)
    value = frame["elo_a"] + (frame["colour"] == "red") + 0.1 * rng.standard_normal(N)
    frame.loc[:5, "age_b"] = np.nan
    return frame.assign(y=np.digitize(value, [-0.5, 0.5, 1.5]) if kind == "grades" else value.round(3))


def prepared(kind, tmp_path, groups="", rivals=False, times=1):
    """Return the experiment of a comparison and the row of its table, whose rows are there so many times."""
    frame = pd.concat([made(kind)] * times)
    frame.assign(**{groups: np.arange(len(frame)) % 6} if groups else {}).to_csv(tmp_path / "t.csv", index=False)
    told = [*(["--groups", groups] if groups else []), *(["--rivals"] if rivals else [])]
    assert door(["compare", str(tmp_path / "t.csv"), "y", "--folder", str(tmp_path / "f"), "--prepare", *told]) == 0
    experiment = Experiment.of(yaml.safe_load((tmp_path / "f/config/experiments/t_y.yaml").read_text()))
    return experiment, load_datasets(tmp_path / "f")["t_y"]


def error_of_one_answer(metric, y):
    """Return the least error of a method that gives all rows the same label or score."""
    if metric == "swapped_pairs":
        return 0.5
    return min(METRICS[metric](y, np.full(len(y), label)) for label in np.unique(y))


def run(program, folder, monkeypatch):
    monkeypatch.chdir(folder)
    here, said = {}, io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(program, here)
    assert said.getvalue().strip()
    assert list(joblib.load("model.joblib").predict(here["new"])) == list(here["model"].predict(here["new"]))
    return here


def scores(model, X):
    ways = ("score_samples", "decision_function", "predict")
    found = np.asarray(next(getattr(model, way) for way in ways if hasattr(model, way))(X))
    return found if found.ndim == 1 else model.predict(X)


@pytest.mark.parametrize("kind", ["values", "grades", "pairs", "battles"])
def test_every_winner_has_a_program(kind, tmp_path, monkeypatch):
    experiment, row = prepared(kind, tmp_path)
    table = load_table(tmp_path / "f/resources/tables/t_y.npz")
    for name, entry in experiment.methods.items():
        seen = table.only(entry.attributes)
        preprocess = {**experiment.preprocess, **entry.preprocess}
        X = encode(seen.X, seen.column_levels, preprocess["nominal"])
        fill = bool(np.isnan(X).any())
        X = learn_scaling(X, preprocess["scaling"], items=table.items, fill=fill)(X)
        chosen = {key: values[len(values) // 2] for key, values in entry.grid.items()}
        program = program_of(row, entry, chosen, 60)
        here = run(program, tmp_path / "f", monkeypatch)
        ours = fit_points(entry.uses, X, table.y, [chosen], seed=0, params=entry.params)[0]
        theirs = (
            here["model"].predict(here["table"])
            if name in ("forest", "boosting")
            else scores(here["model"], here["table"])
        )
        sign = 1 if table.items == 1 or hasattr(ours, "outcomes") else -1  # of the second item
        assert sign * spearmanr(theirs, ours.scores(X)).statistic > 0.8, name
        if kind != "battles":
            error = measure(METRICS[experiment.metrics[0]], table.y, ours, X)
            assert error < 0.75 * error_of_one_answer(experiment.metrics[0], table.y), name
        assert ("60 training rows" in program) == bool(chosen) and ".sample(" not in program
        kernel = name == "self_tuning" or ("rankmargin" in program and entry.params.get("kernel") == "rbf")
        assert (".sample(80, random_state=0)" in program_of(row, entry, chosen, 40)) == kernel


@pytest.mark.parametrize("kind", ["values", "grades"])
def test_the_program_of_a_search_keeps_rows_with_the_same_inputs_in_one_fold(kind, tmp_path, monkeypatch):
    experiment, row = prepared(kind, tmp_path, times=2)
    table = load_table(tmp_path / "f/resources/tables/t_y.npz")
    here = run(program_of(row, experiment.methods["self_tuning"], {}, 120), tmp_path / "f", monkeypatch)
    for inside, outside in here["folds"]:
        assert not {*table.blocks[inside]} & {*table.blocks[outside]}
    assert len(here["folds"]) == 5 and here["model"][-1].cv is here["folds"]
    assert "folds" not in program_of(row, experiment.methods["svor_rbf" if kind == "grades" else "ridge"], {}, 120)


def test_groups_are_given_to_what_takes_them(tmp_path, monkeypatch):
    experiment, row = prepared("values", tmp_path, "q")
    for name in ("all_pairs_linear", "self_tuning", "ridge"):
        entry = experiment.methods[name]
        program = program_of(row, entry, {key: values[0] for key, values in entry.grid.items()}, 60)
        here = run(program, tmp_path / "f", monkeypatch)
        assert ("__groups=groups" in program) == (name != "ridge") and "q" not in here["table"]


def test_persons_are_given_to_methods_of_comparisons(tmp_path, monkeypatch):
    experiment, row = prepared("pairs", tmp_path, "q")
    for name, entry in experiment.methods.items():
        program = program_of(row, entry, {key: values[0] for key, values in entry.grid.items()}, 60)
        here = run(program, tmp_path / "f", monkeypatch)
        ours = paths_of(entry.uses)[0].startswith("rankmargin.")
        assert ("__groups=groups" in program) == ours and here["table"].shape == (N, 4), name


def test_pipelines(tmp_path, monkeypatch):
    _, row = prepared("values", tmp_path)
    uses = ["sklearn.kernel_approximation.Nystroem", "sklearn.linear_model.Ridge"]
    entry = Method(uses=uses, params={"nystroem__n_components": 20})
    program = program_of(row, entry, {"ridge__alpha": 0.5}, 60)
    assert run(program, tmp_path / "f", monkeypatch)["model"][-1][-1].alpha == 0.5


def test_new_rows_are_read_as_the_table_was(tmp_path):
    """In another format, without the target; a cell that is written in another way is refused."""
    frame = made("values")
    frame["price"] = [f"${1000 * k:,}.50" for k in range(N)]
    frame["seen"] = pd.date_range("2020-01-01", periods=N).astype("str")[::-1]
    frame["zip"] = [f"0{k % 7}" for k in range(N)]
    frame.to_csv(tmp_path / "t.csv", index=False)
    assert door(["compare", str(tmp_path / "t.csv"), "y", "--folder", str(tmp_path / "f"), "--prepare"]) == 0
    known = rows_of(tmp_path / "t.csv", tmp_path / "f")
    frame.drop(columns="y").sample(20, random_state=0).to_parquet(tmp_path / "new.parquet", index=False)
    new = rows_of(tmp_path / "new.parquet", tmp_path / "f")
    expected = known.drop(columns="y").sample(20, random_state=0).reset_index(drop=True)
    pd.testing.assert_frame_equal(new, expected)
    assert known["price"].tolist() == [1000 * k + 0.5 for k in range(N)] and {*known["zip"]} == {
        f"0{k}" for k in range(7)
    }
    frame.loc[3, "price"] = "about 5"
    frame.to_csv(tmp_path / "odd.csv", index=False)
    with pytest.raises(TableError, match="column 'price': 'about 5' is not written as the other numbers are"):
        rows_of(tmp_path / "odd.csv", tmp_path / "f")
    with pytest.raises(TableError, match="there is no column 'elo_a'"):
        frame.drop(columns="elo_a").to_csv(tmp_path / "less.csv", index=False)
        rows_of(tmp_path / "less.csv", tmp_path / "f")
