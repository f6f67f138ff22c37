"""Files appear whole or not at all."""

import subprocess

import pytest

from rankbench.records.files import (
    Damaged,
    aside,
    read_bytes,
    write_bytes,
    write_note,
    write_text,
)
from rankbench.records.provenance import commit


def test_a_write_that_fails_leaves_what_was_there(tmp_path):
    write_text(tmp_path / "a.txt", "before")
    with pytest.raises(OSError, match="disk"), aside(tmp_path / "a.txt") as beside:
        beside.write_text("half")
        raise OSError("disk full")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a.txt", "before")]


@pytest.fixture
def noted(tmp_path):
    """A file of results with its note."""
    file = tmp_path / "results/one/statistics/summary.csv"
    file.parent.mkdir(parents=True)
    write_bytes(file, b"a,b\n1,2\n")
    read = {"results/one/records.parquet": "01"}
    write_note(file.with_suffix(".json"), [file], task={"a": [1, 0.1], "ö": None}, read=read, status="ok")
    return file


def test_a_file_that_lies_elsewhere_with_its_note_is_not_read(noted):
    """Copied to another experiment or under another name; what is copied out of the results is not looked at."""
    note = noted.with_suffix(".json")
    for place, why in (
        ("results/one/statistics/overall", "it describes one/statistics/summary"),
        ("results/two/statistics/summary", "it describes one/statistics/summary"),
        ("elsewhere/overall", "changed since it was written"),
    ):
        copy = noted.parents[3] / f"{place}.csv"
        copy.parent.mkdir(parents=True, exist_ok=True)
        for file in (noted, note):
            copy.with_suffix(file.suffix).write_bytes(file.read_bytes())
        with pytest.raises(Damaged, match=why):
            read_bytes(copy)


def test_the_commit_of_a_checkout_says_whether_it_was_changed(tmp_path):
    assert commit(tmp_path) == ""
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@b.c", "-C", tmp_path]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        (tmp_path / "a.txt").write_text("1")
        subprocess.run([*git, *command], check=True)
    clean = commit(tmp_path)
    assert len(clean) == 7
    (tmp_path / "a.txt").write_text("2")
    assert commit(tmp_path) == f"{clean}-dirty"
