"""A code host can show the pages, and their links lead somewhere (`make docs` compares what is computed in them)."""

import re

import pandas as pd
import pytest
from checkout import ROOT

from rankbench.claims.board import spoken

PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "benchmarks/*.md", "config/*.md", "resources/*/README.md")
    for path in ROOT.glob(pattern)
    if "_build" not in path.parts
)
INCLUDING = {ROOT / "docs" / name for name in ("changelog.md", "configuration.md", "contributing.md")}  # for the site
RAW = re.compile(r"^(```|:::)\{|\{(class|func|ref|doc)\}`", re.MULTILINE)  # what a code host shows as it is


def prose(page):
    return re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)


def links(page):
    """Return (file, anchor) of each link of a page that stays in the repository."""
    found = [link for link in re.findall(r"\]\(([^)\s]+)", prose(page)) if not re.match(r"\w+:", link)]
    return [((page.parent / file).resolve() if file else page, at) for file, _, at in (x.partition("#") for x in found)]


def anchors(page):
    """Return the anchors that a code host gives to the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"\]\([^)]*\)", "", prose(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_code_host_can_show_it_and_its_links_lead_somewhere(page):
    assert page in INCLUDING or not RAW.search(page.read_text(encoding="utf-8"))
    assert not [file for file, _ in links(page) if not file.exists() or file in INCLUDING]
    assert not [
        (file.name, anchor)
        for file, anchor in links(page)
        if anchor and file.suffix == ".md" and anchor not in anchors(file)
    ]


def test_each_claim_has_a_section_on_the_page_of_its_paper():
    ledger = pd.read_csv(ROOT / "resources/reproduced/claims.csv", keep_default_na=False)
    for paper, claims in ledger.groupby("paper"):
        page = (ROOT / f"docs/reproduction/{paper}.md").read_text(encoding="utf-8")
        assert re.findall(r"^### (\w\d+)$", page, re.MULTILINE) == list(claims["claim_id"])
        for claim in claims.to_dict("records"):
            listed = f"\n- {spoken(claim)}: ", f"[{claim['claim_id']}](#{claim['claim_id'].lower()})"
            assert [line for line in page.split(listed[0])[1:] if listed[1] in line.splitlines()[0]], listed
