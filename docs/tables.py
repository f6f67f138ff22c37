"""Tables of the pages, made from committed files (`pages.py` writes them into the pages).

Printed numbers beside ours are in `printed`; what is kept of the last full run is in resources/reproduced
(`rankbench.artefact`), and the records of the contest with other methods in resources/today
(`rankbench.papers.today.kept`).
"""

import json
from pathlib import Path

import pandas as pd
import printed
from cells import escaped, grouped, markdown, parsed

from rankbench.artefact import scoreboard
from rankbench.board import spoken
from rankbench.ledger import stated
from rankbench.papers.today.answers import answers, costs, extremes, is_kept, ranks_by_metric, rules
from rankbench.papers.today.contest import averages_of, losses_of, questions, searches_of
from rankbench.papers.today.kept import CONTEST, CURVES, Kept

ROOT = Path(__file__).parents[1]
VERDICTS = ROOT / "resources/reproduced/claims.csv"
DETAILS = {  # what the page says of a claim -> its column
    "Printed": "published",
    "Ours": "ours",
    "Effect": "effect",
    "Number, ours and printed": "difference",
    "Thresholds": "thresholds",
    "Evidence": "evidence",
    "How it is judged": "why",
}


def claims(paper):
    """Return the verdicts on the statements of a paper, and below them a section for each with what it rests on."""
    ledger = pd.read_csv(VERDICTS, keep_default_na=False).query("paper == @paper")
    links = [f"[{name}](#{name.lower()})" for name in ledger["claim_id"]]
    verdicts = [spoken(row) for row in ledger.to_dict("records")]
    rows = zip(links, verdicts, map(escaped, ledger["claim"]))
    table = ["| verdict | statement |", "| --- | --- |", *(f"| {link} {said} | {text} |" for link, said, text in rows)]
    return "\n\n".join(["\n".join(table), *map(detailed, ledger.to_dict("records"), verdicts)])


def detailed(row, verdict):
    """Return the section of a claim: its statement, the verdict, and what it rests on."""
    said = [f"**{verdict}**, {row['basis']}"]
    said += [f"{name}: {escaped(row[key])}" for name, key in DETAILS.items() if row[key]]
    items = "\n".join(f"- {line}" for line in said)
    return f"### {row['claim_id']}\n\n{escaped(row['claim'])} ({row['where']}).\n\n{items}"


def kept(show):
    """Return the text of ``show()`` about the kept full run, or how to keep one."""
    return show() if VERDICTS.exists() else "No full run is kept in the repository: `make artefact` keeps one."


def run():
    """Return what made the experiments of the kept run: commits, machines and versions of all, and runs of each."""
    told = json.loads(VERDICTS.with_name("run.json").read_text(encoding="utf-8"))["experiments"]
    made = [{name or "not known" for one in told.values() for name in one[key]} for key in ("commits", "machines")]
    made.append(
        {f"{name} {one}" for each in told.values() for name, all_of in each["versions"].items() for one in all_of}
    )
    rows = [(name, one["runs"], one["ok"]) for name, one in told.items()]
    runs = markdown(pd.DataFrame(rows, columns=["experiment", "runs", "ok"]))
    return f"Commit {'; '.join(', '.join(sorted(names)) for names in made)}.\n\n{runs}"


def riddles(cells, below):
    """Return the readings of Table 1, a table for each coding; all of them have the same thinned pairs."""
    names = {name: name.replace("chi-squared ", "chi², ") for name in cells}
    return f"{grouped(cells.drop(columns='thinned pairs').rename(columns=names), 'Coding')}\n\n{below}"


def draws(cells, below):
    """Return the draws of hold-outs, a table for each opponent."""
    long = cells.melt("Draw", var_name="what", ignore_index=True)
    long[["against", "what"]] = ("against " + long["what"]).str.extract(r"(\S+ \S+) (.*)").to_numpy()
    wide = long.pivot(index=["against", "Draw"], columns="what", values="value")[long["what"].unique()]
    order = pd.MultiIndex.from_product([long["against"].unique(), cells["Draw"]], names=wide.index.names)
    return f"{grouped(wide.loc[order].reset_index(), 'against')}\n\n{below}"


def made_table(name, laid_out):
    """Return a table that the kept full run wrote, laid out for a page."""
    file = VERDICTS.parent / f"tables/{name}.md"
    if not file.exists():
        return "The kept run does not contain the experiment of this table."
    return laid_out(*parsed(file.read_text(encoding="utf-8")))


def answered(name):
    """Return the questions of a part of the contest, answered by its kept records."""
    return questions(averages_of(name, ROOT), Kept(name, ROOT).experiment)


def contest(name, show):
    """Return the text of ``show()`` about a part of the contest, or that nothing of it is kept yet."""
    return show() if is_kept(name, ROOT) else "No records of this part are kept yet."


SHOWN = {  # what the page shows of a part of the contest; the last three only of kind values
    "by_dataset": lambda name: Kept(name, ROOT).by_dataset(),
    "losses": lambda name: losses_of(Kept(name, ROOT)),
    "searches": lambda name: searches_of(Kept(name, ROOT)),
    "metrics": lambda name: ranks_by_metric(name, ROOT),
    "questions": answered,
    "rules": lambda name: rules(name, ROOT),
    "costs": lambda name: costs(name, ROOT),
    "extremes": lambda name: extremes(name, ROOT),
}
TABLES = {
    **{name: lambda show=show: kept(show) for name, show in printed.TABLES.items()},
    "scoreboard": lambda: kept(lambda: scoreboard(ROOT)),
    "run": lambda: kept(run),
    "riddles": lambda: made_table("diez_riddles/riddles", riddles),
    "draws": lambda: made_table("diez_second_draw/draws", draws),
    "program": lambda: made_table("svmcompare_fig4_program/printed_errors", printed.program),
    **{name: lambda name=name: contest(name, lambda: Kept(name, ROOT).ranking()) for name in CONTEST},
    **{
        f"{name}_{show}": lambda name=name, made=made: contest(name, lambda: markdown(made(name)))
        for show, made in SHOWN.items()
        for name in CONTEST
    },
    "contest_answers": lambda: answers(ROOT),
    f"{CURVES}_by_size": lambda: markdown(Kept(CURVES, ROOT).by_size()),
    **{
        f"{paper}_claims": lambda paper=paper: kept(lambda: claims(paper))
        for paper in ("diez", "herbrich", "shashua_levin", "svmcompare", "ranksvr")
    },
}


def claim(name):
    """Return the verdict on a claim and what we found, of the full run that is kept."""
    if name not in set(stated()["claim_id"]):
        raise ValueError(f"claim must be the name of a claim, got {name!r}")
    row = pd.read_csv(VERDICTS, keep_default_na=False).set_index("claim_id").loc[name]
    return f"[{name}](#{name.lower()}) {spoken(row)}: {escaped(row['ours'] or row['why'])}"
