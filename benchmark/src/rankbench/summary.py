"""What ran, what failed, which data are missing, where the results are."""

import os
from pathlib import Path

import pandas as pd

from rankbench.datasets.build import REFUSED, UNFIT
from rankbench.datasets.fetch import VARIABLE
from rankbench.datasets.own import load_datasets
from rankbench.datasets.table import absence
from rankbench.experiments.files import Damaged, read_note
from rankbench.experiments.frames import read_frame
from rankbench.experiments.protocol import CONFIG, load_asked
from rankbench.experiments.record import IDENTITY
from rankbench.labels import counted

LOGS = "results/logs/data"
REPORT = "results/report.html"
DAMAGED = "damaged ("  # part of every message of `damaged`
FINGERPRINT = ("source_digest", "job_seconds")  # to the microsecond, which no second try repeats
NEVER = -1.0  # job_seconds of a run that did not end by itself
UNPROVEN = {"none": "any bytes", "length": "any bytes of the registered length"}


def runs(experiment, root):
    """Return a frame with one row for each run of the protocol, with its ``status``, ``reason`` and `FINGERPRINT`.

    The status is ``missing`` if there is no whole ``records.parquet``, or if it lacks the run.
    """
    wanted = pd.DataFrame(experiment.runs, columns=IDENTITY)
    path = root / "results" / experiment.name / "records.parquet"
    missing = {"status": "missing", "reason": "the job left no record", "source_digest": "", "job_seconds": NEVER}
    try:
        records = read_frame(path)[0][[*IDENTITY, "status", "reason", *FINGERPRINT]]
    except FileNotFoundError:
        return wanted.assign(**missing)
    except Damaged as error:
        return wanted.assign(**{**missing, "reason": str(error)})
    return wanted.merge(records, how="left", on=IDENTITY).fillna(missing)


def absent_datasets(names, root):
    """Return data set -> why it has no table: no source provides it, its reader refused it, or its table is damaged."""
    tables = {name: root / "resources/tables" / f"{name}.npz" for name in names}
    return {name: why for name, path in tables.items() if path.exists() and (why := _absence(path))}


def _absence(path):
    try:
        return absence(path)
    except FileNotFoundError:  # a run is making it again
        return ""
    except Damaged as error:
        return str(error)


def is_broken(why):
    """Return whether a data set is absent for another reason than that no source provides it."""
    return any(word in why for word in (REFUSED, DAMAGED, UNFIT))


def uncollected(experiment, frame, root):
    """Return how many runs have a record that is not among the collected ones: those of a command that was stopped.

    Contents are compared, because a copy may not keep the times of files. A record that was made by other sources than
    the present ones does not count. A run that is collected as ok, by the present sources, is not looked at.
    """
    if not (root / "results" / experiment.name / "jobs").exists():
        return 0
    n_uncollected = 0
    collected = frame.assign(file=experiment.run_files("json"))
    stale = collected["source_digest"] != collected["method"].map(experiment.digests)
    for run in collected[(collected["status"] != "ok") | stale].itertuples():
        try:
            record = read_note(root / run.file)["record"]
        except FileNotFoundError:
            continue
        except Damaged:  # the next run makes it again
            n_uncollected += 1
            continue
        here = record["source_digest"] == experiment.digests[run.method]
        seconds = NEVER if record["job_seconds"] is None else record["job_seconds"]
        n_uncollected += here and (record["source_digest"], seconds) != (run.source_digest, run.job_seconds)
    return n_uncollected


def noted(path):
    """Return the note of a job as a dict: empty if there is no file, `DAMAGED` -> why if it cannot be read."""
    try:
        return read_note(path)
    except FileNotFoundError:
        return {}
    except Damaged as error:
        return {DAMAGED: str(error)}


def failed(frame):
    """Yield a line for each data set, condition and method with failed runs: how many, and the first reason."""
    bad = frame[~frame["status"].isin(["ok", "missing"])]
    for (dataset, condition, method), part in bad.groupby(["dataset", "condition", "method"], sort=False):
        where = f"{dataset}, {method}" + ("" if condition == "default" else f", {condition}")
        first, statuses = part.iloc[0], "/".join(part["status"].unique())
        yield f"{where}: {counted(len(part), 'run')} {statuses}; seed {first['seed']}: {first['reason']}"


def broken(experiment, frame, absent, root):
    """Yield a line for everything that should exist but does not, for another reason than missing data."""
    yield from (f"{dataset}: {why} ({LOGS}/{dataset}.table.log)" for dataset, why in absent.items() if is_broken(why))
    lacking = frame[(frame["status"] == "missing") & ~frame["dataset"].isin(absent)]
    if n_done := uncollected(experiment, frame, root):
        verb = "is" if n_done == 1 else "are"
        yield f"{counted(n_done, 'run')} {verb} done but not collected yet: give the command again"
    elif n_lacking := len(lacking):
        verb = "was" if n_lacking == 1 else "were"
        yield f"{counted(n_lacking, 'run')} {verb} not done; the first of them: {lacking['reason'].iloc[0]}"
    for study in experiment.studies:
        note = noted(root / f"results/{experiment.name}/statistics/{study}.json")
        if note.get("status") == "failed":
            yield f"study {study}: {note.get('reason')} (results/{experiment.name}/logs/run_study/{study}.log)"
        elif DAMAGED in note:
            yield note[DAMAGED]
    yield from (path for path in experiment.result_files if not (root / path).exists())


def data_to_provide(rows):
    """Yield lines that say how to provide the data sets of these rows of the sheet by hand: file names and sources."""
    wanted = [row for row in rows if row.file]
    if wanted:
        yield f"\nThese files could not be fetched ({LOGS}/*.fetch.log says why). Put them into a folder under these"
        yield f"names and name that folder in the variable {VARIABLE}, or under data.mirrors of {CONFIG}; the next run"
        yield "tries again:"
    for files in dict.fromkeys(row.file for row in wanted):
        rows = [row for row in wanted if row.file == files]
        urls = " ".join(url for url in rows[0].urls if url.startswith("http")) or "no URL is known"
        yield f"  {' '.join(files)} (for {', '.join(row.name for row in rows)}): {urls}"


def unproven(names, sheet, root):
    """Yield a line with the data sets that could not be verified: no digest of their bytes or values is registered."""
    notes = {name: root / f"resources/raw/{name}/source.json" for name in names if not sheet[name].table_sha256}
    notes_read = {name: noted(note) for name, note in notes.items()}
    yield from (f"\n{note[DAMAGED]}" for note in notes_read.values() if DAMAGED in note)
    proofs = {name: note.get("proof") for name, note in notes_read.items()}
    if taken := [f"{name} ({UNPROVEN[proof]})" for name, proof in proofs.items() if proof in UNPROVEN]:
        yield f"\nUsed unchecked, because no digest is registered: {', '.join(taken)}."


def beside_printed(path, experiment):
    """Yield the lines of a table of means, methods side by side, beside the printed ones; none for any other table."""
    if path.suffix != ".csv" or not path.exists():
        return
    with path.open(encoding="utf-8") as lines:
        columns = lines.readline().strip().split(",")
    if "condition" in columns or not {"dataset", "method", "ours_mean", "published_mean"} <= {*columns}:
        return
    table = pd.read_csv(path)
    ours, printed = (table[name].map("{:.2f}".format) for name in ("ours_mean", "published_mean"))
    both = ours.where(table["published_mean"].isna(), ours + " / " + printed)
    cells = pd.DataFrame({"dataset": table["dataset"], "method": table["method"], "both": both})
    wide = cells.pivot(index="dataset", columns="method", values="both").reindex(table["dataset"].unique())
    wide = wide[table["method"].unique()].fillna("").rename(columns=lambda name: experiment.methods[name].label)
    printed_too = table["published_mean"].notna().any()
    yield f"{experiment.title}: {'ours / printed' if printed_too else 'means'}"
    yield from wide.rename_axis(index=None, columns=None).to_string().splitlines()


def tell_absent(names, root="."):
    """Print which of these data sets have no table, and why.

    Returns
    -------
    bool
        Whether all have one but for those that no source provides.
    """
    absent, sheet = absent_datasets(names, Path(root)), load_datasets(root)
    for name, why in absent.items():
        print(f"no data   {name}: {why} ({LOGS}/{name}.table.log)")
    for line in data_to_provide([sheet[name] for name, why in absent.items() if not is_broken(why)]):
        print(line)
    return not any(map(is_broken, absent.values()))


def _from_shell(root):
    """Return a folder as the user's shell names it: a run may work in another one (``--directory``)."""
    shell, root = Path(os.environ.get("PWD") or ".").resolve(), Path(root).resolve()
    return root.relative_to(shell) if root.is_relative_to(shell) else Path()


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
    whole, n_failed, n_waiting, wanting, shown = True, 0, 0, {}, _from_shell(root)
    for experiment in experiments.values():
        frame, absent = runs(experiment, root), absent_datasets(experiment.all_datasets, root)
        n_ok = int((frame["status"] == "ok").sum())
        n_absent = int(frame["dataset"].isin(absent).sum())
        wanting |= {dataset: why for dataset, why in absent.items() if not is_broken(why)}
        print(f"\n{experiment.name}: {experiment.title}")
        if experiment.methods:
            print(f"  runs      {n_ok} of {len(frame)} ok")
        waiting = [
            f"study {name}"
            for name, study in experiment.studies.items()
            if absent.keys() & {*study.get("datasets", ())}
        ]
        if waiting := [counted(n_absent, "run")] * bool(n_absent) + waiting:
            print(f"  no data   {', '.join(waiting)} without {', '.join(absent)}")
        for line in failed(frame):
            print(f"  failed    {line}")
        for line in broken(experiment, frame, absent, root):
            whole = False
            print(f"  missing   {line}")
        for path in experiment.result_files:
            if (root / path).exists():
                print(f"  result    {shown / path}")
        for path in experiment.result_files:
            for place, line in enumerate(beside_printed(root / path, experiment)):
                print(f"\n  {line}" if place == 0 else f"  {line}")
        n_failed += int((~frame["status"].isin(["ok", "missing"])).sum())
        n_waiting += n_absent
    for line in data_to_provide([sheet[name] for name in wanting]):
        print(line)
    for line in unproven(dict.fromkeys(n for e in experiments.values() for n in e.all_datasets), sheet, root):
        print(line)
    counts = [f"{counted(n_failed, 'run')} failed"] * bool(n_failed)
    counts += [f"{counted(n_waiting, 'run')} {'has' if n_waiting == 1 else 'have'} no data"] * bool(n_waiting)
    if (root / REPORT).exists():
        print(f"\nThe report: {shown / REPORT}")
    print("\nEverything that could run has run" if whole else "\nSomething is missing: see above", end="")
    print(f"; {' and '.join(counts)}: see above." if counts else ".")
    if n_failed:
        print("The same command with --retry all (make: RETRY=all) tries the failed runs again.")
    return whole
