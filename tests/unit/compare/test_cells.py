"""What texts mean: numbers with either decimal mark, missing words, names. Values by hand."""

import numpy as np
import pandas as pd
import pytest

from rankbench.compare.cells import MARKS, interpret, number_of, readings_of
from rankbench.compare.names import TableError, column_names, one_line


def frame_of(**columns):
    return pd.DataFrame({name: pd.Series(cells, dtype="str") for name, cells in columns.items()})


@pytest.mark.parametrize(
    ("cells", "point", "comma"),
    [
        (["7", "-12", "+3"], [7, -12, 3], None),
        (["2.5", "1e3"], [2.5, 1000], None),
        (["2,5", "-0,75", ",5"], None, [2.5, -0.75, 0.5]),
        (["8,500", "12", "1,250,000"], [8500, 12, 1250000], None),  # three groups: no decimal comma
        (["8,500", "12"], [8500, 12], [8.5, 12]),
        (["8.500", "12"], [8.5, 12], [8500, 12]),
        (["0,125", "8,500"], None, [0.125, 8.5]),  # nobody writes a thousand as 0,125
        (["1,234.5", "3"], [1234.5, 3], None),
        (["1.234,5", "3"], None, [1234.5, 3]),
        (["1 234", "12\u00a0345"], [1234, 12345], None),
        (["1'234.5", "2"], [1234.5, 2], None),
        (["1 234,5"], None, [1234.5]),
        (["−4,25", "1"], None, [-4.25, 1]),
        (["inf", "2"], [np.inf, 2], None),
        (["1,23", "1.23"], None, None),
        (["12 kg"], None, None),
        (["1,2345,678"], None, None),
        (["1.2.3"], None, None),
        (["0x1f"], None, None),
        (["1_000"], None, None),
        (["True"], None, None),
        ([".", "1"], None, None),
        (["2024-05-06"], None, None),
    ],
)
def test_a_column_has_the_readings_that_a_person_finds(cells, point, comma):
    expected = {"point": point, "comma": comma}
    readings = readings_of(cells)
    assert readings.keys() == {decimal for decimal, values in expected.items() if values is not None}
    for decimal, values in readings.items():
        np.testing.assert_array_equal(values, expected[decimal])


def test_a_number_that_is_written_is_read_again():
    """Of numbers written with either mark, with and without separators of thousands, each reading gives the number."""
    rng = np.random.default_rng(0)
    for value in [*(rng.standard_normal(200) * 10.0 ** rng.integers(-2, 9, 200)).round(4), 0.0, 1000.0, 999.5]:
        for between in ("", ",", " ", "'"):
            text = f"{value:,.4f}".replace(",", between)
            assert number_of(text, "point") == value
            assert value in readings_of([text])["point"]
            turned = text.translate(str.maketrans(",.", ".,"))
            assert number_of(turned, "comma") == value and value in readings_of([turned])["comma"]


def read(frame, **told):
    frame, notes = interpret(frame, **told)
    return {name: list(column) for name, column in frame.items()}, notes


def test_commas_that_separate_thousands_everywhere_are_no_decimal_commas():
    values, notes = read(frame_of(price=["2,450", "980", "11,300", "75"]))
    assert values["price"] == [2450, 980, 11300, 75]
    assert notes == ["price: 2,450 is read as 2450; --decimal=comma reads it as 2.45"]
    values, notes = read(frame_of(price=["2,450", "980", "11,300", "75"]), decimal="comma")
    assert values["price"] == [2.45, 980, 11.3, 75]
    assert notes == ["price: 2,450 is read as 2.45; --decimal=point reads it as 2450"]
    values, notes = read(frame_of(price=["2,450", "9800", "11,300"]))  # 9800 would be 9,800
    assert values["price"] == [2.45, 9800, 11.3] and "--decimal=point reads it as 2450" in notes[0]


def test_the_other_columns_of_the_file_decide_how_a_column_is_read():
    doubtful = ["2,450", "980"]
    assert read(frame_of(a=doubtful, b=["0,5", "3"]))[0]["a"] == [2.45, 980]
    assert read(frame_of(a=doubtful, b=["0.5", "3"]))[0]["a"] == [2450, 980]
    assert read(frame_of(a=doubtful, b=["0.5", "3"], c=["0,5", "3"]))[0]["a"] == [2450, 980]  # they do not agree
    assert read(frame_of(a=["2.450", "980"], b=["0,5", "3"]))[0]["a"] == [2450, 980]
    assert read(frame_of(a=["2.450", "980"], b=["x", "3"]))[0]["a"] == [2.45, 980]


def test_a_column_that_can_be_read_in_one_way_is_not_changed_by_the_option():
    for decimal in ("", *MARKS):
        values, notes = read(frame_of(a=["0.5", "12"], b=["0,5", "12"], c=["3", "12"]), decimal=decimal)
        assert values == {"a": [0.5, 12], "b": [0.5, 12], "c": [3, 12]}
        told = [f"--decimal={decimal} changes nothing: no column can be read in two ways"]
        assert notes == (told if decimal else [])
    with pytest.raises(TableError, match="--decimal must be point or comma, got 'dot'"):
        interpret(frame_of(a=["1"]), decimal="dot")


def test_the_option_is_no_surprise_where_a_column_can_be_read_in_two_ways():
    values, notes = read(frame_of(a=["2,450", "980"]), decimal="comma")
    assert values["a"] == [2.45, 980] and len(notes) == 1 and "changes nothing" not in notes[0]


def test_words_that_mean_a_missing_cell_are_said_and_can_be_kept():
    frame = frame_of(size=["3", "NA", "5"], grade=["null", "mild", "severe"], note=["", "?", "x"])
    values, notes = read(frame)
    assert values["size"][0] == 3 and np.isnan(values["size"][1])
    assert [cell == "mild" for cell in values["grade"]] == [False, True, False] and pd.isna(values["grade"][0])
    told = "read as missing: 'NA' in size; 'null' in grade; '?' in note; --keep=\"NA null ?\" keeps such words as names"
    assert notes == [told]
    values, notes = read(frame, grades={"grade": ["null", "mild", "severe"]})
    assert values["grade"] == ["null", "mild", "severe"] and "null" not in notes[0]
    values, notes = read(frame, keep=["NA"])
    assert values["size"] == ["3", "NA", "5"] and "changes nothing" not in "".join(notes)
    _, notes = read(frame, keep=["NA", "Na", "mild"])
    told = [
        "--keep=Na changes nothing: no column holds it",
        "--keep=mild changes nothing: it never means a missing cell",
    ]
    assert notes[1:] == told


def test_a_few_cells_that_make_names_of_numbers_are_shown():
    cells = [*"12345" * 4, "−5", ".", "n.a."]
    values, notes = read(frame_of(age=cells))
    assert values["age"] == cells
    why = "age is not read as numbers because of '.', 'n.a.'; empty such cells if their value is not known"
    assert notes == [why]
    for quiet in ({"nominal": ["age"]}, {"keep": ["n.a."]}, {"grades": {"age": ["n.a.", *"12345"]}}):
        assert why not in read(frame_of(age=cells), **quiet)[1]
    assert read(frame_of(age=[*cells, "old"]))[1] == []


def test_codes_stay_as_they_are_written():
    frame = frame_of(code=["01", "1", "1.0"], y=["1", "2", "3"])
    assert read(frame)[0]["code"] == [1, 1, 1]
    assert read(frame, nominal=["code"])[0]["code"] == ["01", "1", "1.0"]


def test_texts_are_on_one_line():
    assert read(frame_of(a=["a\tb\r\n c ", "\x1b[31mred\u2028\x00"]))[0]["a"] == ["a b c", "[31mred"]
    assert column_names(["price\nEUR", " a  b", "\x1b]0;x\x07", "größe"]) == ["price EUR", "a b", "]0;x", "größe"]
    assert one_line("\udcff\u202e x") == "x"


def test_columns_without_a_name_get_one():
    assert column_names(["", "a", " ", "column 1"]) == ["column 1 (2)", "a", "column 3", "column 1"]
    for names in (["b", "a", "b"], ["a b", "a\nb"]):
        with pytest.raises(TableError, match=f"the column '{names[-1].split()[0]}.*' occurs twice"):
            column_names(names)


def test_many_names_that_are_numbers_are_numbers():
    """A parquet file says that a column holds texts; more than 50 different ones are no names of anything."""
    texts = pd.Series([f"{k}.5" for k in range(60)]).astype("category")
    few = pd.Series(["01", "1", "1.0"] * 20).astype("category")
    frame, _ = interpret(pd.DataFrame({"many": texts, "few": few}))
    assert frame["many"].tolist() == [k + 0.5 for k in range(60)]
    assert frame["few"].tolist() == ["01", "1", "1.0"] * 20
