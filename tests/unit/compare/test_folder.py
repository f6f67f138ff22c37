"""The benchmark accepts what make compare writes; for a table that is refused nothing is written."""

import errno
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from checkout import BIN, ROOT

from rankbench.command.doors import run
from rankbench.compare.folder import name_of, rows_of
from rankbench.datasets.own import load_datasets
from rankbench.datasets.table import load_table
from rankbench.experiments.draw import draw, draw_from
from rankbench.experiments.job import Data, run_seed
from rankbench.experiments.places import hold
from rankbench.experiments.preprocess import encode
from rankbench.experiments.protocol import load_asked
from rankbench.records.files import write_text
from rankbench.records.record import Record

N = 300


def made(target):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a b": rng.random(N), "c": rng.choice(["red, dark", "white"], N), "q": np.arange(N) % 6})
    frame.loc[::7, "a b"] = np.nan
    values = {
        "values": rng.random(N),
        "grades": rng.choice(["bad", "good"], N),
    }
    return frame.assign(y=values[target])


def prepared(frame, folder, *more, target="y"):
    """Return the table, what is known of it, and the experiment, of a folder that make compare wrote."""
    path = folder / "My Wines.csv"
    frame.to_csv(path, index=False)
    assert run(["compare", str(path), target, *more, "--folder", str(folder / "f"), "--prepare"]) == 0
    ((name, own),) = load_datasets(folder / "f").items()
    return load_table(folder / f"f/resources/tables/{name}.npz"), own, load_asked(root=folder / "f")[0][name]


@pytest.mark.parametrize(("kind", "more"), [("values", []), ("grades", ["--order", "bad good"])])
@pytest.mark.parametrize("groups", ["", "q"])
def test_the_folder_is_accepted_by_the_benchmark(kind, more, groups, tmp_path, capsys):
    frame = made(kind)
    table, own, experiment = prepared(frame, tmp_path, *more, *(["--groups", groups] if groups else []))
    said = capsys.readouterr().out
    assert "time      about " in said and said.splitlines()[-1] == f"folder    {tmp_path / 'f'}"
    assert (own.name, own.rows, len(table.X), own.missing, own.grades) == (
        "my_wines_y", N, N, True, ["bad", "good"] if kind == "grades" and not groups else [],
    )  # fmt: skip
    np.testing.assert_array_equal(table.X[:, 0], frame["a b"])
    assert table.attributes == ("a b", "c") if groups else ("a b", "c", "q")
    assert table.levels[1] == ("red, dark", "white")
    assert [table.levels[1][int(code)] for code in table.X[:, 1]] == list(frame["c"])
    expected = frame["y"] if kind == "values" else (frame["y"] == "good").astype(float)
    np.testing.assert_array_equal(table.y, expected)
    assert (table.groups is None) == (not groups) and (not groups or (table.groups == frame["q"]).all())
    sizes = experiment.datasets["my_wines_y"]
    assert (sizes.split, sizes.n_train, sizes.n_test, experiment.rows) == ("groups", 210, 90, {"my_wines_y": N})
    data = rows_of(own.file, tmp_path / "f")
    assert {*data} == {"a b", "c", "q", "y"} and data[own.target].tolist() == list(expected)


def test_pairs_become_a_table_of_two_items(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"{name}_{end}": rng.random(60) for end in "ab" for name in ("elo", "age")})
    frame["club_a"], frame["club_b"] = rng.choice(["x", "y"], 60), rng.choice(["y", "z"], 60)
    frame["won"] = np.sign(frame["elo_a"] - frame["elo_b"]).astype(int)
    table, own, _ = prepared(frame, tmp_path, target="won")
    assert (table.kind, own.kind, table.attributes) == ("pairs", "pairs", ("elo", "age", "club"))
    np.testing.assert_array_equal(table.X[:, [0, 3]], frame[["elo_a", "elo_b"]])
    assert table.levels == ((), (), ("x", "y", "z"))
    assert [table.levels[2][int(code)] for code in table.X[:, 2]] == list(frame["club_a"])
    np.testing.assert_array_equal(table.y, -frame["won"])


def test_persons_of_comparisons_are_the_blocks_that_no_hold_out_cuts(tmp_path):
    """The fit is given them too, as in an experiment with comparisons; the program of the report names their column."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"elo_{end}": rng.random(200) for end in "ab"})
    frame["who"] = rng.choice([*"abcdefghij"], 200)
    frame["won"] = np.sign(frame["elo_a"] - frame["elo_b"]).astype(int)
    table, own, experiment = prepared(frame, tmp_path, "--groups", "who", target="won")
    assert (table.kind, table.attributes, table.groups, own.groups) == ("pairs", ("elo",), None, "who")
    np.testing.assert_array_equal(table.blocks, pd.factorize(frame["who"], sort=True)[0])
    (name,), sizes = experiment.datasets, experiment.datasets["my_wines_won"]
    split = draw(table, names=(name, name), split="groups", n_train=100, n_test=50, n_folds=3, seed=0)
    assert not {*table.blocks[split.train]} & {*table.blocks[split.test]} and sizes.split == "groups"


def test_names_that_look_alike_are_kept_apart(tmp_path):
    """A second reading of what was written took ``a b`` and ``a_b`` for the same, and so 01 and 1, "" and missing."""
    rng = np.random.default_rng(0)
    names = ["a b", "a_b", "?", "", "-", "#", "a:b", "no", "1", "missing"]
    frame = pd.DataFrame(rng.random((40, len(names))), columns=names)
    frame["code"] = rng.choice(["01", "1", "1.0", "missing", "missing cell", "NaN", "", "?"], 40)
    frame["y"] = rng.random(40)
    for write, name in ((frame.to_csv, "w.csv"), (frame.to_parquet, "w.parquet")):
        write(tmp_path / name, index=False)
        asked = [str(tmp_path / name), "y", "--nominal", "code", "--folder", str(tmp_path / name[2:]), "--prepare"]
        assert run(["compare", *asked]) == 0
        ((key, _),) = load_datasets(tmp_path / name[2:]).items()
        table = load_table(tmp_path / name[2:] / f"resources/tables/{key}.npz")
        assert table.attributes == (*names[:3], "column 4", *names[4:], "code")
        np.testing.assert_array_equal(table.X[:, :-1], frame[names])
        levels = [table.levels[-1][int(code)] for code in table.X[:, -1]]
        assert levels == [cell or "missing cell cell" for cell in frame["code"]]


def refused(tmp_path, folder, capsys):
    """Return what is said of a folder that is refused; nothing is written."""
    made("values").to_csv(tmp_path / "w.csv", index=False)
    before = {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}
    assert run(["compare", str(tmp_path / "w.csv"), "y", "--folder", str(folder), "--prepare"]) == 1
    assert {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")} == before
    return capsys.readouterr().err


@pytest.mark.parametrize("file", ["data/mine.csv", "config/config.yaml"])
def test_a_folder_that_holds_something_else_is_refused(file, tmp_path, capsys):
    """Its files would lie among those of the comparison; a lock alone is what a stopped command leaves."""
    (tmp_path / "f" / file).parent.mkdir(parents=True)
    (tmp_path / "f" / file).write_text("a")
    said = f"{tmp_path / 'f'}: holds something else; name a new or an empty --folder\n"
    assert refused(tmp_path, tmp_path / "f", capsys) == f"rankbench compare: {said}"
    (tmp_path / "g").mkdir()
    hold(tmp_path / "g").close()
    assert run(["compare", str(tmp_path / "w.csv"), "y", "--folder", str(tmp_path / "g"), "--prepare"]) == 0


def test_a_full_disk_is_named(tmp_path, monkeypatch, capsys):
    def full(*arguments, **more):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "any file")

    made("values").to_csv(tmp_path / "w.csv", index=False)
    monkeypatch.setattr("rankbench.compare.folder.write_changed", full)
    assert run(["compare", str(tmp_path / "w.csv"), "y", "--folder", str(tmp_path / "f"), "--prepare"]) == 1
    assert capsys.readouterr().err == "rankbench compare: [Errno 28] No space left on device: 'any file'\n"


def test_nothing_is_written_beside_a_run_in_the_same_folder(tmp_path, capsys):
    prepared(made("values"), tmp_path)
    files = {
        file: file.read_bytes() for file in (tmp_path / "f").rglob("*") if file.is_file() and file.name != "run.lock"
    }
    arguments = ["compare", str(tmp_path / "My Wines.csv"), "y", "--drop", "c", "--folder", str(tmp_path / "f")]
    with hold(tmp_path / "f"):
        assert run([*arguments, "--prepare"]) == run(arguments) == 1
    assert capsys.readouterr().err.count("another run is active in this folder") == 2
    assert all(file.read_bytes() == content for file, content in files.items())
    assert run([*arguments, "--prepare"]) == 0
    assert any(file.read_bytes() != content for file, content in files.items())


@pytest.mark.parametrize(
    ("path", "target", "name"),
    [
        ("in/My Wines.csv", "quality", "my_wines_quality"),
        ("sales.2024.csv.gz", "Price (EUR)", "sales_2024_price_eur"),
        ("2024.parquet", "y", "table_2024_y"),
        ("数据.csv", "目标", "table"),
        ("x" * 250 + ".csv", "y" * 250, "x" * 40 + "_" + "y" * 40),
    ],
)
def test_a_question_has_a_name(path, target, name):
    assert name_of(path, target) == name


def test_nothing_is_written_over_the_answer_of_another_question(tmp_path, monkeypatch, capsys):
    """Of another file, another target, or another writing of the same name."""
    monkeypatch.chdir(tmp_path)
    frame = made("values")
    frame["y 1"], frame["y_1"] = frame["y"][::-1].to_numpy(), frame["y"] ** 2
    for path in ("a/sales.csv", "b/sales.csv"):
        Path(path).parent.mkdir()
        frame.to_csv(path, index=False)
    for target in ("y", "y 1", "y"):
        assert run(["compare", "a/sales.csv", target, "--prepare"]) == 0
    for path, target in (("b/sales.csv", "y"), ("a/sales.csv", "y_1")):
        assert run(["compare", path, target, "--prepare"]) == 1
        assert "holds another comparison, y" in capsys.readouterr().err
        assert run(["compare", path, target, "--prepare", "--folder", f"f {path} {target}"]) == 0


STAND_IN = """
import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.neighbors import KNeighborsRegressor

class TabPFNRegressor(RegressorMixin, BaseEstimator):
    def __init__(self, device="auto"):
        self.device = device

    def fit(self, X, y):
        self.rows_ = KNeighborsRegressor(3).fit(X, y)
        return self

    def predict(self, X):
        return self.rows_.predict(X)
"""


def test_one_line_enters_a_foundation_model(tmp_path, monkeypatch):
    """Its class is a stand-in here, because no package registry holds the weights of the real one."""
    _, _, before = prepared(made("values"), tmp_path)
    (line,) = re.findall(r"^  (tabpfn: .*)$", (ROOT / "docs/guide/your_table.md").read_text("utf-8"), re.MULTILINE)
    (tmp_path / "tabpfn.py").write_text(STAND_IN)
    monkeypatch.syspath_prepend(tmp_path)
    yaml = tmp_path / "f/config/experiments/my_wines_y.yaml"
    yaml.write_text(yaml.read_text().replace("\nmethods:\n", f"\nmethods:\n  {line}\n"))
    (experiment,), path = load_asked(root=tmp_path / "f")[0].values(), tmp_path / "f/resources/tables/my_wines_y.npz"
    assert {*experiment.methods} == {*before.methods, "tabpfn"}
    (condition,), table, name = experiment.conditions, load_table(path), experiment.name
    (split,) = draw_from(path, [0], names=(name, name), **experiment.split_arguments(name, condition))
    record = Record(name, name, condition, "tabpfn", 0, len(split.train), len(split.test), 2)
    X = encode(table.X, table.column_levels, "onehot")
    arrays = run_seed(record, experiment.task(name, condition, "tabpfn"), Data(table, X, split))
    assert record.status == "ok", record.reason
    assert np.isnan(record.gap) and record.tune_seconds > 0
    assert len(np.unique(arrays["scores"])) > 10  # its target is noise, so nothing is said of the order


MINE = """title: Mine
datasets: {my: {split: groups, n_train: 20, n_test: 10}}
conditions: {default: {}}
methods: {mine: {uses: my_methods.Mine, label: Mine, params: {}, grid: {alpha: [1]}}}
metrics: [swapped_pairs]
seeds: 3
preprocess: {scaling: standard, nominal: onehot}
tuning: {folds: 3, metric: swapped_pairs}
limits: {seconds: 60, megabytes: 2000}
reference_method: mine
outputs: {statistics: [summary], tables: [], figures: []}
"""


@pytest.mark.slow
def test_a_table_becomes_a_data_set_of_a_folder_in_which_a_method_may_lie_too(tmp_path, monkeypatch, capsys):
    """A file twice, with another target, is the same data set; another file with its name is not."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"id": range(40), "a": rng.random(40), "b": rng.random(40), "y": rng.random(40)})
    frame.to_csv("my.csv", index=False)
    frame.to_csv("other.csv", index=False)
    Path("config/experiments").mkdir(parents=True)
    write_text(Path("config/config.yaml"), "experiments: mine\ndata: {mirrors: []}\n")
    write_text(Path("config/experiments/mine.yaml"), MINE)
    write_text(Path("my_methods.py"), "from sklearn.linear_model import Ridge\n\nclass Mine(Ridge):\n    pass\n")
    assert run(["add", "my.csv", "b"]) == 0 and run(["add", "my.csv", "y", "--drop", "id"]) == 0
    assert "datasets: {my: {split: groups, n_train: ..., n_test: ...}}" in capsys.readouterr().out
    known = load_datasets()["my"]
    assert (known.rows, known.attributes, known.target) == (40, ["a", "b"], "y")
    table = load_table(tmp_path / "resources/tables/my.npz")
    assert np.array_equal(table.X, frame[["a", "b"]]) and np.array_equal(table.y, frame["y"])
    assert run(["add", "other.csv", "y", "--name", "my"]) == 1
    assert "there is another data set my: give this one a --name" in capsys.readouterr().err
    done = subprocess.run([BIN / "rankbench", "check"], capture_output=True, text=True, check=False)
    assert done.stdout == "1 experiment and 1 data set: no errors\n", done.stderr
