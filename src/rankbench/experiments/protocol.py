"""Read and check the configuration and the yaml files of the experiments: every fault is reported before any job is
planned."""

import inspect
from pathlib import Path
from typing import NotRequired

from typing_extensions import TypedDict

from rankbench.checked import KEYS, faults_of, meant
from rankbench.compare.own import load_datasets
from rankbench.registry import FIGURES, PAPERS, PUBLISHED, STATISTICS, STUDIES, TABLES
from rankmargin import metrics, sampling

from .experiment import Experiment
from .methods import arguments_of, is_absent, method_names, path_of, takes_pairs
from .model import Config, Protocol
from .protocol_of_pairs import foreign_sizes, kind_faults, set_faults, tuning_faults
from .strict_yaml import ProtocolError, read_yaml

CONFIG = "config/config.yaml"
DRAWN = ("hold_out", "groups")  # kinds of splits that need both sizes
METRICS = {name: getattr(metrics, name) for name in metrics.__all__ if name != "get_scorer"}
OUTPUTS = {"statistics": STATISTICS, "tables": TABLES, "figures": FIGURES}


def files_of(root="."):
    """Return name -> yaml file of every experiment of a checkout, sorted by name, subfolders included."""
    files = Path(root, "config/experiments").rglob("*.yaml")
    return {file.stem: file for file in sorted(files, key=lambda file: file.stem)}


def load_asked(names=(), root="."):
    """Read the experiments of these names, by default those of ``config/config.yaml``, and the sheet of data sets."""
    config, sheet = read_yaml(Path(root, CONFIG)), load_datasets(root)
    return load_experiments({**config, "experiments": list(names or config["experiments"])}, sheet, root), sheet


def load_experiments(config, sheet, root="."):
    """Read and check the experiments that a configuration asks for.

    Parameters
    ----------
    config : dict
        ``config/config.yaml``, with the values that were given on the command line.
    sheet : mapping of str to rankbench.datasets.sheet.Row
    root : path
        The checkout.

    Returns
    -------
    dict of str to Experiment
        ``seeds_per_job`` comes from the configuration if it is set there.

    Raises
    ------
    ProtocolError
    """
    root = Path(root)
    listed = read_yaml(root / CONFIG).get("experiments") or []
    check_keys(config, Config, CONFIG)
    known = files_of(root)
    unknown = [name for name in config["experiments"] if name not in known]
    here = {CONFIG: listed, "command line or overlay": set(unknown) - set(listed)}
    for file, names in here.items():
        faults = [
            f"experiments: unknown name {name!r}; {meant(name, sorted(known))}" for name in unknown if name in names
        ]
        refuse(file, faults)
    experiments = {}
    for name in config["experiments"]:
        document, file = read_yaml(known[name]), known[name].relative_to(root)
        check_keys(document, Protocol, file)
        changed = {key: config[key] for key in ("seeds_per_job",) if key in config}
        experiment = Experiment.of(document, name=name, file=str(file), **changed)
        check_experiment(experiment, sheet, file)
        experiments[name] = experiment.with_rows(sheet)
    return experiments


def check_keys(document, kind, file):
    """Check the keys of a document, and each value alone.

    Raises
    ------
    ProtocolError
        Lists every fault with the file, the key and the accepted values.
    """
    refuse(file, faults_of(kind, document))


def refuse(file, faults):
    """Raise a ProtocolError with one line per fault, if there are any."""
    if faults:
        lines = (" ".join(fault.split("\n")) for fault in faults)  # a name may hold a line break
        raise ProtocolError("\n".join(f"{file}: {line}" for line in lines))


def check_experiment(experiment, sheet, file):
    """Check what a schema cannot check: that all names exist and that the sizes fit.

    Parameters
    ----------
    experiment : Experiment
    sheet : mapping of str to rankbench.datasets.sheet.Row
    file : path
        Named in the messages.

    Raises
    ------
    ProtocolError
    """
    faults = []

    def require(key, name, known):
        if name not in known:
            faults.append(f"{key}: unknown name {name!r}; {meant(name, sorted(known))}")

    for name in experiment.datasets:
        require("datasets", name, sheet)
        faults += _size_faults(experiment, name, sheet)
    for name, method in experiment.methods.items():
        faults += _method_faults(f"methods.{name}", method)
        faults += _search_faults(f"methods.{name}", method, experiment)
        faults += _changed_params_faults(name, experiment)
        faults += _sampler_faults(f"methods.{name}", method, experiment)
        faults += kind_faults(f"methods.{name}", method, experiment.datasets, sheet)
    if experiment.methods:
        require("reference_method", experiment.reference_method, experiment.methods)
        if experiment.reference_method in [name for name, method in experiment.methods.items() if method.baseline]:
            faults.append("reference_method: must be a method that learns, got a baseline")
        faults += tuning_faults(experiment.tuning)
        faults += _target_faults(experiment)
        require("tuning.metric", experiment.tuning.metric, METRICS)
    for name in experiment.metrics:
        require("metrics", name, METRICS)
    if experiment.paper:
        require("paper", experiment.paper, [paper.name for paper in PAPERS])
    if experiment.published:
        require("published", experiment.published, PUBLISHED)
    for name, study in experiment.studies.items():
        require("studies", name, STUDIES)
        for dataset in study.get("datasets", ()):
            require(f"studies.{name}.datasets", dataset, sheet)
        if name in STUDIES:
            faults += _study_faults(name, study)
    for kind, names in experiment.outputs.items():
        for name in names:
            require(f"outputs.{kind}", name, OUTPUTS[kind])
            if kind != "statistics" and name in OUTPUTS[kind]:
                faults += _need_faults(kind, name, experiment)
    refuse(file, [*dict.fromkeys(faults)])


def _size_faults(experiment, dataset, sheet):
    """Yield the faults in the sizes of the parts of a data set under each condition."""
    data, tuning = experiment.datasets[dataset], experiment.tuning
    if absent := [key for key in ("n_train", "n_test") if getattr(data, key) is None and data.split in DRAWN]:
        yield from (f"datasets.{dataset}.{key}: missing key" for key in absent)
        return
    for condition, changed in experiment.conditions.items():
        only = [dataset] if changed.datasets is None else changed.datasets
        if unknown := sorted(set(only) - set(experiment.datasets)):
            why_refused = meant(unknown[0], experiment.datasets)
            yield f"conditions.{condition}.datasets: unknown name {unknown[0]!r}; {why_refused}"
        if dataset not in only:
            continue
        sizes = {**data.sizes, **changed.sizes}
        whole = sheet[dataset].kept_whole if dataset in sheet else ""
        if bool(whole) != (data.split == "groups"):
            why = f"{dataset} has {whole or 'no groups'}"
            why_refused = f"must be groups, because {why}" if whole else why
            yield f"datasets.{dataset}.split: {why_refused}"
        elif whole and ("n_pool" in sizes or experiment.every_rank):
            yield f"datasets.{dataset}.split: groups cannot be combined with n_pool or every_rank"
        if data.split not in DRAWN:
            yield from set_faults(experiment, dataset, condition, sizes, sheet)
            continue
        if foreign := foreign_sizes(data, sizes):
            yield f"datasets.{dataset}: {', '.join(foreign)} must come with split: comparisons"
        if experiment.disjoint_training:
            yield from _disjoint_faults(experiment, dataset, sizes, sheet)
        parts = ("n_train", "n_test", "n_pool")
        key = f"conditions.{condition}" if {*parts} & changed.sizes.keys() else f"datasets.{dataset}"
        named = [part for part in parts if part in sizes]
        n_rows = sum(2 if sizes[part] == "rest" else sizes[part] for part in named)
        if dataset in sheet and n_rows > sheet[dataset].rows:
            yield f"{key}: {' + '.join(named)} = {n_rows}, but {dataset} has {sheet[dataset].rows} rows"
        if [*sizes.values()].count("rest") > 1:
            yield f"{key}: only one of n_test and n_pool may be rest"
        if tuning.folds is None:
            yield f"tuning.folds: missing key; it is required because hold-outs of {dataset} are drawn"
        elif sizes["n_train"] < tuning.folds:
            yield f"{key}.n_train: must be >= tuning.folds, got {sizes['n_train']}"


def _disjoint_faults(experiment, dataset, sizes, sheet):
    """Yield a fault if the data set has too few rows for disjoint training parts of all seeds."""
    n_rows = experiment.seeds * sizes["n_train"]
    if dataset in sheet and n_rows > sheet[dataset].rows:
        yield f"disjoint_training: seeds x n_train = {n_rows}, but {dataset} has {sheet[dataset].rows} rows"
    if experiment.every_rank:
        yield "disjoint_training: cannot be combined with every_rank"


def _target_faults(experiment):
    """Yield the keys that standardise the target although a metric compares ranks: only the raw target has ranks."""
    named = {experiment.tuning.metric: None, **dict.fromkeys(experiment.metrics)}
    of_ranks = [name for name in named if name in METRICS and "ranks" in inspect.signature(METRICS[name]).parameters]
    places = {"": experiment}
    places |= {f"conditions.{name}.": condition for name, condition in experiment.conditions.items()}
    places |= {f"methods.{name}.": method for name, method in experiment.methods.items()}
    for place, entry in places.items():
        if of_ranks and entry.preprocess.get("target") == "standardised":
            yield f"{place}preprocess.target: standardised has no ranks for {', '.join(of_ranks)}; accepted: raw"


def _method_faults(key, method):
    """Yield the faults in one entry of ``methods``."""
    yield from _argument_faults(key, method.uses, {"params": method.params, "grid": method.grid})
    for name in sorted(method.params.keys() & method.grid.keys()):
        yield f"{key}.grid.{name}: is also set in params"
    if method.tuning.chosen_on == "bins" and "n_bins" not in method.params:
        yield f"{key}.tuning.chosen_on: bins needs n_bins in params"


def _search_faults(key, method, experiment):
    """Yield the faults in the ranges of one entry of ``methods`` and in the budget of their search."""
    budget = experiment.tuning.budget
    for name, axis in method.grid.items():
        if not isinstance(axis, dict):
            continue
        if not budget:
            yield f"{key}.grid.{name}: a range needs tuning.budget"
        if "first" not in axis and _is_known(method.uses) and path_of(method.uses) == name:
            yield f"{key}.grid.{name}.first: missing key; fits of {method.uses} are started along {name}"
        if not (axis["low"] < axis["high"] and (axis["low"] > 0 or axis["scale"] != "log")):
            yield f"{key}.grid.{name}: needs low < high, and low > 0 on a log scale, got {axis['low']}, {axis['high']}"
    if method.stops and _is_known(method.uses) and method.stops not in arguments_of(method.uses):
        yield f"{key}.stops: unknown name; {meant(method.stops, arguments_of(method.uses))}"
    tunings = (experiment.tuning, method.tuning, *(changed.tuning for changed in experiment.conditions.values()))
    if budget and any(tuning.chosen_on == "test" for tuning in tunings):
        yield "tuning.budget: a choice on the test part tries every point of a grid"


def _changed_params_faults(name, experiment):
    """Yield the faults in the ``params`` of data sets and conditions, which every method must accept."""
    method = experiment.methods[name]
    if method.baseline or not _is_known(method.uses):
        return
    accepted = arguments_of(method.uses)
    for kind, entries in (("datasets", experiment.datasets), ("conditions", experiment.conditions)):
        for part, entry in entries.items():
            for argument, value in entry.params.items():
                key = f"{kind}.{part}.params.{argument}"
                yield from _float_faults(key, argument, value)
                if argument not in accepted:
                    yield f"{key}: unknown key for the method {name}; {meant(argument, accepted)}"
                elif argument in method.grid:
                    yield f"{key}: is also in the grid of {name}"


def _sampler_faults(key, method, experiment):
    """Yield the faults in the ``sampler`` and ``n_pairs`` of one entry of ``methods``."""
    if not method.sampler:
        if method.n_pairs:
            yield f"{key}.n_pairs: needs a sampler"
        return
    if method.sampler not in sampling.SAMPLERS:
        yield f"{key}.sampler: unknown name {method.sampler!r}; {meant(method.sampler, sampling.SAMPLERS)}"
    if _is_known(method.uses) and not takes_pairs(method.uses):
        yield f"{key}.sampler: {method.uses} takes no pairs"
    for condition, changed in experiment.conditions.items():
        if not (method.n_pairs or changed.n_pairs):
            yield f"{key}.n_pairs: missing key; set it here or in conditions.{condition}"
        for dataset, data in experiment.datasets.items():
            if not (data.n_pool or changed.n_pool):
                yield f"datasets.{dataset}.n_pool: missing key; the sampler of {key} needs a pool"


def _study_faults(name, study):
    """Yield the faults in the arguments of one study."""
    key = f"studies.{name}"
    keys = TypedDict(name, {**STUDIES[name].arguments, "datasets": NotRequired[list]})
    keys.__pydantic_config__ = KEYS
    yield from (f"{key}.{fault}" for fault in faults_of(keys, study))


def _need_faults(kind, name, experiment):
    """Yield what a table or figure needs and the experiment does not have: studies, a metric, exactly one condition."""
    output = OUTPUTS[kind][name]
    for need in output.needs:
        if need in STUDIES and need not in experiment.studies:
            yield f"studies.{need}: missing key; {name} of outputs.{kind} needs it"
    for key in output.one:
        if len(entries := getattr(experiment, key)) != 1:
            yield f"{key}: {name} of outputs.{kind} needs exactly one, got {', '.join(entries)}"
    if output.metric and output.metric not in experiment.metrics:
        yield f"metrics: {name} of outputs.{kind} needs {output.metric}, got {', '.join(experiment.metrics)}"


def _argument_faults(key, uses, parts):
    """Yield the faults in the arguments of a method; `given` maps ``params`` and ``grid`` to their entries."""
    if faults := _uses_faults(f"{key}.uses", uses):
        yield from faults
        return
    if is_absent(uses):
        return
    path, accepted = path_of(uses), arguments_of(uses)
    for part, names in parts.items():
        for name in sorted(names.keys() - set(accepted)):
            yield f"{key}.{part}.{name}: unknown key; {meant(name, accepted)}"
        for name, values in names.items():
            for value in values if isinstance(values, list) else [] if isinstance(values, dict) else [values]:
                yield from _float_faults(f"{key}.{part}.{name}", name, value)
    if path and not any(path in names for names in parts.values()):
        yield f"{key}.{[*parts][-1]}.{path}: missing key; {uses} needs it in {' or '.join(parts)}"


def _float_faults(key, argument, value):
    """Yield a fault for a float such as 5.0 where an integer is expected: every run would fail on it."""
    counts = argument.startswith("n_") or argument in ("max_iter", "epochs", "degree")
    if counts and isinstance(value, float) and value.is_integer():
        yield f"{key}: must be an integer, got {value}; write {int(value)}"


def _uses_faults(key, uses):
    """Return the fault in the name of a method, as a list of at most one line."""
    if isinstance(uses, str) and "." not in uses and uses not in method_names():
        return [f"{key}: unknown name {uses!r}; {meant(uses, method_names())}, or the dotted path of an estimator"]
    if is_absent(uses):
        return []
    try:
        arguments_of(uses)
    except ValueError as error:
        return [f"{key}: {error}"]
    return []


def _is_known(uses):
    """Return whether the parameters of a method can be looked at."""
    return not is_absent(uses) and not _uses_faults("", uses)
