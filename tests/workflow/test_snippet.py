"""The program of a report runs and orders the rows as the method of the benchmark does, for every method."""

import contextlib
import io
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy.stats import spearmanr

from rankbench.command.doors import run as door
from rankbench.compare.own import load_datasets
from rankbench.compare.snippet import snippet_of
from rankbench.datasets.table import load_table
from rankbench.experiments.experiment import Experiment
from rankbench.experiments.measures import METRICS, measure
from rankbench.experiments.methods import paths_of
from rankbench.experiments.model import Method
from rankbench.experiments.preprocess import encode, learn_scaling
from rankbench.experiments.tune import fit_points

N = 90
RIVAL = ("LightGBM", "XGBoost", "Mord")


def made(kind):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.standard_normal(N) for name in ("a_a", "b_a", "a_b", "b_b")})
    if kind == "pairs":
        return frame.assign(y=np.sign((frame["a_a"] - frame["a_b"]).round()))
    frame = frame.assign(colour=rng.choice(["red", "blue"], N), q=np.arange(N) % 6)
    value = frame["a_a"] + (frame["colour"] == "red") + 0.1 * rng.standard_normal(N)
    frame.loc[:5, "b_b"] = np.nan
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
    return here


@pytest.mark.parametrize("kind", ["values", "grades", "pairs"])
def test_every_winner_has_a_program(kind, tmp_path, monkeypatch):
    experiment, row = prepared(kind, tmp_path)
    table = load_table(tmp_path / "f/resources/tables/t_y.npz")
    X = encode(table.X, table.column_levels, "onehot")
    scaler = learn_scaling(X, "standard", items=table.items, fill=bool(np.isnan(X).any()))
    for name, entry in experiment.methods.items():
        chosen = {key: values[len(values) // 2] for key, values in entry.grid.items()}
        program = snippet_of(row, entry, chosen, 60)
        here = run(program, tmp_path / "f", monkeypatch)
        ours = fit_points(entry.uses, scaler(X), table.y, [chosen], seed=0, params=entry.params)[0]
        error = measure(METRICS[experiment.metrics[0]], table.y, ours, scaler(X))
        assert error < 0.75 * error_of_one_answer(experiment.metrics[0], table.y), name
        asked = here["X"] if kind == "pairs" else here["table"]
        ways = ("score_samples", "decision_function", "predict")
        score = next(getattr(here["model"], way) for way in ways if hasattr(here["model"], way))
        theirs = np.asarray(score(asked))
        if theirs.ndim > 1 or name in ("forest", "boosting"):
            theirs = here["model"].predict(asked)
        sign = -1 if kind == "pairs" else 1
        assert sign * spearmanr(theirs, ours.scores(scaler(X))).statistic > 0.8, name
        assert ("60 training rows" in program) == bool(chosen) and ".sample(" not in program
        few = snippet_of(row, entry, chosen, 40)
        kernel = name == "self_tuning" or ("rankmargin" in few and entry.params.get("kernel") == "rbf")
        assert (".sample(80, random_state=0)" in few) == kernel
        assert "rankbench" not in program, "a program needs the library and the packages of others alone"


@pytest.mark.parametrize("kind", ["values", "grades"])
def test_the_program_of_a_search_keeps_rows_with_the_same_inputs_in_one_fold(kind, tmp_path, monkeypatch):
    experiment, row = prepared(kind, tmp_path, times=2)
    table = load_table(tmp_path / "f/resources/tables/t_y.npz")
    here = run(snippet_of(row, experiment.methods["self_tuning"], {}, 120), tmp_path / "f", monkeypatch)
    for inside, outside in here["folds"]:
        assert not {*table.blocks[inside]} & {*table.blocks[outside]}
    assert len(here["folds"]) == 5 and here["model"][-1].cv is here["folds"]
    assert "folds" not in snippet_of(row, experiment.methods["svor_rbf" if kind == "grades" else "ridge"], {}, 120)


def test_groups_are_given_to_what_takes_them(tmp_path, monkeypatch):
    experiment, row = prepared("values", tmp_path, "q")
    for name in ("all_pairs_linear", "self_tuning", "ridge"):
        entry = experiment.methods[name]
        program = snippet_of(row, entry, {key: values[0] for key, values in entry.grid.items()}, 60)
        here = run(program, tmp_path / "f", monkeypatch)
        assert ("__groups=groups" in program) == (name != "ridge") and "q" not in here["table"]


def test_persons_are_given_to_methods_of_comparisons(tmp_path, monkeypatch):
    experiment, row = prepared("pairs", tmp_path, "q")
    for name, entry in experiment.methods.items():
        program = snippet_of(row, entry, {key: values[0] for key, values in entry.grid.items()}, 60)
        here = run(program, tmp_path / "f", monkeypatch)
        ours = paths_of(entry.uses)[0].startswith("rankmargin.")
        assert ("fit(X, y, groups=groups)" in program) == ours and here["X"].shape == (N, 4 if ours else 2), name


@pytest.mark.filterwarnings("ignore:.*disp.*:DeprecationWarning")  # mord passes scipy an option that is deprecated
@pytest.mark.parametrize(("kind", "groups"), [("values", "q"), ("grades", "")])
def test_rivals_have_programs_that_fit_the_same_model(kind, groups, tmp_path, monkeypatch):
    for package in ("lightgbm", "xgboost", "mord"):
        pytest.importorskip(package)
    experiment, row = prepared(kind, tmp_path, groups, rivals=True)
    table = load_table(tmp_path / "f/resources/tables/t_y.npz")
    X = encode(table.X, table.column_levels, "onehot")
    X = learn_scaling(X, "standard", fill=True)(X)
    rivals = [name for name, entry in experiment.methods.items() if paths_of(entry.uses)[-1].endswith(RIVAL)]
    named = ["lightgbm_ranker", "xgboost_ranker"] if groups else ["mord"]
    assert sorted(rivals) == sorted(["lightgbm", "xgboost", *named])
    for name in rivals:
        entry = experiment.methods[name]
        chosen = {key: values[-1] for key, values in entry.grid.items()}
        ours = fit_points(entry.uses, X, table.y, [chosen], seed=0, params=entry.params, groups=table.groups)[0]
        here = run(snippet_of(row, entry, chosen, 60), tmp_path / "f", monkeypatch)
        theirs = pd.Series(here["model"].predict(here["table"]), index=here["table"].index).sort_index()
        expected = ours.labels(X) if kind == "grades" else ours.scores(X)
        assert np.mean(theirs == expected) > 0.95 if kind == "grades" else spearmanr(theirs, expected).statistic > 0.95


def test_pipelines_and_what_has_no_program(tmp_path, monkeypatch):
    _, row = prepared("values", tmp_path)
    uses = ["sklearn.kernel_approximation.Nystroem", "sklearn.linear_model.Ridge"]
    entry = Method(uses=uses, params={"nystroem__n_components": 20})
    program = snippet_of(row, entry, {"ridge__alpha": 0.5}, 60)
    assert run(program, tmp_path / "f", monkeypatch)["model"][-1][-1].alpha == 0.5
    assert snippet_of(SimpleNamespace(reader="arff"), entry, {}, 60) == ""
