"""The sheet: the shipped one is good, and every mutant is refused with the file, the set and the column."""

import csv
import dataclasses

import pytest

from rankbench.datasets.sheet import Row, load_sheet

GOOD = {
    "name": "toy",
    "title": "Toy",
    "reader": "delimited",
    "file": "toy/toy.data",
    "urls": "https://example.org/toy.data arff+http://example.org/toy.arff",
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
def sheet(tmp_path, root):
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
    assert rows["toy"].urls == ("https://example.org/toy.data", "arff+http://example.org/toy.arff")
    assert (rows["toy"].rows, rows["toy"].drop, rows["made"].file) == (3, (), ())


@pytest.mark.parametrize(
    ("column", "cell", "message"),
    [
        ("name", "Toy set", "column name: must be a name .*, got 'Toy set'"),
        ("title", "", "column title: must be text, not empty, got ''"),
        ("reader", "parquet", "column reader: no reader 'parquet'; there are arff, chess, comparisons, csv, delimited"),
        ("file", "../secret", "column file.0: must be a path in a mirror, got '../secret'"),
        ("file", "/etc/passwd", "column file.0: must be a path"),
        ("file", "", "column urls: must be empty where file is, got "),
        ("file", "toy/a toy/b", r"column sha256: expected one for each of \['toy/a', 'toy/b'\], got \['0+'\]"),
        ("urls", "ftp://example.org/x", "column urls.0: must be an http.* got 'ftp://example.org/x'"),
        ("urls", "os+https://example.org/x", "column urls: no reader 'os'; there are arff, "),
        ("urls", "https://a.b/c https://a.b/c", "column urls: must be a list, without repetition, got "),
        ("sha256", "abc", "column sha256.0: must be 64 hexadecimal digits.* got 'abc'"),
        ("sha256", "bytes:0", "column sha256.0: must be 64 hexadecimal digits.* got 'bytes:0'"),
        ("sha256", "", r"column sha256: expected one for each of \['toy/toy\.data'\], got \[\]"),
        ("table_sha256", "A" * 64, "column table_sha256: must be 64 hexadecimal digits, or empty, got 'A+'"),
        ("columns", "a a y", "column columns: must be a list, without repetition, got "),
        ("separator", ";", "column separator: must be one of empty, comma, blank, got ';'"),
        ("target", "", "column target: must be text, not empty"),
        ("target", "z", r"column target: \['z'\] not among the columns \['a', 'k', 'y'\]"),
        ("nominal", "k q", r"column nominal: \['q'\] not among"),
        ("nominal", "k y", r"\['y'\] may be in only one of target, groups, nominal and drop"),
        ("drop", "k", r"\['k'\] may be in only one"),
        ("missing", "ignore", "column missing: must be one of refuse, drop_row, keep, got 'ignore'"),
        ("rows", "many", "column rows: expected a whole number below 10\\^9, got 'many'"),
        ("rows", "1", "column rows: must be 0 or >= 2, got 1"),
        ("rows", "9" * 5000, "column rows: expected a whole number"),
        ("attributes", "-1", "column attributes: expected a whole number"),
        ("licence", "", "column licence: must be text"),
        ("reference", "", "column reference: must be text"),
    ],
)
def test_a_wrong_cell_is_refused(sheet, column, cell, message):
    with pytest.raises(ValueError, match=rf"datasets\.tsv, line 2 \(.*\).*({message})"):
        load_sheet(sheet({**GOOD, column: cell}))


def test_several_files_need_different_names_and_the_url_of_a_folder(sheet):
    two = {**GOOD, "file": "a/x.dat a/y.dat", "sha256": f"{'0' * 64} bytes:12", "urls": "https://example.org/toy/"}
    path = sheet(two)
    assert load_sheet(path)["toy"].names == ("x.dat", "y.dat")
    for column, cell, message in (
        (
            "file",
            "a/x.dat b/x.dat",
            r"column file: the names of the files must differ, not only their folders, got \['a/x",
        ),
        (
            "urls",
            "https://example.org/x",
            r"column urls: if there are several files, a URL must end in / or .zip, got \['https",
        ),
    ):
        path.write_text("\n".join("\t".join(cells) for cells in (two, {**two, column: cell}.values())) + "\n")
        with pytest.raises(ValueError, match=message):
            load_sheet(path)


def test_a_name_twice_is_refused(sheet):
    with pytest.raises(ValueError, match=r"line 3 \(toy\), column name: 'toy' is also in an earlier line"):
        load_sheet(sheet(GOOD, GOOD))


@pytest.mark.parametrize("header", [[*GOOD, "colour"], list(GOOD)[1:], [*list(GOOD)[:-1], "licence"], [""]])
def test_other_columns_than_the_known_are_refused(sheet, header):
    with pytest.raises(ValueError, match=r"datasets\.tsv, line 1: each of .* must occur once"):
        load_sheet(sheet(GOOD, header=header))


@pytest.mark.parametrize("cells", [{**GOOD, "extra": "x"}, {"name": "toy"}, {"name": ""}])
def test_a_row_of_another_length_is_refused(sheet, cells):
    with pytest.raises(ValueError, match=r"datasets\.tsv, line 2: expected 17 cells, got \d+"):
        load_sheet(sheet(cells, header=list(GOOD)))


def test_a_sheet_that_is_no_text_is_refused(sheet):
    path = sheet(GOOD)
    path.write_bytes(path.read_bytes() + b"\xff\n")
    with pytest.raises(ValueError, match=r"datasets\.tsv: expected UTF-8 text"):
        load_sheet(path)


def test_every_column_of_the_sheet_is_explained(root):
    text = (root / "config" / "README.md").read_text(encoding="utf-8")
    with open(root / "config" / "datasets.tsv", encoding="utf-8", newline="") as file:
        header = next(csv.reader(file, delimiter="\t"))
    columns = [field.name for field in dataclasses.fields(Row)]
    assert header == columns
    assert [column for column in columns if f"| `{column}` |" not in text] == []
