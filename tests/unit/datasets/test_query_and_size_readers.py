"""Readers of judged queries and of the vehicles: values by hand on small made files, refusals that say where."""

import gzip

import numpy as np
import pytest

from rankbench.datasets.readers import read

LETOR = b"""0 qid:1 1:0.5 2:1.000 #docid = 7
2 qid:1 1:0.25 2:0 #docid = 9
1 qid:12 1:0.1 2:0.2 #docid = 7
1 qid:1  1:0 2:0.75
"""


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
