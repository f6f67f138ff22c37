"""What made the results of a run: commits, machines, versions and sources of each experiment; why it is not one whole
run, and whose sources are no longer those of this checkout."""

import json
from pathlib import Path

from rankbench.configuration.labels import counted
from rankbench.experiments.stamps import Plan
from rankbench.records.files import note_of, read_note
from rankbench.records.frames import read_frame

DIRTY = "-dirty"
UNKNOWN = "an unknown commit"


def origin(name, run):
    """Return how many runs an experiment has and what made it, according to its records and notes.

    Parameters
    ----------
    name : str
        An experiment.
    run : Path
        The checkout with the results.

    Returns
    -------
    dict
        ``runs``, ``ok`` (how many have a result), ``commits``, ``machines``, ``versions``: package -> its versions,
        ``sources``: method -> digests of the sources that made its runs, and ``studies``: study -> digest of its
        sources. An experiment of studies alone has no runs.
    """
    folder = run / "results" / name
    notes = {note.stem: read_note(note) for note in sorted(folder.glob("statistics/*.json"))}
    studies = {study: note["task"]["source"] for study, note in notes.items() if "arguments" in note["task"]}
    with_runs = (folder / "records.parquet").exists()  # other statistics than studies follow from them
    made_by = [note["made_by"] for study, note in notes.items() if study in studies or not with_runs]
    n_runs = n_ok = 0
    sources = {}
    if with_runs:
        records = read_frame(folder / "records.parquet")[0]
        n_runs, n_ok = len(records), int((records["status"] == "ok").sum())
        made = records.loc[records["commit"] != "", ["commit", "machine", "versions"]].drop_duplicates()
        by_method = records[records["status"] != "missing"].groupby("method")["source_digest"]
        sources = {method: sorted(digests) for method, digests in by_method.unique().items()}
        made_by += [{**row, "versions": json.loads(row["versions"])} for row in made.to_dict("records")]
    packages = sorted({package for one in made_by for package in one["versions"]})
    return {
        "runs": n_runs,
        "ok": n_ok,
        "commits": sorted({one["commit"] for one in made_by}),
        "machines": sorted({one["machine"] for one in made_by}),
        "versions": {
            package: sorted({one["versions"][package] for one in made_by if package in one["versions"]})
            for package in packages
        },
        "sources": sources,
        "studies": studies,
    }


def outdated(experiments, origins):
    """Return experiment -> its methods whose kept runs were not all made by the present sources, and its studies that
    were not.

    Parameters
    ----------
    experiments : mapping of str to Experiment
    origins : dict of str to dict
        Experiment -> see `origin`. Runs that were kept before sources were kept with them count as outdated.
    """
    old = {}
    for name, one in origins.items():
        experiment = experiments[name]
        methods = {method: [digest] for method, digest in experiment.digests.items()}
        studies = {study: experiment.study_digest(study) for study in experiment.studies}
        old[name] = [method for method in methods if one.get("sources", {}).get(method) != methods[method]]
        old[name] += [study for study in studies if one.get("studies", {}).get(study) != studies[study]]
    return {name: names for name, names in old.items() if names}


def gaps(experiments, sheet, run):
    """Return experiment -> what is missing or outdated in a run; there are entries for claims and report, too.

    Parameters
    ----------
    experiments : mapping of str to Experiment
    sheet : mapping of str to rankbench.datasets.sheet.Row
    run : Path
        The checkout with the results.
    """
    reasons = {}
    for name, experiment in experiments.items():
        files = [Path(path) for path in experiment.result_files]
        absent = [path for path in files if not (run / path).exists() or not (run / note_of(path)).exists()]
        reasons[name] = [f"{counted(len(absent), 'result')} not there, such as {absent[0]}"] if absent else []
        reasons[name] += [*_unfinished(experiment, run)]
    for note, reason in Plan(experiments, sheet, run).refused():
        top, name, *more = note.parts
        if top == "results":
            reasons.setdefault(name if more else note.stem, []).append(f"{note}: {reason}")
    return {name: _shortened(lines) for name, lines in reasons.items() if lines}


def _unfinished(experiment, run):
    """Yield a line about the runs without a record, and one for each study that is not ok."""
    folder = run / "results" / experiment.name
    if experiment.methods and (folder / "records.parquet").exists():
        records = read_frame(folder / "records.parquet")[0]
        if n_missing := int((records["status"] == "missing").sum()):
            yield f"{n_missing} of {counted(len(records), 'run')} missing"
    for study in experiment.studies:
        if (note := folder / f"statistics/{study}.json").exists() and (status := read_note(note)["status"]) != "ok":
            yield f"the study {study} is {status}"


def _shortened(lines):
    return lines[0] + (f", and {len(lines) - 1} more" if len(lines) > 1 else "")


def several(origins):
    """Return one line that says which commits made which experiments; the empty string if it is one commit.

    Parameters
    ----------
    origins : dict of str to dict
        Experiment -> see `origin`.
    """
    by_commit = {}
    for name, one in origins.items():
        by_commit.setdefault(" and ".join(one["commits"]) or UNKNOWN, []).append(name)
    commits = {commit for one in origins.values() for commit in one["commits"]}
    one_commit = len(by_commit) == len(commits) == 1 and (only := next(iter(commits))) and not only.endswith(DIRTY)
    if one_commit or not origins:
        return ""
    *fewer, (most, names) = sorted(by_commit.items(), key=lambda part: len(part[1]))
    parts = [f"{commit} made {', '.join(names)}" for commit, names in fewer]
    other = "the other one" if len(names) == 1 else f"the other {counted(len(names), 'experiment')}"
    rest = other if fewer else "all experiments"
    return "; ".join([*parts, f"{most} made {rest}"])
