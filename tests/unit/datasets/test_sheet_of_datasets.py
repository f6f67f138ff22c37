"""The sheet: the shipped one is good, and every mutant is refused with the file, the set and the column."""

import dataclasses

import pytest
from checkout import ROOT

from rankbench.datasets.sheet import Row, load_sheet

GOOD = {
    "name": "toy",
    "title": "Toy",
    "reader": "delimited",
    "file": "toy/toy.data",
    "urls": "https://example.org/toy.data http://example.org/toy.arff",
    "sha256": "0" * 64,
    "table_sha256": "",
    "columns": "a k y",
    "separator": "comma",
    "target": "y",
    "nominal": "k",
    "drop": "",
    "missing": "refuse",
    "rows": "3",
    "attributes": "2",
    "licence": "none stated",
    "reference": "nobody",
}


@pytest.fixture
def sheet(tmp_path):
    """Write rows of cells as a sheet; return its path."""

    def write(*rows: dict, header=None):
        path = tmp_path / "config" / "datasets.tsv"
        path.parent.mkdir()
        lines = ["\t".join(header or rows[0]), *("\t".join(row.values()) for row in rows)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write


def test_cells_get_the_type_of_their_column(sheet):
    rows = load_sheet(
        sheet(GOOD, {**GOOD, "name": "made", "reader": "friedman1", "file": "", "urls": "", "sha256": ""})
    )
    assert list(rows) == ["toy", "made"]
    assert rows["toy"].urls == ("https://example.org/toy.data", "http://example.org/toy.arff")
    assert (rows["toy"].rows, rows["toy"].drop, rows["made"].file) == (3, (), ())


TWO = {"file": "a/x.dat a/y.dat", "sha256": f"{'0' * 64} unknown", "urls": "https://example.org/toy/"}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"name": "Toy set"}, "name: String should match pattern .*, got 'Toy set'"),
        *(({column: ""}, f"{column}: String should have at least 1") for column in ("title", "licence", "reference")),
        ({"target": ""}, "target: String should have at least 1"),
        ({"reader": "parquet"}, "reader: no reader 'parquet'; there are arff, chess, comparisons, csv, delimited"),
        ({"file": "../secret"}, "file: String should match pattern .*, got '../secret'"),
        ({"file": "/etc/passwd"}, "file: String should match pattern"),
        ({"urls": "ftp://example.org/x"}, "urls: String should match pattern .* got 'ftp://example.org/x'"),
        ({"urls": "https://a.b/c https://a.b/c"}, "urls: An entry occurs twice, got "),
        *(({"sha256": cell}, f"sha256: String should match .* got '{cell}'") for cell in ("abc", "bytes:1")),
        ({"table_sha256": "A" * 64}, "table_sha256: String should match .* got 'A+'"),
        ({"columns": "a a y"}, "columns: An entry occurs twice, got "),
        ({"separator": ";"}, "separator: Input should be '', 'comma' or 'blank', got ';'"),
        ({"nominal": "k y"}, r"nominal: \['y'\] may be in only one of target, groups, nominal and drop"),
        ({"drop": "k"}, r"drop: \['k'\] may be in only one"),
        ({"missing": "ignore"}, "missing: Input should be 'refuse', 'drop_row' or 'keep', got 'ignore'"),
        ({"rows": "many"}, "rows: Input should be a valid integer, .*got 'many'"),
        ({"rows": "9" * 5000}, "rows: Unable to parse input string as an integer"),
        ({"attributes": "-1"}, "attributes: Input should be greater than or equal to 0, got '-1'"),
    ],
)
def test_a_wrong_cell_is_refused(sheet, changed, message):
    with pytest.raises(ValueError, match=rf"datasets\.tsv, line 2 \(.*\): ({message})"):
        load_sheet(sheet({**GOOD, **changed}))


def test_several_files_may_come_from_a_folder(sheet):
    assert load_sheet(sheet({**GOOD, **TWO}))["toy"].names == ("x.dat", "y.dat")


def test_a_name_twice_is_refused(sheet):
    with pytest.raises(ValueError, match=r"line 3 \(toy\): name: 'toy' is also in an earlier line"):
        load_sheet(sheet(GOOD, GOOD))


@pytest.mark.parametrize(
    ("header", "cells", "message"),
    [
        ([*GOOD, "colour"], {**GOOD, "colour": "x"}, r"line 2 \(toy\): colour: unknown key"),
        ([*GOOD][:-1], {key: GOOD[key] for key in [*GOOD][:-1]}, r"line 2 \(toy\): reference: Field required"),
        ([*GOOD][1:], {key: GOOD[key] for key in [*GOOD][1:]}, r"line 2 \(None\): name: Field required"),
        ([""], GOOD, "line 2 .*: attributes: Field required"),
        ([*GOOD], {**GOOD, "extra": "x"}, r"line 2 \(toy\): more: unknown key"),
    ],
)
def test_other_columns_than_the_known_and_rows_of_another_length_are_refused(sheet, header, cells, message):
    with pytest.raises(ValueError, match=rf"datasets\.tsv, {message}"):
        load_sheet(sheet(cells, header=header))


def test_every_column_of_the_sheet_is_explained():
    text = (ROOT / "config/README.md").read_text(encoding="utf-8")
    header = (ROOT / "config/datasets.tsv").read_text(encoding="utf-8").splitlines()[0].split("\t")
    columns = [field.name for field in dataclasses.fields(Row)]
    assert header == columns
    assert [column for column in columns if f"| `{column}` |" not in text] == []
