"""A table becomes the matrix that is known beforehand, from pandas, polars and objects alike."""

import datetime
import pickle
import warnings
from decimal import Decimal
from statistics import median

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from rankmargin import RankSearchCV
from rankmargin.caller import HintWarning
from rankmargin.search.table import TableEncoder, needs_encoding
from rankmargin.skops import trusted_types

pl = pytest.importorskip("polars")

BEGIN = datetime.date(1970, 1, 1)
N, ASKED = 150, 40
SOME, ALL = 6, 14  # in place of 20 and 250
SEEDS = pytest.mark.parametrize("seed", range(8))


def numbers(drawn, made, missing):
    """Return cells of the rows to fit and to ask, and the matrix of all: ``made`` turns a number into a cell."""
    known = [float(one) for one, gone in zip(drawn[:N], missing[:N]) if not gone]
    filled = [median(known) if gone else float(one) for one, gone in zip(drawn, missing)]
    cells = [None if gone else made(one) for one, gone in zip(drawn, missing)]
    return cells, np.column_stack([filled, missing] if missing[:N].any() else [filled])


def names(rng, missing):
    """Return cells of 2 to 30 names whose counts are known, with names that only the rows to ask have."""
    k = int(rng.integers(2, 31))
    shares = np.arange(1, k + 1) ** -rng.choice([0.5, 1.5])
    counts = rng.multinomial(N, shares / shares.sum())
    drawn = rng.permutation(np.repeat(np.arange(k), counts))
    drawn = np.concatenate([drawn, rng.integers(0, k + 3, ASKED)])
    labels = [f"name {letter}" for letter in rng.permutation(list("abcdefghijklmnopqrstuvwxyzABCDEFGH"))[: k + 3]]
    fitted = [labels[at] for at in drawn[:N][~missing[:N]]]
    ranked = sorted({*fitted}, key=lambda name: (-fitted.count(name), name))
    kept = sorted(name for name in ranked[: SOME if len(ranked) > ALL else None] if fitted.count(name) > 1)
    columns = [[labels[at] == name for at in drawn] for name in kept]
    if rare := {*fitted} - {*kept}:
        columns.append([labels[at] in rare for at in drawn])
    matrix = np.array(columns, dtype=float).T * ~missing[:, None]
    matrix = np.column_stack([matrix, missing]) if missing[:N].any() else matrix
    return [None if gone else labels[at] for at, gone in zip(drawn, missing)], matrix


def table(seed):
    """Return columns of cells by name, and the part of the right matrix of each."""
    rng = np.random.default_rng(seed)
    columns = {}
    for at in range(3):
        for kind in ("number", "whole", "flag", "money", "date", "name"):
            missing = rng.random(N + ASKED) < rng.choice([0.0, 0.2])
            missing[N:] |= rng.random(ASKED) < 0.1
            fractions, wholes = rng.standard_normal(N + ASKED), rng.integers(-9, 30_000, N + ASKED)
            drawn, made = {
                "number": (fractions, float),
                "whole": (wholes, int),
                "flag": (wholes % 2, bool),
                "money": (wholes / 4, lambda one: Decimal(str(one))),
                "date": (wholes, lambda day: BEGIN + datetime.timedelta(int(day))),
                "name": (None, None),
            }[kind]
            columns[f"{kind} {at}"] = names(rng, missing) if made is None else numbers(drawn, made, missing)
    return {name: cells for name, (cells, _) in columns.items()}, {name: right for name, (_, right) in columns.items()}


def typed(frame):
    """Return a frame of objects with the types that pandas has for these cells."""
    types = {"number": "float64", "whole": "Int64", "flag": "boolean", "date": "datetime64[s]"}
    types = {name: types.get(name.split()[0], "category" if name.endswith("0") else None) for name in frame}
    return frame.astype({name: of for name, of in types.items() if of and not name.startswith("money")})


def as_polars(cells):
    """Return a frame of polars, with a column of String, one of Categorical and one of Enum."""
    frame = pl.DataFrame(cells)
    known = [*dict.fromkeys(name for name in cells["name 2"] if name)]
    return frame.with_columns(pl.col("name 1").cast(pl.Categorical), pl.col("name 2").cast(pl.Enum(known)))


FORMS = {
    "objects": lambda cells: pd.DataFrame(cells, dtype=object),
    "types": lambda cells: typed(pd.DataFrame(cells, dtype=object)),
    "inferred": pd.DataFrame,
    "polars": as_polars,
    "array": lambda cells: pd.DataFrame(cells, dtype=object).to_numpy(),
}


@pytest.mark.parametrize("form", FORMS)
@SEEDS
def test_the_matrix_is_the_one_that_is_known(seed, form, monkeypatch):
    monkeypatch.setattr("rankmargin.search.table.SOME", SOME)
    monkeypatch.setattr("rankmargin.search.table.ALL", ALL)
    cells, parts = table(seed)
    frame, right = FORMS[form](cells), np.column_stack([*parts.values()])
    encoder = TableEncoder().fit(frame[:N])
    assert needs_encoding(frame)
    for rows in (slice(None, N), slice(N, None), slice(N, N + 1)):  # a frame of one row may have a column without cells
        found = encoder.transform(frame[rows])
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, right[rows], rtol=1e-15)
    labels = [f"x{at}" for at in range(len(cells))] if form == "array" else [*cells]
    widths = [part.shape[1] for part in parts.values()]
    assert encoder.sources_ == np.repeat(labels, widths).tolist()
    told = encoder.get_feature_names_out()
    assert len({*told}) == right.shape[1] and all(map(str.startswith, told, encoder.sources_))


@pytest.mark.parametrize("form", FORMS)
def test_files_and_clones_make_the_same_matrix(form):
    frame = FORMS[form](table(0)[0])
    encoder = TableEncoder(whole=False).fit(frame[:N])
    skops = pytest.importorskip("skops.io", reason="the extra onnx is not installed")
    read = skops.loads(skops.dumps(encoder), trusted=trusted_types())
    for one in (pickle.loads(pickle.dumps(encoder)), clone(encoder).fit(frame[:N]), read):
        assert not one.whole
        np.testing.assert_array_equal(one.transform(frame), encoder.transform(frame))
    named = encoder.set_output(transform="pandas").transform(frame)
    assert [*named] == [*encoder.get_feature_names_out()]


def test_an_ordered_categorical_becomes_places():
    sizes = ["small", "middle", "large"]
    frame = pd.DataFrame({"size": pd.Categorical(["large", None, "small", "large"], sizes, ordered=True)})
    encoder = TableEncoder().fit(frame)
    np.testing.assert_array_equal(encoder.transform(frame), [[2, 0], [2, 1], [0, 0], [2, 0]])
    np.testing.assert_array_equal(encoder.transform(pd.DataFrame({"size": ["middle", None]})), [[1, 0], [2, 1]])
    with pytest.raises(ValueError, match=r"column 'size' must hold grades of categories .*, got 'huge'"):
        encoder.transform(pd.DataFrame({"size": ["huge"]}))
    bins = pd.DataFrame({"bin": pd.cut(pd.Series([1.0, 5.0, 9.0]), 3)})
    np.testing.assert_array_equal(TableEncoder().fit_transform(bins), [[0], [1], [2]])


def test_a_name_of_one_row_is_rare_and_an_empty_text_is_missing():
    frame = pd.DataFrame({"town": ["b", "", "a", "b", "c", None]})
    encoder = TableEncoder().fit(frame)
    right = [[1, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    np.testing.assert_array_equal(encoder.transform(frame), right)
    assert encoder.get_feature_names_out().tolist() == ["town=b", "town is rare", "town is missing"]
    np.testing.assert_array_equal(
        encoder.transform(pd.DataFrame({"town": ["d", "c", ""]})), [[0] * 3, [0, 1, 0], [0, 0, 1]]
    )


def test_zones_and_durations_are_days():
    hours = pd.Series(pd.to_datetime(["1970-01-02 12:00", None, "1970-01-04 00:00"]))
    frame = pd.DataFrame({"plain": hours, "zone": hours.dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")})
    frame["lasts"] = hours - hours[0]
    right = [[1.5, 0, 1.5, 0, 0, 0], [2.25, 1, 2.25, 1, 0.75, 1], [3, 0, 3, 0, 1.5, 0]]
    np.testing.assert_array_equal(TableEncoder().fit_transform(frame), right)
    np.testing.assert_array_equal(TableEncoder().fit_transform(pl.from_pandas(frame)), right)
    objects = pd.DataFrame({name: of.astype(object) for name, of in frame.items()})
    objects["lasts"] = np.array([None if pd.isna(of) else of.to_timedelta64() for of in frame["lasts"]], dtype=object)
    for mixed in (objects, objects.assign(lasts=frame["lasts"].astype(object))):
        np.testing.assert_array_equal(TableEncoder().fit(frame).transform(mixed), right)
        np.testing.assert_array_equal(TableEncoder().fit(mixed).transform(frame), right)


@pytest.mark.parametrize("form", [pd.DataFrame, pl.DataFrame])
def test_free_texts_are_left_out_with_one_warning(form):
    """More than 20 texts in more than half of the rows; 20 names, or names of half of the rows, are none."""
    twenty, half = [f"n{at % 20}" for at in range(42)], [f"n{at // 2}" for at in range(42)]
    cells = {"half": half, "title": [f"a {at}" for at in range(42)], "size": range(42), "twenty": twenty}
    cells["note"] = [f"b {at}" if at < 30 else None for at in range(42)]
    with pytest.warns(
        HintWarning, match="^X has columns of free texts, or without values, which are left out: 'title', 'note'$"
    ) as said:
        encoder = TableEncoder().fit(form(cells))
    assert len(said) == 1 and said[0].filename == __file__
    assert [*dict.fromkeys(encoder.sources_)] == ["half", "size", "twenty"]
    assert encoder.transform(form(cells)).sum(axis=0).tolist() == [2] * 20 + [2, sum(range(42))] + [3, 3] + [2] * 18


def test_a_part_of_a_table_may_lack_a_column():
    frame = pd.DataFrame({"size": [1.0, 2.0, 3.0], "empty": [None] * 3, "text": ["a", "b", "c"]})
    encoder = TableEncoder(whole=False).fit(frame)
    assert encoder.sources_ == ["size", "text"]
    assert encoder.transform(frame.assign(empty="now")).shape == (3, 2)


GOOD = {"size": [1.5, 2.0, None, 0.0], "town": ["a", "b", "a", None]}
CODES = [f"{at:02}" for at in range(21)] * 3
BAD = [  # columns of the fit, those that are asked, and what is said
    ({"size": [1, "n.a.", 2, 3]}, None, ".*in column 'size', got numbers such as 3 and names such as 'n.a.'$"),
    ({"size": [1, BEGIN, 2, 3]}, None, ".*in column 'size', got numbers such as 3 and dates such as datetime.date"),
    ({"size": [[1], [2], [3], [4]]}, None, ".*in column 'size', got (list|ndarray) such as "),
    (
        {"size": [BEGIN, datetime.timedelta(1), None, None]},
        None,
        ".*got dates such as .* and durations such as datetime.timedel",
    ),
    ({"size": [datetime.time(1)] * 4}, None, ".*in column 'size', got time such as "),
    ({}, {"town": [1, 2]}, "X must hold names in column 'town', as in fit, got numbers$"),
    ({}, {"size": ["1", "2"]}, "X must hold numbers in column 'size', as in fit, got names$"),
    ({}, {"size": [BEGIN, None]}, "X must hold numbers in column 'size', as in fit, got dates$"),
]


@pytest.mark.parametrize(("cells", "asked", "message"), BAD)
def test_bad_columns_are_named_in_one_line(cells, asked, message):
    for form in (pd.DataFrame,) if " and " in message else (pd.DataFrame, pl.DataFrame):  # polars mixes no types
        with warnings.catch_warnings(), pytest.raises(ValueError, match=f"^{message}") as caught:
            warnings.simplefilter("error")
            encoder = TableEncoder().fit(form(GOOD | cells))
            encoder.transform(form({name: of[:2] for name, of in GOOD.items()} | (asked or {})))
        assert "\n" not in str(caught.value)


def test_other_columns_than_those_of_the_fit_are_named():
    with pytest.raises(ValueError, match=r"(?s)unseen at fit time:\n- colour"):
        TableEncoder().fit(pd.DataFrame(GOOD)).transform(pd.DataFrame(GOOD).rename(columns={"town": "colour"}))
    with pytest.raises(ValueError, match=r"(?s)unique column names.*'size'"):
        TableEncoder().fit(pd.DataFrame(GOOD).set_axis(["size", "size"], axis=1))


def test_numbers_written_as_text_are_not_guessed():
    with pytest.raises(
        ValueError, match=r"^X must hold numbers, got texts of numbers such as '00' in column 'code': conv"
    ):
        TableEncoder().fit(pd.DataFrame({"code": CODES}))
    for names in (pd.Categorical(CODES), pd.Categorical(np.arange(21).repeat(3)), [f"{at % 20}" for at in range(63)]):
        assert TableEncoder().fit_transform(pd.DataFrame({"code": names})).shape[1] == 20 + (len({*names}) > 20)
    with pytest.raises(
        ValueError, match=r"^X must not be an array of texts, which may have been numbers: use a frame$"
    ):
        TableEncoder().fit([["a", 1.5], ["b", 2.5]])


def test_what_needs_encoding():
    finite = np.random.default_rng(0).standard_normal((9, 3))
    plain = [finite, finite.astype(np.float32), np.full((2, 2), 1e308), np.arange(4).reshape(2, 2), finite > 0]
    plain += [pd.DataFrame(finite), pl.DataFrame(finite), pd.DataFrame({"a": [1, 2], "b": [True, False]})]
    plain += [pd.DataFrame({"a": [1, 2], "b": [0.5, 1.5]}).convert_dtypes()]
    strange = [np.where(finite > 1, np.nan, finite), np.where(finite > 1, np.inf, finite), finite.astype(object)]
    strange += [pd.DataFrame({"a": [1, 2], "b": of}) for of in (["a", "b"], [1, None], pd.Categorical([1, 2]))]
    strange += [pl.DataFrame({"a": [1, 2], "b": of}) for of in (["a", "b"], [1, None], [True, None], [BEGIN, None])]
    assert [*map(needs_encoding, plain)] == [False] * len(plain)
    assert [*map(needs_encoding, strange)] == [True] * len(strange)


def test_the_line_of_skrub():
    """The guide has it; skrub also reads free texts and the parts of dates."""
    skrub = pytest.importorskip("skrub", minversion="0.11", reason="it comes with the extra dev")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"town": rng.choice(["Oslo", "Rome", "Bern"], 160), "size": rng.standard_normal(160)})
    y = 2.0 * (frame["town"] == "Oslo") + frame["size"] + 0.1 * rng.standard_normal(160)
    frame["day"] = pd.to_datetime(rng.integers(0, 900, 160), unit="D")
    frame.loc[::20, "size"], frame.loc[5::20, "town"] = np.nan, None
    train, test = frame[:100], frame[100:]
    for form in (pd.DataFrame, pl.DataFrame):
        model = skrub.tabular_pipeline(RankSearchCV()).fit(form(train), y[:100])
        assert model.score(form(test), y[100:]) > 0.9
        assert model[-1].best_score_ > 0.9
