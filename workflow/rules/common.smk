# Reads and checks the configuration, and defines what the other rule files share. What can be tested without Snakemake is in
# benchmark/src/rankbench.
import os
import time
from functools import cache
from pathlib import Path

from rankbench.datasets.fetch import task_of
from rankbench.datasets.own import SHEET, fetched, load_datasets
from rankbench.experiments import protocol, tasks
from rankbench.experiments.blocks import blocks
from rankbench.experiments.experiment import digest_of_task
from rankbench.experiments.provenance import COMMIT, commit
from rankbench.registry import FIGURES, PUBLISHED, STATED, STATISTICS, STUDIES, TABLES
from rankbench.sources import parsed, source_of
from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.settings.enums import RerunTrigger

# One BLAS thread per job, because Snakemake runs jobs in parallel. Jobs inherit this before they import numpy.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"
# If Python may not keep compiled sources, each of a thousand jobs compiles ours again, which is a tenth of its time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
    raise WorkflowError(
        "NUMBA_DISABLE_JIT is set: without compiled code the runs would take hundreds of times as long and fail; unset it"
    )

try:
    DATASETS = load_datasets()
    EXPERIMENTS = protocol.load_experiments(config, DATASETS)
    config["experiments"] = [*EXPERIMENTS]
except ValueError as error:
    raise WorkflowError(str(error)) from None

# Digest -> what to compile: the code of one method with the arguments that an experiment gives it.
WARM_UPS = {digest_of_task(task): task for one in EXPERIMENTS.values() for task in map(one.warm_up, one.methods)}
BLOCKS = blocks(EXPERIMENTS)  # the rules that make runs
# The priority of the short jobs for which runs and studies wait, and of those that read the files of all runs of an experiment, which Snakemake would
# look at again and again until they start: above that of any run or study.
FIRST = 10**15
RESULTS = [path for experiment in EXPERIMENTS.values() for path in experiment.result_files]

# Note -> why the files that it describes are not what is requested now. Only the process that plans the jobs looks for them.
# Their jobs run again, because they get an input that is newer than all files. Its content is new too, because Snakemake
# ignores a newer file with unchanged content.
MISFITS = tasks.misfits(EXPERIMENTS, DATASETS, retry=config.get("retry", ())) if workflow.is_main_process else {}
NOW = ".snakemake/now"
if MISFITS:
    Path(NOW).parent.mkdir(exist_ok=True)
    Path(NOW).write_text(f"{time.time_ns()}\n")
if workflow.is_main_process:
    os.environ[COMMIT] = commit(".")


# No rule makes a user's own table.
FETCHED = "|".join(fetched(DATASETS)) or "(?!)"


wildcard_constraints:
    experiment="[a-z0-9_]+",
    dataset="[a-z0-9_]+",
    condition="[a-z0-9_]+",
    method="[a-z0-9_]+",
    seed="[0-9]+",
    tens="[0-9]*",
    digest="[0-9a-f]+",


def experiment_of(wildcards):
    """Return the experiment of a job."""
    name = wildcards.experiment
    if name not in EXPERIMENTS:
        raise WorkflowError(f"the experiment {name!r} is not selected; add --config experiments={name}")
    return EXPERIMENTS[name]


@cache
def warn_of_triggers():
    """Warn, once, if jobs may run again because `NOW` is not among their inputs any more, or because their script is newer
    than their results."""
    settings = workflow.dag_settings
    if workflow.is_main_process and settings and {RerunTrigger.INPUT, RerunTrigger.CODE} & {*settings.rerun_triggers}:
        logger.warning(
            "Jobs may run again although nothing changed, because `input` or `code` is among the rerun triggers. Add "
            "--workflow-profile <checkout>/workflow/profiles/default, or --rerun-triggers mtime params software-env."
        )


@cache
def code(script):
    """Return the digest of a script, a parameter of its jobs. Snakemake's trigger `code` compares times instead: in a newer
    clone, or after a switch of branches, every fit would run again."""
    return parsed(Path(workflow.source_path(f"../scripts/{script}.py")).read_bytes())[1]


def again(*notes):
    """Return an input function that adds a new file if what these notes describe is not what is requested now."""

    def newer(wildcards):
        warn_of_triggers()
        return [NOW] if any(note.format(**dict(wildcards.items())) in MISFITS for note in notes) else []

    return newer


def study_files(wildcards):
    """Return what a study reads: data set -> (its table, the list of its splits)."""
    return experiment_of(wildcards).study_files(wildcards.study)


def task_of_output(component, wildcards):
    experiment = experiment_of(wildcards)
    return tasks.of_output(component, experiment, tasks.titles_of(experiment, DATASETS))
