"""The report of a comparison shows its own statistics, and a program only of the method that was compared."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from test_adding import EXPERIMENT, SCORES, cells_of, frame

from rankbench.compare.adding import adding
from rankbench.compare.report import _is_usual, comparison
from rankbench.experiments.experiment import Experiment
from rankbench.experiments.files import note_of, write_note
from rankbench.experiments.frames import write_statistic

USUAL = {"scaling": "standard", "nominal": "onehot"}


@pytest.fixture
def section(tmp_path):
    """An experiment with its statistics ``best`` and ``adding``."""
    files = {name: f"results/wine/statistics/{name}.csv" for name in ("best", "adding")}
    for name, cells in (("best", cells_of(SCORES)), ("adding", adding(frame(SCORES), EXPERIMENT))):
        (tmp_path / files[name]).parent.mkdir(parents=True, exist_ok=True)
        write_statistic(tmp_path / files[name], cells)
        write_note(note_of(tmp_path / files[name]), [tmp_path / files[name]], task={})
    (tmp_path / "wine.yaml").write_text("# said before\ntitle: Wine\n")
    return SimpleNamespace(name="wine", file="wine.yaml", experiment=replace(EXPERIMENT, preprocess=USUAL), files=files)


def test_a_statistic_of_an_earlier_comparison_is_not_shown(section, tmp_path):
    """The experiment asked for it before its table got groups."""
    sheet = {"wine": SimpleNamespace(title="Wine")}
    told = {}
    for asked in (["best", "adding"], ["best"]):
        files = [section.files[name] for name in asked]
        shown = comparison(SimpleNamespace(**{**vars(section), "files": files}), sheet, tmp_path)
        told[len(asked)] = " ".join(shown.answers["Wine"])
    assert "The average of the ranks" in told[2] and told[1] and "The average of the ranks" not in told[1]


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"preprocess": {"scaling": "minmax", "nominal": "onehot"}},
        {"preprocess": USUAL | {"target": "standardised"}, "methods": {"svr": {"uses": "sklearn.svm.SVR"}}},
        {"conditions": {"all": {"params": {"C": 2}}}},
        {"datasets": {"wine": {"n_train": 8, "n_test": 4, "params": {"C": 2}}}},
        {"conditions": {"all": {"preprocess": {"scaling": "none"}}}},
        {"datasets": {"wine": {"n_train": 8, "n_test": 4, "attributes": ["a"]}}},
        {"methods": {"svr": {"uses": "sklearn.svm.SVR", "attributes": ["a"]}}},
    ],
    ids=str,
)
def test_there_is_a_program_only_where_it_is_what_was_compared(changed):
    usual = {
        "datasets": {"wine": {"n_train": 8, "n_test": 4}},
        "conditions": {"all": {}},
        "methods": {"svr": {"uses": "sklearn.svm.SVR", "preprocess": {"target": "standardised"}}},
        "preprocess": USUAL,
    }
    experiment = Experiment.of(usual | changed)
    row = SimpleNamespace(dataset="wine", method="svr")
    assert _is_usual(experiment, row, experiment.conditions["all"]) == (not changed)
