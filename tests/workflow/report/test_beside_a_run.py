"""Report and summary while a run removes its files and writes them again: nothing is called damaged that is not."""

from pathlib import Path

import numpy as np
import pytest

from rankbench.experiments.protocol import load_asked
from rankbench.records.files import note_of, read_bytes, write_arrays, write_bytes, write_note
from rankbench.report import write_report
from rankbench.report.summary import summarise

OURS = "results/diez_table1"
RESULTS = "records.parquet", "tables/table1.html", "figures/dot_plot.svg", "statistics/overall.csv"
FILES = *(f"{OURS}/{name}" for name in RESULTS), "resources/tables/servo.npz"


def write_noted(path, content):
    write_bytes(path, content)
    write_note(note_of(path), [path], task={})


@pytest.fixture
def checkout(settle):
    """A copy of a checkout with whole results and a table of data."""
    copy = settle()
    (copy / "resources/tables").mkdir(parents=True)
    write_arrays(copy / "resources/tables/servo.npz", X=np.zeros(1))
    return copy


@pytest.mark.parametrize("path", FILES)
def test_a_file_that_a_run_removes_after_it_was_seen_is_missing_and_not_damaged(checkout, path, monkeypatch, capsys):
    """Snakemake removes the files of a job before it starts."""
    gone, exists = checkout / path, Path.exists
    content = gone.read_bytes()

    def then_gone(file, **options):
        found = exists(file, **options)
        if file == gone:
            gone.unlink(missing_ok=True)
        return found

    monkeypatch.setattr(Path, "exists", then_gone)
    page = write_report(checkout).read_text(encoding="utf-8")
    gone.write_bytes(content)
    summarise(*load_asked(["diez_table1"], checkout), checkout)
    told = capsys.readouterr().out
    assert ("720 of 720 runs succeeded" in page) == (gone.name != "records.parquet") and "herbrich_fig2_2" in page
    assert "diez_table1: " in told and ": damaged (" not in page + told


def test_a_reader_sees_the_old_bytes_or_the_new_ones_at_every_step_of_a_writer(tmp_path, monkeypatch):
    file, seen = tmp_path / "table1.html", []
    write_noted(file, b"old")

    def seen_around(step):
        def stepped(path, *arguments, **options):
            seen.append(read_bytes(file))
            done = step(path, *arguments, **options)
            seen.append(read_bytes(file))
            return done

        return stepped

    for step in ("unlink", "replace"):
        monkeypatch.setattr(Path, step, seen_around(getattr(Path, step)))
    write_noted(file, b"new")
    assert b"".join(dict.fromkeys(seen)) == b"oldnew" and seen == sorted(seen, reverse=True)
