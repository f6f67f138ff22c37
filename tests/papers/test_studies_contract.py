"""What every study module defines; `conftest` checks its frames whenever a test makes one."""

import inspect

import pytest

from rankbench.ledger import registered
from rankbench.registry import STUDIES
from rankmargin.sources import closure


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_says_what_it_takes_and_gives(name):
    study = STUDIES[name]
    columns = study.load().COLUMNS
    assert isinstance(columns, tuple) and len(set(columns)) == len(columns) >= 1
    named, first = [*study.arguments], [*inspect.signature(study.load().run).parameters]
    assert sorted(first) == sorted(["data", "experiment", *named])


def test_timed_studies_are_those_that_measure_seconds_for_a_claim():
    measuring = {name for name, study in STUDIES.items() if "rankbench.experiments.seconds" in closure([study.module])}
    judged = {need.rpartition("/")[2] for claim in registered().values() for need in claim.needs}
    assert {name for name, study in STUDIES.items() if study.timed} == measuring & judged
    assert measuring - judged == {"solver_gaps"}, "a picture of seconds, by which nothing is judged"
