"""The kept verdicts: which claims share their evidence, and that their counts add up."""

import pandas as pd
from checkout import ROOT

from rankbench.ledger import counts


def test_claims_of_the_papers_that_share_their_evidence():
    kept = pd.read_csv(ROOT / "resources/reproduced/claims.csv", keep_default_na=False).set_index("claim_id")
    again = kept.loc[kept["same_evidence"] != "", "same_evidence"].to_dict()
    told = {"R10": "R03", "H16": "H01, H02, H09, H11, H14", "S27": "S20", "S28": "S21", "L15": "L06", "R11": "R04, R07"}
    assert told.items() <= again.items() and {"S18", "S05", "L07", "L09", "D07", "D08"} <= set(again)
    assert not set(again) & {name.strip() for others in again.values() for name in others.split(",")}


def test_counts_add_up_to_all_claims():
    ledger = pd.read_csv(ROOT / "resources/reproduced/claims.csv", keep_default_na=False)
    tables = counts(ledger)
    stated = sum(table.loc["all", "direction"].sum() for table in tables.values())
    only_numbers, aside = (ledger["direction"] == "no_direction").sum(), (ledger["aside"] != "").sum()
    assert stated + only_numbers + aside == len(ledger) == 119
    assert set(ledger.loc[ledger["aside"] != "", "claim_id"]) == {"D06", "D15", "S35", "H21", "H22"}
    for table in tables.values():
        assert (table.iloc[:-2].sum() == table.loc["all"]).all()
        assert (table.loc["each evidence once"] <= table.loc["all"]).all()
