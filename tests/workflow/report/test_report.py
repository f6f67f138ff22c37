"""The report and the ledger for complete, partial and missing results."""

import re

import pandas as pd
import pytest
from checkout import ROOT

from rankbench.claims.ledger import COLUMNS
from rankbench.experiments.protocol import load_asked
from rankbench.report import write_report
from rankbench.report.content import chosen_on_test

RERUNS = "diez_second_draw, diez_sensitivity"
EVIL = "<script>alert(1)</script>"


def page_of(checkout):
    """Make ledger and report; return the text of the latter."""
    return write_report(checkout).read_text(encoding="utf-8")


def test_without_results_it_says_how_to_get_them(checkout):
    page = page_of(checkout)
    ledger = pd.read_csv(checkout / "results/claims.csv", keep_default_na=False)
    assert list(ledger.columns) == COLUMNS and len(ledger) == 119
    measured = ledger[~ledger["claim_id"].isin(["H26", "L12"])]  # those two are counted from the print alone
    assert set(measured["direction"]) <= {"not_judged", "no_direction"}
    assert set(measured["number"]) <= {"not_judged", "not_checkable"}
    assert "make reproduce EXPERIMENTS='diez_table1'" in ledger.set_index("claim_id").loc["D01", "why"]
    assert "0 of" in page and "<figure>" not in page


def test_an_experiment_about_no_paper_has_a_section_of_its_own_once_it_was_run(settle):
    checkout = settle()
    (checkout / "results/diez_table1").rename(checkout / "results/smoke")
    page = page_of(checkout)
    section = page[page.index('<section id="samples">') : page.index('<section id="claims">')]
    assert section.count("<figure>") == 1 and page.count('id="smoke"') == 1 and '<article id="smoke">' in section


def test_the_printed_numbers_as_results_give_the_printed_verdicts(report):
    page = report.read_text(encoding="utf-8")
    assert "36 of 36 cells within 2 standard errors" in page
    assert page.count("8/1/3 wins/ties/losses") == 2 and page.count(f"Reruns: kept ones ({RERUNS}") == 6
    assert page.count("<figure>") == 1 and "data:image/svg+xml;base64," in page
    assert "720 of 720 runs succeeded" in page
    assert 'experiments have results here: <a href="#diez_table1">Table 1 of Diez' in page
    judged = re.sub("<[^>]*>", "", page[page.index("Claims judged by this") :].partition("</p>")[0])
    assert "D01: number holds · D02: holds; number inconclusive · " in judged


def test_nothing_points_outside(report):
    page = report.read_text(encoding="utf-8")
    assert not re.findall(r"""(?:src|href)=["'](?!#|data:|diez_table1/)""", page)
    assert "@import" not in page and "url(" not in page


def test_names_are_escaped(settle, titles):
    checkout = settle({**titles, "servo": EVIL})
    sheet = checkout / "config/datasets.tsv"
    sheet.write_text(sheet.read_text().replace("\tServo\t", f"\t{EVIL}\t"))
    page = page_of(checkout)
    assert EVIL not in page and page.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 2
    assert page.count("<script>") == 1


def numbers_apart(text):
    """Return words and numbers in turn, so that 0.011 is less than 0.02, and 9 less than 10."""
    parts = re.split(r"(\d+(?:\.\d+)?)", text.lower())
    return [float(part) if place % 2 else part for place, part in enumerate(parts)]


def test_in_a_browser_sorting_and_filtering(browser, report):
    page = browser.new_page()
    page.goto(report.as_uri())
    for column in ("claim", "direction", "number"):
        page.get_by_role("button", name=re.compile(f"^{column}")).click()
        cells = page.locator(f"#ledger tbody [data-label='{column}']").all_inner_texts()
        assert [*map(numbers_apart, cells)] == sorted(map(numbers_apart, cells)) and len(cells) == 119
    page.fill("#search", "swapped")
    shown = page.locator("#ledger tbody tr:visible")
    assert 0 < shown.count() < 119 and page.locator("#shown").inner_text() == f"{shown.count()} of 119"
    assert all("swapped" in text.lower() for text in shown.all_text_contents())
    page.fill("#search", "")
    page.select_option("#paper", "diez")
    assert shown.count() == 17


FOLLOWED = """[...document.querySelectorAll("#scoreboard a[data-basis]")].map(link => {
    link.click()
    const rows = [...document.querySelectorAll("#ledger tbody tr")]
    return [link.innerText, rows.filter(row => row.getClientRects().length).length]
})"""  # of each link of the scoreboard the number that it shows, and how many rows are seen after a click


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "dark")])
def test_in_a_browser_nothing_is_asked_for_and_everything_is_seen(browser, report, width, scheme):
    page, said, asked = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme), [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    address = report.as_uri()
    page.goto(address)
    assert said == [] and [url for url in asked if not url.startswith("data:")] == [address]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for image in page.locator("figure img").all():
        assert image.evaluate("i => i.complete && i.naturalWidth > 0 && i.clientWidth > 100 && i.alt.length > 20")
    links = page.evaluate(FOLLOWED)
    assert len(links) > 20 and [shown for _, shown in links] == [int(written) for written, _ in links]


def test_deviations_and_what_a_verdict_stands_on_are_shown(report):
    page = report.read_text(encoding="utf-8")
    assert "20 random hold-outs; their rows are not known" in page and "two other draws: see diez_second_draw" in page
    row = page[page.index('<tr id="D02"') : page.index('<tr id="D03"')]
    assert "own data" in row and "wins minus losses 9.2 [3.8, 14.7]" in row and f"Reruns: kept ones ({RERUNS})." in row
    assert "8 printed; 4 real reruns 8.15 to 12, a bootstrap of our hold-outs 7 to 10" in row


def test_a_choice_on_the_test_part_is_told_also_where_only_some_conditions_make_it():
    experiment = load_asked(["ranksvr_table2"], ROOT)[0]["ranksvr_table2"]
    chosen = [name for name, one in experiment.conditions.items() if one.tuning.chosen_on == "test"]
    assert 0 < len(chosen) < len(experiment.conditions) and experiment.tuning.chosen_on != "test"
    assert chosen_on_test(experiment) == chosen
