"""What ran, what failed, what lacks data, where the results lie: ``python -m rankbench.summary [EXPERIMENT ...]``.

Exit code 0: everything that could be run was run. Runs that failed and data that cannot be had are named and counted.
Exit code 1: something broke, or the run was stopped.
"""

import json
import sys
from pathlib import Path

import pandas as pd

from rankbench.datasets.build import REFUSED
from rankbench.datasets.fetch import VARIABLE
from rankbench.datasets.table import absence
from rankbench.experiments import plan
from rankbench.experiments.files import Damaged
from rankbench.experiments.frames import read_frame
from rankbench.experiments.protocol import CONFIG, load_asked
from rankbench.experiments.record import IDENTITY

LOGS = "results/logs/data"
UNPROVEN = {"none": "any bytes", "length": "any bytes of the registered length"}


def runs(name, experiment, root):
    """Return a frame with a row for each run that the protocol asks for and its ``status`` and ``reason``.

    Without ``records.parquet``, or where it lacks a run, the status is ``missing``.
    """
    wanted = pd.DataFrame(plan.runs(name, experiment), columns=IDENTITY)
    path = root / "results" / name / "records.parquet"
    missing = {"status": "missing", "reason": "its job left no record"}
    if not path.exists():
        return wanted.assign(**missing)
    try:
        records = read_frame(path)[0][[*IDENTITY, "status", "reason"]]
    except Damaged as error:
        return wanted.assign(status="missing", reason=str(error))
    if records.duplicated([*IDENTITY]).any():
        return wanted.assign(status="missing", reason=f"{path}: a run stands twice; remove the file and run again")
    return wanted.merge(records, how="left", on=IDENTITY).fillna(missing)


def absent_datasets(experiment, root):
    """Return data set -> why it has no table, of those that could not be had or were refused by their reader."""
    tables = {name: root / "resources/tables" / f"{name}.npz" for name in plan.datasets_of(experiment)}
    return {name: why for name, path in tables.items() if path.exists() and (why := absence(path))}


def uncollected(name, root):
    """Return how many runs ended after the records were collected last: those of a command that was stopped."""
    folder = root / "results" / name
    frame = folder / "records.parquet"
    collected = frame.stat().st_mtime_ns if frame.exists() else 0
    return sum(file.stat().st_mtime_ns > collected for file in folder.glob("jobs/*/*/*/*.json"))


def failed(frame):
    """Yield a line for each data set, condition and method with runs that failed: how many, and the first reason."""
    bad = frame[~frame["status"].isin(["ok", "missing"])]
    for (dataset, condition, method), part in bad.groupby(["dataset", "condition", "method"], sort=False):
        where = f"{dataset}, {method}" + ("" if condition == "default" else f", {condition}")
        first = part.iloc[0]
        yield f"{where}: {len(part)} runs {'/'.join(part['status'].unique())}; seed {first['seed']}: {first['reason']}"


def broken(name, experiment, frame, absent, root):
    """Yield a line for everything that should be there and is not, for another reason than data that cannot be had."""
    yield from (f"{dataset}: {why} ({LOGS}/{dataset}.table.log)" for dataset, why in absent.items() if REFUSED in why)
    lacking = frame[(frame["status"] == "missing") & ~frame["dataset"].isin(absent)]
    if n_runs := uncollected(name, root):
        yield f"{n_runs} {'run is' if n_runs == 1 else 'runs are'} done but not yet collected: run again"
    elif len(lacking):
        yield f"{len(lacking)} runs were not made; the first of them: {lacking['reason'].iloc[0]}"
    for study in experiment["studies"]:
        record = root / f"results/{name}/studies/{study}.json"
        if record.exists() and (told := json.loads(record.read_text(encoding="utf-8")))["status"] == "failed":
            yield f"study {study}: {told['reason']} (results/{name}/logs/run_study/{study}.log)"
    yield from (path for path in plan.result_files(name, experiment) if not (root / path).exists())


def faults(name, experiment, frame, absent, root):
    """Yield all lines about one experiment but those about data that cannot be had."""
    yield from failed(frame)
    yield from broken(name, experiment, frame, absent, root)


def data_to_provide(rows):
    """Yield lines that say how to give the data sets of these rows of the sheet by hand: file names, and where from."""
    wanted = [row for row in rows if row.file]
    if wanted:
        yield f"\nNot fetched (why: {LOGS}/*.fetch.log). Put these files into a folder under these names and name"
        yield f"that folder in the variable {VARIABLE}, or under data.mirrors of {CONFIG}; the next run tries again:"
    for files in dict.fromkeys(row.file for row in wanted):
        rows = [row for row in wanted if row.file == files]
        urls = " ".join(url for url in rows[0].urls if url.startswith("http")) or "no URL is known"
        yield f"  {' '.join(files)} (for {', '.join(row.name for row in rows)}): {urls}"


def unproven(names, sheet, root):
    """Yield a line with the data sets that nothing proved: no digest of their bytes or values is registered."""
    notes = {name: root / f"resources/raw/{name}/source.json" for name in names if not sheet[name].table_sha256}
    proofs = {
        name: json.loads(note.read_text(encoding="utf-8")).get("proof") for name, note in notes.items() if note.exists()
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
        Whether everything that could be run was run.
    """
    root = Path(root)
    experiments, sheet = load_asked(names, root)
    whole, n_failed, n_waiting, wanting = True, 0, 0, {}
    for name, experiment in experiments.items():
        frame, absent = runs(name, experiment, root), absent_datasets(experiment, root)
        n_ok, n_absent = int((frame["status"] == "ok").sum()), int(frame["dataset"].isin(absent).sum())
        wanting |= {dataset: why for dataset, why in absent.items() if REFUSED not in why}
        print(f"\n{name}: {experiment['title']}")
        if experiment["methods"]:
            print(f"  runs      {n_ok} of {len(frame)} ok")
        if absent:
            print(f"  no data   {n_absent} runs and studies without {', '.join(absent)}")
        for line in failed(frame):
            print(f"  failed    {line}")
        for line in broken(name, experiment, frame, absent, root):
            whole = False
            print(f"  missing   {line}")
        for path in plan.result_files(name, experiment):
            if (root / path).exists():
                print(f"  result    {path}")
        n_failed, n_waiting = n_failed + int((~frame["status"].isin(["ok", "missing"])).sum()), n_waiting + n_absent
    for line in data_to_provide([sheet[name] for name in wanting]):
        print(line)
    for line in unproven(dict.fromkeys(n for e in experiments.values() for n in plan.datasets_of(e)), sheet, root):
        print(line)
    counts = [f"{n_failed} runs failed"] * bool(n_failed) + [f"{n_waiting} runs lack their data"] * bool(n_waiting)
    print("\nEverything that could be run was run" if whole else "\nSomething is missing: see above", end="")
    print(f"; {' and '.join(counts)}: see above." if counts else ".")
    if n_failed:
        print("make reproduce RETRY=all, with the same EXPERIMENTS, tries the runs that failed again.")
    return whole


if __name__ == "__main__":
    try:
        sys.exit(0 if summarise(sys.argv[1:]) else 1)
    except ValueError as error:
        sys.exit(str(error))
