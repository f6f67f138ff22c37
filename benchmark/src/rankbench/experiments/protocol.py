"""Read and check the configuration and the yaml files of the experiments: every fault is reported before any job is
planned."""

import importlib
import inspect
from itertools import chain, pairwise
from pathlib import Path

from rankbench.configuration.checked import checked
from rankbench.configuration.labels import meant, one_line
from rankbench.configuration.model import Config
from rankbench.configuration.strict_yaml import ProtocolError, read_yaml
from rankbench.datasets.own import load_datasets
from rankbench.registry import FIGURES, PAPERS, PUBLISHED, STATISTICS, STUDIES, TABLES

from .draw import DRAWN_BY
from .experiment import Experiment
from .measures import METRICS
from .methods import arguments_of, input_of, is_absent
from .solved import method_names

CONFIG = "config/config.yaml"
COMMAND = f"{CONFIG}, the command line or an overlay"
# Argument of the function that draws a split -> key of the yaml; the others are sizes
KEY_OF = {"n_folds": "tuning.folds", "shares": "tuning.shares", "first_periods": "tuning.first_periods"}
KEY_OF |= {key: key for key in ("every_rank", "disjoint_training")}
GIVEN = ("table", "seed", "names")  # to the function that draws a split, whatever the yaml says
OUTPUTS = {"statistics": STATISTICS, "tables": TABLES, "figures": FIGURES}


def files_of(root="."):
    """Return name -> yaml file of every experiment of a checkout, sorted by name, subfolders included."""
    found = sorted(Path(root, "config/experiments").rglob("*.yaml"), key=lambda file: (file.stem, file))
    for one, other in pairwise(found):
        if one.stem == other.stem:
            same = f"has the same name as {one.relative_to(root)}; names must differ"
            raise ProtocolError(f"{other.relative_to(root)}: {same}")
    return {file.stem: file for file in found}


def read_config(root="."):
    """Return ``config/config.yaml`` after a check of its keys."""
    return checked(Config, read_yaml(Path(root, CONFIG)), CONFIG)


def load_asked(names=(), root="."):
    """Read the experiments of these names, which may have commas between them, by default those of
    ``config/config.yaml``, and the sheet of data sets."""
    config, sheet = read_config(root), load_datasets(root)
    return load_experiments({**config, "experiments": ",".join(names) or config["experiments"]}, sheet, root), sheet


def names_of(config, known):
    """Return the names of the experiments that a configuration asks for, each once.

    Parameters
    ----------
    config : dict
        ``experiments`` is a list, or a text as on the command line; ``all`` stands for the list of that name, or for
        all experiments where there is none.
    known : sequence of str
        All experiments.
    """
    asked = config["experiments"]
    names = asked.replace(",", " ").split() if isinstance(asked, str) else asked
    meant = [config.get("all") or known if name == "all" else [name] for name in names]
    return [*dict.fromkeys(chain.from_iterable(meant))]


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
    root, experiments = Path(root), {}
    known, files = Known(sheet), files_of(root)
    names = names_of(checked(Config, config, COMMAND), files)
    if unknown := [name for name in names if name not in files]:
        raise ProtocolError(f"{COMMAND}: experiments: {unknown_name(unknown[0], [*files, 'all'])}")
    for name in names:
        file = files[name].relative_to(root)
        experiments[name] = described(read_yaml(files[name]), known, file, config.get("seeds_per_job"))
    return experiments


def described(document, known, file, seeds_per_job=None):
    """Return the experiment of the yaml of a file; this is the only time that it is checked.

    Raises
    ------
    ProtocolError
        Lists every fault with the file and the key.
    """
    given = {"name": Path(file).stem, "file": str(file), "rows": {}}
    if isinstance(document, dict):
        if own := document.keys() & given.keys():
            raise ProtocolError(f"{file}: {min(own)}: unknown key")
        document = {**document, **given, **({"seeds_per_job": seeds_per_job} if seeds_per_job else {})}
    return checked(Experiment, document, file, known).with_rows(known.sheet)


def unknown_name(name, known):
    """Return the words for a name that there is not."""
    return f"unknown name {name!r}; {meant(name, sorted(known))}"


class Known:
    """What there is, by which the yaml of an experiment is checked: data sets, estimators, outputs.

    Its methods yield the faults of an object, each ``key: words`` (see `rankbench.configuration.checked.Keys`).

    Parameters
    ----------
    sheet : mapping of str to rankbench.datasets.sheet.Row
    """

    def __init__(self, sheet):
        self.sheet = sheet

    def of_method(self, method):
        """Yield the faults in the estimator of a method and in its arguments."""
        if fault := _uses_fault(method.uses):
            yield f"uses: {fault}"
        elif not is_absent(method.uses):
            for place, values in (("grid", method.grid), ("params", method.params)):
                yield from _value_faults(place, values, method, arguments_of(method.uses))

    def of_experiment(self, experiment):
        """Yield the names that there are not, the keys that a split does not have, what methods and outputs lack."""
        for key, names, known in _names(experiment, self.sheet):
            yield from (f"{key}: {unknown_name(name, known)}" for name in names if name not in known)
        for name in experiment.datasets:
            yield from _split_faults(experiment, name, self.sheet)
        for name in experiment.methods:
            yield from _cell_faults(name, experiment, self.sheet)
        yield from _metric_faults(experiment, self.sheet)
        for kind in ("tables", "figures"):
            for name in experiment.outputs[kind]:
                if name in OUTPUTS[kind]:
                    yield from _need_faults(kind, name, experiment)


def _names(experiment, sheet):
    """Yield each key that names something, the names, and those that there are."""
    yield "datasets", experiment.datasets, sheet
    for kind in ("conditions", "methods"):
        for name, entry in getattr(experiment, kind).items():
            yield f"{kind}.{name}.datasets", entry.datasets or (), experiment.datasets
    if experiment.methods:
        yield "reference_method", [experiment.reference_method], experiment.methods
        yield "tuning.metric", [experiment.tuning.metric], METRICS
    yield "metrics", experiment.metrics, METRICS
    yield "paper", filter(None, [experiment.paper]), [paper.name for paper in PAPERS]
    yield "published", filter(None, [experiment.published]), PUBLISHED
    yield "studies", experiment.studies, STUDIES
    for name, study in experiment.studies.items():
        yield f"studies.{name}.datasets", study.get("datasets", ()), sheet
    for kind, names in experiment.outputs.items():
        yield f"outputs.{kind}", names, OUTPUTS[kind]


def _split_faults(experiment, dataset, sheet):
    """Yield the faults in the split of a data set under each condition.

    A function draws it: the split may have the arguments of that function, and needs those without a default.
    """
    tuning, kind, row = experiment.tuning, experiment.datasets[dataset].split, sheet.get(dataset)
    if row and bool(row.kept_whole) != (kind == "groups"):
        expected = f"must be groups, because {dataset} has {row.kept_whole}"
        yield f"datasets.{dataset}.split: {expected if row.kept_whole else f'{dataset} has no groups'}"
    if kind != "comparisons" and bool(tuning.folds) == bool(tuning.shares):  # comparisons have a validation set
        yield f"tuning: must have exactly one of folds and shares, got {'both' if tuning.folds else 'none'}"
    accepted = inspect.signature(importlib.import_module(DRAWN_BY[kind]).draw).parameters
    required = [key for key, one in accepted.items() if one.default is one.empty and key not in GIVEN]
    flags = {key: True for key in ("every_rank", "disjoint_training") if getattr(experiment, key)}
    for condition, changed in experiment.conditions.items():
        if changed.datasets is not None and dataset not in changed.datasets:
            continue
        arguments = {**experiment.split_arguments(dataset, condition), **flags}
        arguments.pop("split", None)
        place = f"conditions.{condition}" if changed.sizes else f"datasets.{dataset}"
        foreign, absent = sorted(arguments.keys() - accepted), sorted({*required} - arguments.keys())
        for keys, words in ((foreign, "is not for"), (absent, "missing key of")):
            yield from (f"{KEY_OF.get(key, f'{place}.{key}')}: {words} split: {kind} of {dataset}" for key in keys)


def _metric_faults(experiment, sheet):
    """Yield the metrics of comparisons in an experiment on rows, whose targets are no labels of a comparison."""
    rows = [name for name in experiment.datasets if name in sheet and sheet[name].kind == "rows"]
    named = [("tuning.metric", experiment.tuning.metric), *(("metrics", metric) for metric in experiment.metrics)]
    for key, metric in named if rows else ():
        if metric.startswith("comparison_"):
            yield f"{key}: {metric} judges comparisons, but {rows[0]} has rows"


def _value_faults(place, values, method, accepted):
    """Yield the arguments at a place that a method does not accept, or chooses itself."""
    for argument in values:
        if argument not in accepted:
            yield f"{place}.{argument}: unknown key of {method.uses}; {meant(argument, accepted)}"
        elif values is not method.grid and argument in method.grid:
            yield f"{place}.{argument}: is also in the grid of {method.label}"


def _cell_faults(name, experiment, sheet):
    """Yield what a method lacks, or cannot take, of the data sets and conditions for which it is."""
    method, key = experiment.methods[name], f"methods.{name}"
    here = not is_absent(method.uses)
    for dataset, condition in (cell[:2] for cell in experiment.cells if cell[2] == name):
        data, changed, row = experiment.datasets[dataset], experiment.conditions[condition], sheet.get(dataset)
        if here and not method.baseline:
            for place, values in ((f"datasets.{dataset}", data.params), (f"conditions.{condition}", changed.params)):
                yield from _value_faults(f"{place}.params", values, method, arguments_of(method.uses))
        if here and row and (takes := input_of(method.uses)) not in (row.kind, "any"):
            yield f"{key}.uses: {method.uses} learns from {takes}, but {dataset} has {row.kind}"
        if method.sampler and not (data.n_pool or changed.n_pool):
            yield f"datasets.{dataset}.n_pool: missing key; the sampler of {key} needs a pool"


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


def _uses_fault(uses):
    """Return what is wrong with the name of a method; empty if nothing is, or its package is not installed."""
    if isinstance(uses, str) and "." not in uses and uses not in method_names():
        return f"{unknown_name(uses, method_names())}, or the dotted path of an estimator"
    try:
        arguments_of(uses)
        if (steps := as_step(uses)) != uses:  # a run reads the model of an estimator of ours, and this one has none
            return f"{uses} fits other estimators; accepted as the last step of a pipeline, [{', '.join(steps)}]"
    except ValueError as error:
        return "" if is_absent(uses) else str(error)
    except (Exception, SystemExit) as error:  # what the class or module of a user raises has no common class
        return f"{uses} cannot be used: {type(error).__name__}: {one_line(error)}"
    return ""


def as_step(uses):
    """Return a class of ours that fits other estimators as the only step of a pipeline that does anything.

    >>> as_step("rankmargin.RankSearchCV")
    ['sklearn.preprocessing.FunctionTransformer', 'rankmargin.RankSearchCV']
    >>> as_step("sklearn.svm.SVR")
    'sklearn.svm.SVR'
    """
    ours = isinstance(uses, str) and uses.startswith("rankmargin.")
    fits_others = ours and uses.rpartition(".")[2] not in method_names()
    return ["sklearn.preprocessing.FunctionTransformer", uses] if fits_others else uses
