"""Every printed claim has exactly one line, and there is none for anything else."""

import pandas as pd
import pytest
from checkout import ROOT

from rankbench.claims.ledger import counts, registered, same_evidence, stated
from rankbench.claims.verdict import EXACT, NO_DIRECTION, NOT_CHECKABLE, SUBSTITUTE, Verdict
from rankbench.experiments.protocol import CONFIG, files_of, read_yaml
from rankbench.registry import ROOMS


def test_every_claim_has_a_line():
    printed = stated()
    of_the_five = printed["paper"].isin(["diez", "herbrich", "shashua_levin", "svmcompare", "ranksvr"])
    assert of_the_five.sum() == 119 and set(printed["claim_id"]) == set(registered())


def test_what_is_not_checkable_says_what_would_be_needed():
    without = [claim for claim in registered().values() if not claim.needs and claim.basis != EXACT]
    assert len(without) <= 29
    for claim in without:
        verdict = claim.judge()
        assert (verdict.direction, verdict.number) == (NO_DIRECTION, NOT_CHECKABLE)
        assert len(verdict.why) > 30 and not verdict.ours


def test_every_need_is_made_by_an_experiment_or_printed():
    known = {*files_of(ROOT), "published"}
    for claim in registered().values():
        assert {need.split("/")[0] for need in claim.needs} <= known, claim.claim_id


def test_all_experiments_that_a_claim_or_a_kept_table_needs_are_in_all():
    needed = {need.split("/")[0] for claim in registered().values() for need in claim.needs} - {"published"}
    shown = {table.split("/")[0] for room in ROOMS for table in room.kept_tables}
    assert len(needed) > 20 and len(shown) > 3
    missing = (needed | shown) - set(read_yaml(ROOT / CONFIG)["all"])
    assert not missing, f"experiments that judge claims must be in the list of {CONFIG}, {missing} are not"


def test_every_experiment_that_judges_a_claim_says_where_it_departs_from_the_paper():
    judging = {need.split("/")[0] for claim in registered().values() for need in claim.needs} - {"published"}
    files = {name: read_yaml(files_of(ROOT)[name]) for name in judging}
    silent = [name for name, one in files.items() if not one.get("deviations")]
    assert len(files) > 15 and not silent, f"experiments that judge claims must have deviations, {silent} have none"


def test_what_reads_an_experiment_on_a_substitute_rests_on_a_substitute():
    substitutes = {name for name, file in files_of(ROOT).items() if read_yaml(file).get("substitute")}
    reading = {
        claim.claim_id: claim.basis
        for claim in registered().values()
        if substitutes & {need.split("/")[0] for need in claim.needs}
    }
    assert len(reading) > 20 and set(reading.values()) == {SUBSTITUTE}


def test_counts_add_up_to_all_claims():
    ledger = pd.read_csv(ROOT / "resources/reproduced/claims.csv", keep_default_na=False)
    tables = counts(ledger)
    stated = sum(table.loc["all", "direction"].sum() for table in tables.values())
    aside = ledger["aside"] != ""
    only_numbers = (ledger["direction"].eq("no_direction") & ~aside).sum()
    assert stated + only_numbers + aside.sum() == len(ledger) == 119
    of = ledger[aside].groupby("aside")["claim_id"].agg(set).to_dict()
    assert of.pop("true by construction") == {"D14", "D15", "S35", "H21"}
    on_seconds = {"D11", "L11", "R06", "R07", "R08", "R09", "R11", "R19", "R22", "H15", "H25"}
    assert of.pop("hangs on seconds") == on_seconds
    assert set().union(*of.values()) == {"D06", "H22"}
    for table in tables.values():
        assert (table.iloc[:-2].sum() == table.loc["all"]).all()
        assert (table.loc["each evidence once"] <= table.loc["all"]).all()


def verdict_on(claim_id, compared, evidence="one/records", aside=""):
    """A verdict that rests on comparisons, each named by a letter."""
    found = {"direction": "holds", "number": "no_number", "basis": SUBSTITUTE, "compared": frozenset(compared)}
    return Verdict(claim_id=claim_id, evidence=evidence, aside=aside, why="", **found)


@pytest.mark.parametrize(
    ("verdicts", "again"),
    [
        ([("A", "ab"), ("B", "b")], {"B": "A"}),  # a part of another claim
        ([("A", "ab"), ("B", "cd"), ("C", "abcd")], {"C": "A, B"}),  # a summary, and not its parts
        ([("A", "ab"), ("B", "ab")], {"B": "A"}),  # the same twice: the first one counts
        ([("A", "ab"), ("B", "bc"), ("C", "ac")], {"C": "A, B"}),  # any one of three, and no more than one
        ([("A", "ab"), ("B", "bc")], {}),  # both have something of their own
        ([("A", "ab", "one/records"), ("B", "b", "two/records")], {}),  # names of other frames
        ([("A", "ab", "one/records, two/records"), ("B", "b", "two/records")], {"B": "A"}),
        ([("A", "ab", "one/records", "by definition"), ("B", "b")], {}),  # what is not counted covers nothing
        ([("A", ""), ("B", "")], {}),  # claims that name no comparisons share none
    ],
)
def test_a_claim_without_evidence_of_its_own_is_found(verdicts, again):
    assert same_evidence([verdict_on(*one) for one in verdicts]) == again


def test_a_summary_is_left_out_before_what_it_summarises():
    verdicts = [verdict_on("A", "abc"), verdict_on("B", "ab"), verdict_on("C", "bcd")]
    assert same_evidence(verdicts) == {"A": "B, C"} and same_evidence(verdicts, {"B"}) == {"B": "A, C"}
