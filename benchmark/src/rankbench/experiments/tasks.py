"""What each job is asked to do, in plain values, and all files that are not what the experiments currently ask for.

A task names everything that decides what the job makes, except the files that it reads: arguments, the part of the
protocol, the digest of the sources. It is a parameter of the job, and the note of its files keeps it.
"""

from functools import partial
from pathlib import Path

from rankbench.datasets.fetch import task_of
from rankbench.datasets.own import fetched
from rankbench.datasets.registered import fault_of_files, fault_of_table, reading_digest
from rankbench.home import RESOURCES
from rankbench.registry import CLAIM_MODULES, FIGURES, PUBLISHED, STATED, STATISTICS, TABLES
from rankbench.sources import source_digest

from .files import digests, note_of, path_below
from .misfits import Made, digest_of_runs, reasons_of, runs_of, tried_again

EXPERIMENT = "rankbench.experiments.experiment"  # the module of what every statistic, table and figure is given


def of_table(row):
    """Return the task of reading the table of a data set."""
    return {"layout": row.layout, "source": reading_digest(row)}


def of_splits(experiment, dataset, condition):
    """Return the task of drawing splits of a data set under a condition."""
    return {
        "arguments": experiment.split_arguments(dataset, condition),
        "source": experiment.split_digest(dataset),
    }


def of_study(experiment, study):
    """Return the task of a study."""
    return {
        "experiment": experiment.studied(study).document,
        "arguments": experiment.study_arguments(study),
        "source": experiment.study_digest(study),
    }


def of_records(experiment):
    """Return the task of collecting the records of an experiment."""
    source = source_digest("rankbench.experiments.collect")
    return {"experiment": experiment.document, "digests": experiment.digests, "source": source}


def of_statistic(component, experiment):
    """Return the task of computing a statistic, which is a component of `rankbench.registry`."""
    return {"experiment": experiment.document, "source": source_digest(component.module, EXPERIMENT)}


def of_output(component, experiment, titles):
    """Return the task of writing a table or drawing a figure, which is a component of `rankbench.registry`."""
    source = source_digest(component.module, EXPERIMENT)
    return {"experiment": experiment.document, "titles": titles, "source": source}


def of_claims():
    """Return the task of judging the claims."""
    return {"source": source_digest("rankbench.ledger", *CLAIM_MODULES)}


def of_report():
    """Return the task of writing the report."""
    return {"source": source_digest("rankbench.report")}


def titles_of(experiment, sheet):
    """Return the titles of the data sets of an experiment: name -> title."""
    return {name: sheet[name].title for name in experiment.all_datasets}


def frames_there(root="."):
    """Return the paths of all frames by which claims are judged, of kept ones, and of all printed numbers; some need
    not exist."""
    folders = [*Path(root, "results").glob("*")]
    frames = [file for folder in folders for file in (folder / "records.parquet", *folder.glob("statistics/*.csv"))]
    return sorted([*frames, *RESOURCES.glob("reproduced/frames/*/statistics/*"), *PUBLISHED.values(), *STATED])


def shown_there(root="."):
    """Return the paths of all files that the report shows or reads; some need not exist."""
    root = Path(root)
    results = [file for of in ("tables/*.html", "figures/*.svg") for file in root.glob(f"results/*/{of}")]
    config = [*root.glob("config/**/*.yaml"), *root.glob("config/tables/*.json"), root / "config/datasets.tsv"]
    return sorted([*frames_there(root), *results, root / "results/claims.csv", *config])


def misfits(experiments, sheet, root=".", retry=()):
    """Return path of the note -> reason for all files that are there and are not what is asked for.

    Parameters
    ----------
    experiments : mapping of str to Experiment
    sheet : mapping of str to rankbench.datasets.sheet.Row or rankbench.datasets.own.OwnTable
    root : path
        The checkout.
    retry : sequence of str
        How runs and studies ended that are made again: ``timeout``, ``memory``, ``failed``, or ``all`` of them.
    """
    known = digests([*PUBLISHED.values(), *STATED], root)
    reasons = {}
    names = dict.fromkeys(name for experiment in experiments.values() for name in experiment.all_datasets)
    for name in fetched({name: sheet[name] for name in names}):
        reasons |= reasons_of(_data(sheet[name], root), known, root)
    known |= digests([Path(root, f"resources/tables/{name}.npz") for name in {*names} - {*fetched(sheet)}], root)
    for experiment in experiments.values():
        others = reasons_of(
            [*_splits(experiment), *runs_of(experiment, retry), *_studies(experiment, retry)], known, root
        )
        if others.keys().isdisjoint(experiment.run_files("json")):  # else they are collected again in any case
            known |= digest_of_runs(experiment, known)
        reasons |= others
        reasons |= reasons_of(_results(experiment, titles_of(experiment, sheet), root), known, root)
    return reasons | reasons_of(_conclusions(reasons, root), known, root)


def _data(row, root):
    """Yield the raw files and the table of a data set."""
    folder, table = f"resources/raw/{row.name}", f"resources/tables/{row.name}.json"
    files = {"folder": Path(root, folder), "table": Path(root, table)}
    yield Made(f"{folder}/source.json", task_of(row), fault=partial(fault_of_files, row, **files))
    yield Made(table, of_table(row), None, partial(fault_of_table, row))


def _splits(experiment):
    """Yield the splits that the runs and studies of an experiment read."""
    for dataset, condition in dict.fromkeys(cell[:2] for cell in experiment.cells):
        task, read = of_splits(experiment, dataset, condition), (f"resources/tables/{dataset}.npz",)
        for file in experiment.split_files(dataset, condition, range(experiment.seeds)):
            yield Made(str(note_of(file)), task, read)


def _studies(experiment, retry):
    for study in experiment.studies:
        read = [file for table, splits in experiment.study_files(study).values() for file in (table, *splits)]
        note = f"results/{experiment.name}/statistics/{study}.json"
        yield Made(note, of_study(experiment, study), tuple(read), lambda note: tried_again(note, retry))


def _results(experiment, titles, root):
    """Yield what is made of the records and studies of an experiment."""
    folder = f"results/{experiment.name}"
    if experiment.methods:
        for name in ("records", "test_scores"):
            yield Made(f"{folder}/{name}.json", of_records(experiment), (f"{folder}/jobs",))
    for name in experiment.outputs.get("statistics", ()):
        read = (f"{folder}/{STATISTICS[name].reads}.parquet",)
        yield Made(f"{folder}/statistics/{name}.json", of_statistic(STATISTICS[name], experiment), read)
    for kind, components in (("tables", TABLES), ("figures", FIGURES)):
        for name in experiment.outputs.get(kind, ()):
            frames = experiment.frames_of(components[name]).values()
            read = tuple(path_below(path, root) for path in frames)
            yield Made(f"{folder}/{kind}/{name}.json", of_output(components[name], experiment, titles), read)


def _conclusions(reasons, root):
    """Yield the ledger of claims and the report, which read whatever is there."""
    for note, files, task in (("claims", frames_there, of_claims), ("report", shown_there, of_report)):

        def fault(note, files=files):
            now, then = digests(files(root), root), note["read"]
            differing = sorted(path for path in {*now, *then} if now.get(path) != then.get(path))
            named = [path for path in differing if str(note_of(path)) not in reasons]  # the others are made again
            return f"made from different files: {', '.join(named[:3])}" if named else ""

        yield Made(f"results/{note}.json", task(), None, fault)
