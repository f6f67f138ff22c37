"""The rules that make runs: one rule for single runs of any experiment, and one for each block of seeds of an
experiment."""

from collections.abc import Mapping
from dataclasses import dataclass

from rankbench.records.paths import RUN, WARM_UP

from .experiment import digest_of_task


def blocks(experiments):
    """Return a `Block` for every rule that makes runs of these experiments, a dict of name -> `Experiment`."""
    with_methods = {name: experiment for name, experiment in experiments.items() if experiment.methods}
    single = {name: experiment for name, experiment in with_methods.items() if experiment.seeds_per_job == 1}
    rules = [Block(single)] if single else []
    for name in with_methods.keys() - single.keys():
        seeds, size = range(with_methods[name].seeds), with_methods[name].seeds_per_job
        rules += [Block({name: with_methods[name]}, seeds[start : start + size]) for start in seeds[::size]]
    return sorted(rules, key=lambda block: block.rule)


@dataclass(eq=False)
class Block:
    """The runs that one rule makes: those of one data set, condition and method, for these seeds.

    Its methods are functions of the wildcards of a job. The task of a job does not depend on the seeds, so a run does
    not depend on the other runs of its job.

    To find a rule for a file, Snakemake selects the rules whose files begin in the same way, up to the first wildcard,
    and compares the file with all of their files. Therefore the files of a block begin with the name of the experiment.
    When they began with a wildcard, these comparisons took two thirds of the profiled time of planning.

    Attributes
    ----------
    experiments : mapping of str to Experiment
        The experiments of the rule: one, or any number if there are no seeds.
    seeds : sequence of int
        If it is empty, wildcards name the experiment and the seed.
    """

    experiments: Mapping
    seeds: range = range(0)

    def __post_init__(self):
        self.name = next(iter(self.experiments)) if self.seeds else "{experiment}"
        self.rule = f"run_{self.name}_{self.seeds[0]}_{self.seeds[-1]}" if self.seeds else "run_job"

    @property
    def files(self):
        """The patterns of the scores of its runs."""
        run = RUN.replace("{experiment}", self.name)
        return [run.replace("{seed}", str(seed)) for seed in self.seeds or ["{seed}"]]

    @property
    def log(self):
        """The pattern of the log that its runs share."""
        seeds = f"{self.seeds[0]}-{self.seeds[-1]}" if self.seeds else "{seed}"
        return f"results/{self.name}/logs/run_job/{{dataset}}/{{condition}}/{{method}}/{seeds}.log"

    def _asked(self, wildcards):
        """Return the experiment, and (dataset, condition, method)."""
        name, *cell = self.cell(wildcards)
        return self.experiments[name], cell

    def _seeds(self, wildcards):
        return self.seeds or [wildcards.seed]

    def cell(self, wildcards):
        """Return the names of the experiment, data set, condition and method of a job."""
        name = self.name if self.seeds else wildcards.experiment
        return name, wildcards.dataset, wildcards.condition, wildcards.method

    def splits(self, wildcards):
        """Return the paths of the splits."""
        experiment, (dataset, condition, _) = self._asked(wildcards)
        return experiment.split_files(dataset, condition, self._seeds(wildcards))

    def warm_up(self, wildcards):
        """Return the path of the file that exists once the code is compiled."""
        experiment, (*_, method) = self._asked(wildcards)
        return WARM_UP.format(digest=digest_of_task(experiment.warm_up(method)))

    def limits(self, wildcards):
        """Return the limits of a run: ``seconds`` and ``megabytes``."""
        return self._asked(wildcards)[0].limits

    def work(self, wildcards):
        """Return a plain estimate of what a job takes, in no unit: the longest are to run first."""
        experiment, (dataset, condition, _) = self._asked(wildcards)
        rows = experiment.part_sizes(dataset, condition)[0] or experiment.rows.get(dataset, 1)
        return int(rows * experiment.limits["seconds"] * len(self._seeds(wildcards))) or 1

    def megabytes(self, wildcards, attempt):
        """Return the memory that a job requests."""
        return attempt * self.limits(wildcards)["megabytes"]

    def minutes(self, wildcards, attempt):
        """Return the minutes that a job requests: five for up to 20 runs."""
        return attempt * 5 * -(-max(1, len(self.seeds)) // 20)
