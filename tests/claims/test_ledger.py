"""Every printed claim has exactly one function or row, and there is none for anything else."""

from pathlib import Path

import pandas as pd

from rankbench.claims.verdict import NOT_CHECKABLE
from rankbench.experiments.protocol import files_of, read_yaml
from rankbench.ledger import registered

ROOT = Path(__file__).parents[2]


def test_every_claim_has_a_function():
    printed = pd.read_csv(ROOT / "resources/published/claims.csv")
    assert len(printed) == 119 and set(printed["claim_id"]) == set(registered())


def test_what_is_not_checkable_says_what_would_be_needed():
    without = [claim for claim in registered().values() if not claim.needs]
    assert len(without) <= 29
    for claim in without:
        verdict = claim.judge()
        assert verdict.verdict == NOT_CHECKABLE and len(verdict.why) > 30 and not verdict.ours


def test_every_need_is_made_by_an_experiment_or_printed():
    known = {*files_of(ROOT), "published"}
    for claim in registered().values():
        assert {need.split("/")[0] for need in claim.needs} <= known, claim.claim_id


def test_every_experiment_that_judges_a_claim_says_where_it_departs_from_the_paper():
    judging = {need.split("/")[0] for claim in registered().values() for need in claim.needs} - {"published"}
    files = {name: read_yaml(ROOT / f"config/experiments/{name}.yaml") for name in judging}
    assert len(files) > 15 and not [name for name, one in files.items() if not one.get("deviations")]
