"""Kinds of jobs: what a process has loaded before it is forked for a job; the profile names `kind_of`."""

from rankbench.configuration.space import ends_of
from rankbench.configuration.task import Task

NAMED = ("uses", "params", "metric", "sampler")  # with the grid, they decide which code the runs of a task use


def kind_of(job):
    """Return the function that a process calls before it is forked for a job, and its arguments.

    Parameters
    ----------
    job : object
        With the attributes of `snakemake` in a script.

    Returns
    -------
    (str, dict) or None
        Jobs with the same answer share a process. None if the imports of the script are enough.
    """
    task, resources = job.params.get("task"), job.resources
    if resources.get("limit_seconds") is None:  # it makes no runs
        return None
    fields = {name: task[name] for name in NAMED if name in task}
    limits = {"seconds": float(resources.limit_seconds), "megabytes": resources.limit_megabytes}
    return f"{__name__}:load", {**fields, "grid": ends_of(task["grid"]), "limits": limits}


def load(**fields):
    """Load what the runs of such tasks need."""
    from .job import prepare_process  # imported here: Snakemake, which asks for the kind, needs no numba

    prepare_process(Task(**fields))
