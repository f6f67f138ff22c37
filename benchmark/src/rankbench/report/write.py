"""Write the report and the ledger of a checkout; a file is written completely or not at all."""

from datetime import date
from pathlib import Path

import jinja2

from rankbench.claims.board import TITLES, spoken
from rankbench.claims.ledger import counts, judge_all
from rankbench.records.files import digests, write_note, write_text
from rankbench.records.frames import read_statistic, write_statistic
from rankbench.records.home import RESOURCES
from rankbench.records.provenance import commit

from ..claims.verdict import NO_DIRECTION, NO_NUMBER, NOT_JUDGED, VERDICTS
from ..compare.report import comparison
from ..experiments.stamps import frames_there, of_claims, of_report, shown_there
from ..registry import PAPERS
from .content import data_used, sections

HERE = Path(__file__).parent


def write_claims(root):
    """Judge the claims by the results of a checkout, write ``claims.csv``, and return the ledger."""
    folder, read = root / "results", digests(frames_there(root), root)
    ledger = judge_all(folder, RESOURCES / "reproduced/frames")
    folder.mkdir(exist_ok=True)
    write_statistic(folder / "claims.csv", ledger)
    write_note(folder / "claims.json", [folder / "claims.csv"], task=of_claims().task, read=read)
    return ledger


def write_report(root):
    """Write the report of the results of a checkout and of its ledger (see `write_claims`).

    Parameters
    ----------
    root : Path
        The checkout; its ``results/`` may be partial or missing.

    Returns
    -------
    Path
        ``results/report.html``. Its note, ``report.json``, has the answers that the page gives in words.

    Raises
    ------
    ValueError
        If the configuration is wrong, or the ledger is not what was written.
    """
    folder, read = root / "results", digests(shown_there(root), root)
    ledger = read_statistic(folder / "claims.csv", dtype=str, keep_default_na=False)
    report = folder / "report.html"
    text, answers = render(root, ledger)
    write_text(report, text)
    write_note(folder / "report.json", [report], task=of_report().task, read=read, answers=answers)
    return report


def render(root, ledger):
    """Return the page, and the answers in it: title of a data set -> paragraphs. If no experiment of the folder is
    about a paper, it is the page of a comparison; on other pages nothing is answered."""
    shown, sheet, experiments = sections(root)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    page = {"css": (HERE / "page.css").read_text(encoding="utf-8"), "today": date.today().isoformat()}
    if all(one.sample for one in shown):
        comparisons = [comparison(one, sheet, root) for one in shown]
        answers = {title: texts for one in comparisons for title, texts in one.answers.items()}
        return environment.get_template("comparison.html").render(comparisons=comparisons, claims=[], **page), answers
    directions = [*VERDICTS, NO_DIRECTION, NOT_JUDGED]
    text = environment.get_template("page.html").render(
        **page,
        script=(HERE / "page.js").read_text(encoding="utf-8"),
        spoken=spoken,
        papers=PAPERS,
        claims=ledger.to_dict("records"),
        boards=[
            (basis, TITLES[basis], table.to_dict("index"), tables_of(table)) for basis, table in counts(ledger).items()
        ],
        paper_names=[paper.name for paper in PAPERS],
        verdicts=[word for word in (*VERDICTS, NOT_JUDGED) if word in {*VERDICTS, *ledger["direction"]}],
        choices={
            "basis": list(TITLES),
            "direction": [*(word for word in directions if word in set(ledger["direction"])), "not_counted"],
            "number": [word for word in (*VERDICTS, NO_NUMBER, NOT_JUDGED) if word in set(ledger["number"])],
        },
        sections=[one for one in shown if not one.sample],
        samples=[one for one in shown if one.sample and one.started],
        data=data_used([one for one in shown if one.started], experiments, sheet),
        commit=commit(root),
    )
    return text, {}


def tables_of(table):
    """Return ``direction`` and ``number`` -> their counts, without the papers and the verdicts that do not occur."""
    tables = {}
    for kind in table.columns.unique(0):
        part = table[kind]
        shown = part.loc[(part.sum(axis=1) > 0) | (part.index == "all"), part.sum() > 0]
        tables |= {kind: shown} if len(shown.columns) else {}
    return tables
