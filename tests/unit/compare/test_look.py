"""How make compare uses the columns of a table, and what it refuses: values by hand."""

import numpy as np
import pandas as pd
import pytest

from rankbench.compare.described import describe
from rankbench.compare.look import MOST_USED, look_at
from rankbench.compare.names import TableError
from rankbench.compare.table import data_of, table_of

N = 40
rng = np.random.default_rng(0)


@pytest.fixture
def wines():
    """A table with one column of each kind."""
    frame = pd.DataFrame(
        {
            "bottle id": np.arange(100, 100 + N),
            "acid": rng.random(N),
            "sugar": rng.random(N),
            "colour": rng.choice(["red", "white"], N),
            "note": [f"tasting note {i}" for i in range(N)],
            "cellar": 1,
            "person": np.arange(N) % 5,
            "quality": rng.choice([3, 4, 5], N),
        }
    )
    frame.loc[frame.index % 10 == 0, "sugar"] = np.nan
    # more names than a column of names may have
    return pd.concat([frame, frame.assign(note=frame["note"] + "!")], ignore_index=True)


def roles(look):
    return {column.name: column.role for column in look.columns}


def test_each_column_is_taken_for_what_it_is(wines):
    wines["bottle id"] = np.arange(len(wines))
    look = look_at(wines, "quality", groups="person")
    assert roles(look) == {
        "bottle id": "left out",
        "acid": "number",
        "sugar": "number",
        "colour": "names",
        "note": "left out",
        "cellar": "left out",
        "person": "groups",
        "quality": "target",
    }
    assert look.kind == "values"  # grades of one person are not those of another: only orders are compared
    alone = look_at(wines, "quality")
    assert (alone.kind, alone.grades) == ("grades", ("3", "4", "5"))
    said = "\n".join(describe(look))
    assert "left out  bottle id (it looks like a row number or identifier), note (80 different names such as " in said
    assert "missing   sugar (8)" in said and "groups    person: 5; only rows of one group are compared" in said


def test_what_the_user_says_wins(wines):
    look = look_at(wines, "acid", drop=["sugar"], nominal=["quality"])
    assert look.kind == "values" and roles(look)["sugar"] == "left out" and roles(look)["quality"] == "names"


def test_grades_with_names_need_an_order(wines):
    wines["grade"] = np.where(wines["acid"] > 0.5, "good", "bad")
    with pytest.raises(TableError, match=r"TARGET=grade: must hold numbers, or names whose order is given.*--order="):
        look_at(wines, "grade")
    with pytest.raises(TableError, match="--order must name every grade of 'grade', it lacks good"):
        look_at(wines, "grade", order=["bad", "fine"])
    came = "it lacks good; got bad, goood, fine; 'good' was probably meant by 'goood'$"
    with pytest.raises(TableError, match=came):
        look_at(wines, "grade", order=["bad", "goood", "fine"])
    look = look_at(wines, "grade", order=["bad", "fine", "good"])
    assert look.grades == ("bad", "good") and set(look.frame["grade"]) == {0.0, 1.0}
    wines["grade"] = pd.Categorical(wines["grade"], ["bad", "good"], ordered=True)
    assert look_at(wines, "grade").grades == ("bad", "good")


def test_the_example_of_an_order_names_every_grade(wines):
    wines["grade"] = np.resize(["fair", "very good", "poor", "good"], len(wines))
    with pytest.raises(
        TableError,
        match=r'the worst first, such as --order="fair, very good, poor, good" \(here as they come in the file\)$',
    ):
        look_at(wines, "grade")
    with pytest.raises(TableError, match=r"tasting note 7 and 72 others$"):
        look_at(wines, "note")


def test_numbers_of_one_item_that_are_names_of_the_other_are_refused():
    numbers, names = np.arange(N) % 4 / 2, np.resize(["0.50", "1.00", "unknown"], N)
    frame = pd.DataFrame({"w_a": numbers, "w_b": names, "won": np.resize([-1, 0, 1], N)})
    with pytest.raises(TableError, match="columns 'w_a' and 'w_b' are of two items, but one holds numbers and the"):
        look_at(frame, "won")
    assert look_at(frame.assign(w_b=numbers[::-1]), "won").names_of("number") == ["w_a", "w_b"]


def test_pairs_are_known_by_their_columns():
    frame = pd.DataFrame({"elo_a": rng.random(N), "elo_b": rng.random(N), "result": rng.choice([-1, 0, 1], N)})
    assert look_at(frame, "result").endings == ("_a", "_b")
    assert look_at(frame.assign(hour=rng.random(N)), "result").kind == "grades"
    assert look_at(frame.assign(result=rng.choice([-1, 1], N)), "result").kind == "pairs"
    said = "\n".join(describe(look_at(frame, "result")))
    assert '0: neither (if rows are no pairs of items: --order="-1 0 1")' in said
    assert look_at(frame, "result", order=["-1", "0", "1"]).kind == "grades"


def test_a_column_of_neither_item_is_named():
    """One such column made grades of the labels of comparisons, without a word."""
    frame = pd.DataFrame({"elo_a": rng.random(N), "elo_b": rng.random(N), "result": np.resize([-1, 0, 1], N)})
    frame = frame.assign(hour=rng.random(N), form_a=rng.random(N))
    look = look_at(frame, "result")
    assert look.kind == "grades" and look.notes[-1] == (
        "elo_a, elo_b look like two items, but hour, form_a are of neither: rows are compared, not items; "
        'with --drop="hour form_a" items are'
    )
    left = look_at(frame, "result", drop=["hour", "form_a"])
    assert left.kind == "pairs" and not left.notes
    assert not look_at(frame, "hour", drop=["form_a"]).notes
    assert not look_at(frame.drop(columns=["elo_a", "form_a"]), "result").notes


def test_a_column_with_empty_cells_is_not_constant():
    """A column that holds yes or nothing was left out, because it was called constant."""
    ticked = np.where(np.arange(N) % 3 == 0, "yes", None)
    frame = pd.DataFrame({"acid": rng.random(N), "ticked": pd.Series(ticked, dtype="str"), "y": rng.random(N)})
    frame = frame.assign(one=np.where(np.arange(N) % 4 == 0, 1.0, np.nan), empty=np.nan)
    look = look_at(frame, "y")
    assert roles(look) == {"acid": "number", "ticked": "names", "y": "target", "one": "number", "empty": "left out"}
    assert len(np.unique(table_of(data_of(look), look)[0].X[:, 1])) == 2


def test_wins_and_losses_written_as_1_and_0_are_no_comparisons():
    """0 would be a tie; the library refuses such labels as ambiguous. A binary table may have such columns too."""
    frame = pd.DataFrame({"dim_1": rng.random(N), "dim_2": rng.random(N), "sick": rng.choice([0, 1], N)})
    look = look_at(frame, "sick")
    assert look.kind == "grades" and look.grades == ("0", "1")
    assert look.notes[-1].endswith("they are compared only if sick is -1 where the second item is better, not 0")


@pytest.mark.parametrize(
    ("change", "arguments", "message"),
    [
        ({}, {"target": "qualty"}, "TARGET=qualty: there is no such column; did you mean 'quality'"),
        ({}, {"groups": "persn"}, "--groups=persn: there is no such column; did you mean 'person'"),
        ({}, {"drop": ["x"]}, "--drop=x: there is no such column; there are bottle id"),
        ({}, {"drop": ["quality"]}, "'quality' may be in only one of TARGET, --groups and --drop"),
        ({}, {"nominal": ["quality"]}, "'quality' may not be in --nominal: it is the target, or the column of groups"),
        ({"quality": 3}, {}, "TARGET=quality: must have at least two different values, it has only 3"),
        ({"quality": np.inf}, {}, "TARGET=quality: must be finite, got inf"),
        ({"acid": np.r_[np.inf, np.zeros(2 * N - 1)]}, {}, "column 'acid': must be finite, got inf"),
        ({"person": np.arange(2 * N)}, {"groups": "person"}, "--groups=person: every group has only one row"),
        ({"person": np.arange(2 * N) < 5}, {"groups": "person"}, "--groups=person: at least 4 groups must hold two"),
    ],
)
def test_a_table_that_cannot_be_compared_on_is_named(wines, change, arguments, message):
    with pytest.raises(TableError, match=message):
        look_at(wines.assign(**change), **{"target": "quality"} | arguments)


def test_an_option_for_a_column_that_is_left_out_is_named(wines):
    look = look_at(wines.assign(cork=[f"c{row}" for row in range(2 * N)]), "quality", nominal=["cork"])
    assert f"--nominal=cork changes nothing: {2 * N} different names such as 'c0': text or an id" in look.notes


def test_a_table_with_nothing_but_a_target_says_so(wines):
    with pytest.raises(TableError, match=r"no input column is left: there is only 'quality'$"):
        look_at(wines[["quality"]], "quality")


def test_a_target_is_refused_with_the_cell_that_is_no_number_or_as_dates(wines):
    cells = [*map(str, np.arange(2 * N - 1)), "-"]
    with pytest.raises(TableError, match="must hold numbers, or names whose order is given, got -, 0, 1, 2"):
        look_at(wines.assign(quality=cells), "quality")
    with pytest.raises(TableError, match="TARGET=day: must hold numbers or grades, got dates; give years or days as"):
        look_at(wines.assign(day=np.datetime64("2026-01-01") + np.arange(2 * N)), "day")


def test_years_are_numbers_and_counted_rows_are_not(wines):
    wines["year"], wines["row"], wines["bill"] = (first + np.arange(2 * N) for first in (1900, 1, 3000))
    look = roles(look_at(wines, "quality"))
    assert (look["year"], look["row"], look["bill"]) == ("number", "left out", "left out")
    why = r"all columns except 'quality' are left out \(cellar: it is constant; row: it looks like a row number"
    with pytest.raises(TableError, match=why):
        look_at(wines[["cellar", "row", "quality"]], "quality")


@pytest.mark.parametrize("name", ["id", "bottle_id", "bottleId", "bottleID"])
def test_numbers_called_an_id_are_left_out(name, wines):
    wines[name] = np.arange(len(wines)) ** 2
    wines["paid"] = np.arange(len(wines)) ** 2
    look = roles(look_at(wines, "quality"))
    assert (look[name], look["paid"]) == ("left out", "number")


def test_of_a_large_table_a_sample_is_used():
    """Whole groups if enough of them fit, otherwise rows of every group."""
    n = 3 * MOST_USED
    frame = pd.DataFrame(
        {"row": np.arange(n), "a": np.arange(n) / 7, "y": np.arange(n) % 1000, "few": np.arange(n) % 5}
    )
    frame["many"] = np.random.default_rng(0).permutation(np.arange(n) // 100)
    for groups, what in (("", "rows"), ("few", "rows"), ("many", "whole groups")):
        look = look_at(frame, "y", groups=groups)
        assert roles(look)["row"] == "left out"  # seen in the whole table
        assert look.notes == (f"50,000 of 150,000 rows are used: {what}, drawn at random",)
        assert (np.diff(look.frame["a"]) > 0).all() and look.frame["a"].max() > 0.99 * n / 7
        assert look.frame["few"].nunique() == 5 and len(look.frame) == MOST_USED
        if groups == "many":
            assert set(look.frame["many"].value_counts()) == {100}


def test_rows_without_a_target_are_left_out_and_said(wines):
    wines.loc[:3, "quality"] = np.nan
    look = look_at(wines, "quality", drop=["bottle id"])
    assert len(look.frame) == len(wines) - 4 and look.notes == ("left out, because they have no quality: 4 of 80 rows",)


def test_groups_without_a_pair_to_order_are_counted():
    """Twelve persons tasted one wine, three gave all wines the same grade, and five can be learned from."""
    sizes, targets = [1] * 12 + [4] * 8, [[0]] * 12 + [[1] * 4] * 3 + [[0, 1, 1, 2]] * 5
    frame = pd.DataFrame({"person": np.repeat(np.arange(20), sizes), "a": rng.random(44), "y": np.concatenate(targets)})
    look = look_at(frame, "y", groups="person")
    said = "groups    person: 20, of which 5 hold rows to compare; only rows of one group are compared"
    assert said in [*describe(look)]
    assert look.notes == ("24 of 44 rows are in groups of person with one target only: they say nothing",)
    most = pd.concat([frame, frame[frame["person"] >= 15].assign(person=99)])
    assert look_at(most, "y", groups="person").notes == ()


def test_values_of_options_that_change_nothing_are_noted(wines):
    wines["grade"] = np.where(wines["acid"] > 0.5, "good", "bad")
    dropped = ["person", "acid", "bottle id"]
    look = look_at(wines, "grade", order=["bad", "fine", "good"], nominal=["quality", "person"], drop=dropped)
    assert look.notes == (
        "--nominal=person changes nothing: the column is left out by --drop",
        "--order names fine, which no row of grade has",
    )
    assert look_at(wines, "grade", order=["bad", "good"], nominal=["quality"], drop=dropped).notes == ()
