"""The seconds that are expected of every job of a workflow, from those of an earlier full run."""

import csv
import gzip
from collections import defaultdict
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace

from rankbench.home import RESOURCES
from rankbench.registry import STUDIES

from .schedule import ALL, Job

KEPT = RESOURCES / "reproduced" / "seconds.csv.gz"
SECONDS = "config/seconds.csv.gz"  # those that are expected in a user's own folder
NAMES = ("method", "study", "statistic", "table", "figure")  # the wildcards that say what a job makes
KIND = ("rule", "experiment", "name", "dataset", "condition")  # from the general to the special
UNKNOWN = 1.0  # seconds of a job of a rule of which nothing is known


def read_kept(file=KEPT):
    """Return kind -> seconds of a file that `rankbench.timing.keep` has written."""
    with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
        return {tuple(row[key] for key in KIND): float(row["seconds"]) for row in csv.DictReader(lines)}


class Expected:
    """What is expected of the jobs of some experiments.

    Parameters
    ----------
    experiments : dict of str to Experiment
    blocks : sequence of rankbench.experiments.blocks.Block
        The rules that make their runs.
    file : Path
        A file that `rankbench.timing.keep` has written; that of the current folder, `SECONDS`, is read too.
    """

    def __init__(self, experiments, blocks, file=KEPT):
        self.experiments, self.blocks = experiments, {block.rule: block for block in blocks}
        self.file = file

    @cached_property
    def means(self):
        """Kind, and every more general one -> the mean seconds of one run or job."""
        sums = defaultdict(lambda: [0.0, 0])
        for file in filter(Path.exists, (self.file, Path(SECONDS))):
            for kind, seconds in read_kept(file).items():
                for length in range(1, len(KIND) + 1):
                    mean = sums[kind[:length]]
                    mean[0] += seconds
                    mean[1] += 1
        return {kind: total / number for kind, (total, number) in sums.items()}

    def kind(self, rule, wildcards):
        """Return the kind of a job, a tuple of the length of `KIND`.

        Parameters
        ----------
        rule : str
            Its name in Snakemake.
        wildcards : mapping of str to str
        """
        experiment = wildcards.get("experiment", "")
        if rule in self.blocks:
            experiment = self.blocks[rule].name.format(**wildcards)
            rule = "run_job"
        name = next((wildcards[key] for key in NAMES if key in wildcards), "")
        return rule, experiment, name, wildcards.get("dataset", ""), wildcards.get("condition", "")

    def runs(self, rule):
        """Return the number of runs of a job of this rule."""
        return len(self.blocks[rule].seeds) or 1 if rule in self.blocks else 1

    def seconds(self, rule, wildcards):
        """Return the expected seconds of a job: the mean of the kept ones of the most special kind that it shares."""
        kind = self.kind(rule, wildcards)
        kinds = (kind[:length] for length in range(len(kind), 0, -1))
        return self.runs(rule) * next((self.means[one] for one in kinds if one in self.means), UNKNOWN)

    def priority(self, rule, wildcards):
        """Return the expected seconds from the start of a job to the end of the longest run or study that needs it."""
        files = {
            "fetch_dataset": "resources/raw/{dataset}",
            "build_table": "resources/tables/{dataset}.npz",
            "split_table": "resources/splits/{experiment}/{dataset}/{condition}",
            "warm_up": "resources/warm_up/{digest}.txt",
        }
        longest = self.longest.get(files[rule].format(**wildcards), 0.0) if rule in files else 0.0
        return self.seconds(rule, wildcards) + longest

    @cached_property
    def longest(self):
        """File, or folder of splits -> the seconds of the longest path of jobs that begins with it."""
        longest = defaultdict(float)
        drawing, building = (self.means.get((rule,), UNKNOWN) for rule in ("split_table", "build_table"))
        for seconds, dataset, splits, warm_up in (*self._runs(), *self._studies()):
            table = seconds + drawing * bool(splits)
            paths = {
                warm_up: seconds,
                splits[0].rpartition("/")[0] if splits else "": seconds,
                f"resources/tables/{dataset}.npz": table,
                f"resources/raw/{dataset}": table + building,
            }
            longest |= {file: max(longest[file], path) for file, path in paths.items()}
        return longest

    def _runs(self):
        """Yield the seconds of a job of every cell, its data set, its splits and its warm-up."""
        for block in self.blocks.values():
            for experiment in block.experiments.values():
                for dataset, condition, method in experiment.cells:
                    cell = {"dataset": dataset, "condition": condition, "method": method}
                    wildcards = {"experiment": experiment.name, **cell}
                    splits = experiment.split_files(dataset, condition, [0])
                    warm_up = block.warm_up(SimpleNamespace(**wildcards))
                    yield self.seconds(block.rule, wildcards), dataset, splits, warm_up

    def _studies(self):
        for experiment in self.experiments.values():
            for study in experiment.studies:
                seconds = self.seconds("run_study", {"experiment": experiment.name, "study": study})
                for dataset, (_, splits) in experiment.study_files(study).items():
                    yield seconds, dataset, splits, ""

    def jobs(self, dag):
        """Return number -> `Job` of all jobs that a run of Snakemake is going to make.

        Parameters
        ----------
        dag : object
            What Snakemake gives its schedulers, with the number of a job (``jobid``).
        """
        numbers = {job: dag.jobid(job) for job in dag.needrun_jobs()}
        jobs = {}
        for one, number in numbers.items():
            rule, wildcards = one.rule.name, one.wildcards_dict
            made = ", ".join(map(str, wildcards.values()))
            jobs[number] = Job(
                name=f"{rule} ({made})" if made else rule,
                kind=self.kind(rule, wildcards),
                seconds=self.seconds(rule, wildcards),
                priority=one.priority,
                runs=self.runs(rule),
                cores=ALL if "study" in wildcards and STUDIES[wildcards["study"]].timed else 1,
                needs=tuple(numbers[need] for need in dag.job_dependencies(one) if need in numbers),
            )
        return jobs
