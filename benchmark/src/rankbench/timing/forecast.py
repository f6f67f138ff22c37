"""The time that is left of a run, from what is expected of its jobs and from what those that have ended took."""

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cache

LATE = 0.2  # a job that runs longer than expected is expected to run for this share of its time so far


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
    runs : int
        How many runs it makes.
    needs : tuple of hashable
        The jobs that have to end before it starts.
    """

    name: str
    kind: tuple
    seconds: float
    runs: int = 1
    needs: tuple = ()


class Forecast:
    """The jobs of a run, and how far they are.

    Parameters
    ----------
    jobs : dict of hashable to Job
        All jobs that the run is going to make.
    cores : int or None
        The cores of this machine that they share; None if they run elsewhere.
    now : float
        Seconds of a clock that never goes back, as in the other methods.
    """

    def __init__(self, jobs, cores, now):
        self.jobs, self.cores, self.begun = jobs, cores, now
        self.running, self.ended, self.failed = {}, set(), set()
        self.measured = defaultdict(lambda: [0, 0.0, 0.0])  # kind -> number of jobs, their seconds, those expected

    def start(self, keys, now):
        """These jobs start."""
        known = [key for key in keys if key in self.jobs]
        self.failed -= {*known}
        self.running |= dict.fromkeys(known, now)

    def end(self, key, now):
        """This job has made its files; return when it started, or None if it was not known to run."""
        self.ended.add(key)
        started = self.running.pop(key, None)
        if started is not None:
            job = self.jobs[key]
            for part in range(len(job.kind) + 1):
                measured = self.measured[job.kind[:part]]
                measured[0] += 1
                measured[1] += now - started
                measured[2] += job.seconds
        return started

    def fail(self, key):
        """This job has ended without its files; it may start again."""
        self.running.pop(key, None)
        self.failed.add(key)

    @property
    def rate(self):
        """A function from a kind to the seconds that its jobs take for each second that was expected.

        The rate of a kind is the mean of that of its n jobs that have ended, with weight n, and the rate of the more
        general kind, with weight 1; above the most general one is 1.
        """

        @cache
        def rate(kind):
            general = rate(kind[:-1]) if kind else 1.0
            number, seconds, expected = self.measured.get(kind, (0, 0.0, 0.0))
            return (number * seconds / expected + general) / (number + 1) if expected else general

        return rate

    def unfinished(self, now):
        """Return what runs or is going to, without what needs a job that has failed: key -> the seconds that are left
        of this job, and the seconds until it could end if each job had a core."""
        rate = self.rate

        @cache
        def times(key):
            if key in self.failed:
                return math.inf, math.inf
            seconds = self.jobs[key].seconds * rate(self.jobs[key].kind)
            if key in self.running:
                elapsed = now - self.running[key]
                seconds = max(seconds - elapsed, LATE * elapsed)
            needs = [times(need)[1] for need in self.jobs[key].needs if need in self.jobs and need not in self.ended]
            return seconds, seconds + max(needs, default=0.0)

        ahead = {key: times(key) for key in self.jobs if key not in self.ended}
        return {key: (seconds, end) for key, (seconds, end) in ahead.items() if end < math.inf}

    def left(self, now):
        """Return the seconds until the last job ends; None if nothing is known of them.

        As many jobs run at a time as so far, and no job ends before those that it needs.
        """
        ahead = self.unfinished(now)
        worked = self.measured[()][1] + sum(now - started for started in self.running.values())
        at_a_time = worked / (now - self.begun) if self.ended and now > self.begun else self.cores
        if not at_a_time:
            return None
        longest = max((end for _, end in ahead.values()), default=0.0)
        return max(sum(seconds for seconds, _ in ahead.values()) / at_a_time, longest)

    def awaited(self, now):
        """Return the only job that runs, if no other could start before it ends; otherwise None."""
        if len(self.running) != 1:
            return None
        (key,) = self.running
        others = [self.jobs[other] for other in self.unfinished(now) if other != key]
        return None if any(self.ended.issuperset(job.needs) for job in others) else self.jobs[key]


def in_words(seconds):
    """Return a time as one would say it.

    >>> in_words(40), in_words(600), in_words(9000)
    ('40 s', '10 min', '2.5 h')
    """
    if seconds <= 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
