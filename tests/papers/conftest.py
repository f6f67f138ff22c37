"""Every frame of a study that a test makes is checked against the contract of `rankbench.room.Study`."""

import functools

import pytest

from rankbench.registry import STUDIES


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
    for study in STUDIES.values():
        module = study.load()
        monkeypatch.setattr(module, "run", held_to_its_columns(module))
