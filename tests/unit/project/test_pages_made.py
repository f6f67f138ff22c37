"""Tables, pictures and verdicts in the pages are what `make pages` writes (`make docs` also compares the gallery)."""

import re
import sys

import pytest
from checkout import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import pages
import pictures

LINKED = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")} - set(ROOT.glob("docs/_build/**/*.md")))
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)")


def test_tables_and_verdicts_are_as_written():
    written = pages.pages()
    assert len(written) >= 9 and not pages.differing(written)


def test_pictures_are_as_drawn():
    drawn = pictures.made()
    assert len(drawn) >= 4 and not pages.differing(drawn)


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_its_links_lead_to_files_of_the_repository(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = [link for link in LINK.findall(text) if "://" not in link and not link.startswith("mailto:")]
    assert not [link for link in links if not (page.parent / link).exists()]
