"""The seconds that are expected of every job of a workflow, from those of an earlier full run."""

import csv
import gzip
from collections import defaultdict
from functools import cached_property
from pathlib import Path

from rankbench.records.home import RESOURCES

from .forecast import Job

KEPT = RESOURCES / "reproduced" / "seconds.csv.gz"
SECONDS = "config/seconds.csv.gz"  # those that are expected in a user's own folder
NAMES = ("method", "study", "statistic", "table", "figure")  # the wildcards that say what a job makes
KIND = ("rule", "experiment", "name", "dataset", "condition")  # from the general to the special
COLUMNS = (*KIND, "runs", "start", "end")  # of a timeline, see `rankbench.timing.keep`
UNKNOWN = 1.0  # seconds of a job of a rule of which nothing is known
LEAST = 0.5  # seconds of a job from its start to the news of its end, however short its runs are


def read_kept(file=KEPT):
    """Return kind -> seconds of a file that `rankbench.timing.keep` has written."""
    with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
        return {tuple(row[key] for key in KIND): float(row["seconds"]) for row in csv.DictReader(lines)}


def _shared(kind):
    """Return what other jobs may share with a kind, the most special first; the same method of another experiment comes
    before any other method."""
    rule, _, name, *_ = kind
    return *(kind[:length] for length in range(len(kind), 1, -1)), (rule, None, name), (rule,)


class Expected:
    """What is expected of the jobs of a workflow.

    Parameters
    ----------
    blocks : sequence of rankbench.experiments.blocks.Block
        The rules that make runs.
    file : Path
        A file that `rankbench.timing.keep` has written; that of the current folder, `SECONDS`, is read too.
    """

    def __init__(self, blocks=(), file=KEPT):
        self.blocks = {block.rule: block for block in blocks}
        self.file = file

    @cached_property
    def means(self):
        """What jobs share with a kind (`_shared`) -> their mean seconds of one run or job."""
        sums = defaultdict(lambda: [0.0, 0])
        for file in filter(Path.exists, (self.file, Path(SECONDS))):
            for kind, seconds in read_kept(file).items():
                for shared in _shared(kind):
                    mean = sums[shared]
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
        shared = _shared(self.kind(rule, wildcards))
        return self.runs(rule) * next((self.means[one] for one in shared if one in self.means), UNKNOWN)

    def jobs(self, dag):
        """Return number -> `Job` of all jobs that a run of Snakemake is going to make.

        None is expected to take less than `LEAST`. Otherwise the first jobs of a run whose fits take milliseconds would
        be hundreds of times slower than expected, and so the forecast for the long ones hundreds of times too long.

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
                seconds=max(self.seconds(rule, wildcards), LEAST),
                runs=self.runs(rule),
                needs=tuple(numbers[need] for need in dag.job_dependencies(one) if need in numbers),
            )
        return jobs
