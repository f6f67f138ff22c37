"""Tables of the pages, made from committed files (`pages.py` writes them into the pages).

Printed numbers beside ours are in `printed`; what is kept of the last full run is in resources/reproduced
(`rankbench.report.artefact`), and the records of the contest with other methods in resources/today
(`rankbench.papers.today.kept`).
"""

import json
import re
from functools import partial
from pathlib import Path

import pandas as pd
import printed
from cells import escaped, grouped, markdown, parsed

from rankbench.claims.board import spoken
from rankbench.claims.ledger import stated
from rankbench.claims.verdict import SUBSTITUTE
from rankbench.configuration.labels import counted
from rankbench.experiments.protocol import load_asked
from rankbench.papers.today.contest import answers
from rankbench.papers.today.kept import CONTEST, Kept
from rankbench.report.artefact import scoreboard

ROOT = Path(__file__).parents[1]
VERDICTS = ROOT / "resources/reproduced/claims.csv"
PAPERS = ("diez", "herbrich", "shashua_levin", "svmcompare", "ranksvr")
LEFT_OUT = re.compile(  # claims.csv has all, and a page says once what holds for all of its claims
    r" \((?:against|undecided): [^()]*\)|; nothing learned (?:in \d+ of \d+ cells|from \d+ sets)"
    r"| \((?:mean|range) of \d+ cells\)|\. agree \d+ of \d+$|(?<=\. )[\d.e-]+ printed; "
    r"| Each (?:reading of the noise .*?|margin) has its verdict\."
    r"|(?:^| )The paper reported the best accuracy: .*? procedure(?:; 30 draws)?\."
)
MOST_RANKED = 10  # rows of a ranking
CELLS = re.compile(r"of (\d+) cells, (\d+) as claimed, (\d+) against, \d+ undecided(?: \(\d+ of them blunt\))?")


def claims(paper):
    """Return the verdicts on the statements of a paper in a list, and below it a section for each statement."""
    rows = pd.read_csv(VERDICTS, keep_default_na=False).query("paper == @paper").to_dict("records")
    named: dict[str, list[str]] = {}
    for row in rows:
        named.setdefault(spoken(row), []).append(f"[{row['claim_id']}](#{row['claim_id'].lower()})")
    lines = [f"- {verdict}: {', '.join(links)}" for verdict, links in named.items()]
    return "\n\n".join(["\n".join(lines), *map(detailed, rows)])


def detailed(row):
    """Return the section of a claim: the sentence of the paper, the verdict, theirs, ours, and why."""
    ours = ". ".join(row[key] for key in ("effect", "ours", "difference") if row[key])
    verdict = f"**{spoken(row)}**" + ", on a substitute" * (row["basis"] == SUBSTITUTE)
    printed = f"; printed: {short(row['published'])}" if row["published"] not in ("", "plot lost") else ""
    told = {"Ours": short(ours), "Why": short(row["why"])}
    said = [f"{verdict}{printed}", *(f"{name}: {text}" for name, text in told.items() if text)]
    items = "\n".join(f"- {line}" for line in said)
    return f"### {row['claim_id']}\n\n> {escaped(row['quote'])} ({row['where']})\n\n{items}"


def short(text):
    """Return a text of a claim without lists of single cells, with the cells that decide alone."""
    return escaped(CELLS.sub(r"\2 of \1 cells as claimed, \3 against", LEFT_OUT.sub("", text)))


def deviations(paper):
    """Return where the experiments of a paper depart from it, and what else was tried; what several do stands once."""
    made: dict[str, list[str]] = {}
    for name, experiment in load_asked(("all",), ROOT)[0].items():
        for one in experiment.deviations if experiment.paper == paper else ():
            made.setdefault(_departure(one), []).append(name)
    alike: dict[tuple[str, ...], list[str]] = {}
    for line, names in made.items():
        alike.setdefault(tuple(names), []).append(line)
    return "\n\n".join(f"**{escaped(', '.join(names))}**\n\n" + "\n".join(lines) for names, lines in alike.items())


def _departure(one):
    tried = f" Tried: {escaped(one['tried'])}." if one.get("tried", "none") != "none" else ""
    return f"- The paper: {escaped(one['paper'])}. Here: {escaped(one['here'])}.{tried}"


def run():
    """Return what made the experiments of the kept run: commits, machines and versions of all, and runs of each."""
    told = json.loads(VERDICTS.with_name("run.json").read_text(encoding="utf-8"))["experiments"]
    made = [{name or "not known" for one in told.values() for name in one[key]} for key in ("commits", "machines")]
    made.append(
        {f"{name} {one}" for each in told.values() for name, all_of in each["versions"].items() for one in all_of}
    )
    failed = {name: f" ({one['ok']} ok)" if one["ok"] < one["runs"] else "" for name, one in told.items()}
    runs = ", ".join(f"{escaped(name)} {one['runs']}{failed[name]}" for name, one in told.items() if one["runs"])
    return f"Commit {'; '.join(', '.join(sorted(names)) for names in made)}.\n\nRuns: {runs}."


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
    return laid_out(*parsed((VERDICTS.parent / f"tables/{name}.md").read_text(encoding="utf-8")))


TABLES = {
    **printed.TABLES,
    "scoreboard": partial(scoreboard, ROOT),
    "run": run,
    "riddles": partial(made_table, "diez_riddles/riddles", riddles),
    "draws": partial(made_table, "diez_second_draw/draws", draws),
    "program": partial(made_table, "svmcompare_fig4_program/printed_errors", printed.program),
    "contest_answers": partial(answers, ROOT),
    **{f"{paper}_claims": partial(claims, paper) for paper in PAPERS},
    **{f"{paper}_deviations": partial(deviations, paper) for paper in PAPERS},
}


def table(name):
    """Return the text of a table: one of `TABLES`, or the ranking of a part of the contest."""
    return ranking(name) if name in CONTEST else TABLES[name]()


def ranking(name):
    """Return the ranking of a part of the contest; what its columns are stands once on the page."""
    kept = Kept(name, ROOT)
    rows, holdouts = kept.ranking(), counted(kept.experiment.seeds, "hold-out")
    sizes = f"{len(rows)} methods on {len(kept.experiment.datasets)} data sets, {holdouts} each."
    return f"{markdown(rows.head(MOST_RANKED))}\n\n{sizes}"


def claim(name):
    """Return a link to a claim and its verdict in the full run that is kept."""
    if name not in set(stated()["claim_id"]):
        raise ValueError(f"claim must be the name of a claim, got {name!r}")
    row = pd.read_csv(VERDICTS, keep_default_na=False).set_index("claim_id").loc[name]
    return f"[{name}](#{name.lower()}) {spoken(row)}"
