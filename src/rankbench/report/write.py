"""Write the report and the ledger of a checkout; a file is written completely or not at all."""

from datetime import date
from pathlib import Path

import jinja2

from ..claims.verdict import NOT_JUDGED, VERDICTS
from ..experiments.files import write_text
from ..experiments.frames import read_statistic, write_statistic
from ..experiments.provenance import commit
from ..ledger import judge_all, scoreboard, to_markdown
from ..papers import PAPERS
from .comparison import comparison
from .content import data_used, sections

HERE = Path(__file__).parent


def write_claims(root):
    """Judge the claims by the results of a checkout, write ``claims.csv`` and ``claims.md``, and return the ledger."""
    folder = root / "results"
    ledger = judge_all(folder)
    folder.mkdir(exist_ok=True)
    write_statistic(folder / "claims.csv", ledger)
    write_text(folder / "claims.md", to_markdown(ledger))
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
        ``results/report.html``.

    Raises
    ------
    ValueError
        If the configuration is wrong, or the ledger is not what was written.
    """
    folder = root / "results"
    ledger = read_statistic(folder / "claims.csv", dtype=str, keep_default_na=False)
    write_text(folder / "report.html", render(root, ledger))
    return folder / "report.html"


def render(root, ledger):
    """Return the page; if no experiment of the folder is about a paper, it is the page of a comparison."""
    shown, sheet, experiments = sections(root)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    page = {"css": (HERE / "page.css").read_text(encoding="utf-8"), "today": date.today().isoformat()}
    if all(one.sample for one in shown):
        told = [comparison(one, experiments[one.name], sheet, root) for one in shown]
        return environment.get_template("comparison.html").render(comparisons=told, claims=[], **page)
    counts = scoreboard(ledger)
    return environment.get_template("page.html").render(
        **page,
        script=(HERE / "page.js").read_text(encoding="utf-8"),
        papers=PAPERS,
        claims=ledger.to_dict("records"),
        counts=counts.to_dict("index"),
        paper_names=[paper.name for paper in PAPERS],
        verdicts=[verdict for verdict in (*VERDICTS, NOT_JUDGED) if verdict in counts],
        sections=[one for one in shown if not one.sample],
        samples=[one for one in shown if one.sample and one.started],
        data=data_used([one for one in shown if one.started], experiments, sheet),
        commit=commit(root),
    )
