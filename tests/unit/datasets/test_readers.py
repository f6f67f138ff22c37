"""Readers: expected values, errors that name the place, and either a Table or a ValueError for damaged files."""

import io
import tarfile

import numpy as np
import pytest
from workbook import workbook

from rankbench.datasets.readers import read

COLUMNS = ("a", "k", "y")
PARTITIONS = {"reader": "partitions", "separator": "blank", "nominal": ()}
CSV = b'"a","k","y"\r\n1.5, lo, 2\r\n\r\n?, hi, 3\r\n-2e0, hi, 4\r\n'
COMMA = b"1.5,lo, 2\n?,hi,3\n-2,hi,4\n\n"
BLANK = b'  1.5   lo  2\t\n?\t"hi"   3\n -2 hi 4'
ARFF = b"""% comment
@relation 'r'
@ATTRIBUTE a numeric
@attribute 'k' { lo, 'hi' }
@attribute y REAL
@data
1.5,lo,2,
% comment
?,hi,3,
-2,'hi',4
"""


XLS = workbook([COLUMNS, (1.5, "lo", 2.0), ("?", "hi", 3.0), (-2.0, "hi", 4.0)])
FILES = {"csv": CSV, "delimited": COMMA, "arff": ARFF, "xls": XLS}


@pytest.fixture
def read_bytes(tmp_path, make_row):
    """Write content to a file and read it as the changed row says."""

    def run(content: bytes, **changes):
        path = tmp_path / "file"
        path.write_bytes(content)
        if changes.get("reader") == "delimited":
            changes = {"columns": COLUMNS, "separator": "comma"} | changes
        return read(path, make_row(**changes))

    return run


@pytest.mark.parametrize(
    ("content", "changes"),
    [
        (CSV, {"reader": "csv"}),
        (b"\xef\xbb\xbf" + CSV.replace(b"\r\n", b"\r"), {"reader": "csv"}),
        (COMMA, {"reader": "delimited"}),
        (BLANK, {"reader": "delimited", "separator": "blank"}),
        (ARFF, {"reader": "arff"}),
        (XLS, {"reader": "xls"}),
    ],
)
def test_every_format_gives_the_same_table(read_bytes, content, changes):
    table = read_bytes(content, missing="drop_row", **changes)
    np.testing.assert_array_equal(table.X, [[1.5, 1.0], [-2.0, 0.0]])
    np.testing.assert_array_equal(table.y, [2.0, 4.0])
    assert (table.attributes, table.levels) == (("a", "k"), ((), ("hi", "lo")))


@pytest.mark.parametrize("reader", FILES)
def test_missing_cells_are_kept_where_the_sheet_says_so(read_bytes, reader):
    table = read_bytes(FILES[reader], reader=reader, missing="keep")
    np.testing.assert_array_equal(table.X, [[1.5, 1.0], [np.nan, 0.0], [-2.0, 0.0]])


def test_a_missing_name_is_a_name_and_a_missing_target_is_refused(read_bytes):
    table = read_bytes(b"a,k,y\n1,lo,2\n2,,3\n", missing="keep")
    assert table.levels == ((), ("lo", "missing")) and table.X[:, 1].tolist() == [0.0, 1.0]
    with pytest.raises(ValueError, match=r"line 3, column 'y': expected a value"):
        read_bytes(b"a,k,y\n1,lo,2\n2,lo,?\n", missing="keep")


def test_groups_are_codes_and_no_attribute(read_bytes):
    table = read_bytes(b"a,k,q,y\n1,lo,q2,2\n2,hi,q1,3\n3,lo,q2,4\n", groups="q")
    assert (table.attributes, table.groups.tolist()) == (("a", "k"), [1.0, 0.0, 1.0])
    with pytest.raises(ValueError, match=r"no column \['z'\] \(groups of toy\)"):
        read_bytes(b"a,k,y\n1,lo,2\n", groups="z")


@pytest.mark.parametrize("reader", FILES)
def test_target_and_dropped_columns_can_stand_anywhere(read_bytes, reader):
    table = read_bytes(FILES[reader], reader=reader, missing="drop_row", target="a", nominal=(), drop=("k",))
    np.testing.assert_array_equal(table.X, [[2.0], [4.0]])
    np.testing.assert_array_equal(table.y, [1.5, -2.0])
    assert table.attributes == ("y",)


@pytest.mark.parametrize("reader", FILES)
def test_a_missing_value_is_refused_unless_rows_may_be_dropped(read_bytes, reader):
    with pytest.raises(ValueError, match=r"file, line \d+, column 'a': expected a value, got '\?'"):
        read_bytes(FILES[reader], reader=reader)


def test_a_missing_value_in_a_dropped_column_does_not_matter(read_bytes):
    assert len(read_bytes(CSV, drop=("a",)).y) == 3


def test_levels_written_as_numbers_are_sorted_as_numbers(read_bytes):
    table = read_bytes(b"k,y\n10,1\n9,2\n9.0,3\n-1,4\n")
    assert table.levels == (("-1", "9", "10"),)
    np.testing.assert_array_equal(table.X[:, 0], [2.0, 1.0, 1.0, 0.0])


@pytest.mark.parametrize("reader", ["csv", "arff", "xls"])
def test_columns_of_the_sheet_replace_the_names_in_the_file(read_bytes, reader):
    names = {"columns": ("b", "l", "z"), "nominal": ("l",), "target": "z", "missing": "drop_row"}
    assert read_bytes(FILES[reader], reader=reader, **names).attributes == ("b", "l")


@pytest.mark.parametrize(
    ("content", "changes", "message"),
    [
        (b"a,k,y\n1,lo\n", {}, "line 2: expected 3 cells, got 2"),
        (b"a,k,y\n\n1,lo,x\n", {}, "line 3, column 'y': expected a finite number, got 'x'"),
        (b"a,k,y\nnan,lo,1\n", {}, "column 'a': expected a finite number, got 'nan'"),
        (b"a,k,y\n1e999,lo,1\n", {}, "expected a finite number, got '1e999'"),
        (b"a,k,y\n1_0,lo,1\n", {}, "expected a finite number, got '1_0'"),
        (b"a,a,y\n", {}, "must be different"),
        (b"a,k,z\n1,lo,1\n", {}, r"no column \['y'\] \(target of toy\)"),
        (b"a,y\n1,1\n", {}, r"no column \['k'\] \(nominal of toy\)"),
        (b'a,k,y\n1,"lo,1\n', {}, "line 2: expected cells separated by ','"),
        (b"<!DOCTYPE html>\n<p>", {}, "no column"),
        (b"a,k,y\n1,\xff,1\n", {}, "/file: UnicodeDecodeError: "),
        (b"1,2", {"reader": "delimited", "columns": ()}, "reader delimited needs columns, "),
        (b"1,2", {"reader": "delimited", "separator": ""}, "a separator out of comma, blank; got .* and ''"),
        (b"@relation r\n", {"reader": "arff"}, r"no column \['y'\]"),
        (b"1,2\n", {"reader": "arff"}, "line 1: expected @attribute"),
        (ARFF, {"reader": "arff", "nominal": ()}, r"\['k'\] declared nominal"),
        (b"", {"reader": "xls"}, "XLRDError: File size is 0 bytes"),
        (b"1 2 3\n", PARTITIONS, "ReadError: file could not be opened"),
        (workbook([COLUMNS, (1.0, "lo", "two")]), {"reader": "xls"}, "line 2, column 'y': expected a finite number"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(read_bytes, content, changes, message):
    with pytest.raises(ValueError, match=message):
        read_bytes(content, **changes)


def archive(**members) -> bytes:
    """A tar.xz with one member per keyword, ``train_0="1 2\\n"`` as SET/train_SET.0."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:xz") as tar:
        for name, text in members.items():
            part, number = name.split("_")
            info = tarfile.TarInfo(f"SET/{part}_SET.{number}")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text.encode()))
    return stream.getvalue()


HOLD_OUTS = {
    "train_0": "1 5 1\n1 5 1\n2 6 2\n",
    "test_0": "3 7 2\n",
    "train_1": "3 7 2\n1 5 1\n2 6 2\n",
    "test_1": "1 5 1\n",
}


def test_published_hold_outs_are_rows_of_one_table(read_bytes):
    """By hand: the second hold-out trains on rows 2 and 3 and on one of the two equal rows 0 and 1."""
    table = read_bytes(archive(**HOLD_OUTS), **PARTITIONS)
    np.testing.assert_array_equal(table.X, [[1, 5], [1, 5], [2, 6], [3, 7]])
    np.testing.assert_array_equal(table.y, [1, 1, 2, 2])
    assert table.attributes == ("x1", "x2")
    first, second = table.partitions
    np.testing.assert_array_equal(first, [True, True, True, False])
    assert second[0] != second[1] and second[2] and second[3]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({**HOLD_OUTS, "test_1": "9 9 9\n"}, "hold-out 1 does not hold the same examples as hold-out 0"),
        ({name: text for name, text in HOLD_OUTS.items() if name != "test_1"}, "KeyError"),
        ({}, "IndexError"),
    ],
)
def test_what_is_wrong_in_an_archive_is_said(read_bytes, members, message):
    with pytest.raises(ValueError, match=message):
        read_bytes(archive(**members), **PARTITIONS)


RATINGS = b"7\t2\t5\t9\n8\t2\t1\t9\n7\t1\t3\t9\n9\t1\t4\t9\n9\t3\t2\t9\n"
FILMS = {"reader": "movielens", "target": "user_7", "nominal": ()}


def test_the_films_of_a_user_are_described_by_the_shifted_ratings_of_the_others(read_bytes):
    """By hand: user 7 rated films 1 and 2 with 3 and 5; user 9 gave film 1 a 4, user 8 gave film 2 a 1."""
    table = read_bytes(RATINGS, **FILMS)
    np.testing.assert_array_equal(table.y, [3, 5])
    assert table.attributes == ("user_8", "user_9")
    np.testing.assert_array_equal(table.X, [[0, 0.5], [-2.5, 0]])
