"""Keep the evidence of a full run in ``resources/reproduced``, so that its verdicts can be checked without a new run.

    python -m rankbench.artefact pack [RUN]    # keep the results of the checkout RUN (by default this one)
    python -m rankbench.artefact check         # judge the kept frames again and compare the verdicts

``claims.csv``: the verdicts. ``frames/``: the statistics and the columns of records that the verdicts need.
``tables/``: tables that the documentation shows. ``run.json``: commits, versions, machine, and the number of runs of
each experiment. ``pack`` also updates the table in README.
"""

import argparse
import gzip
import json
import os
import platform
import re
import shutil
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path

import pandas as pd

from rankbench.claims.verdict import NOT_JUDGED, VERDICTS
from rankbench.experiments.files import write_bytes, write_text
from rankbench.experiments.frames import read_frame, write_frame
from rankbench.experiments.provenance import commit
from rankbench.ledger import Frames, judge_all, registered
from rankbench.papers import PAPERS

KEPT = Path("resources/reproduced")
COLUMNS = ("dataset", "condition", "method", "seed", "status", "n_train", "n_test", "n_pairs", "params")
SECONDS = {"herbrich_fig2_2": ("fit_seconds",)}  # the times of other experiments are not kept: they need much space
TABLES = (
    "diez_table1/tables/table1.md",
    "diez_second_draw/tables/draws.md",
    "diez_riddles/tables/riddles.md",
    "svmcompare_fig4/tables/printed_errors.md",
    "svmcompare_fig4_program/tables/printed_errors.md",
)
LARGE = 50_000  # bytes; larger statistics are kept compressed
PACKAGES = ("numpy", "numba", "scipy", "scikit-learn", "pandas", "cvxopt", "snakemake")
BOARD = re.compile(r"(?<=<!-- scoreboard -->\n)(?P<board>.*?)(?=<!-- /scoreboard -->)", re.DOTALL)


def needs():
    """Return the names of the frames that are kept, such as ``diez_table1/overall``."""
    needed = [need for claim in registered().values() for need in claim.needs]
    return [need for need in dict.fromkeys(needed) if not need.startswith("published/")]


def pack(run, root):
    """Keep the frames of a run, judge the claims on the kept frames, and update the table in README.

    Parameters
    ----------
    run, root : Path
        The checkout whose ``results/`` are packed, and the checkout in which they are kept.

    Returns
    -------
    DataFrame
        The ledger.
    """
    kept, found = root / KEPT, Frames(run / "results")
    shutil.rmtree(kept / "frames", ignore_errors=True)
    for need in needs():
        source, (owner, name) = found.path(need), need.split("/")
        if not source.exists():
            continue
        target = kept / "frames" / source.relative_to(run / "results")
        target.parent.mkdir(parents=True, exist_ok=True)
        if name == "records":
            frame, made = read_frame(source)
            write_frame(target, _judged_columns(frame, owner, made), commit=made["commit"])
        elif source.stat().st_size > LARGE:
            write_bytes(target.with_name(f"{target.name}.gz"), gzip.compress(source.read_bytes(), mtime=0))
        else:
            write_text(target, source.read_text(encoding="utf-8"))
    for table in TABLES:
        if (run / "results" / table).exists():
            target = kept / "tables" / table.replace("/tables/", "/")
            target.parent.mkdir(parents=True, exist_ok=True)
            write_text(target, (run / "results" / table).read_text(encoding="utf-8"))
    ledger = judge_all(kept / "frames")
    write_text(kept / "claims.csv", ledger.to_csv(index=False))
    write_text(kept / "run.json", json.dumps(told(run), indent=1, ensure_ascii=False) + "\n")
    readme = root / "README.md"
    text = readme.read_text(encoding="utf-8")
    write_text(readme, BOARD.sub(lambda _: board(root), text))
    return ledger


def _judged_columns(frame, owner, made):
    """Return the columns of the records that claims read: those that identify a run, its metrics, its parameters."""
    wanted = (*COLUMNS, *made["protocol"]["metrics"], *SECONDS.get(owner, ()))
    return frame[[name for name in wanted if name in frame]]


def told(run, names=None):
    """Return the provenance of a run: commits, date, machine, versions, and the number of runs of each experiment,
    or only of those named."""
    experiments = {}
    for file in sorted((run / "results").glob("*/records.parquet")):
        if names is not None and file.parent.name not in names:
            continue
        frame, made = read_frame(file)
        n_ok = int((frame["status"] == "ok").sum())
        experiments[file.parent.name] = {"runs": len(frame), "ok": n_ok, "commit": made["commit"]}
    commits = sorted({one["commit"] for one in experiments.values()}) or [commit(run)]
    machine = {"system": platform.system(), "processor": _processor(), "cores": os.cpu_count()}
    versions = {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}}
    return {
        "commits": commits,
        "packed": date.today().isoformat(),
        "machine": machine,
        "versions": versions,
        "experiments": experiments,
    }


def _processor():
    """Return the name of the processor; on Linux the module platform does not know it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def board(root, by_basis=False):
    """Return Markdown that names the kept run and counts its verdicts of each kind.

    Parameters
    ----------
    root : Path
    by_basis : bool
        Whether to add one row per kind of evidence to the rows of the papers.
    """
    ledger = pd.read_csv(root / KEPT / "claims.csv", keep_default_na=False)
    run = json.loads((root / KEPT / "run.json").read_text(encoding="utf-8"))
    totals = [sum(one[key] for one in run["experiments"].values()) for key in ("runs", "ok")]
    verdicts = [verdict for verdict in (*VERDICTS, NOT_JUDGED) if verdict in {*VERDICTS, *ledger["verdict"]}]
    lines = [
        f"From the full run on commit {', '.join(run['commits'])} ({run['packed']}), {totals[0]:,} runs, "
        f"{totals[0] - totals[1]:,} without a result:\n",
        "| | " + " | ".join(verdicts).replace("_", " ") + " |",
        "|---" + "|---:" * len(verdicts) + "|",
    ]
    rows = {paper.authors: ledger[ledger["paper"] == paper.name] for paper in PAPERS} | {"**all**": ledger}
    again = [name for name, claim in registered().items() if claim.again]
    rows["*each evidence once*"] = ledger[~ledger["claim_id"].isin(again)]
    if by_basis:
        rows |= {f"*{basis}*": part for basis, part in ledger.groupby("basis", sort=False)}
    for name, part in rows.items():
        lines.append(f"| {name} | " + " | ".join(str(int((part["verdict"] == v).sum())) for v in verdicts) + " |")
    return "\n".join(lines) + "\n"


def check(root):
    """Judge the kept frames again.

    Returns
    -------
    list of str
        One line for each claim whose verdict differs from the kept one, and one if the table in README differs.
    """
    kept = root / KEPT
    ledger = pd.read_csv(kept / "claims.csv", keep_default_na=False).set_index("claim_id")
    again = judge_all(kept / "frames").set_index("claim_id")
    lines = [f"claims: {len(ledger)} kept, {len(again)} judged"] if list(ledger.index) != list(again.index) else []
    for name, row in again.iterrows():
        if name in ledger.index and (was := ledger.loc[name, "verdict"]) != row["verdict"]:
            found = f"the kept frames give {row['verdict']}: {row['ours'] or row['why']}"
            lines.append(f"{name}: the kept verdict is {was}, but {found}")
    shown = BOARD.search((root / "README.md").read_text(encoding="utf-8"))
    if shown is None or shown["board"] != board(root):
        lines.append("README.md: its table does not match the kept verdicts; run python -m rankbench.artefact pack")
    return lines


def main(arguments=None):
    """Pack or check; return None, or the differences as one text."""
    parser = argparse.ArgumentParser("python -m rankbench.artefact", description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["pack", "check"])
    parser.add_argument("run", nargs="?", type=Path, default=Path.cwd(), help="checkout whose results/ are packed")
    asked, root = parser.parse_args(arguments), Path.cwd()
    if asked.what == "check":
        return "\n".join(check(root)) or None
    ledger = pack(asked.run, root)
    counts = ledger["verdict"].value_counts()
    size = sum(file.stat().st_size for file in (root / KEPT).rglob("*") if file.is_file())
    print(f"{root / KEPT}: {size / 1000:.0f} kB; {', '.join(f'{n} {verdict}' for verdict, n in counts.items())}")
    for row in ledger[ledger["verdict"] == NOT_JUDGED].itertuples():
        print(f"  {row.claim_id} not judged: {row.why}")
    return None


if __name__ == "__main__":
    sys.exit(main())
