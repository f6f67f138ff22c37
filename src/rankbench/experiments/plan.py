"""The plan of an experiment: its jobs, their tasks, and the files that they make."""

import hashlib
import json
from itertools import product

from rankbench.datasets.readers import readers_of
from rankbench.home import PUBLISHED
from rankmargin.sources import closure, source_digest

from .components import constant_of
from .draw import DRAWN_BY
from .methods import sources_of


def cells(experiment):
    """Yield (dataset, condition, method) for all cells of an experiment; a condition or a method may be for some data
    sets only."""
    for dataset, condition, method in product(experiment["datasets"], experiment["conditions"], experiment["methods"]):
        parts = experiment["conditions"][condition], experiment["methods"][method]
        if all(dataset in part.get("datasets", (dataset,)) for part in parts):
            yield dataset, condition, method


def runs(name, experiment):
    """Yield (experiment, dataset, condition, method, seed), the identity of every run of the protocol."""
    yield from ((name, *cell, seed) for cell, seed in product(cells(experiment), range(experiment["seeds"])))


SIZES = ("n_train", "n_test", "n_pool", "equality", "inequality", "test")  # keys that a condition may change


def split_arguments(experiment, dataset, condition):
    """Return the arguments of `rankbench.experiments.draw.draw` except table, seed and names.

    A condition may change the sizes.
    """
    changed = experiment["conditions"][condition]
    sizes = {**experiment["datasets"][dataset], **{key: changed[key] for key in SIZES if key in changed}}
    for name in ("attributes", "params"):
        sizes.pop(name, None)
    tuning = experiment["tuning"]
    if "split" not in sizes:
        how = {key: experiment[key] for key in ("every_rank", "disjoint_training") if key in experiment}
        return {**sizes, **how, "n_folds": tuning["folds"]}
    cuts = {"n_folds": tuning["folds"]} if "folds" in tuning else {}
    return {**sizes, **cuts, **{key: tuning[key] for key in ("shares", "first_periods") if key in tuning}}


def part_sizes(experiment, dataset, condition):
    """Return the sizes of the training and the test part; 0 if they depend on the table."""
    sizes = split_arguments(experiment, dataset, condition)
    if sizes.get("split") == "comparisons":
        return tuple(part["equality"] + part["inequality"] for part in (sizes, sizes.get("test", sizes)))
    return tuple(0 if (size := sizes.get(key, 0)) == "rest" else size for key in ("n_train", "n_test"))


def preprocess_of(experiment, condition, method):
    """Return ``scaling``, ``nominal`` and ``target`` of the experiment, with the changes of the condition and the
    method.
    """
    changes = (experiment["conditions"][condition], experiment["methods"][method])
    return {**experiment["preprocess"], **{k: v for part in changes for k, v in part.get("preprocess", {}).items()}}


def params_of(experiment, dataset, condition, method):
    """Return the fixed parameters of a method, with the changes of its data set and then of its condition.

    A baseline keeps its own.
    """
    if experiment["methods"][method].get("baseline"):
        return dict(experiment["methods"][method]["params"])
    entries = experiment["methods"][method], experiment["datasets"][dataset], experiment["conditions"][condition]
    return {name: value for entry in entries for name, value in entry.get("params", {}).items()}


def pool_of(experiment, condition, method):
    """Return the fields of a `Task` about the pool and the pairs, with the changes of the condition."""
    uses, changed = experiment["methods"][method], experiment["conditions"][condition]
    tuning = {**experiment["tuning"], **changed.get("tuning", {}), **uses.get("tuning", {})}
    tune_on = tuning.get("chosen_on", "validation")
    if "sampler" not in uses:
        return {"tune_on": tune_on}
    n_pairs = changed.get("n_pairs", uses.get("n_pairs"))
    wrong_pairs = changed.get("wrong_pairs", 0.0)
    return {"tune_on": tune_on, "sampler": uses["sampler"], "n_pairs": n_pairs, "wrong_pairs": wrong_pairs}


def digest_of(modules, methods):
    """Return the digest of the sources of modules and of entries of ``methods``."""
    sources = [sources_of(entry["uses"]) for entry in methods]
    sampling = ["rankmargin.sampling"] if any("sampler" in entry for entry in methods) else []
    ours = [name for named, _ in sources for name in named]
    return source_digest(*modules, *ours, *sampling, others=tuple(name for _, named in sources for name in named))


def warm_up_task(experiment, method):
    """Return the task of `rankbench.experiments.job.compile_method` for a method. It does not name the experiment, so
    methods of several experiments share it.
    """
    task = method_task("", experiment, method)
    first = {name: values[:1] for name, values in task["grid"].items()}
    return {**{key: task[key] for key in ("uses", "params", "metric", "source_digest")}, "grid": first}


def digest_of_task(task):
    """Return 16 hexadecimal digits of the sha256 of a task."""
    return hashlib.sha256(json.dumps(task, sort_keys=True).encode()).hexdigest()[:16]


def warm_ups(experiments):
    """Return digest -> task of everything that is compiled before the runs of experiments."""
    tasks = [
        warm_up_task(experiment, method) for experiment in experiments.values() for method in experiment["methods"]
    ]
    return {digest_of_task(task): task for task in tasks}


def method_task(name, experiment, method):
    """Return the fields of a `Task` that do not depend on the data; an edit of one of its sources changes the
    digest."""
    uses = experiment["methods"][method]
    return {
        "experiment": name,
        "method": method,
        "uses": uses["uses"],
        "params": uses["params"],
        "grid": uses["grid"],
        "preprocess": experiment["preprocess"],
        "metric": experiment["tuning"]["metric"],
        "source_digest": digest_of(["rankbench.experiments.job"], [uses]),
    }


def job_task(name, experiment, dataset, condition, method):
    """Return all fields of the `Task` of the runs of one data set, condition and method."""
    seen = {**experiment["datasets"][dataset], **experiment["methods"][method]}.get("attributes", ())
    data = {"dataset": dataset, "condition": condition, "attributes": tuple(seen)}
    changed = {
        "preprocess": preprocess_of(experiment, condition, method),
        "params": params_of(experiment, dataset, condition, method),
    }
    return {**method_task(name, experiment, method), **changed, **data, **pool_of(experiment, condition, method)}


def stopped_by_less(path, limits):
    """Return whether the record at a path is of a run that was stopped by a limit below the present one."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        lower = any(limits[key] > value for key, value in record.get("limits", {}).items())
        return lower and record["status"] in ("timeout", "memory")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False  # there is none, or it is damaged: whatever collects it will find that


def digests(name, experiment):
    """Return method -> digest of the sources by which its records must be made."""
    return {method: method_task(name, experiment, method)["source_digest"] for method in experiment["methods"]}


def run_files(name, experiment, ending):
    """Return the path of the file with that ending (``json`` or ``npz``) of every run, in the order of `runs`."""
    return ["results/{}/jobs/{}/{}/{}/{}.{}".format(*run, ending) for run in runs(name, experiment)]


def split_files(name, experiment, dataset, condition, seeds):
    """Return the paths of splits under a condition: conditions that ask for the same have the same files."""
    asked = split_arguments(experiment, dataset, condition)
    first = next(other for other in experiment["conditions"] if split_arguments(experiment, dataset, other) == asked)
    return [f"resources/splits/{name}/{dataset}/{first}/{seed}.npz" for seed in seeds]


def split_digest(experiment, dataset, condition):
    """Return the digest of the sources of the splits of a data set."""
    kind = split_arguments(experiment, dataset, condition).get("split", "hold_out")
    return source_digest("rankbench.experiments.draw", DRAWN_BY[kind])


def table_digest(row):
    """Return the digest of the sources of the table of a row of the sheet, for all readers that its file may need."""
    readers = (f"rankbench.datasets.readers.{name}" for name in readers_of(row))
    return source_digest("rankbench.datasets.build", *readers)


def study_arguments(experiment, study):
    """Return the arguments that the yaml sets for ``run`` of a study."""
    return {key: value for key, value in experiment["studies"][study].items() if key != "datasets"}


def is_timed(study):
    """Return whether a study measures times."""
    return "rankbench.studies._seconds" in closure([f"rankbench.studies.{study}"])


def study_tables(experiment, study):
    """Return data set -> path of its table, for a study."""
    return {name: f"resources/tables/{name}.npz" for name in experiment["studies"][study].get("datasets", ())}


def study_files(name, experiment, study):
    """Return data set -> its table and, if the experiment has the data set too, its splits under the first
    condition."""
    first, seeds = next(iter(experiment["conditions"]), None), range(experiment["seeds"])
    shared = {
        dataset: split_files(name, experiment, dataset, first, seeds)
        for dataset in study_tables(experiment, study)
        if dataset in experiment["datasets"]
    }
    return {dataset: (path, shared.get(dataset, [])) for dataset, path in study_tables(experiment, study).items()}


def study_experiment(experiment, study):
    """Return the part of the yaml that a study gets: the keys that it reads, and only one method if it names one."""
    given = {key: experiment[key] for key in constant_of(f"rankbench.studies.{study}", "READS", ())}
    method = experiment["studies"][study].get("method")
    if "methods" in given and method is not None:
        given["methods"] = {method: experiment["methods"][method]}
    return given


def study_digest(experiment, study):
    """Return the digest of the sources of a study, including those of the methods that it fits."""
    named = experiment["studies"][study]
    fitted = [*([named] if "uses" in named else []), *study_experiment(experiment, study).get("methods", {}).values()]
    return digest_of([f"rankbench.studies.{study}"], fitted)


def datasets_of(experiment):
    """Return the names of all data sets of an experiment and its studies, each once."""
    studied = [name for study in experiment["studies"] for name in study_tables(experiment, study)]
    return [*dict.fromkeys([*experiment["datasets"], *studied])]


def frames_of(name, experiment, kind, output):
    """Return the frames that a table or figure reads: name of the frame -> path."""
    needs = constant_of(f"rankbench.{kind}s.{output}", "NEEDS")
    paths = {need: f"results/{name}/statistics/{need}.csv" for need in needs}
    if "published" in experiment:
        paths["published"] = str(PUBLISHED / experiment["published"])
    return paths


def frame_files(name, experiment):
    """Return the paths of the frames by which claims are judged: records and statistics."""
    statistics = [*experiment["outputs"]["statistics"], *experiment["studies"]]
    records = [f"results/{name}/records.parquet"] if experiment["methods"] else []
    return [*(f"results/{name}/statistics/{statistic}.csv" for statistic in statistics), *records]


def result_files(name, experiment):
    """Return the paths of all results for readers: tables, figures, statistics and records."""
    outputs, folder = experiment["outputs"], f"results/{name}"
    return [
        *(f"{folder}/tables/{table}.{ending}" for table in outputs["tables"] for ending in ("html", "csv")),
        *(f"{folder}/figures/{figure}.svg" for figure in outputs["figures"]),
        *frame_files(name, experiment),
    ]
