"""An experiment: what its yaml says, and what follows from it: its runs, the tasks of its jobs, and its files."""

import hashlib
import json
from copy import copy
from dataclasses import field
from functools import cached_property
from itertools import product

from pydantic.dataclasses import dataclass

from rankbench.configuration.checked import KEYS, adapter_of
from rankbench.configuration.model import Protocol
from rankbench.configuration.space import ends_of
from rankbench.configuration.task import Task
from rankbench.records.paths import DRAWN, RECORDS, RUN, SHOWN, SPLIT, STATISTIC, TABLE
from rankbench.records.provenance import version_of
from rankbench.records.record import IDENTITY
from rankbench.records.sources import source_digest
from rankbench.registry import PUBLISHED, STUDIES

from .methods import sources_of
from .own_code import code_of

FEWER_PAIRS = 10  # a run has at most about so many times the pairs of a warm-up


@dataclass(frozen=True, kw_only=True, eq=False, config=KEYS)
class Experiment(Protocol):
    """One experiment: the keys of its yaml, and what follows from them. Paths are relative to the checkout."""

    name: str = ""
    """the name of its file without the ending"""
    file: str = ""
    """path of the yaml"""
    rows: dict[str, int] = field(default_factory=dict)
    """data set -> the number of rows of its table, where the sheet says it"""

    @classmethod
    def of(cls, document, **changes):
        """Return the experiment of a document such as a yaml or `document`; `changes` have priority.

        Raises
        ------
        ValueError
            If a value is not what `rankbench.configuration.model` accepts.
        """
        return cls(**{**document, **changes})

    def with_rows(self, sheet):
        """Return the experiment that knows how many rows its tables have; two hold-outs of a large table overlap less
        than two of a small one.

        Parameters
        ----------
        sheet : mapping of str to rankbench.datasets.sheet.Row
        """
        knows = copy(self)  # what is checked is not checked again
        object.__setattr__(knows, "rows", {name: sheet[name].rows for name in self.datasets if sheet[name].rows})
        return knows

    def faults(self, known):
        """Yield ``key: words`` of keys that do not fit together, or to what there is."""
        yield from super().faults(known)
        yield from known.of_experiment(self)

    @property
    def document(self):
        """What `of` makes this experiment from, without ``file`` and ``seeds_per_job``, which do not change results."""
        left_out = {"file", "seeds_per_job"}
        return adapter_of(Experiment).dump_python(self, exclude=left_out, exclude_defaults=True, warnings=False)

    # Runs

    @property
    def cells(self):
        """(dataset, condition, method) of all cells; a condition or a method may be for some data sets only."""
        for dataset, condition, method in product(self.datasets, self.conditions, self.methods):
            accepted = self.conditions[condition].datasets, self.methods[method].datasets
            if all(names is None or dataset in names for names in accepted):
                yield dataset, condition, method

    @property
    def runs(self):
        """(experiment, dataset, condition, method, seed), the identity of every run."""
        yield from ((self.name, *cell, seed) for cell, seed in product(self.cells, range(self.seeds)))

    @property
    def run_files(self):
        """The path of the scores of every run, in the order of `runs`."""
        return [RUN.format(**dict(zip(IDENTITY, run, strict=True))) for run in self.runs]

    def task(self, dataset, condition, method):
        """Return the `Task` of the runs of a cell.

        Parameters and preprocessing of the method are changed by the data set and the condition; a baseline keeps its
        own parameters. An edit of one of the sources changes ``source_digest``.
        """
        data, changed, uses = self.datasets[dataset], self.conditions[condition], self.methods[method]
        tunings = uses.tuning, changed.tuning, self.tuning
        return Task(
            experiment=self.name,
            dataset=dataset,
            condition=condition,
            method=method,
            uses=uses.uses,
            params=uses.params if uses.baseline else {**uses.params, **data.params, **changed.params},
            grid=uses.grid,
            preprocess={**self.preprocess, **changed.preprocess, **uses.preprocess},
            metric=self.tuning.metric,
            limits=self.limits,
            source_digest=self.digests[method],
            search=self.tuning.budget,
            stops=uses.stops,
            tune_on=next((tuning.chosen_on for tuning in tunings if tuning.chosen_on), "validation"),
            sampler=uses.sampler,
            n_pairs=(changed.n_pairs or uses.n_pairs) if uses.sampler else 0,
            wrong_pairs=(changed.wrong_pairs or 0.0) if uses.sampler else 0.0,
            attributes=tuple(uses.attributes or data.attributes),
            packages=sources_of(uses.uses)[1],
            split=self.split_arguments(dataset, condition),
        )

    def warm_up(self, method):
        """Return the task of `rankbench.experiments.job.compile_method`, with the grids for which it is called. It does
        not name the experiment, so methods of several experiments share it.

        C times the number of pairs decides, too, which code is called, and a warm-up has fewer pairs than a run, so
        there is a grid with a larger C.
        """
        uses = self.methods[method]
        grids = [ends_of(uses.grid)]
        if "C" in grids[0] and uses.params.get("C_scale") == "pairs":
            grids.append({**grids[0], "C": [FEWER_PAIRS * grids[0]["C"][-1]]})
        task = {"uses": uses.uses, "params": uses.params, "metric": self.tuning.metric, "grids": grids}
        return {**task, "source_digest": self.digests[method]}

    @cached_property
    def digests(self):
        """Method -> digest of the sources by which its records must be made."""
        return {
            name: _digest(["rankbench.experiments.job"], [method.uses], method.sampler)
            for name, method in self.methods.items()
        }

    # Splits

    def split_arguments(self, dataset, condition):
        """Return the arguments of `rankbench.experiments.draw.draw` except table, seed and names."""
        data, tuning = self.datasets[dataset], self.tuning
        arguments = {**data.sizes, **self.conditions[condition].sizes}
        if data.split == "hold_out":
            arguments |= {key: True for key in ("every_rank", "disjoint_training") if getattr(self, key)}
        else:
            arguments |= {"split": data.split, "shares": tuning.shares, "first_periods": tuning.first_periods}
        arguments |= {"place": data.place, "n_folds": tuning.folds}
        return {key: value for key, value in arguments.items() if value is not None}

    def part_sizes(self, dataset, condition):
        """Return the sizes of the training and the test part; 0 if they depend on the table."""
        sizes = self.split_arguments(dataset, condition)
        if sizes.get("split") == "comparisons":
            return tuple(part["equality"] + part["inequality"] for part in (sizes, sizes.get("test", sizes)))
        return tuple(0 if (size := sizes.get(key, 0)) == "rest" else size for key in ("n_train", "n_test"))

    def split_files(self, dataset, condition, seeds):
        """Return the paths of splits under a condition: conditions that ask for the same have the same files."""
        arguments = self.split_arguments(dataset, condition)
        first = next(other for other in self.conditions if self.split_arguments(dataset, other) == arguments)
        names = {"experiment": self.name, "dataset": dataset, "condition": first}
        return [SPLIT.format(**names, seed=seed) for seed in seeds]

    # Studies

    def study_files(self, study):
        """Return data set -> its table and, if the experiment has the data set too, its splits under the first
        condition."""
        first, seeds = next(iter(self.conditions), None), range(self.seeds)
        return {
            name: (
                TABLE.format(dataset=name),
                self.split_files(name, first, seeds) if name in self.datasets else [],
            )
            for name in self.studies[study].get("datasets", ())
        }

    def studied(self, study):
        """Return the experiment that a study is given, named after it: the keys that it reads, and only one method if
        it names one."""
        values = {key: getattr(self, key) for key in STUDIES[study].reads}
        method = self.studies[study].get("method")
        if "methods" in values and method is not None:
            values["methods"] = {method: self.methods[method]}
        return Experiment(name=study, **values)

    def study_digest(self, study):
        """Return the digest of the sources of a study, including those of the methods that it is given."""
        seen = self.studied(study)
        modules = [STUDIES[study].module, "rankbench.experiments.study", *([__name__] if seen.methods else [])]
        fitted = [method.uses for method in seen.methods.values()]
        return _digest(modules, fitted, any(method.sampler for method in seen.methods.values()))

    # Data and results

    @property
    def all_datasets(self):
        """The names of all data sets of the experiment and its studies, each once."""
        studied = [name for study in self.studies.values() for name in study.get("datasets", ())]
        return [*dict.fromkeys([*self.datasets, *studied])]

    def frames_of(self, output):
        """Return the frames that a `Table` or `Figure` reads: name of the frame -> path."""
        paths = {need: STATISTIC.format(experiment=self.name, statistic=need) for need in output.needs}
        return {**paths, "published": str(PUBLISHED[self.published])} if self.published else paths

    @property
    def frame_files(self):
        """The paths of the frames by which claims are judged: statistics and records."""
        statistics = [*self.outputs["statistics"], *self.studies]
        records = [RECORDS.format(experiment=self.name)] if self.methods else []
        return [*(STATISTIC.format(experiment=self.name, statistic=name) for name in statistics), *records]

    @property
    def result_files(self):
        """The paths of all results for readers: tables, figures, statistics and records."""
        shown = [SHOWN.format(experiment=self.name, table=table) for table in self.outputs["tables"]]
        return [
            *(file for html in shown for file in (html, html.removesuffix("html") + "csv")),
            *(DRAWN.format(experiment=self.name, figure=figure) for figure in self.outputs["figures"]),
            *self.frame_files,
        ]


def _digest(modules, uses, sampling):
    """Return the digest of the sources of modules and of methods, and of the samplers if `sampling` is true."""
    sources = [sources_of(method) for method in uses]
    ours = [
        *(module for modules, _ in sources for module in modules),
        *(["rankmargin.estimators.pair_sampling"] if sampling else []),
    ]
    packages = {package for _, packages in sources for package in packages}
    others = (f"{name} {version_of(name)} {code_of(name)}".strip() for name in sorted(packages))
    return source_digest(*modules, *ours, others=tuple(others))


def digest_of_task(task):
    """Return 16 hexadecimal digits of the sha256 of a task."""
    return hashlib.sha256(json.dumps(task, sort_keys=True).encode()).hexdigest()[:16]
