"""One description of the keys: what it makes of a yaml, and the words in which it refuses one."""

import json
from typing import Annotated

import pytest
from checkout import ROOT
from jsonschema import Draft202012Validator

from rankbench.command import keys
from rankbench.configuration.checked import checked
from rankbench.configuration.model import Config, Protocol
from rankbench.configuration.strict_yaml import ProtocolError
from rankbench.configuration.values import NAMES, NUMBER, SCALAR, named, several, whole
from rankbench.experiments.experiment import Experiment
from rankbench.experiments.protocol import files_of, read_yaml


def faults_of(kind, value):
    with pytest.raises(ProtocolError) as error:
        checked(kind, value, "f")
    return str(error.value).splitlines()


def test_an_empty_value_of_a_yaml_is_refused_and_that_of_a_copy_is_the_default():
    said = "f: substitute: String should have at least 1 character, got ''"
    assert said in faults_of(Protocol, {"title": "T", "substitute": ""})
    assert Experiment.of({"title": "T"}, substitute="").document == {"title": "T"}
    with pytest.raises(ValueError, match="substitute"):
        Experiment.of({"substitute": 3})


@pytest.mark.parametrize(
    ("kind", "value", "fault"),
    [
        (whole(2, 9), True, "the document: Input should be a valid integer, got True"),
        (whole(2, 9), 3.0, "Input should be a valid integer, got 3.0"),
        (NUMBER, "1", "Input should be a valid number, got '1'"),
        (several(NUMBER, distinct=True), [1, 1.0], "An entry occurs twice, got [1, 1.0]"),
        (SCALAR, [1], "valid number or Input should be a valid string or Input should be a valid boolean, got [1]"),
        (named("a word", "[a-z]+"), "word\n", r"String should match pattern '^(?:[a-z]+)$', got 'word\n'"),
        (NAMES, ["a" * 300] * 2, "aaaa ..."),
        (Annotated[dict[str, whole(1)], None], {"a": {"b": 0}}, "a: Input should be a valid integer, got {'b': 0}"),
        (Config, [1], "the document: Input should be a valid dictionary, got [1]"),
    ],
)
def test_a_fault_is_one_line_of_pydantic_and_says_what_came(kind, value, fault):
    (line,) = faults_of(kind, value)
    assert fault in line and len(line) < 250


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
