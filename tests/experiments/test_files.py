"""Files appear whole or not at all."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rankbench.experiments.files import aside, seal, write_arrays, write_text
from rankbench.experiments.frames import write_frame
from rankbench.experiments.provenance import commit


def test_a_write_that_fails_leaves_what_was_there(tmp_path):
    write_text(tmp_path / "a.txt", "before")
    with pytest.raises(OSError, match="disk"), aside(tmp_path / "a.txt") as beside:
        beside.write_text("half")
        raise OSError("disk full")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a.txt", "before")]


def test_bytes_are_on_the_disk_before_the_file_has_its_name(tmp_path, monkeypatch):
    """A power cut would otherwise leave an empty file with a good name."""
    events, fsync, rename = [], os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda number: events.append(os.fstat(number).st_size) or fsync(number))
    monkeypatch.setattr(Path, "replace", lambda file, to: events.append(to.name) or rename(file, to))
    write_text(tmp_path / "a.txt", "12345")
    assert events == [5, "a.txt"]
    write_arrays(tmp_path / "a.npz", x=np.arange(9))
    write_frame(tmp_path / "a.parquet", pd.DataFrame({"x": [1]}))
    (tmp_path / "a.pdf").write_text("1")
    seal(tmp_path / "a.pdf")
    sizes = [(tmp_path / name).stat().st_size for name in ("a.npz", "a.parquet", ".a.pdf.sha256")]
    assert events[2:] == [sizes[0], "a.npz", sizes[1], "a.parquet", 1, sizes[2], ".a.pdf.sha256"]


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
