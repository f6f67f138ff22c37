"""The time that is left of a run, from what is expected of its jobs and from what those that have ended took."""

import math
from collections import defaultdict
from functools import cache

from .schedule import schedule

# The standard deviation of the logarithm of a job's seconds around the expected ones. It decides how much longer a job
# is expected to run that has already run for some time.
SPREAD = 0.4


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
        self.between, self.starts, self.last_end = 0.0, 0, now

    def start(self, keys, now):
        """These jobs start."""
        keys = [key for key in keys if key in self.jobs]
        if keys and self.last_end is not None:  # what Snakemake did since a core became free
            self.between += now - self.last_end
            self.last_end = None
        self.starts += len(keys)
        self.failed -= {*keys}
        self.running |= dict.fromkeys(keys, now)

    def end(self, key, now):
        """This job has made its files; return when it started, or None if it was not known to run."""
        self.last_end = now
        self.ended.add(key)
        started = self.running.pop(key, None)
        if key in self.jobs and started is not None:
            kind, expected = self.jobs[key].kind, self.jobs[key].seconds
            for part in range(len(kind) + 1):
                measured = self.measured[kind[:part]]
                measured[0] += 1
                measured[1] += now - started
                measured[2] += expected
        return started

    def fail(self, key, now):
        """This job has ended without its files; it may start again."""
        self.last_end = now
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

    @property
    def unfinished(self):
        """The jobs that run or are going to: not those that need one that has failed."""
        lost = set(self.failed)
        needed_by = defaultdict(list)
        for key, job in self.jobs.items():
            for need in job.needs:
                needed_by[need].append(key)
        ahead = [*lost]
        while ahead:
            new = [key for key in needed_by[ahead.pop()] if key not in lost]
            lost.update(new)
            ahead += new
        return {key: job for key, job in self.jobs.items() if key not in lost and key not in self.ended}

    def left(self, now):
        """Return the seconds until the last job ends; None if nothing is known of them."""
        jobs, rate = self.unfinished, self.rate
        seconds = {key: job.seconds * rate(job.kind) for key, job in jobs.items()}
        running = {key: more(seconds[key], now - started) for key, started in self.running.items() if key in jobs}
        if self.cores is None:
            done = sum(self.jobs[key].seconds * rate(self.jobs[key].kind) for key in self.ended if key in self.jobs)
            return sum(seconds.values()) / done * (now - self.begun) if done else None
        between = self.between / self.starts if self.starts else 0.0
        times = schedule(jobs, self.cores, seconds, running, between)
        return max((end for _, end in times.values()), default=0.0)

    @property
    def awaited(self):
        """The only job that runs, if no other could start before it ends; otherwise None."""
        if len(self.running) != 1:
            return None
        (key,) = self.running
        ahead = (job for other, job in self.unfinished.items() if other != key)
        return None if any(self.ended.issuperset(job.needs) for job in ahead) else self.jobs[key]


def more(expected, elapsed):
    """Return how many more seconds a job is expected to run that has run for `elapsed` seconds.

    Its seconds are those of a log-normal distribution with mean `expected`, given that they are more than `elapsed`.
    """
    if elapsed <= 0.0 or expected <= 0.0:
        return max(expected, 0.0)
    z = math.log(elapsed / expected) / SPREAD + SPREAD / 2
    if z > 6:  # far beyond what was expected: the mean of the tail
        return elapsed * SPREAD / z
    return max(expected * _above(z - SPREAD) / _above(z) - elapsed, 0.0)


def _above(z):
    """Return the probability of a normal variable above z."""
    return 0.5 * math.erfc(z / math.sqrt(2))


def in_words(seconds):
    """Return a time as one would say it.

    >>> in_words(40), in_words(600), in_words(9000)
    ('40 s', '10 min', '2.5 h')
    """
    if seconds <= 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
