"""The verdicts of a run in one sentence and in three tables of Markdown, one for each kind of evidence."""

from rankbench.registry import PAPERS

from .ledger import counts
from .verdict import EXACT, FAILS, HOLDS, INCONCLUSIVE, MIXED, NO_DIRECTION, NO_NUMBER, NOT_JUDGED, OWN, SUBSTITUTE

TESTED = (HOLDS, MIXED, FAILS, INCONCLUSIVE)
TITLES = {
    OWN: "Judged on the papers' own data, or on data made as they say",
    SUBSTITUTE: "Judged on a substitute for data that are lost or that we do not have",
    EXACT: "Theorems, definitions and counts",
}
NAMES = {paper.name: paper.authors for paper in PAPERS} | {
    "all": "**all**",
    "each evidence once": "*each evidence once*",
}


def board(ledger):
    """Return the tables, each with a line that says how many statements hold and how many numbers agree.

    Parameters
    ----------
    ledger : DataFrame
        As `rankbench.claims.ledger.judge_all` returns it.

    Returns
    -------
    str
        Papers without a verdict in a table, and verdicts that no claim of a table has, are left out there.
    """
    tables = [_table(TITLES[basis], table) for basis, table in counts(ledger).items()]
    return "\n".join([headline(ledger), "", *tables]) + "\n" + _aside(ledger)


def headline(ledger):
    """Return what the authors' own data say of the counted statements, in one sentence that an author would accept."""
    counted = ledger[(ledger["basis"] == OWN) & (ledger["aside"] == "")]["direction"]
    n, *found = (int(counted.isin(words).sum()) for words in (TESTED, *([word] for word in TESTED)))
    return (
        "Of {} statements that the authors' own data can test, {} hold, {} hold in part, {} fail and {} are open, "
        "without those that are true by construction or hang on seconds."
    ).format(n, *found)


def _table(title, table):
    shown = table.loc[(table.sum(axis=1) > 0) | table.index.isin(["all"])]
    rows = [(NAMES[name], _counted(row["direction"]), _counted(row["number"])) for name, row in shown.iterrows()]
    lines = [f"**{title}**\n", "| | statements | printed numbers |", "| --- | --- | --- |"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows), ""])


def _counted(counts):
    """Return how many claims have each verdict that occurs, such as ``5 hold, 1 fails, 2 mixed``."""
    words = {verdict: verdict.replace("_", " ") for verdict in counts.index}
    return ", ".join(f"{n} {words[key] if n == 1 else words[key].removesuffix('s')}" for key, n in counts.items() if n)


def _aside(ledger):
    """Return a line that names the claims that are not counted, with the reason of each."""
    aside = ledger[ledger["aside"] != ""]
    parts = [f"{', '.join(part['claim_id'])} ({reason})" for reason, part in aside.groupby("aside", sort=False)]
    return f"Not counted: {'; '.join(parts)}.\n" if parts else ""


def spoken(row):
    """Return the verdict of a row of the ledger in words, such as ``holds; number fails``."""
    said = [row["direction"]] if row["direction"] != NO_DIRECTION else []
    said += [f"number {row['number']}"] if row["number"] not in (NO_NUMBER, NOT_JUDGED) else []
    said = "; ".join(said).replace("_", " ")
    return f"{said} (not counted: {row['aside']})" if row["aside"] else said
