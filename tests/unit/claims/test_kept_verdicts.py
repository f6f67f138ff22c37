"""The kept verdicts: which claims share their evidence, and that their counts add up."""

import pandas as pd
from checkout import ROOT

from rankbench.claims.ledger import counts


def test_claims_of_the_papers_that_share_their_evidence():
    kept = pd.read_csv(ROOT / "resources/reproduced/claims.csv", keep_default_na=False).set_index("claim_id")
    again = kept.loc[kept["same_evidence"] != "", "same_evidence"].to_dict()
    told = {"R10": "R03", "H16": "H09, H11, H14", "S27": "S20", "S28": "S21", "L15": "L06"}
    assert told.items() <= again.items() and {"S18", "S05", "L07", "L09", "D07", "D08"} <= set(again)
    assert not set(again) & {name.strip() for others in again.values() for name in others.split(",")}


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
    readings = ledger.set_index("claim_id")["effect"]
    for name, of_it in {"H02": ("sd 0.125", "; variance 0.125"), "R17": ("margin 0.01", "; margin 1 ")}.items():
        assert all(part in readings[name] for part in of_it)
    for table in tables.values():
        assert (table.iloc[:-2].sum() == table.loc["all"]).all()
        assert (table.loc["each evidence once"] <= table.loc["all"]).all()
