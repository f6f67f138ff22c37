"""What ran, what is missing and why, where the results lie: ``python -m rankbench.summary [EXPERIMENT ...]``, exit code
1 if anything is missing."""

import sys
from pathlib import Path

import pandas as pd

from rankbench.datasets.fetch import VARIABLE
from rankbench.datasets.sheet import load_sheet
from rankbench.experiments import plan
from rankbench.experiments.protocol import CONFIG, load_experiments, read_yaml
from rankbench.experiments.record import IDENTITY


def runs(name, experiment, root):
    """Return a frame with a row for each run that the protocol asks for and its ``status`` and ``reason``.

    Without ``records.parquet``, or where it lacks a run, the status is ``missing``.
    """
    wanted = pd.DataFrame(plan.runs(name, experiment), columns=IDENTITY)
    path, missing = (
        root / "results" / name / "records.parquet",
        {"status": "missing", "reason": "its job left no record"},
    )
    if not path.exists():
        return wanted.assign(**missing)
    records = pd.read_parquet(path, columns=[*IDENTITY, "status", "reason"])
    return wanted.merge(records, how="left", on=IDENTITY).fillna(missing)


def absent_datasets(name, experiment, frame, root):
    """Return the data sets, in order, of missing runs or missing studies, whose table was never built."""
    lacking = set(frame.loc[frame["status"] == "missing", "dataset"])
    for study in experiment["studies"]:
        if not (root / f"results/{name}/statistics/{study}.csv").exists():
            lacking |= set(plan.study_tables(experiment, study))
    names = [name for name in plan.datasets_of(experiment) if name in lacking]
    return [name for name in names if not (root / "resources/tables" / f"{name}.npz").exists()]


def faults(frame, absent):
    """Yield a line for each data set and method with runs that are not ok: how many, and the first reason."""
    bad = frame[(frame["status"] != "ok") & ~frame["dataset"].isin(absent)]
    for (dataset, condition, method), part in bad.groupby(["dataset", "condition", "method"], sort=False):
        where = f"{dataset}, {method}" + ("" if condition == "default" else f", {condition}")
        first = part.iloc[0]
        yield f"{where}: {len(part)} runs {'/'.join(part['status'].unique())}; seed {first['seed']}: {first['reason']}"


def how_to_provide(rows):
    """Say how to give the data sets of these rows of the sheet by hand: file name in a mirror, and where to get it."""
    lines = [
        "\nNot fetched (why: results/logs/data/*.fetch.log). Put these files into a folder under these names and name",
        f"that folder in the variable {VARIABLE}, or under data.mirrors of {CONFIG}:",
    ]
    for row in rows:
        lines += [
            f"  {row.name}: {' '.join(row.file)}",
            *(f"      {url}" for url in row.urls if url.startswith("http")),
        ]
    return "\n".join([*lines, ""]) if rows else ""


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
        frame, files = (
            runs(name, experiment, root),
            {path: (root / path).exists() for path in plan.result_files(name, experiment)},
        )
        absent = absent_datasets(name, experiment, frame, root)
        wanting |= dict.fromkeys(absent)
        n_ok = int((frame["status"] == "ok").sum())
        print(f"\n{name}: {experiment['title']}")
        if experiment["methods"]:
            print(f"  runs      {n_ok} of {len(frame)} ok")
        if absent:
            n_absent = int(frame["dataset"].isin(absent).sum())
            print(f"  missing   {n_absent} runs without data: {', '.join(absent)}")
        for line in faults(frame, absent):
            print(f"  missing   {line}")
        for path, exists in files.items():
            print(f"  {'result ' if exists else 'missing'}   {path}")
        complete &= n_ok == len(frame) and all(files.values())
    print(how_to_provide([sheet[name] for name in wanting if sheet[name].file]), end="")
    print("\nEverything that was asked for is there." if complete else "\nSomething is missing: see above.")
    return complete


if __name__ == "__main__":
    try:
        sys.exit(0 if summarise(sys.argv[1:]) else 1)
    except ValueError as error:
        sys.exit(str(error))
