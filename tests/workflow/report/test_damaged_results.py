"""Damaged results folders: the report is still written, names each bad file with its fault, and shows the rest."""

import os
import shutil

import pytest

from rankbench.records.files import note_of, write_note
from rankbench.records.frames import read_frame, write_frame
from rankbench.report import write_report

RECORDS, TABLE, FIGURE, STATISTIC = (
    "records.parquet",
    "tables/table1.html",
    "figures/dot_plot.svg",
    "statistics/overall.csv",
)
WHOLE = "720 of 720 runs succeeded"


def cut(file):
    """Cut a file that has a note."""
    write_note(note_of(file), [file], task={})
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def frame(change):
    """Write other records, as whoever wrote them would have done."""
    return lambda file: write_frame(file, change(read_frame(file)[0]))


def noted(file):
    """Change a statistic after a run has written it and its note."""
    write_note(note_of(file), [file], task={})
    file.write_text(file.read_text().replace("svm", "SVM", 1))


def of_another_task(file):
    """Write a note that says so beside the records."""
    write_note(note_of(file), [file], task={"experiment": {}})


NO_RECORD = "the job left no record"
UNREAD = "results/diez_table1/{}: damaged ("
# what happens -> the file, how, what the report says, how many of the 720 runs it counts as well
DAMAGE = {
    "records cut": (RECORDS, cut, UNREAD.format(RECORDS), 0),
    "records gone": (RECORDS, os.unlink, NO_RECORD, 0),
    "records without half of the rows": (RECORDS, frame(lambda records: records[::2]), NO_RECORD, 360),
    "records of another protocol": (RECORDS, of_another_task, "records.json: made for a different task: ", 720),
    "table cut": (TABLE, cut, UNREAD.format(TABLE), 720),
    "figure cut": (FIGURE, cut, UNREAD.format(FIGURE), 720),
    "statistic empty": (STATISTIC, lambda file: file.write_bytes(b""), "the frames lack what the claim compares", 720),
    "statistic changed since it was written": (
        STATISTIC,
        noted,
        "overall.csv: damaged (changed since it was written",
        720,
    ),
    "no results": (RECORDS, lambda file: shutil.rmtree(file.parents[1]), "0 of 3 experiments have results here", 0),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_the_report_names_it_and_shows_the_rest(settle, report, name):
    checkout, (path, damage, told, n_ok) = settle(), DAMAGE[name]
    damage(checkout / "results/diez_table1" / path)
    page = write_report(checkout).read_text(encoding="utf-8")
    assert told in page and ("Traceback" not in page)
    assert (f"{n_ok} of 720 runs succeeded" in page) or not n_ok
    assert (WHOLE in page) == (n_ok == 720) and "herbrich_fig2_2" in page
    assert "not collected yet" not in page
    if name != "no results":
        assert page.count("<figure>") == (path != FIGURE)
        assert page.count("<table") == report.read_text("utf-8").count("<table") - (path == TABLE)


def test_of_whole_results_it_says_none_of_this(report):
    page = report.read_text("utf-8")
    assert WHOLE in page and page.count("<figure>") == 1
    assert not [told for _, _, told, _ in DAMAGE.values() if told in page and told != WHOLE]
