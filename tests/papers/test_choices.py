"""What docs/reproduction/index.md says of our choices, compared with the rules and the kept verdicts."""

import re
from functools import cache

import pandas as pd
from checkout import ROOT, rows_of, words_of

from rankbench.claims.ledger import registered
from rankbench.claims.rules import RULES
from rankbench.report.artefact import KEPT

PAGE = "docs/reproduction/index.md"


@cache
def claims():
    return pd.read_csv(ROOT / KEPT / "claims.csv", keep_default_na=False).set_index("claim_id")


def test_the_page_has_the_eleven_rules_and_their_thresholds():
    page = (ROOT / PAGE).read_text("utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == [*(rule.__name__ for rule in RULES)]
    named = set(re.findall(r"\*(\w+)\*", " ".join(re.findall(r"^\| (\*\w+\*.*?) \|", page, re.MULTILINE))))
    assert named == {name for claim in registered().values() for name in claim.thresholds}


def test_how_many_verdicts_change_with_a_threshold_is_told():
    changes = claims()["thresholds"].str.contains("if (?:halved|doubled): ", regex=True)
    assert f"For {changes.sum()} of the {len(claims())} statements it does." in words_of(PAGE)


def test_numbers_of_the_choices():
    page, ours = words_of(PAGE), claims()["ours"]
    right, other = re.findall(r"chi-squared (\d+) on 108 cells", ours["S08"])
    assert f"any direction: chi-squared {other} on 108 cells" in page and f"(right direction: {right})" in page
    failing = claims()[claims()["number"].eq("fails") & ours.str.contains("chi-squared")]
    largest = max(float(p) for text in failing["ours"] for p in re.findall(r"p = ([\d.e-]+)", text))
    assert largest < 4e-06 and "at most 4e-06" in page


def test_what_the_halves_of_the_hold_outs_say_of_the_bins():
    rows = rows_of(KEPT / "tables/diez_riddles/riddles.md")
    cells = [row for row in rows if row[0].endswith("standard, nominal appearance")]
    bins, plain = ({row[3]: row for row in cells if ("bins" in row[1]) is on} for on in (True, False))
    told = {}
    for half, at in (("even", -3), ("odd", -2)):
        pairs = [(bins[name][at], plain[name][at]) for name in bins]
        told[half] = ", ".join(f"{one} against {other}" for one, other in sorted(pairs))
    words = words_of("docs/reproduction/riddles.md")
    assert f"it is farther away ({told['even']}), on the odd seeds nearer ({told['odd']})" in words
