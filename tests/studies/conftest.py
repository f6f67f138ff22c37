"""Every frame of a study that a test makes is checked against the contract of `rankbench.studies`."""

import functools
from importlib import import_module

import pytest

from rankbench.experiments.components import names_in


def held_to_its_columns(module):
    run = module.run

    @functools.wraps(run)
    def checked(*arguments, **params):
        frame = run(*arguments, **params)
        assert tuple(frame.columns) == module.COLUMNS
        return frame

    return checked


@pytest.fixture(autouse=True)
def every_frame_has_the_columns_of_its_study(monkeypatch):
    for name in names_in("rankbench.studies"):
        module = import_module(f"rankbench.studies.{name}")
        monkeypatch.setattr(module, "run", held_to_its_columns(module))
