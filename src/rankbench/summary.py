"""What ran, what is missing and why, where the results lie: ``python -m rankbench.summary [EXPERIMENT ...]``, exit code
1 if anything is missing."""

import json
import sys
from pathlib import Path

import pandas as pd

from rankbench.datasets.build import KEPT
from rankbench.datasets.fetch import VARIABLE
from rankbench.datasets.sheet import load_sheet
from rankbench.experiments import plan
from rankbench.experiments.protocol import CONFIG, load_experiments, read_yaml
from rankbench.experiments.record import IDENTITY

LOGS = "results/logs/data"
UNPROVEN = {"none": "any bytes", "length": "any bytes of the registered length"}
NOT_FETCHED, REFUSED, NOT_REACHED = "not fetched", "refused by its reader", "not reached"


def runs(name, experiment, root):
    """Return a frame with a row for each run that the protocol asks for and its ``status`` and ``reason``.

    Without ``records.parquet``, or where it lacks a run, the status is ``missing``.
    """
    wanted = pd.DataFrame(plan.runs(name, experiment), columns=IDENTITY)
    path = root / "results" / name / "records.parquet"
    missing = {"status": "missing", "reason": "its job left no record"}
    if not path.exists():
        return wanted.assign(**missing)
    records = pd.read_parquet(path, columns=[*IDENTITY, "status", "reason"])
    return wanted.merge(records, how="left", on=IDENTITY).fillna(missing)


def absent_datasets(name, experiment, frame, root):
    """Return the data sets, in order, whose table is absent though it is needed.

    Those of missing runs or missing studies, and those whose table was to be made anew and could not be: what there is
    of their runs is older than the data that are asked for.
    """
    lacking = set(frame.loc[frame["status"] == "missing", "dataset"])
    for study in experiment["studies"]:
        if not (root / f"results/{name}/statistics/{study}.csv").exists():
            lacking |= set(plan.study_tables(experiment, study))
    names = plan.datasets_of(experiment)
    absent = [name for name in names if not (root / "resources/tables" / f"{name}.npz").exists()]
    return [name for name in absent if name in lacking or why_absent(name, root)[0] != NOT_REACHED]


def why_absent(name, root):
    """Say why a data set has no table: (NOT_FETCHED, REFUSED or NOT_REACHED, last line of the log that tells it)."""
    fetched = (root / f"resources/raw/{name}/source.json").exists()
    log = root / LOGS / f"{name}.{'table' if fetched else 'fetch'}.log"
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    if not lines or lines[-1].startswith((KEPT, "KeyboardInterrupt")):
        return NOT_REACHED, ""
    return REFUSED if fetched else NOT_FETCHED, lines[-1]


def uncollected(name, root):
    """Return how many jobs ended after the records were collected last: those of a run that was stopped."""
    folder = root / "results" / name
    frame = folder / "records.parquet"
    collected = frame.stat().st_mtime_ns if frame.exists() else 0
    return sum(file.stat().st_mtime_ns > collected for file in folder.glob("jobs/*/*/*/*.json"))


def faults(name, frame, absent, root):
    """Yield a line for the jobs to be collected yet, and one for each data set and method with runs that are not ok.

    It says how many runs, and the first reason.
    """
    bad = frame[(frame["status"] != "ok") & ~frame["dataset"].isin(absent)]
    if n_jobs := uncollected(name, root):
        yield f"{n_jobs} {'run is' if n_jobs == 1 else 'runs are'} done but not yet collected: run again"
        bad = bad[bad["status"] != "missing"]
    for (dataset, condition, method), part in bad.groupby(["dataset", "condition", "method"], sort=False):
        where = f"{dataset}, {method}" + ("" if condition == "default" else f", {condition}")
        first = part.iloc[0]
        yield f"{where}: {len(part)} runs {'/'.join(part['status'].unique())}; seed {first['seed']}: {first['reason']}"


def data_to_provide(rows, root):
    """Yield lines that say why the data sets of these rows of the sheet are absent.

    Those that were not fetched can be given by hand: file name in a mirror, and where to get it.
    """
    why = {row: why_absent(row.name, root) for row in rows}
    wanted = [row for row in rows if why[row][0] == NOT_FETCHED and row.file]
    refused = [f"  {why[row][1]} ({LOGS}/{row.name}.table.log)" for row in rows if why[row][0] == REFUSED]
    waiting = [row.name for row in rows if why[row][0] == NOT_REACHED]
    if wanted:
        yield f"\nNot fetched (why: {LOGS}/*.fetch.log). Put these files into a folder under these names and name"
        yield f"that folder in the variable {VARIABLE}, or under data.mirrors of {CONFIG}:"
    for files in dict.fromkeys(row.file for row in wanted):
        rows = [row for row in wanted if row.file == files]
        urls = " ".join(url for url in rows[0].urls if url.startswith("http")) or "no URL is known"
        yield f"  {' '.join(files)} (for {', '.join(row.name for row in rows)}): {urls}"
    if refused:
        yield from ("\nFetched, but not what config/datasets.tsv says:", *refused)
    if waiting:
        yield f"\nNot reached before the run ended: {', '.join(waiting)}. The same command goes on from there."


def unproven(names, sheet, root):
    """Yield a line with the data sets that nothing proved: no digest of their bytes or values is registered."""
    notes = {name: root / f"resources/raw/{name}/source.json" for name in names if not sheet[name].table_sha256}
    proofs = {
        name: json.loads(note.read_text(encoding="utf-8"))["proof"] for name, note in notes.items() if note.exists()
    }
    if told := [f"{name} ({UNPROVEN[proof]})" for name, proof in proofs.items() if proof in UNPROVEN]:
        yield f"\nTaken as they came, for want of a registered digest: {', '.join(told)}."


def summarise(names=(), root="."):
    """Print the summary.

    Parameters
    ----------
    names : sequence of str
        Experiments; by default those of ``config/config.yaml``.
    root : path
        The checkout.

    Returns
    -------
    bool
        Whether everything that was asked for is there.
    """
    root = Path(root)
    config = read_yaml(root / CONFIG)
    sheet = load_sheet(root / "config/datasets.tsv")
    experiments = load_experiments({**config, "experiments": list(names or config["experiments"])}, sheet, root)
    complete, wanting = True, {}
    for name, experiment in experiments.items():
        frame = runs(name, experiment, root)
        files = {path: (root / path).exists() for path in plan.result_files(name, experiment)}
        absent = absent_datasets(name, experiment, frame, root)
        wanting |= dict.fromkeys(absent)
        n_ok = int((frame["status"] == "ok").sum())
        print(f"\n{name}: {experiment['title']}")
        if experiment["methods"]:
            print(f"  runs      {n_ok} of {len(frame)} ok")
        if absent:
            n_absent = int(frame["dataset"].isin(absent).sum())
            print(f"  missing   {n_absent} runs without data: {', '.join(absent)}")
        for line in faults(name, frame, absent, root):
            print(f"  missing   {line}")
        for path, exists in files.items():
            print(f"  {'result ' if exists else 'missing'}   {path}")
        complete &= n_ok == len(frame) and not absent and all(files.values())
    for line in data_to_provide([sheet[name] for name in wanting], root):
        print(line)
    for line in unproven(dict.fromkeys(n for e in experiments.values() for n in plan.datasets_of(e)), sheet, root):
        print(line)
    print("\nEverything that was asked for is there." if complete else "\nSomething is missing: see above.")
    return complete


if __name__ == "__main__":
    try:
        sys.exit(0 if summarise(sys.argv[1:]) else 1)
    except ValueError as error:
        sys.exit(str(error))
