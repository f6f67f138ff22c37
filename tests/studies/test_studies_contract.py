"""What every study module defines; `conftest` checks its frames whenever a test makes one."""

import inspect
from importlib import import_module

import pytest

from rankbench.experiments.components import constant_of, names_in


@pytest.mark.parametrize("name", names_in("rankbench.studies"))
def test_a_study_says_what_it_takes_and_gives(name):
    module = f"rankbench.studies.{name}"
    columns = constant_of(module, "COLUMNS")
    assert isinstance(columns, tuple) and len(set(columns)) == len(columns) >= 1
    named, first = [*constant_of(module, "PARAMS")], [*inspect.signature(import_module(module).run).parameters]
    assert sorted(first) == sorted(["data", "experiment", *named])
