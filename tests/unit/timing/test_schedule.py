"""When jobs start and end on several cores: by hand, and what every schedule has to keep."""

from hypothesis import given
from hypothesis import strategies as st

from rankbench.timing.schedule import ALL, Job, schedule


def job(seconds, priority=0.0, needs=(), cores=1):
    return Job("job", (), seconds, priority=priority, needs=tuple(needs), cores=cores)


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
    times = schedule(jobs, cores, {key: one.seconds for key, one in jobs.items()})
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
