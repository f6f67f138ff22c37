"""When jobs start and end on several cores: by hand, and what every schedule has to keep."""

from hypothesis import given
from hypothesis import strategies as st

from rankbench.timing.schedule import ALL, Job, schedule


def job(seconds, priority=0.0, needs=(), cores=1):
    return Job("job", (), seconds, priority=priority, needs=tuple(needs), cores=cores)


def seconds_of(jobs):
    return {key: one.seconds for key, one in jobs.items()}


def test_the_one_with_the_higher_priority_starts_first():
    jobs = {"a": job(1, 1), "b": job(5, 5), "c": job(2, 2), "d": job(3, 3)}
    assert schedule(jobs, 2, seconds_of(jobs)) == {"b": (0, 5), "d": (0, 3), "c": (3, 5), "a": (5, 6)}


def test_a_job_waits_for_what_it_needs():
    jobs = {"table": job(2), "split": job(1, needs=["table"]), "run": job(4, needs=["split", "warm"]), "warm": job(9)}
    assert schedule(jobs, 2, seconds_of(jobs)) == {"table": (0, 2), "warm": (0, 9), "split": (2, 3), "run": (9, 13)}


def test_what_needs_all_cores_waits_until_they_are_free_together():
    jobs = {"alone": job(5, 9, cores=ALL), "a": job(1, 1, cores=1), "first": job(3, 10)}
    assert schedule(jobs, 2, seconds_of(jobs)) == {"first": (0, 3), "a": (0, 1), "alone": (3, 8)}
    assert schedule(jobs, 1, seconds_of(jobs)) == {"first": (0, 3), "alone": (3, 8), "a": (8, 9)}


def test_running_jobs_keep_their_cores_and_snakemake_starts_one_after_the_other():
    jobs = {"here": job(99), "a": job(2, needs=["gone"]), "b": job(2)}
    times = schedule(jobs, 3, seconds_of(jobs), running={"here": 4.0}, between=0.5)
    assert times == {"here": (0, 4), "a": (0.5, 2.5), "b": (1, 3)}


def test_jobs_that_wait_for_one_another_never_start():
    jobs = {"a": job(1, needs=["b"]), "b": job(1, needs=["a"]), "c": job(2)}
    assert schedule(jobs, 2, seconds_of(jobs)) == {"c": (0, 2)}


@st.composite
def graphs(draw):
    """Draw jobs that need some of those before them."""
    number = draw(st.integers(1, 12))
    whole = st.integers(1, 5)
    return {
        key: job(
            draw(whole),
            draw(whole),
            draw(st.sets(st.integers(0, key - 1))) if key else (),
            draw(st.sampled_from([1, 1, 1, ALL])),
        )
        for key in range(number)
    }


@given(graphs(), st.integers(1, 3))
def test_every_schedule_keeps_the_rules_of_a_greedy_scheduler(jobs, cores):
    times = schedule(jobs, cores, seconds_of(jobs))
    wanted = {key: min(one.cores, cores) for key, one in jobs.items()}
    assert times.keys() == jobs.keys()
    assert all(end - start == jobs[key].seconds for key, (start, end) in times.items())
    assert all(times[need][1] <= times[key][0] for key, one in jobs.items() for need in one.needs)
    for moment in {start for start, _ in times.values()} | {end for _, end in times.values()}:
        running = [key for key, (start, end) in times.items() if start <= moment < end]
        free = cores - sum(wanted[key] for key in running)
        assert free >= 0
        ready = [
            key
            for key, (start, _) in times.items()
            if start > moment and all(times[need][1] <= moment for need in jobs[key].needs)
        ]
        assert not [key for key in ready if wanted[key] <= free], "a core is idle although a job could start"
        for key in (key for key in running if times[key][0] == moment):
            better = [other for other in ready if jobs[other].priority > jobs[key].priority]
            assert not [other for other in better if wanted[other] <= wanted[key]], "a more urgent job waits"
