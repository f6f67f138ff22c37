"""What ran, what failed, which data are missing, where the results are."""

import os
from pathlib import Path

import pandas as pd

from rankbench.configuration.labels import counted
from rankbench.datasets.build import REFUSED, UNFIT
from rankbench.datasets.fetch import UNKNOWN, how_to_provide
from rankbench.datasets.table import absence
from rankbench.experiments.stamps import Plan, conclusions_refused, grouped, noted
from rankbench.records.files import Damaged, cure, note_of
from rankbench.records.frames import read_frame
from rankbench.records.paths import RECORDS, REPORT, SOURCE, STATISTIC, TABLE
from rankbench.records.record import IDENTITY

LOGS = "results/logs/data"
DAMAGED = "damaged ("  # part of every message of `damaged`


def runs(experiment, root):
    """Return a frame with one row for each run of the protocol, with its ``status`` and ``reason``.

    The status is ``missing`` if there is no whole ``records.parquet``, or if it lacks the run.
    """
    wanted = pd.DataFrame(experiment.runs, columns=IDENTITY)
    missing = {"status": "missing", "reason": "the job left no record"}
    try:
        records = read_frame(root / RECORDS.format(experiment=experiment.name))[0][[*IDENTITY, "status", "reason"]]
    except FileNotFoundError:
        return wanted.assign(**missing)
    except Damaged as error:
        return wanted.assign(**{**missing, "reason": str(error)})
    return wanted.merge(records, how="left", on=IDENTITY).fillna(missing)


def absent_datasets(names, root):
    """Return data set -> why it has no table: no source provides it, its reader refused it, or its table is damaged."""
    tables = {name: root / TABLE.format(dataset=name) for name in names}
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
    collected = (root / RECORDS.format(experiment=experiment.name)).exists()
    if n_done := 0 if collected else sum((root / note_of(file)).exists() for file in experiment.run_files):
        verb = "is" if n_done == 1 else "are"
        yield f"{counted(n_done, 'run')} {verb} done but not collected yet: give the command again"
    elif len(lacking):
        verb = "was" if len(lacking) == 1 else "were"
        yield f"{counted(len(lacking), 'run')} {verb} not done; the first of them: {lacking['reason'].iloc[0]}"
    for study in experiment.studies:
        note = noted(root / note_of(STATISTIC.format(experiment=experiment.name, statistic=study)))
        if note.get("status") == "failed":
            yield f"study {study}: {note.get('reason')} (results/{experiment.name}/logs/run_study/{study}.log)"
    yield from (path for path in experiment.result_files if not (root / path).exists())


def data_to_provide(rows):
    """Yield lines that say how to provide the data sets of these rows of the sheet by hand: file names and sources."""
    if wanted := {row.file: row for row in rows if row.file}:
        yield f"\nThese could not be fetched ({LOGS}/*.fetch.log says why); the next run tries again:"
    yield from (f"  {how_to_provide(row)}" for row in wanted.values())


def unproven(names, sheet, root):
    """Yield a line with the data sets that could not be verified: no digest of their bytes or values is registered."""
    unknown = [name for name in names if not sheet[name].table_sha256 and UNKNOWN in sheet[name].sha256]
    if taken := [name for name in unknown if noted(root / SOURCE.format(dataset=name)).get("places")]:
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


def tell_absent(names, sheet, root="."):
    """Print which of these data sets of the sheet have no table, and why.

    Returns
    -------
    bool
        Whether all have one but for those that no source provides.
    """
    absent = absent_datasets(names, Path(root))
    for name, why in absent.items():
        print(f"no data   {name}: {why} ({LOGS}/{name}.table.log)")
    for line in data_to_provide([sheet[name] for name, why in absent.items() if not is_broken(why)]):
        print(line)
    return not any(map(is_broken, absent.values()))


def _waiting(experiment, frame, absent):
    """Yield a line with the runs and studies that wait for data."""
    n_absent = int(frame["dataset"].isin(absent).sum())
    without = [name for name, study in experiment.studies.items() if absent.keys() & {*study.get("datasets", ())}]
    if waiting := [counted(n_absent, "run")] * bool(n_absent) + [f"study {name}" for name in without]:
        yield f"{', '.join(waiting)} without {', '.join(absent)}"


def _from_shell(root):
    """Return a folder as the user's shell names it: a run may work in another one (``--directory``)."""
    shell, root = Path(os.environ.get("PWD") or ".").resolve(), Path(root).resolve()
    return root.relative_to(shell) if root.is_relative_to(shell) else Path()


def summarise(experiments, sheet, root="."):
    """Print the summary.

    Parameters
    ----------
    experiments : dict of str to Experiment
    sheet : mapping of str to rankbench.datasets.sheet.Row
    root : path
        The checkout.

    Returns
    -------
    bool
        Whether everything that could be run was run.
    """
    root = Path(root)
    plan = Plan(experiments, sheet, root)
    n_failed, n_waiting, wanting, shown = 0, 0, {}, _from_shell(root)
    found = {"refused": grouped(conclusions_refused(root)), "missing": []}
    last = [f"\nrefused   {line}" for line in found["refused"]]
    for experiment in experiments.values():
        frame, absent = runs(experiment, root), absent_datasets(experiment.all_datasets, root)
        wanting |= {dataset: why for dataset, why in absent.items() if not is_broken(why)}
        print(f"\n{experiment.name}: {experiment.title}")
        lines = {"runs": [f"{(frame['status'] == 'ok').sum()} of {len(frame)} ok"] * bool(experiment.methods)}
        lines |= {"no data": _waiting(experiment, frame, absent), "failed": failed(frame)}
        lines |= {"missing": broken(experiment, frame, absent, root)}
        lines |= {"refused": grouped(plan.refused([experiment.name]))}
        lines |= {"result": [shown / path for path in experiment.result_files if (root / path).exists()]}
        for word, line in ((word, line) for word, of_word in lines.items() for line in of_word):
            found.setdefault(word, []).append(line)
            print(f"  {word:<9} {line}")
        for path in experiment.result_files:
            for place, line in enumerate(beside_printed(root / path, experiment)):
                print(f"\n  {line}" if place == 0 else f"  {line}")
        n_failed += int((~frame["status"].isin(["ok", "missing"])).sum())
        n_waiting += int(frame["dataset"].isin(absent).sum())
    names = dict.fromkeys(n for e in experiments.values() for n in e.all_datasets)
    for line in (*data_to_provide([sheet[name] for name in wanting]), *unproven(names, sheet, root), *last):
        print(line)
    counts = [f"{counted(n_failed, 'run')} failed"] * bool(n_failed)
    counts += [f"{counted(n_waiting, 'run')} {'has' if n_waiting == 1 else 'have'} no data"] * bool(n_waiting)
    if (root / REPORT).exists():
        print(f"\nThe report: {shown / REPORT}")
    whole = not (found["missing"] or found["refused"])
    print("\nEverything that could run has run" if whole else "\nSomething is missing: see above", end="")
    print(f"; {' and '.join(counts)}: see above." if counts else ".")
    if found["refused"]:
        print(f"Something there is not what is asked for now; {cure(experiments)}.")
    if n_failed:
        print("The same command with --retry all (make: RETRY=all) tries the failed runs again.")
    return whole
