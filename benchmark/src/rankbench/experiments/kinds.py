"""What the warm process loads before it is forked for a job: the script of runs imports `prepare_job`."""

from rankbench.configuration.task import Task

from .methods import sources_of
from .solved import method_names

NAMED = ("uses", "params", "metric", "sampler", "grid")  # they decide which code the runs of a task use


def prepare_job(job):
    """Load the machine code of the runs of a job, once for all jobs that run the same code.

    That of others' packages is left to the job: it may start threads, or crash.

    Parameters
    ----------
    job : dict
        ``params`` and ``resources``.
    """
    task, resources = job["params"].get("task", {}), job["resources"]
    if "limit_seconds" not in resources:
        return
    sources_of(task["uses"])  # they are parsed once
    if task["uses"] in method_names():
        from .job import prepare_process  # imported here: jobs that make no runs need no numba

        limits = {"seconds": float(resources["limit_seconds"]), "megabytes": resources["limit_megabytes"]}
        prepare_process(Task(**{name: task[name] for name in NAMED if name in task}, limits=limits))
