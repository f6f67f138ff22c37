"""What docs/reproduction/index.md says of our choices, compared with the kept verdicts."""

import re
from functools import cache

import pandas as pd
from checkout import ROOT, words_of

from rankbench.artefact import KEPT, scoreboard

PAGE = "docs/reproduction/index.md"


@cache
def claims():
    return pd.read_csv(ROOT / KEPT / "claims.csv", keep_default_na=False).set_index("claim_id")


def joined(names):
    return f"{', '.join(names[:-1])} and {names[-1]}"


def test_verdicts_that_change_with_a_threshold_are_named():
    changes = claims()["thresholds"].str.findall(r"if (?:halved|doubled): ([^,)]+)")
    changes = changes[changes.str.len() > 0]
    told = f"For {len(changes)} of the {len(claims())} statements it does."
    assert told in words_of(PAGE)
    assert f"for {len(changes)} of {len(claims())} statements it does" in words_of("CHANGELOG.md")
    named = {"direction": set(), "number": set()}
    for name, verdicts in changes.items():
        for verdict in verdicts:
            kind = "number" if verdict.startswith("number") else "direction"
            if claims().loc[name, kind] in ("holds", "fails"):
                named[kind].add(name)
    said = re.search(r"the statements of (.*?), and the numbers of (.*?)\.", words_of(PAGE))
    assert [set(re.split(", | and ", text)) for text in said.groups()] == [named["direction"], named["number"]]


def test_printed_numbers_that_agree_are_named():
    own = claims()[claims()["basis"] == "own data"]
    agree = list(own.index[own["number"] == "holds"])
    of_diez = [name for name in agree if name.startswith("D")]
    assert set(agree) - set(of_diez) == {"S08"}
    assert f"are those of {joined(of_diez)}, which are all about Table 1 of Díez et al., and S08" in words_of(PAGE)
    assert joined(list(own.index[own["number"] == "not_checkable"])) == "S19 and S29"
    assert "S19 and S29 have printed numbers that cannot be compared" in words_of(PAGE)
    (once,) = re.findall(r"\*each evidence once\* \| 16 hold.*? \| (\d+) hold, (\d+) fail, 2 not", scoreboard(ROOT))
    agree, fail = map(int, once)
    assert f"with the same evidence count once, {agree} of {agree + fail} printed numbers agree." in words_of(PAGE)


def test_numbers_of_the_choices():
    page, ours = words_of(PAGE), claims()["ours"]
    right, other = re.findall(r"chi-squared (\d+) on 108 cells", ours["S08"])
    assert f"any direction: chi-squared {other} on 108 cells" in page and f"(right direction: {right})" in page
    assert ours["S08"].index("right direction") < ours["S08"].index("any direction")
    failing = claims()[claims()["number"].eq("fails") & ours.str.contains("chi-squared")]
    largest = max(float(p) for text in failing["ours"] for p in re.findall(r"p = ([\d.e-]+)", text))
    assert largest < 4e-06 and "at most 4e-06" in page
    (at_800,) = re.findall(r"n800: (.*?\])", ours["S06"])
    assert f"at 800 pairs it is {at_800}, inside the margin" in page
    assert "of 18 cells, 16 as claimed, 1 against, 1 undecided (against: herbrich_utility_variance m05)" in ours["H01"]
    assert "of 18 cells 16 are as claimed, one is against it (five examples, one reading of the noise)" in page
    assert claims().loc[["H14", "R20"], "direction"].tolist() == ["holds", "holds"]
    assert "H14 and R20 are of this kind" in page and claims().loc["S31", "direction"] == "fails"
    assert "clearly in 6 of 42 cells" in ours["H14"] and "There are 6 in 42 cells." in words_of("CHANGELOG.md")
    assert claims().loc["S08", "difference"] == "agree 102 of 108" and "102 of 108 cells agree" in (
        words_of("CHANGELOG.md")
    )
    assert claims().loc["D08", "difference"].endswith("to 0.11") and "printed p up to 0.11" in words_of("CHANGELOG.md")


def test_seconds_of_the_changelog():
    ours, changelog = claims()["ours"], words_of("CHANGELOG.md")
    found = re.search(r"takes (\S+ s) and SMO (\S+ s) \(by the fitted lines (\S+)", ours["H25"]).groups()
    assert "takes {} for 1,600 rows and SMO {}; the fitted lines say {} times".format(*found) in changelog
    powers = re.findall(r"margin \S+: (\S+) \[", ours["R19"])
    assert f"by powers of {joined(powers)}, before" in changelog


def test_what_the_halves_of_the_hold_outs_say_of_the_bins():
    rows = (ROOT / KEPT / "tables/diez_riddles/riddles.md").read_text("utf-8").splitlines()
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows if "standard, nominal appearance" in row]
    bins, plain = ({row[3]: row for row in cells if ("bins" in row[1]) is on} for on in (True, False))
    told = {}
    for half, at in (("even", -3), ("odd", -2)):
        pairs = [(bins[name][at], plain[name][at]) for name in bins]
        told[half] = ", ".join(f"{one} against {other}" for one, other in sorted(pairs))
    words = words_of("docs/reproduction/riddles.md")
    assert f"it is farther away ({told['even']}), on the odd seeds nearer ({told['odd']})" in words
