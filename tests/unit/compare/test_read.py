"""Files of every format become the same columns; a file that cannot be read is refused in one line."""

import gzip
import zipfile
from datetime import date, datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rankbench.compare import read as reading
from rankbench.compare.cells import interpret
from rankbench.compare.look import look_at
from rankbench.compare.names import TableError
from rankbench.compare.read import MOST_ROWS, read_file


def table(path):
    frame, _ = read_file(path)
    return interpret(frame)[0]


@pytest.fixture
def wines():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"acid": rng.random(40).round(3), "colour": rng.choice(["red", "white"], 40), "n": range(40)})
    frame.loc[::9, "acid"] = np.nan
    frame.loc[::7, "colour"] = None
    return frame


def test_every_format_is_read(wines, tmp_path):
    wines.to_csv(tmp_path / "w.csv", index=False)
    wines.to_csv(tmp_path / "w.tsv", index=False, sep=";")
    wines.to_csv(tmp_path / "w16.csv", index=False, encoding="utf-16")
    (tmp_path / "w.csv.gz").write_bytes(gzip.compress((tmp_path / "w.csv").read_bytes()))
    wines.to_parquet(tmp_path / "w.parquet")
    wines.to_excel(tmp_path / "w.xlsx", index=False)
    arff = "@relation w\n@attribute a numeric\n@attribute c {red,white}\n@data\n1,red\n2,?\n"
    (tmp_path / "w.arff").write_text(arff)
    expected = wines.astype({"colour": "str"})
    for name in ("w.csv", "w.tsv", "w16.csv", "w.csv.gz", "w.parquet", "w.xlsx"):
        frame = table(tmp_path / name).astype({"colour": "str"})
        pd.testing.assert_frame_equal(frame, expected, check_dtype=False)
    assert table(tmp_path / "w.arff")["c"].isna().tolist() == [False, True]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("w.csv", b"", "w.csv: is empty"),
        ("w.csv", b"a,y\n", "w.csv: there are no rows below the column names"),
        ("w.csv", b"\xff\xfe\x00a", "w.csv: there are no rows below the column names"),
        ("w.csv", b"\xff\xfe\x00a\x00", "w.csv: cannot be read as csv: "),
        ("w.csv", b"a,b\n1,\x002\n", "w.csv: is no text"),
        ("w.csv", b"#" * (1 << 20), "w.csv: the first line has more than 1,048,576 bytes"),
        ("w.csv.gz", b"a,b\n1,2\n", "w.csv.gz: cannot be read as csv.gz: Not a gzipped file"),
        ("w.parquet", b"PAR1", "w.parquet: cannot be read as parquet: "),
        ("w.xlsx", b"PK", "w.xlsx: cannot be read as xlsx: "),
        ("w.xls", b"a,b\n1,2\n", "w.xls: cannot be read as xls: "),
        ("w.arff", b"a,b\n1,2\n", "w.arff: cannot be read as arff: "),
        ("w.docx", b"", r"w.docx: the name must end in one of .csv"),
        ("w.csv", b"a,b\n1,2,3,4\n1,2\n1,2,3\n", "w.csv: a line has more cells than the first line, which must"),
        ("w.csv", b"# of 2024\na,b,y\n1,2,3\n", "w.csv: a line has more cells than the first line"),
        ("w.csv", b"k,a,k \n1,2,3\n", "w.csv: the column 'k' occurs twice"),
        ("x" * 300 + ".csv", None, "xxx.csv: cannot be read as csv: .*File name too long"),
        ("no.csv", None, "no.csv: there is no such file"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_one_line(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(TableError, match=message) as refused:
        read_file(tmp_path / name)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["data", "data.csv", "data.parquet"])
def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path, name):
    (tmp_path / name).mkdir()
    with pytest.raises(TableError, match=rf"{name}: is a folder; name a file in it$"):
        read_file(tmp_path / name)


def test_a_file_of_a_similar_name_is_named(tmp_path):
    (tmp_path / "wines.csv").touch()
    with pytest.raises(TableError, match=r"wine\.csv: there is no such file; did you mean .*/wines\.csv\?$"):
        read_file(tmp_path / "wine.csv")


def exchanged(source, path, member, content):
    """Copy a zip archive; one of its files gets another content."""
    with zipfile.ZipFile(source) as archive, zipfile.ZipFile(path, "w") as other:
        for name in archive.namelist():
            other.writestr(name, content if name.endswith(member) else archive.read(name))


def test_the_sheet_that_is_read_is_named_if_there_are_others(tmp_path, wines):
    with pd.ExcelWriter(tmp_path / "w.xlsx") as file:
        wines.head(7).to_excel(file, sheet_name="2023", index=False)
        wines.to_excel(file, sheet_name="2024", index=False)
    frame, notes = read_file(tmp_path / "w.xlsx")
    assert len(frame) == 7 and notes == ["the first sheet, '2023', is read, not '2024'"]
    with pd.ExcelWriter(tmp_path / "w.xlsx") as file:
        pd.DataFrame().to_excel(file, sheet_name="Info", index=False)
        wines.to_excel(file, sheet_name="2024", index=False)
    with pytest.raises(TableError, match="is empty: the sheet 'Info' is read, not '2024'"):
        read_file(tmp_path / "w.xlsx")


def test_an_excel_file_that_is_none_or_a_bomb_is_refused(tmp_path, monkeypatch, wines):
    wines.to_excel(tmp_path / "good.xlsx", index=False)
    entities = "".join(f'<!ENTITY e{k + 1} "{f"&e{k};" * 9}">' for k in range(12))
    for content in ("<a>", f'<!DOCTYPE a [<!ENTITY e0 "lol">{entities}]><a>&e12;</a>'):
        for member in ("workbook.xml", "sheet1.xml"):
            exchanged(tmp_path / "good.xlsx", tmp_path / "w.xlsx", member, content)
            with pytest.raises(TableError, match=r"w\.xlsx: cannot be read as xlsx: "):
                read_file(tmp_path / "w.xlsx")
    monkeypatch.setattr(reading, "MOST_BYTES", 5000)
    with pytest.raises(TableError, match=r"good\.xlsx: holds more than"):
        read_file(tmp_path / "good.xlsx")


def test_too_long_a_text_is_refused_before_it_is_in_memory(tmp_path, monkeypatch):
    (tmp_path / "long.csv").write_text("a\n" + "1\n" * (MOST_ROWS + 1))
    with pytest.raises(TableError, match="has more than 1,000,000 rows; compare on a random sample"):
        read_file(tmp_path / "long.csv")
    monkeypatch.setattr(reading, "MOST_BYTES", 100_000)
    with gzip.open(tmp_path / "bomb.csv.gz", "wt") as file:
        file.write("a,b\n" + "1" * 5_000_000)
    with pytest.raises(TableError, match=r"bomb\.csv\.gz: holds more than"):
        read_file(tmp_path / "bomb.csv.gz")


def test_a_parquet_file_that_is_too_large_in_memory_is_refused(tmp_path):
    """Repeated values take no room in the file."""
    column = pa.array(np.zeros(900_000))
    pq.write_table(pa.table({f"c{k}": column for k in range(120)}), tmp_path / "w.parquet")
    assert (tmp_path / "w.parquet").stat().st_size < 1e6
    with pytest.raises(TableError, match=r"w\.parquet: has 900,000 rows and 120 columns"):
        read_file(tmp_path / "w.parquet")
    codes = pa.array(np.zeros(100_000, np.int32))
    texts = pa.DictionaryArray.from_arrays(codes, pa.array(["x" * 2_000_000]))  # 200 GB as texts
    pq.write_table(pa.table({"a": texts, "b": np.arange(100_000) % 7}), tmp_path / "w.parquet")
    assert table(tmp_path / "w.parquet")["a"].nunique() == 1
    pq.write_table(pa.table({"a": np.zeros(MOST_ROWS + 1)}), tmp_path / "w.parquet")
    with pytest.raises(TableError, match="has more than 1,000,000 rows"):
        read_file(tmp_path / "w.parquet")


def test_letters_of_every_alphabet_are_read_from_arff(tmp_path):
    arff = "@relation w\n@attribute größe numeric\n@attribute c {é,a=b,жя}\n@data\n1,é\n2,a=b\n3,жя\n4,?\n"
    (tmp_path / "w.arff").write_text(arff, "utf-8")
    frame = table(tmp_path / "w.arff")
    assert frame["größe"].tolist() == [1, 2, 3, 4] and frame["c"].tolist()[:3] == ["é", "a=b", "жя"]
    assert frame["c"].isna().tolist() == [False, False, False, True]


def test_the_columns_of_parquet_are_numbers_names_or_dates(tmp_path):
    columns = {
        "decimal": pa.array([Decimal("1.25"), Decimal("2.50"), None]),
        "whole": pa.array([1, None, 3]),
        "large": pa.array([2**60, 2**60 + 1, 0]),
        "truth": pa.array([True, False, None]),
        "text": pa.array(["01", "1", "1.0"]),
        "day": pa.array([date(2024, 1, 2), None, date(9999, 1, 1)]),
        "moment": pa.array([datetime(2024, 1, 2), None, datetime(1066, 1, 1)]),
        "nothing": pa.nulls(3),
        "half": pa.array(np.array([1, 2, 3], np.float16)),
        "grade": pa.array(["b", "a", "b"]).dictionary_encode(),
        "": pa.array([1, 2, 3]),
        "a.b": pa.array([1, 2, 3]),
        "a": pa.array([3, 2, 1]),
    }
    pq.write_table(pa.table(columns), tmp_path / "w.parquet")
    frame = table(tmp_path / "w.parquet")
    assert frame["decimal"].iloc[:2].tolist() == [1.25, 2.5] and np.isnan(frame["decimal"][2])
    assert frame["whole"].iloc[[0, 2]].tolist() == [1, 3] and frame["large"].tolist() == [2**60, 2**60 + 1, 0]
    assert frame["truth"].tolist()[:2] == ["True", "False"] and pd.isna(frame["truth"][2])
    assert frame["text"].tolist() == ["01", "1", "1.0"] and frame["grade"].tolist() == ["b", "a", "b"]
    assert all(pd.api.types.is_datetime64_any_dtype(frame[name]) for name in ("day", "moment"))
    assert frame["half"].tolist() == [1, 2, 3] and frame["nothing"].isna().all()
    assert frame[["column 11", "a.b", "a"]].to_numpy().tolist() == [[1, 1, 3], [2, 2, 2], [3, 3, 1]]


def test_cells_that_hold_more_than_a_value_are_named(tmp_path):
    nested = {"lists": pa.array([[1, 2]] * 40), "maps": pa.array([{"k": 1}] * 40), "bytes": pa.array([b"\xff"] * 40)}
    whole = pa.table({"acid": np.arange(40) / 7, **nested, "y": np.arange(40) / 3})
    pq.write_table(whole, tmp_path / "w.parquet")
    frame = table(tmp_path / "w.parquet")
    for name, kind in (("lists", "list<.*>"), ("maps", "struct<.*>"), ("bytes", "binary")):
        others = [other for other in nested if other != name]
        with pytest.raises(TableError, match=f"column '{name}': .* got a {kind}; --drop={name}"):
            look_at(frame, "y", drop=others)
    assert look_at(frame, "y", drop=list(nested)).names_of("number") == ["acid"]
    written = pd.DataFrame({"tags": [str(["a"])] * 40, "y": range(40)})
    written.to_csv(tmp_path / "w.csv", index=False)
    with pytest.raises(TableError, match=r"column 'tags': .* got a list or mapping, \['a'\]"):
        look_at(table(tmp_path / "w.csv"), "y")


def test_an_index_of_parquet_is_a_column(tmp_path, wines):
    wines.set_index(pd.Index(np.arange(40) % 9, name="shelf")).to_parquet(tmp_path / "w.parquet")
    assert table(tmp_path / "w.parquet")["shelf"].tolist() == (np.arange(40) % 9).tolist()
    wines.sample(30, random_state=0).to_parquet(tmp_path / "w.parquet")  # numbers of rows, without a name
    look = look_at(table(tmp_path / "w.parquet"), "n")
    assert [(column.name, column.role) for column in look.columns][-1] == ("__index_level_0__", "left out")
    wines.to_parquet(tmp_path / "w.parquet")  # 0, 1, 2, ... is not stored
    assert list(table(tmp_path / "w.parquet")) == list(wines)


def test_texts_of_other_encodings_are_read_and_said(tmp_path):
    said = "the file is not UTF-8 and was read as Windows-1252; if letters look wrong: iconv -f ENCODING -t UTF-8"
    for encoding, text in (("latin-1", "größe,y\n3,é\n"), ("cp1252", "größe,y\n3,€\n")):
        (tmp_path / "w.csv").write_bytes(text.encode(encoding))
        frame, notes = read_file(tmp_path / "w.csv")
        assert list(frame) == ["größe", "y"] and frame["y"].tolist() == [text[-2]] and notes == [said]
    (tmp_path / "w.csv").write_bytes(b"a,y\n1,\x81\n")
    assert "was read as Latin-1" in read_file(tmp_path / "w.csv")[1][0]
    (tmp_path / "w.csv").write_bytes("größe,y\n3,é\n".encode("utf-8-sig"))
    frame, notes = read_file(tmp_path / "w.csv")
    assert list(frame) == ["größe", "y"] and not notes


def test_the_same_column_is_read_in_the_same_way_in_a_long_file(tmp_path):
    """Pandas reads long files in parts and guesses for each part anew whether it holds numbers."""
    n, others = 300_000, ";7" * 8
    cells = [f"{k % 900}" if k < n // 2 else f"{k % 900 + 1},250" for k in range(n)]
    header = "price" + "".join(f";c{k}" for k in range(8))
    (tmp_path / "w.csv").write_text("\n".join([header, *(cell + others for cell in cells)]))
    price = table(tmp_path / "w.csv")["price"]
    assert price[1] == 1 and price[n - 1] == 1000 * ((n - 1) % 900 + 1) + 250 and price.notna().all()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_quotes_blanks_and_line_ends(tmp_path, end):
    lines = ['a ; "b;\n c"; y', ' 1; "x;1" ;2', "3;;4", "5"]
    (tmp_path / "w.csv").write_bytes(end.join(lines).encode())
    frame = table(tmp_path / "w.csv")
    assert list(frame) == ["a", "b; c", "y"] and frame["a"].tolist() == [1, 3, 5]
    assert frame["b; c"][0] == "x;1" and frame["y"].iloc[:2].tolist() == [2, 4] and np.isnan(frame["y"][2])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_carriage_return_inside_a_row_makes_no_other_rows(tmp_path, end, encoding):
    """It is refused outside quotes, and part of the cell inside them."""
    lines = ["a,y", '"1\r2",1', "x\ry,2", "z,3"]
    (tmp_path / "w.csv").write_bytes(end.join(lines).encode(encoding))
    with pytest.raises(TableError, match=r"w.csv: row 3 \(the column names are row 1\) holds a carriage return"):
        read_file(tmp_path / "w.csv")
    (tmp_path / "w.csv").write_bytes((end.join([*lines[:2], "", lines[3]]) + "\r").encode(encoding))
    assert read_file(tmp_path / "w.csv")[0]["y"].tolist() == ["1", "3"]


def test_cells_of_excel_are_what_they_show(tmp_path):
    columns = {"mixed": ["1,250", 900, "n/a"], "whole": [1, 2, None], "word": ["x", 3, True]}
    columns["day"] = [datetime(2024, 1, 2), datetime(2024, 1, 3), datetime(2024, 1, 2)]
    pd.DataFrame(columns).to_excel(tmp_path / "w.xlsx", index=False)
    frame = table(tmp_path / "w.xlsx")
    assert frame["mixed"].iloc[:2].tolist() == [1250, 900] and np.isnan(frame["mixed"][2])
    assert frame["whole"].iloc[:2].tolist() == [1, 2] and frame["word"].tolist() == ["x", "3", "True"]
    assert pd.api.types.is_datetime64_any_dtype(frame["day"])
    assert (frame["day"] == frame["day"][0]).tolist() == [True, False, True]


def test_an_empty_first_line_does_not_hide_the_separator(tmp_path):
    (tmp_path / "w.csv").write_text("\na;b;y\n1;2;3\n4;5;6\n")
    assert list(table(tmp_path / "w.csv").columns) == ["a", "b", "y"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("speed, km/h\ty\n3,5\t1\n4\t2\n", ["speed, km/h", "y"]),
        ("weight, kg;height, m;y\n70;1.8;3\n60;1.7;4\n", ["weight, kg", "height, m", "y"]),
        ("weight, kg, dry;y\n70;3\n60,5;4\n", ["weight, kg, dry", "y"]),
        ("a,b;c,y\n1,2,3\n4,5,6\n", ["a", "b;c", "y"]),
        ("sep=;\na;b;y\n1;2;3\n", ["a", "b", "y"]),
    ],
    ids=[
        "a comma in a name, tabs",
        "commas in names",
        "more commas than semicolons",
        "a semicolon",
        "as Excel says it",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_the_separator_is_that_by_which_the_rows_agree(tmp_path, text, names, encoding):
    (tmp_path / "w.csv").write_bytes(text.encode(encoding))
    assert list(table(tmp_path / "w.csv").columns) == names


def test_a_file_of_commas_alone_is_read_as_one_column(tmp_path):
    (tmp_path / "w.csv").write_text(",,\n,,\n")
    assert list(read_file(tmp_path / "w.csv")[0]) == [",,"]
