"""Jobs on several cores: when each of them starts and ends."""

import sys
from dataclasses import dataclass
from heapq import heappop, heappush

ALL = sys.maxsize


@dataclass(frozen=True)
class Job:
    """A job of a workflow.

    Attributes
    ----------
    name : str
        What the terminal calls it.
    kind : tuple of str
        What jobs that take about as long have in common, from the general to the special.
    seconds : float
        Those that are expected, before anything is known of this machine.
    priority : float
        Of two jobs that could start, the one with the higher priority does.
    runs : int
        How many runs it makes.
    cores : int
        `ALL` if nothing else may run beside it.
    needs : tuple of hashable
        The jobs that have to end before it starts.
    """

    name: str
    kind: tuple
    seconds: float
    priority: float = 0.0
    runs: int = 1
    cores: int = 1
    needs: tuple = ()


def schedule(jobs, cores, seconds, running=None, between=0.0):
    """Return the start and the end of every job, as Snakemake's greedy scheduler chooses them.

    Parameters
    ----------
    jobs : dict of hashable to Job
        A job that is needed but is not in here has ended already.
    cores : int
        A job that asks for more gets all of them.
    seconds : dict of hashable to float
        How long each job takes.
    running : dict of hashable to float, optional
        The jobs that have started, and how long each takes from now on.
    between : float
        Seconds that Snakemake itself works for each job that it starts, one job after the other.

    Returns
    -------
    dict of hashable to (float, float)
        Those that can never start because they wait for one another are not in it.
    """
    running = running or {}
    wanted = {key: min(job.cores, cores) for key, job in jobs.items()}
    missing = {key: sum(need in jobs for need in job.needs) for key, job in jobs.items()}
    waiting = {key: [] for key in jobs}
    for key, job in jobs.items():
        for need in job.needs:
            if need in jobs:
                waiting[need].append(key)
    ready, order = {}, {key: place for place, key in enumerate(jobs)}

    def get_ready(key):
        heappush(ready.setdefault(wanted[key], []), (-jobs[key].priority, order[key], key))

    times = {key: (0.0, left) for key, left in running.items()}
    ends = sorted((left, order[key], key) for key, left in running.items())
    free, now, snakemake = cores - sum(wanted[key] for key in running), 0.0, 0.0
    for key, count in missing.items():
        if not count and key not in running:
            get_ready(key)
    while True:
        while fitting := [heap for cores_of_heap, heap in ready.items() if heap and cores_of_heap <= free]:
            *_, key = heappop(min(fitting, key=lambda heap: heap[0]))
            snakemake = max(now, snakemake) + between
            times[key] = (snakemake, snakemake + seconds[key])
            heappush(ends, (times[key][1], order[key], key))
            free -= wanted[key]
        if not ends:
            return times
        now, _, ended = heappop(ends)
        free += wanted[ended]
        for key in waiting[ended]:
            missing[key] -= 1
            if not missing[key]:
                get_ready(key)
