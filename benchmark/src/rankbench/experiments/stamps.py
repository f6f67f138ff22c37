"""What each file of some experiments is asked to be, and which files that are there are something else.

A job has a task and reads files. Its `Asked.stamp` is the digest of the task and of the stamps of what it reads, so it
changes with everything on which the files of the job depend: protocol, sources, script, data. Task and stamps are
parameters of the job, so that Snakemake runs it again when they change; and its note keeps them, so that whoever reads
its files can refuse those of another task (`rankbench.records.files.require`), also if Snakemake has forgotten it.
"""

import json
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from rankbench.configuration.labels import listed
from rankbench.datasets.own import fetched
from rankbench.records.files import Damaged, changed, digests, note_of, read_note, remove, stamp, stamp_of
from rankbench.records.home import RESOURCES, WORKFLOW
from rankbench.records.paths import CLAIMS, DRAWN, RECORDS, REPORT, SCORES, SHOWN, SOURCE, STATISTIC, TABLE
from rankbench.records.sources import parsed, source_digest
from rankbench.registry import CLAIM_MODULES, FIGURES, PUBLISHED, READERS, STATED, STATISTICS, TABLES

from .draw import DRAWN_BY

EXPERIMENT = "rankbench.experiments.experiment"  # the module of what every statistic, table and figure is given
AGAIN = ("timeout", "memory", "failed")  # how runs and studies end that are tried again on request


class Asked(NamedTuple):
    """What one job is asked to do, in plain values, and name -> stamp of what it reads."""

    task: dict
    read: dict

    @property
    def stamp(self):
        """The digest of both."""
        return stamp(self.task, self.read)


class Plan:
    """What the jobs of some experiments are asked to do.

    Parameters
    ----------
    experiments : mapping of str to Experiment
    sheet : mapping of str to rankbench.datasets.sheet.Row or rankbench.datasets.own.OwnTable
    root : path
        The checkout.
    """

    def __init__(self, experiments, sheet, root="."):
        self.experiments, self.sheet, self.root = experiments, sheet, Path(root)
        for one in (self.source, self.table, self.table_stamp, self.splits, self.runs, self.study, self.records):
            setattr(self, one.__name__, cache(one))

    # Data

    def source(self, dataset):
        """Return what is asked of fetching the bytes of a data set."""
        return Asked(self.sheet[dataset].pins, {})

    def table(self, dataset):
        """Return what is asked of reading the table of a data set of the sheet."""
        row = self.sheet[dataset]
        source = source_digest("rankbench.datasets.build", READERS[row.reader].module)
        task = {"layout": row.layout, "source": source}
        return Asked(task, {"script": script("build_table"), "bytes": self.source(dataset).stamp})

    def table_stamp(self, dataset):
        """Return the stamp of a table; that of a user's own table is one of its bytes."""
        own = dataset not in fetched(self.sheet)
        return stamp_of(self.root / TABLE.format(dataset=dataset)) if own else self.table(dataset).stamp

    def splits(self, name, dataset, condition):
        """Return what is asked of drawing splits of a data set under a condition of an experiment."""
        experiment = self.experiments[name]
        task = {
            "arguments": experiment.split_arguments(dataset, condition),
            "source": source_digest("rankbench.experiments.draw", DRAWN_BY[experiment.datasets[dataset].split]),
        }
        return Asked(task, {"script": script("split_table"), "table": self.table_stamp(dataset)})

    # Results

    def runs(self, name, dataset, condition, method):
        """Return what is asked of the runs of a cell, whatever their seeds are."""
        experiment = self.experiments[name]
        task = experiment.task(dataset, condition, method).settings
        read = {"table": self.table_stamp(dataset), "splits": self.splits(name, dataset, condition).stamp}
        return Asked(task, {"script": script("run_job"), **read})

    def study(self, name, study):
        """Return what is asked of a study; of each data set it reads the table and splits of the first condition."""
        experiment = self.experiments[name]
        task = {
            "experiment": experiment.studied(study).document,
            "arguments": {key: one for key, one in experiment.studies[study].items() if key != "datasets"},
            "source": experiment.study_digest(study),
        }
        first, datasets = next(iter(experiment.conditions), None), experiment.studies[study].get("datasets", ())
        split = [dataset for dataset in datasets if dataset in experiment.datasets]
        read = {dataset: self.table_stamp(dataset) for dataset in datasets}
        read |= {f"splits of {dataset}": self.splits(name, dataset, first).stamp for dataset in split}
        return Asked(task, {"script": script("run_study"), **read})

    def records(self, name):
        """Return what is asked of collecting the runs of an experiment: data set/condition/method -> their stamp."""
        experiment = self.experiments[name]
        source = source_digest("rankbench.experiments.collect")
        task = {"experiment": experiment.document, "digests": experiment.digests, "source": source}
        runs = {"/".join(cell): self.runs(name, *cell).stamp for cell in experiment.cells}
        return Asked(task, {"script": script("collect_records"), **runs})

    def statistic(self, name, statistic):
        """Return what is asked of a statistic."""
        source = source_digest(STATISTICS[statistic].module, EXPERIMENT)
        read = {"script": script("compute_statistic"), "runs": self.records(name).stamp}
        return Asked({"experiment": self.experiments[name].document, "source": source}, read)

    def output(self, name, component):
        """Return what is asked of a table or figure, a component of `rankbench.registry`."""
        experiment = self.experiments[name]
        titles = {dataset: self.sheet[dataset].title for dataset in experiment.all_datasets}
        source = source_digest(component.module, EXPERIMENT)
        task = {"experiment": experiment.document, "titles": titles, "source": source}
        frames = {need: self.study if need in experiment.studies else self.statistic for need in component.needs}
        read = {need: asked(name, need).stamp for need, asked in frames.items()}
        if experiment.published:
            read["published"] = stamp_of(PUBLISHED[experiment.published])
        return Asked(task, {"script": script("show_output"), **read})

    # All notes

    def notes(self, names):
        """Yield (path of the note, `Asked`) of each file of some experiments, in the order in which they are made."""
        datasets = dict.fromkeys(dataset for name in names for dataset in self.experiments[name].all_datasets)
        for dataset in fetched({dataset: self.sheet[dataset] for dataset in datasets}):
            yield Path(SOURCE.format(dataset=dataset)), self.source(dataset)
            yield note_of(TABLE.format(dataset=dataset)), self.table(dataset)
        for name in names:
            experiment, of = self.experiments[name], partial(str.format, experiment=name)
            for dataset, condition in dict.fromkeys(cell[:2] for cell in experiment.cells):
                for file in experiment.split_files(dataset, condition, range(experiment.seeds)):
                    yield note_of(file), self.splits(name, dataset, condition)
            for file, (_, *cell, _) in zip(experiment.run_files, experiment.runs, strict=True):
                yield note_of(file), self.runs(name, *cell)
            for study in experiment.studies:
                yield note_of(of(STATISTIC, statistic=study)), self.study(name, study)
            for file in (RECORDS, SCORES) if experiment.methods else ():
                yield note_of(of(file)), self.records(name)
            for statistic in experiment.outputs.get("statistics", ()):
                yield note_of(of(STATISTIC, statistic=statistic)), self.statistic(name, statistic)
            for table in experiment.outputs.get("tables", ()):
                yield note_of(of(SHOWN, table=table)), self.output(name, TABLES[table])
            for figure in experiment.outputs.get("figures", ()):
                yield note_of(of(DRAWN, figure=figure)), self.output(name, FIGURES[figure])

    def refused(self, names=None):
        """Yield (path of the note, why) for files of experiments, by default of all, that are there and are not what is
        asked for."""
        for note, asked in self.notes(self.experiments if names is None else names):
            if why := fault(self.root / note, asked):
                yield note, why

    def retried(self, retry=()):
        """Yield (path of the note, why) for what is tried again: bytes and tables that no source had, runs that other
        limits may end otherwise, and runs and studies that ended with a status of `retry` (``all``: with any)."""
        statuses = AGAIN if "all" in retry else retry
        for note, _ in self.notes(self.experiments):
            made = noted(self.root / note)
            ended = made.get("record", made)
            if made.get("absent") and "status" not in made:  # of a study, it names data sets
                yield note, "no source had it"
            elif ended.get("status") in statuses:
                yield note, f"{ended['status']} before"
            elif why := "record" in made and other_limits(ended, self.experiments[ended["experiment"]].limits):
                yield note, why

    def remove(self, notes):
        """Remove files and what was made of them: Snakemake does not miss a file that only jobs read."""
        gone, notes = set(), {*notes}
        for note, asked in self.notes(self.experiments):
            if note in notes or not gone.isdisjoint(asked.read.values()):
                gone.add(asked.stamp)
                notes.add(note)
        for note in notes:
            remove(self.root / note)


@cache
def script(name):
    """Return a digest of the code of a script of the workflow."""
    return parsed((WORKFLOW / f"scripts/{name}.py").read_bytes())[1][:16]


def fault(note, asked):
    """Return how files that are there differ from what is asked for; the empty string if they do not, or are not there.

    Parameters
    ----------
    note : Path
        Their note.
    asked : Asked
    """
    try:
        made = read_note(note)
    except FileNotFoundError:
        return ""
    except Damaged as error:
        return error.why
    for what, key, now in (("for a different task", "task", asked.task), ("from other versions", "read", asked.read)):
        then, now = made[key], json.loads(json.dumps(now))
        if differing := sorted(name for name in {*then, *now} if then.get(name) != now.get(name)):
            return f"made {what}: {listed(differing, 3)}"
    return changed(note, made)


def other_limits(record, limits):
    """Return why a run is tried again because the limits of its experiment have changed.

    A run that ended by itself would do so under longer limits too, and one that was stopped would be stopped by shorter
    ones.
    """
    changed = [key for key, value in record.get("limits", {}).items() if limits[key] != value]
    longer = [key for key in changed if limits[key] > record["limits"][key]]
    if record.get("status") in ("timeout", "memory"):
        return f"stopped by a limit that is longer now: {', '.join(longer)}" if longer else ""
    shorter = sorted({*changed} - {*longer})
    return f"made under longer limits than the current ones: {', '.join(shorter)}" if shorter else ""


def conclusions_refused(root="."):
    """Yield (path of the note, why) if the verdicts or the report are not of what is there."""
    asked = Asked(of_report(), digests(read_there(root), root))
    for path in (CLAIMS, REPORT):
        if why := fault(Path(root, note_of(path)), asked):
            yield note_of(path), why


def of_report():
    """Return the task of judging the claims and writing the report, which read whatever is there (`read_there`)."""
    return {"source": source_digest("rankbench.report", *CLAIM_MODULES)}


def read_there(root="."):
    """Return the paths of all files by which claims are judged, of kept frames too, and of those that the report shows;
    some need not exist."""
    root = Path(root)
    results = ("records.parquet", "statistics/*.csv", "tables/*.html", "figures/*.svg")
    config = [*root.glob("config/**/*.yaml"), *root.glob("config/tables/*.json"), root / "config/datasets.tsv"]
    kept = RESOURCES.glob("reproduced/frames/*/statistics/*")
    found = [file for of in results for file in root.glob(f"results/*/{of}")]
    return sorted([*found, *config, *kept, *PUBLISHED.values(), *STATED])


def grouped(reasons):
    """Return one line for each reason of (path, reason): three of the paths, and how many more."""
    by_reason = {}
    for path, why in reasons:
        by_reason.setdefault(why, []).append(str(path))
    return [f"{listed(paths, 3)}: {why}" for why, paths in by_reason.items()]


def noted(path):
    """Return what a note says; nothing if there is none, or none that can be read."""
    try:
        return read_note(path)
    except (FileNotFoundError, Damaged):
        return {}
