"""Table 1: its marks, what it says of missing runs, and its labels."""

import io

import pandas as pd
import pytest

from rankbench.registry import STATISTICS, TABLES


def render(records, experiment, titles, published=None):
    """Render Table 1 from statistics that went through csv, as in the workflow."""
    table = TABLES["table1"]
    frames = {}
    for name in table.needs:
        text = STATISTICS[name](records, experiment).to_csv(index=False)
        frames[name] = pd.read_csv(io.StringIO(text))
    if published is not None:
        frames["published"] = published
    return table.render(frames, experiment, titles)


def read_csv(text):
    return pd.read_csv(
        io.StringIO(text), dtype={"significance": str}, keep_default_na=False, na_values={"ours_mean": "NA"}
    )


@pytest.fixture
def thinned(records):
    """Records with one cell gone, one with 2 and one with 19 runs missing."""
    svor, data, seed = records["method"] == "svor5", records["dataset"], records["seed"]
    lost = svor & ((data == "servo") | ((data == "stock") & (seed < 2)) | ((data == "bank8") & (seed > 0)))
    return records[~lost]


def test_significance_is_that_of_the_paired_t_test(records, experiment, titles, published):
    table = read_csv(render(records, experiment, titles, published)["csv"])
    tests = STATISTICS["per_dataset"](records, experiment)
    expected = {(titles[row.dataset], row.method): row.t_mark for row in tests.itertuples()}
    assert set(expected.values()) >= {"", "0.01"}
    for row in table.itertuples():
        assert row.significance == expected.get((row.dataset, row.method), "")


def test_missing_numbers_are_named_not_blank(thinned, experiment, titles, published):
    texts = render(thinned, experiment, titles, published)
    servo = next(line for line in texts["csv"].splitlines() if line.startswith("Servo,svor5"))
    assert servo == "Servo,svor5,0,NA,NA,20.6100,3.0700,NA,NA,untested"
    for ending in ("md", "tex", "html"):
        lacks = (
            "incomplete: 0 of 20 runs, 20 absent",
            "(18 of 20 runs, 2 absent)",
            "incomplete: 1 of 20 runs, 19 absent",
        )
        assert all(words in texts[ending] for words in lacks) and "the hold-outs that all compared" in texts[ending]
        assert "nan" not in texts[ending]
