"""What an experiment consists of: its jobs, what each is asked to do, and the files they leave."""

from itertools import product

from .components import constant_of
from .provenance import source_digest


def blocks(experiment):
    """Cut the seeds of an experiment into jobs: name of the block (``7`` or ``0-19``) -> tuple of its seeds."""
    seeds, size = experiment["seeds"], experiment["seeds_per_job"]
    cut = [tuple(range(start, min(start + size, seeds))) for start in range(0, seeds, size)]
    return {f"{b[0]}" if len(b) == 1 else f"{b[0]}-{b[-1]}": b for b in cut}


def jobs(experiment):
    """Yield (dataset, condition, method, block) of every job of an experiment."""
    yield from product(experiment["datasets"], experiment["conditions"], experiment["methods"], blocks(experiment))


def runs(name, experiment):
    """Yield (experiment, dataset, condition, method, seed), the identity of every run that is asked for."""
    parts = (experiment["datasets"], experiment["conditions"], experiment["methods"], range(experiment["seeds"]))
    yield from product([name], *parts)


def split_arguments(experiment, dataset, condition):
    """Return the arguments of `make_splits` that do not need the table; a condition may set the sizes anew."""
    changed = experiment["conditions"][condition]
    sizes = {key: changed[key] for key in ("n_train", "n_test", "n_pool") if key in changed}
    return {
        **experiment["datasets"][dataset],
        **sizes,
        "n_folds": experiment["tuning"]["folds"],
        "seeds": list(range(experiment["seeds"])),
        "every_rank": experiment.get("every_rank", False),
    }


def preprocess_of(experiment, condition):
    """Return ``scaling``, ``nominal`` and ``target`` of the experiment as its condition changes them."""
    return {**experiment["preprocess"], **experiment["conditions"][condition].get("preprocess", {})}


def pool_of(experiment, condition, method):
    """Return the fields of a `Task` about the pool and the pairs, as the condition changes them."""
    uses, changed = experiment["methods"][method], experiment["conditions"][condition]
    tune_on = {**experiment["tuning"], **changed.get("tuning", {})}.get("chosen_on", "validation")
    if "sampler" not in uses:
        return {"tune_on": tune_on}
    n_pairs = changed.get("n_pairs", uses.get("n_pairs"))
    wrong_pairs = changed.get("wrong_pairs", 0.0)
    return {"tune_on": tune_on, "sampler": uses["sampler"], "n_pairs": n_pairs, "wrong_pairs": wrong_pairs}


def method_task(name, experiment, method):
    """Return the fields of a `Task` that do not depend on the data; editing a source of it changes the digest."""
    uses = experiment["methods"][method]
    sources = [f"rankmargin.methods.{uses['uses']}", *(["rankmargin.sampling"] if "sampler" in uses else [])]
    return {
        "experiment": name,
        "method": method,
        "uses": uses["uses"],
        "params": uses["params"],
        "grid": uses["grid"],
        "preprocess": experiment["preprocess"],
        "metric": experiment["tuning"]["metric"],
        "metrics": experiment["metrics"],
        "limits": experiment["limits"],
        "source_digest": source_digest("rankbench.experiments.job", *sources),
    }


def job_task(name, experiment, dataset, condition, method, block):
    """Return all fields of the `Task` of one job."""
    data = {"dataset": dataset, "condition": condition, "seeds": blocks(experiment)[block]}
    preprocess = preprocess_of(experiment, condition)
    return {**method_task(name, experiment, method), "preprocess": preprocess, **data} | pool_of(
        experiment, condition, method
    )


def digests(name, experiment):
    """Return method -> digest of the sources that its records must be made by."""
    return {method: method_task(name, experiment, method)["source_digest"] for method in experiment["methods"]}


def job_stem(name, dataset, condition, method, block):
    """Return the path of a job's files without their ending (``.jsonl`` and ``.npz``)."""
    return f"results/{name}/jobs/{dataset}/{condition}/{method}/{block}"


def split_file(name, dataset, condition):
    """Return the path of the splits of a data set under a condition."""
    return f"resources/splits/{name}/{dataset}/{condition}.npz"


def study_arguments(experiment, study):
    """Return the arguments that the yaml sets for ``run`` of a study."""
    return {key: value for key, value in experiment["studies"][study].items() if key != "datasets"}


def study_tables(experiment, study):
    """Return data set -> path of its table, for a study."""
    return {name: f"resources/tables/{name}.npz" for name in experiment["studies"][study].get("datasets", ())}


def study_splits(name, experiment, study):
    """Return data set -> path of its splits under the first condition, where it is one of the experiment too."""
    shared = [dataset for dataset in study_tables(experiment, study) if dataset in experiment["datasets"]]
    return {dataset: split_file(name, dataset, next(iter(experiment["conditions"]))) for dataset in shared}


def study_digest(experiment, study):
    """Return the digest of the sources that a study stands on."""
    uses = experiment["studies"][study].get("uses")
    return source_digest(f"rankbench.studies.{study}", *([f"rankmargin.methods.{uses}"] if uses else []))


def datasets_of(experiment):
    """Return the names of all data sets of an experiment and its studies, each once."""
    studied = [name for study in experiment["studies"] for name in study_tables(experiment, study)]
    return [*dict.fromkeys([*experiment["datasets"], *studied])]


def frames_of(name, experiment, kind, output):
    """Return what a table or figure reads: name of the frame -> path."""
    needs = constant_of(f"rankbench.{kind}s.{output}", "NEEDS")
    paths = {need: f"results/{name}/statistics/{need}.csv" for need in needs}
    if "published" in experiment:
        paths["published"] = f"resources/published/{experiment['published']}"
    return paths


def result_files(name, experiment):
    """Return the paths of everything a reader opens: records, statistics, tables and figures."""
    outputs, folder = experiment["outputs"], f"results/{name}"
    return [
        *(f"{folder}/tables/{table}.{ending}" for table in outputs["tables"] for ending in ("html", "csv")),
        *(f"{folder}/figures/{figure}.svg" for figure in outputs["figures"]),
        *(f"{folder}/statistics/{statistic}.csv" for statistic in [*outputs["statistics"], *experiment["studies"]]),
        *([f"{folder}/records.parquet"] if experiment["methods"] else []),
    ]
