"""Readers of judged queries and of the vehicles: values by hand on small made files, refusals that say where."""

import gzip
import math
from collections import Counter

import numpy as np
import pytest

from rankbench.datasets.build import read_checked
from rankbench.datasets.readers import read
from rankbench.papers.herbrich.readers.ohsumed_text import tf_idf

LETOR = b"""0 qid:1 1:0.5 2:1.000 #docid = 7
2 qid:1 1:0.25 2:0 #docid = 9
1 qid:12 1:0.1 2:0.2 #docid = 7
1 qid:1  1:0 2:0.75
"""
DOCUMENTS = """.I {0}
.U
8{0}
.S
Lipids journal 1(1):1-2
.M
Lipids/*ME.
.T
{1}
.P
JOURNAL ARTICLE.
.W
{2}
{3}
.A
Lipid L.
"""
TEXTS = {
    1: ("Estrogen and lipids.", "Estrogen, ESTROGEN;", "lipids lipids A"),
    2: ("A dog.", "A dog's", "lipids."),
    3: ("Nothing asked.", "Estrogen estrogen", "estrogen"),
    4: ("Rare.", "word", "only dog"),
}
JUDGED = "1\t81\t1\td\tp\n1\t82\t2\tn\n2\t83\t3\td\n1\t84\t4\t\t\tp\n"


@pytest.fixture
def ohsumed(tmp_path, make_row):
    """Four documents in two files and the judgements of two queries; the row reads query 1."""

    def make(judged=JUDGED, **changes):
        for name, documents in (("ohsumed.87", (1, 2)), ("ohsumed.88", (3, 4))):
            texts = "".join(DOCUMENTS.format(document, *TEXTS[document]) for document in documents)
            (tmp_path / name).write_text(texts, encoding="utf-8")
        (tmp_path / "judged").write_text(judged, encoding="utf-8")
        row = {"reader": "ohsumed_text", "file": ("a/ohsumed.87", "a/ohsumed.88", "a/judged"), "target": "query_1"}
        row |= {"sha256": ("unknown",) * 3, "nominal": (), "rows": 3, "attributes": 0}
        return tmp_path, make_row(**{**row, **changes})

    return make


def test_the_documents_of_a_query_are_bags_of_their_frequent_terms(ohsumed):
    """estrogen: 3 times in document 1; dog: 2 in 2, 1 in 4; lipids: 3 in 1, 1 in 2. Each is in 1 or 2 of 3 texts."""
    table = read_checked(*ohsumed())
    assert table.attributes == ("dog", "estrogen", "lipids")
    np.testing.assert_array_equal(table.y, [2.0, 0.0, 1.0])
    once, twice = math.log(3), math.log(3 / 2)
    expected = np.array([[0, 3 * once, 3 * twice], [2 * twice, 0, 1 * twice], [twice, 0, 0]])
    np.testing.assert_allclose(table.X, expected / np.linalg.norm(expected, axis=1, keepdims=True))


def test_a_document_without_a_frequent_term_is_all_zero():
    terms, weights = tf_idf([Counter(often=3), Counter(once=1)])
    assert terms == ["often"]
    assert weights == [[1.0], [0.0]]


@pytest.mark.parametrize(
    "changes", [{"target": "query_5"}, {"file": ("a/ohsumed.87", "a/judged")}, {"judged": "1\t81\t1\tx\n"}]
)
def test_damaged_documents_are_refused(ohsumed, changes):
    path, row = ohsumed(**changes)
    with pytest.raises(ValueError, match=str(path)):
        read_checked(path, row)


@pytest.fixture
def letor(tmp_path, make_row):
    """Write content and read query 1 of it."""

    def run(content, **changes):
        (tmp_path / "file").write_bytes(content)
        return read(tmp_path / "file", make_row(**{"reader": "letor", "target": "query_1", "nominal": (), **changes}))

    return run


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_query_is_cut_out_of_its_file(letor, pack):
    table = letor(pack(LETOR))
    np.testing.assert_array_equal(table.X, [[0.5, 1.0], [0.25, 0.0], [0.0, 0.75]])
    np.testing.assert_array_equal(table.y, [0.0, 2.0, 1.0])
    assert table.attributes == ("x1", "x2")
    without_a_match = LETOR + b"2 qid:12 1:0.000 2:0\n"
    np.testing.assert_array_equal(letor(pack(without_a_match), target="all_queries").y, [0.0, 2.0, 1.0, 1.0])


@pytest.mark.parametrize(
    ("content", "changes", "message"),
    [
        (LETOR + b"1 qid:1 2:0 1:3\n", {}, "line 5: expected label qid:Q 1:v 2:v ..., got '1 qid:1 2:0 1:3'"),
        (LETOR + b"1 qid:1 1:0 2:x\n", {}, "line 5, column 'x2': expected a finite number, got 'x'"),
        (LETOR + b"1 qid:1 1:0\n", {}, "line 5: expected 3 cells, got 2"),
    ],
)
def test_a_damaged_query_is_refused(letor, content, changes, message):
    with pytest.raises(ValueError, match=message):
        letor(content, **changes)


def test_vehicles_of_several_files_get_ranks_of_size(tmp_path, make_row):
    (tmp_path / "a.dat").write_bytes(b"1 2 van \r\n3 4 bus \r\n")
    (tmp_path / "b.dat").write_bytes(b"5 6 opel\n7 8 saab\n")
    row = make_row(
        reader="statlog_vehicle", file=("v/a.dat", "v/b.dat"), columns=("p", "q", "size"), target="size", nominal=()
    )
    table = read(tmp_path, row)
    np.testing.assert_array_equal(table.X, [[1, 2], [3, 4], [5, 6], [7, 8]])
    np.testing.assert_array_equal(table.y, [2, 3, 1, 1])
    for content, message in (
        (b"1 2 lorry\n", "KeyError: 'lorry'"),
        (b"1 van\n", r"line 1 of b\.dat: expected 3 cells, got 2"),
    ):
        (tmp_path / "b.dat").write_bytes(content)
        with pytest.raises(ValueError, match=message):
            read(tmp_path, row)
