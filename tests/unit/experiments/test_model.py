"""One description of the keys: what it makes of a yaml, and the words in which it refuses one."""

import json
from typing import Annotated

import pytest
from checkout import ROOT
from jsonschema import Draft202012Validator

from rankbench.command import keys
from rankbench.configuration.checked import faults_of
from rankbench.configuration.model import Config, Protocol
from rankbench.configuration.values import NAMES, NUMBER, SCALAR, named, several, whole
from rankbench.experiments.experiment import Experiment
from rankbench.experiments.protocol import files_of, read_yaml


def test_an_empty_value_of_a_yaml_is_refused_and_that_of_a_copy_is_the_default():
    assert "substitute: must be text, not empty, got ''" in faults_of(Protocol, {"title": "T", "substitute": ""})
    assert Experiment.of({"title": "T"}, substitute="").document == {"title": "T"}
    with pytest.raises(ValueError, match="substitute"):
        Experiment.of({"substitute": 3})


@pytest.mark.parametrize(
    ("kind", "value", "fault"),
    [
        (whole(2, 9), True, "must be an integer >= 2 and <= 9, got True"),
        (whole(2, 9), 3.0, "must be an integer >= 2 and <= 9, got 3.0"),
        (NUMBER, "1", "must be a number, got '1'"),
        (
            several(NUMBER, at_least=2, distinct=True),
            [1, 1.0],
            "must be a list, at least 2 entries, without repetition",
        ),
        (SCALAR, [1], "must be a number or text or true or false or null, got [1]"),
        (named("a word", "[a-z]+"), "word\n", r"must be a word, got 'word\n'"),
        (NAMES, ["a" * 300] * 2, "aaaa ..."),
        (Annotated[dict[str, whole(1)], None], {"a": {"b": 0}}, "a: must be an integer >= 1, got {'b': 0}"),
    ],
)
def test_a_fault_says_what_is_accepted_and_what_came(kind, value, fault):
    (line,) = faults_of(kind, value)
    assert fault in line and len(line) < 250


def test_keys_that_are_missing_or_unknown_are_named_at_every_depth():
    config = {"experiment": ["smoke"], "data": {"mirors": []}, 3: 4}
    assert faults_of(Config, config) == [
        "3: unknown key; accepted: all, data, experiments, retry, seeds_per_job",
        "data.mirors: unknown key; did you mean 'mirrors'? accepted: mirrors",
        "data.mirrors: missing key",
        "experiment: unknown key; did you mean 'experiments'? accepted: all, data, experiments, retry, seeds_per_job",
        "experiments: missing key",
    ]
    assert faults_of(Config, [1]) == ["the document: must be a mapping, got [1]"]


def test_the_schema_for_editors_takes_every_shipped_experiment_and_refuses_wrong_keys_and_values():
    validator = Draft202012Validator(json.loads(keys.SCHEMA.read_text("utf-8")))
    documents = {file.name: read_yaml(file) for file in files_of(ROOT).values()}
    assert len(documents) > 40
    for name, document in documents.items():
        assert not [*validator.iter_errors(document)], name
    table1 = documents["diez_table1.yaml"]
    method = {"uses": "SVOR", "label": "S", "params": {}}
    for change in ({"seed": 3}, {"seeds": 0}, {"title": ""}, {"metrics": "zero_one"}, {"methods": {"one": method}}):
        assert not validator.is_valid({**table1, **change}), change
    assert not validator.is_valid({key: value for key, value in table1.items() if key != "title"})
