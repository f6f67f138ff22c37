"""An estimator that is not ours is entered into the contest by the recipe of its page, followed literally."""

import argparse
import re
import subprocess
from shutil import copy

import numpy as np
import pandas as pd
import pytest
from checkout import BIN, ROOT

import rankmargin
from rankbench.command.doors import run as door
from rankbench.experiments.draw import draw_from
from rankbench.experiments.methods import fit_method
from rankbench.experiments.places import hold
from rankbench.experiments.protocol import load_asked
from rankbench.papers.today.enter import methods_in, prepare, standings, tell
from rankbench.papers.today.kept import KEPT, Kept
from rankbench.records.files import note_of, read_note
from rankbench.records.frames import read_frame, write_frame
from rankmargin import RankSearchCV

pytestmark = pytest.mark.workflow
PAGE = (ROOT / "docs/reproduction/contest.md").read_text()


TABLES = ["servo"]


@pytest.fixture
def kept(checkout):
    """The kept records of a table, in a copy of the project."""
    (checkout.path / "resources/today").mkdir(parents=True)
    (checkout.path / "resources/data").symlink_to(ROOT / "resources/data")
    records, made = read_frame(ROOT / "resources/today/contest_known_200.parquet")
    protocol = made["protocol"]
    of_one = {**protocol, "datasets": {name: protocol["datasets"][name] for name in TABLES}}
    records = records[records["dataset"].isin(TABLES)].reset_index(drop=True)
    write_frame(checkout.path / "resources/today/contest_known_200.parquet", records, **{**made, "protocol": of_one})
    return records


@pytest.fixture
def entered(checkout, kept):
    """What the recipe of the page says, followed in that copy."""
    (space,) = re.findall(r"```yaml\n# space.yaml\n(.*?)```", PAGE, re.DOTALL)
    (command,) = re.findall(r"^\.venv/bin/rankbench contest (.*)$", PAGE, re.MULTILINE)
    (checkout.path / "space.yaml").write_text(space)
    command = [BIN / "rankbench", "contest", *command.split(), "--cores", "2"]
    done = subprocess.run(
        command, cwd=checkout.path, env=checkout.environment(), capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_recipe_of_the_page(checkout, kept, entered):
    table = entered.split("method of the line.")[1]
    assert f"{kept['method'].nunique() + 1} methods on 1 table" in entered
    (line,) = [line for line in table.splitlines() if "> HuberRegressor" in line]
    assert line.split()[-3:-1] == ["0", "0"] and float(line.split()[-4]) < 0.4
    folder = checkout.path / "contest/huberregressor_known"
    runs = folder / "results/contest_known_200/records.parquet"
    own = pd.read_parquet(runs).set_index(["dataset", "seed"]).sort_index()
    others = kept[kept["method"] == "ridge"].set_index(["dataset", "seed"]).sort_index()
    assert own.index.equals(others.index) and own[["n_train", "n_test"]].equals(others[["n_train", "n_test"]])
    drawn = folder / "resources/splits/contest_known_200/servo/default/0.npz"
    arguments = read_note(note_of(drawn))["task"]["arguments"]
    (again,) = draw_from(folder / "resources/tables/servo.npz", [0], names=("contest_known_200", "servo"), **arguments)
    with np.load(drawn) as split:
        assert np.array_equal(split["test"], again.test)  # the rows of the kept records


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--add", "mine:Mine", "--tables", "knwon"], "no kept records of 'knwon'; did you mean 'known'?"),
        (["--add", "mine:Mine", "--space", "absent.yaml"], "absent.yaml"),
        (["--add", "mine:Mine", "--space", "list.yaml"], "list.yaml: must be a mapping of parameters to lists or"),
        (["--add", "mymod:Cls"], "rankbench contest: mymod.Cls cannot be imported: No module named"),
        (["--add", "sound:number"], "rankbench contest: sound.number must be a class, got a int"),
        (["--add", "sound:Unable"], "rankbench contest: sound.Unable must have fit and one of predict, predict_proba"),
    ],
)
def test_refused_in_one_line(checkout, kept, arguments, message, monkeypatch, capsys):
    monkeypatch.chdir(checkout.path)
    (checkout.path / "list.yaml").write_text("- alpha: [1]\n")
    (checkout.path / "sound.py").write_text("number = 3\n\n\nclass Unable:\n    pass\n")
    assert door(["contest", *arguments, "--cores", "2"]) == 1 and not (checkout.path / "contest").exists()
    said = capsys.readouterr().err
    assert message in said and said.count("\n") == 1


def test_another_space_or_class_of_the_same_name_is_refused(checkout, kept, monkeypatch):
    monkeypatch.chdir(checkout.path)
    (checkout.path / "space.yaml").write_text("alpha: {low: 0.0001, high: 1000, scale: log}\n")
    (checkout.path / "mine.py").write_text("from sklearn.linear_model import Ridge\n")
    monkeypatch.syspath_prepend(checkout.path)

    def folder(add, space=""):
        return prepare(argparse.Namespace(add=add, space=space, tables="known"), checkout.path).name

    first, second = "sklearn.linear_model:Ridge", "mine:Ridge"
    assert folder(first) == folder(first) == "ridge_known"
    for other in ((first, "space.yaml"), (second,)):
        with pytest.raises(ValueError, match="ridge_known: holds the runs of another class or space"):
            folder(*other)
    with hold("contest/ridge_known"), pytest.raises(ValueError, match="another run is active in this folder"):
        folder(first)


def test_an_estimator_of_ours_that_fits_others_is_a_step_of_a_pipeline(checkout, kept, monkeypatch):
    monkeypatch.chdir(checkout.path)
    (checkout.path / "space.yaml").write_text("cv: [3, 4]\n")
    options = argparse.Namespace(add="rankmargin:RankSearchCV", space="space.yaml", tables="known")
    method = methods_in(prepare(options, checkout.path) / "config/experiments/contest_known_200.yaml")["entry"]
    assert (method["label"], method["grid"]) == ("RankSearchCV", {"ranksearchcv__cv": [3, 4]})
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 3)), rng.standard_normal(60)
    (model,) = fit_method(method["uses"], X, y, [None], seed=0, params={"ranksearchcv__cv": 3})
    assert np.array_equal(model.scores(X), RankSearchCV(cv=3).fit(X, y).score_samples(X))


@pytest.mark.parametrize("name", ["SVOR", "RankSVR", "SwappedPairsSVM"])
def test_an_svm_of_ours_without_a_space_runs_with_its_default_C(checkout, kept, monkeypatch, name):
    monkeypatch.chdir(checkout.path)
    options = argparse.Namespace(add=f"rankmargin:{name}", space="", tables="known")
    folder = prepare(options, checkout.path)
    (experiment,) = load_asked((), folder)[0].values()
    assert experiment.methods["entry"].params == {"C": getattr(rankmargin, name)().C}


def test_standings_by_hand(tmp_path):
    values = {"entry": [0.8, None, 0.6], "other": [0.7, 0.6, 0.6], "third": [0.9, 0.4, 0.5]}
    tables = ["servo", "boston", "stock"]
    rows = [
        {"dataset": table, "method": method, "concordance_index": value, "status": "failed" if value is None else "ok"}
        for method, column in values.items()
        for table, value in zip(tables, column)
    ]
    rest = {"condition": "default", "seed": 0, "n_train": 100, "n_test": 50, "params": "{}", "reason": ""}
    records = pd.DataFrame(rows).assign(**rest, tune_seconds=1.0, fit_seconds=2.0, peak_megabytes=9.0)
    (tmp_path / KEPT).mkdir(parents=True)
    (tmp_path / "config").mkdir()
    copy(ROOT / "config/datasets.tsv", tmp_path / "config/datasets.tsv")
    protocol = {
        "datasets": {name: {} for name in tables},
        "conditions": {"default": {}},
        "methods": {name: {"label": name} for name in ("other", "third")},
        "seeds": 1,
        "metrics": ["concordance_index"],
    }
    own = records["method"] == "entry"
    write_frame(tmp_path / KEPT / "contest_known_200.parquet", records[~own], protocol=protocol)
    joined = Kept("contest_known_200", tmp_path).joined(records[own], "entry")
    table = standings(joined).set_index("method")
    # ranks: a 2 3 1, b (0.5, 0.6, 0.4) 2 1 3, c 1.5 1.5 3
    assert table["average_rank"].round(3).to_dict() == {"entry": 1.833, "other": 1.833, "third": 2.333}
    assert table.loc["entry", "error"] == pytest.approx((0.2 + 0.5 + 0.4) / 3)
    assert table[["better", "worse"]].T.to_dict("list") == {"entry": [0, 0], "other": [1, 1], "third": [2, 1]}
    assert set(table["seconds"]) == {3.0}


def test_tables_that_are_not_there_are_left_out(tmp_path, capsys):
    kept = Kept("contest_known_200", ROOT).records
    own = kept[kept["method"] == "ridge"].assign(reason="")
    own.loc[own["dataset"] != "servo", ["status", "reason"]] = "missing", "not fetched"
    own.loc[own["dataset"] == "servo", ["n_failed", "n_drawn"]] = 59, 60
    folder = tmp_path / "results/contest_known_200"
    folder.mkdir(parents=True)
    options = argparse.Namespace(add="mine:Mine", tables="known")
    write_frame(folder / "records.parquet", own.reset_index(drop=True))
    tell(options, tmp_path, ROOT)
    text = capsys.readouterr().out
    assert "left out, because they are not there: bank32, " in text and "methods on 1 table," in text
    assert "Left out of its searches: 59 of 60 settings, whose fits failed." in text
    assert "Failed" not in text and "> Mine" in text
    write_frame(folder / "records.parquet", own.assign(status="missing").reset_index(drop=True))
    with pytest.raises(ValueError, match="no table of 'known' could be fetched"):
        tell(options, tmp_path, ROOT)
