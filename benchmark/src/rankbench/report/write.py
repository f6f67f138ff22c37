"""Write the ledger of claims and the report of a checkout; a file is written completely or not at all."""

from datetime import date
from pathlib import Path

import jinja2

from rankbench.claims.board import TITLES, spoken
from rankbench.claims.ledger import counts, judge_all
from rankbench.records.files import digests, note_of, write_note, write_text
from rankbench.records.frames import read_statistic, write_statistic
from rankbench.records.home import RESOURCES
from rankbench.records.paths import CLAIMS, REPORT
from rankbench.records.provenance import commit

from ..claims.verdict import NO_DIRECTION, NO_NUMBER, NOT_JUDGED, VERDICTS
from ..compare.report import comparison
from ..experiments.stamps import of_report, read_there
from ..registry import PAPERS
from .content import data_used, sections

HERE = Path(__file__).parent


def write_report(root):
    """Judge the claims by the results of a checkout, and write the ledger, ``results/claims.csv``, and the report.

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
        If the configuration is wrong.
    """
    claims, report, made = root / CLAIMS, root / REPORT, {"task": of_report(), "read": digests(read_there(root), root)}
    claims.parent.mkdir(exist_ok=True)
    write_statistic(claims, judge_all(claims.parent, RESOURCES / "reproduced/frames"))
    write_note(note_of(claims), [claims], **made)
    text, answers = render(root, read_statistic(claims, dtype=str, keep_default_na=False))
    write_text(report, text)
    write_note(note_of(report), [report], **made, answers=answers)
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
