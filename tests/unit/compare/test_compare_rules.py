"""The rules of reading, one each: what a person sees of a file, of its columns, and of what is refused."""

import gzip

import numpy as np
import pandas as pd
import pytest

from rankbench.compare.columns import MOST_USED, columns_of, describe
from rankbench.compare.folder import blocks_of, table_of
from rankbench.compare.read import MOST_ROWS, TableError, read_file
from rankbench.datasets.table import Table
from rankbench.experiments.draw import draw

N = 60


def wines(**more):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"acid": rng.random(N).round(3), "y": rng.random(N).round(2)})
    return frame.assign(**more)


def told(frame, tmp_path, target="y", name="w.csv", how=None, **more):
    """Return what is said of a table, and how its columns are used; or the refusal."""
    path = tmp_path / name
    if isinstance(frame, (str, bytes)):
        path.write_bytes(frame if isinstance(frame, bytes) else frame.encode())
    elif name.endswith("parquet"):
        frame.to_parquet(path, index=False)
    else:
        frame.to_csv(path, index=False)
    try:
        found = columns_of(read_file(path, **(how or {})), target, **more)
    except TableError as error:
        return str(error).removeprefix(f"{path}: "), None
    return "\n".join(describe(found)), found


def test_whole_ids_of_parquet_stay_whole_beside_an_empty_cell(tmp_path):
    ids = pd.array([76561198000000000 + k % 20 if k else None for k in range(N)], dtype="Int64")
    assert "groups    user: 20;" in told(wines(user=ids), tmp_path, name="w.parquet", groups="user")[0]
    assert "must be finite" in told(wines(x=[np.inf, *range(N - 1)]), tmp_path, name="w.parquet")[0]


@pytest.mark.parametrize(
    ("cells", "role", "note"),
    [
        (lambda k: f"{k % 50}%", "number", "x is read without '%', which stands in every cell"),
        (lambda k: f"${5000 + 37 * k:,}.00", "number", "x is read without '$', which stands in every cell"),
        (lambda k: f"{k * 7 % 50} EUR", "number", "x is read without 'EUR', which stands in every cell"),
        (lambda k: "-" if k % 3 else f"{k}.5", "number", "read as missing: '-' in x; --nominal=... keeps such words"),
        (lambda k: "n.a." if k % 2 else k * k, "number", "read as missing: 'n.a.' in x"),
        (lambda k: f"0{k % 9}234", "names", "x holds names, because '00234' begins with 0"),
        (lambda k: f"{2000 + k * 7 % 20}-05-01", "number", "x: dates count as days"),
        (lambda k: "<0.1" if k % 2 else k / 10, "out", "x (not all cells are numbers: '<0.1'; --missing=\"<0.1\" if"),
        (lambda k: f"{k} {'cm' if k % 2 else 'in'}", "out", "x (numbers with several units: '0 in', '1 cm'"),
        (lambda k: f"{k % 28 + 1}/11/2024", "out", "x (dates must be written as 2024-12-31, got '1/11/2024'"),
        (lambda k: ["1st", "2nd", "3rd"][k % 3], "names", ""),
        (
            lambda k: f"text {k}",
            "out",
            "x (60 different names such as 'text 0': text or an id; --nominal=\"x\" uses it",
        ),
        (lambda k: k + 1, "out", "x (it looks like a row number or identifier"),
        (lambda k: 1990 + k, "number", ""),
        (lambda k: 7, "out", "x (it is constant"),
    ],
)
def test_each_rule_is_said(cells, role, note, tmp_path):
    said, found = told(wines(x=[cells(k) for k in range(N)]), tmp_path)
    assert note in said and (found.roles["x"] == role or (role == "out" and "x" not in found.forms)), said


def test_rare_names_are_together_and_the_user_may_ask_for_more(tmp_path):
    brands = [f"b{k % 5}" if k % 2 else f"r{k}" for k in range(N)] * 2
    frame = pd.concat([wines()] * 2).assign(brand=[*brands[:N], *[f"s{k}" if k % 3 == 0 else "b1" for k in range(N)]])
    said, found = told(frame, tmp_path)
    assert "brand: the 49 most frequent names, and all others together as (another)" in said
    assert found.frame["brand"].nunique() == 50 and found.frame["brand"].value_counts()["b1"] == 46
    said, found = told(wines(brand=[f"b{k}" for k in range(N)]), tmp_path, nominal=["brand"])
    assert found.roles["brand"] == "names" and (found.frame["brand"] == "(another)").sum() == N - 49


def rows(header, line):
    return f"{header}\n" + "".join(f"{line(k)}\n" for k in range(N))


PLAIN, GRADED = wines(), wines(y=[["low", "high", "mid"][k % 3] for k in range(N)])
TITLED = "Prices 2024,,\n" + rows("w,h,y", lambda k: f"{k},{k * k % 7},{k * k % 17}")
THOUSANDS = rows("w;y", lambda k: f"{k % 9 + 1},{100 + k};{k}")
BOTH = pd.DataFrame({"elo_a": np.arange(N) % 9, "elo_b": np.arange(N) % 7, "y": [-1, 1] * 30}).astype(object)
NONE = "there is no such column, there are acid, y"
USES = "'acid' may be in only one of TARGET, --groups, --weight, --drop and --nominal"


@pytest.mark.parametrize(
    ("frame", "given", "said"),
    [
        (THOUSANDS, {}, "column 'w': 1,100 is 1100 with --decimal=point, and 1.1 with --decimal=comma; say which"),
        (rows("w;v;y", lambda k: f"{k}.5;{k},5;{k}"), {}, "column 'v': the decimal mark of '0,5' is no point; say"),
        (
            rows("w;y", lambda k: f"{k}.5;{k}"),
            {"decimal": "comma"},
            "the decimal mark of '0.5' is no comma;",
        ),
        (TITLED, {}, "TARGET=y: there is no such column, there are Prices 2024, column 2, column 3"),
        (GRADED, {}, 'got low, high, mid; give their order, the worst first, such as --order="low high mid"'),
        (GRADED, {"order": ["low", "mid"]}, "--order must name every grade of 'y' once, it lacks high; got low, mid"),
        (BOTH.assign(elo_a=["", *BOTH["elo_a"][1:]]), {}, "of two items both must hold names, or numbers in all rows"),
        (BOTH.assign(elo_a=[f"x{k % 3}" for k in range(N)]), {}, '--nominal="elo_a elo_b"'),
        (PLAIN, {"target": "acids"}, f"TARGET=acids: {NONE}"),
        (PLAIN, {"groups": "acid", "nominal": ["acid"]}, USES),
        (PLAIN, {"drop": ["acid"]}, "no input column is left (acid: you asked for it; y: target)"),
        (PLAIN.head(20), {}, "the table has 20 rows with a target; at least 30 are needed"),
        (wines(w=np.arange(N)), {"weight": "w"}, "--weight=w: weights must be numbers > 0, got 0"),
        (wines(w=[*"abc"] * 20), {"weight": "w"}, "--weight=w: weights must be numbers > 0, got a"),
    ],
    ids=lambda of: of if isinstance(of, str) and "\n" not in of else "",
)
def test_what_cannot_be_used_is_refused_with_the_cure(frame, given, said, tmp_path):
    refused, found = told(frame, tmp_path, **given)
    assert said in refused and found is None


@pytest.mark.parametrize(
    ("text", "how", "said"),
    [
        ("a,y\n", {}, "there are no rows below the column names"),
        (
            "a,y\n1,2\n3,4,5\n",
            {},
            "Error tokenizing data. C error: Expected 2 fields in line 3, saw 3; if the column names are",
        ),
        (
            "b, cm;p, EUR\n1,25;3,5\n",
            {},
            'the column names hold commas and semicolons; say what separates them: --sep=";"',
        ),
        ("a,y\n1,2\n", {"sep": ";;"}, "cannot be read as csv: the 'c' engine does not support"),
        ("a,a\n1,2\n", {}, "the column 'a' occurs twice; every column needs a different name"),
        ("größe,y\n1,2\n".encode("cp1252"), {}, "is not UTF-8: iconv -f ENCODING -t UTF-8"),
        ("a,y\n1,2\n".encode("utf-16"), {}, "is not UTF-8: iconv -f ENCODING -t UTF-8"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_cure(text, how, said, tmp_path):
    assert told(text, tmp_path, how=how)[0].startswith(said)


def test_one_decimal_mark_in_a_file(tmp_path):
    for mark, value in (("comma", 1.1), ("point", 1100)):
        _, found = told(THOUSANDS, tmp_path, decimal=mark)
        assert found.frame["w"][0] == value
    _, found = told(rows("w;v;y", lambda k: f"{k % 9 + 1}.{100 + k};{k},5;{k}"), tmp_path, decimal="comma")
    assert found.frame["w"][0] == 1100 and found.frame["v"][1] == 1.5
    notes, found = told(rows("w;v;y", lambda k: f"{k % 9 + 1}.{100 + k};{k}.5;{k}"), tmp_path)  # v settles it
    assert found.frame["w"][0] == 1.1 and "w: 1.100 is read as 1.1" in notes


def test_files_may_be_packed(tmp_path):
    said, _ = told(gzip.compress(rows("a\ty", lambda k: f"{k}.5\t{k}").encode()), tmp_path, name="w.tsv.gz")
    assert "numbers   a" in said


def test_sheets_are_named(tmp_path):
    path = tmp_path / "w.xlsx"
    with pd.ExcelWriter(path) as book:
        pd.DataFrame({"Read me": ["x"]}).to_excel(book, sheet_name="About", index=False)
        wines(day=pd.date_range("2024-01-01", periods=N)[::-1], n=[1.0, None] * 30).to_excel(
            book, sheet_name="Data", index=False
        )
        pd.DataFrame().to_excel(book, sheet_name="Empty", index=False)
    with pytest.raises(TableError, match="holds the sheets 'About', 'Data', 'Empty'; say which: --sheet=\"About\""):
        read_file(path)
    found = columns_of(read_file(path, sheet="Data"), "y")
    assert {name: found.roles[name] for name in ("acid", "day", "n")} == {
        "acid": "number",
        "day": "number",
        "n": "number",
    }
    assert found.frame["day"][0] - found.frame["day"][1] == 1


def test_files_of_svmlight(tmp_path):
    text = "".join(f"{k % 3} qid:{k // 5} 1:{k / 7} 3:{k * k % 5} # document {k}\n" for k in range(N))
    said, found = told(text, tmp_path, target="label", name="w.svm", groups="qid")
    assert "groups    qid: 12;" in said
    assert found.frame["label"].tolist() == [k % 3 for k in range(N)] and found.roles["2"] == "it is constant"
    np.testing.assert_allclose(found.frame["1"], np.arange(N) / 7)


def test_the_target_of_names_has_an_order(tmp_path):
    said, found = told(GRADED, tmp_path, order=["low", "mid", "high", "top"])
    assert "3 grades, the worst first: low, mid, high" in said and found.frame["y"][:3].tolist() == [0, 2, 1]
    said, found = told(wines(y=[f"{k % 40} EUR" for k in range(N)]), tmp_path)
    assert found.kind == "values" and found.frame["y"][3] == 3


def battles(**more):
    rng = np.random.default_rng(1)
    first, second = rng.permuted(np.tile(np.arange(70), (N, 1)), axis=1)[:, :2].T
    won = rng.choice([1, 0, -1], N)
    frame = pd.DataFrame({"model_a": [f"m{k}" for k in first], "model_b": [f"m{k}" for k in second]})
    return frame.assign(**more), won


WORDS = {
    "columns": {1: "model_a", 0: "tie", -1: "model_b"},
    "both bad": {1: "model_a", 0: "tie (bothbad)", -1: "model_b"},
    "letters": {1: "A", 0: "draw", -1: "B"},
    "signs": {1: 1, 0: 0, -1: -1},
    "halves": {1: 1, 0: 0.5, -1: 0},
}


@pytest.mark.parametrize("words", [*WORDS, "winner"])
@pytest.mark.parametrize("asked", [False, True])
def test_results_of_battles(words, asked, tmp_path):
    frame, won = battles(length_a=np.arange(N) * 7 % 11, length_b=np.arange(N) * 5 % 13, language="en")
    names = [frame["model_a"], "tie", frame["model_b"]]
    frame["winner"] = np.choose(1 - won, names) if words == "winner" else [WORDS[words][one] for one in won]
    numbers = words in ("signs", "halves")
    frame = frame.drop(columns="language") if numbers and not asked else frame
    said, found = told(frame, tmp_path, "winner", items=["model_a", "model_b"] if asked else ())
    assert found.kind == "battles" and found.frame["winner"].tolist() == won.tolist(), said
    assert [pair[1:] for pair in found.items] == [("model_a", "model_b"), ("length_a", "length_b")]
    table, _ = table_of(found)
    assert [table.levels[0][int(code)] for code in table.X[:, 0]] == frame["model_a"].tolist()
    assert table.y.tolist() == (-won).tolist() and len({*table.blocks}) == N
    assert f"items     model_a, model_b: {len({*frame['model_a'], *frame['model_b']})} names" in said


def test_a_result_that_is_not_known_is_refused(tmp_path):
    frame, won = battles()
    frame["winner"] = np.where(won > 0, frame["model_a"], frame["model_b"])
    frame.loc[7, "winner"] = "m99"
    known = "model_a, model_b, tie, both bad, or the name of the winner"
    assert told(frame, tmp_path, "winner")[0].startswith(
        f"TARGET=winner: 'm99' in row 8 is none of {known}; --missing="
    )
    frame.loc[8, "model_b"] = frame.loc[8, "model_a"]
    said, _ = told(frame, tmp_path, "winner", missing=["m99"])
    assert "rows      58" in said and "left out, because both items are the same: 1 row" in said
    assert told(frame, tmp_path, "winner", items=["model_a"])[0].startswith("--items must hold two names")


@pytest.mark.parametrize(
    ("columns", "values", "items", "kind"),
    [
        (("elo_a", "elo_b"), (-1, 0, 1), (), "pairs"),
        (("white_elo", "black_elo"), (-1, 1), (), "pairs"),
        (("home_elo", "away_elo"), (0, 0.5, 1), (), "pairs"),
        (("elo_a", "elo_b"), (0, 1), (), "grades"),
        (("elo_a", "elo_b"), (0, 1), ("_a", "_b"), "pairs"),
        (("R_elo", "B_elo"), (-1, 0, 1), (), "grades"),
        (("R_elo", "B_elo"), (-1, 0, 1), ("R_", "B_"), "pairs"),
        (("elo_a", "elo_b"), (0, 1, 2), (), "grades"),
    ],
)
def test_columns_of_two_items(columns, values, items, kind, tmp_path):
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({name: rng.standard_normal(N).round(3) for name in columns}).assign(y=rng.choice(values, N))
    said, found = told(frame, tmp_path, items=items)
    assert found.kind == kind, said
    if kind == "pairs":
        assert found.frame["y"].tolist() == (frame["y"] if -1 in values else 2 * frame["y"] - 1).tolist()
    told_so = " look like two items, but rows are compared: --items says that items are"
    assert (told_so in said) == (kind == "grades" and values == (0, 1))
    said, found = told(frame.assign(other=np.arange(N) % 4), tmp_path, items=items)
    assert (found.kind == "pairs") == bool(items)
    if columns[0] in ("white_elo", "home_elo"):
        assert f'{told_so}, or --drop="other"' in said


def test_columns_that_order_as_the_target_are_named(tmp_path):
    frame = wines()
    frame["copy"], frame["late"] = -3 * frame["y"] + 1, np.where(frame["y"] > 0.5, frame["y"], np.nan)
    said, _ = told(frame, tmp_path)
    assert "copy, late: nearly the order of the target, or its reverse; if it is a copy" in said
    assert "--drop=" in said and "nearly the order" not in told(wines(), tmp_path)[0]
    groups = wines(g=np.arange(N) % 6)
    groups["x"] = groups["y"] + 10 * (groups["g"] * 7 % 5)
    assert "x: nearly the order of the target" in told(groups, tmp_path, groups="g")[0]


def test_weights(tmp_path):
    _, found = told(wines(w=np.arange(N) + 1.5), tmp_path, weight="w")
    table, _ = table_of(found)
    assert table.weights.tolist() == (np.arange(N) + 1.5).tolist() and "w" not in table.attributes


def test_many_rows_are_a_sample_and_groups_stay_whole(tmp_path):
    n = MOST_USED + 1000
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.random(n), "g": np.arange(n) % 5000, "y": rng.random(n)})
    found = columns_of(frame, "y", groups="g")
    sizes = found.frame["g"].value_counts()
    assert MOST_USED - 11 <= len(found.frame) <= MOST_USED and {*sizes} <= {10, 11}
    assert f"of {n:,} rows are used: groups drawn at random" in "\n".join(found.notes)
    assert len(columns_of(frame.drop(columns="g"), "y").frame) == MOST_USED
    (tmp_path / "w.csv").write_text("a\n" + "1\n" * (MOST_ROWS + 1))
    assert "has more than 1,000,000 rows" in told((tmp_path / "w.csv").read_text(), tmp_path)[0]


def test_rows_with_the_same_inputs_are_one_block():
    X = np.array([[1, np.nan], [2, 0.0], [1, np.nan], [3, 1], [2, -0.0], [2, 1]] + [[k, k] for k in range(10, 40)])
    y = np.arange(36.0)
    y[2] = y[0]
    blocks, notes = blocks_of(X, y)
    assert blocks[0] == blocks[2] and blocks[1] == blocks[4] and len({*blocks}) == 34
    said = "rows with the inputs of an earlier row: 2 of 36 (1 of them with its target too); "
    assert notes == [said + "rows with the same inputs are in the same part of each hold-out"]
    few = np.array([[k % 2, k // 2 % 2] for k in range(100)], dtype=float)  # inputs of few values have to recur
    blocks, notes = blocks_of(few, np.arange(100.0))
    assert len({*blocks}) == 100 and "25 rows have the same inputs, so that equal rows are in both parts" in notes[0]
    a, b, c = [1.0, 5.0], [1.0, 7.0], [2.0, 0.0]
    pairs = np.array([a + b, b + a, a + c, c + a, b + c, a + a] + [[k, k, 0, 1] for k in range(20, 50)])
    blocks, _ = blocks_of(pairs, np.array([1.0, -1, 1, 1, 0, 0] + [1] * 30), items=2)
    assert blocks[0] == blocks[1] and blocks[2] == blocks[3] and len({*blocks}) == 34
    assert len({*blocks_of(pairs, np.ones(36), items=2, battles=True)[0]}) == 36  # the same two may meet again
    groups = np.tile([0.0, 1.0], 20)
    blocks, notes = blocks_of(np.repeat(np.arange(20.0), 2)[:, None], np.repeat(np.arange(20.0), 2), groups=groups)
    assert blocks is groups and notes[0].startswith("rows with the inputs and the target of a row in another group: 40")


@pytest.mark.parametrize("times", [2, 3])
def test_of_repeated_noise_nothing_can_be_remembered(times):
    """Every row of pure noise occurs several times: the nearest neighbour would know its target."""
    rng = np.random.default_rng(0)
    X, y = np.tile(rng.standard_normal((60, 3)), (times, 1)), np.tile(rng.standard_normal(60), times)
    table = Table(X, y, ("a", "b", "c"), ((),) * 3, blocks=blocks_of(X, y)[0])
    for seed in range(20):
        sizes = {"n_train": 42 * times, "n_test": 18 * times, "n_folds": 3}
        split = draw(table, seed=seed, names=("e", "d"), split="groups", **sizes)
        for one, other in [(split.train, split.test), *split.inner]:
            assert not {*map(tuple, X[one])} & {*map(tuple, X[other])}
