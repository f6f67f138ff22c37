"""One description of the keys: what it makes of a yaml, and the words in which it refuses one."""

import json

import pytest
from checkout import ROOT
from jsonschema import Draft202012Validator

from rankbench.configuration.checked import checked
from rankbench.configuration.model import Protocol
from rankbench.configuration.strict_yaml import ProtocolError
from rankbench.experiments.experiment import Experiment
from rankbench.experiments.protocol import files_of, read_yaml


def test_an_empty_value_of_a_yaml_is_refused_and_that_of_a_copy_is_the_default():
    with pytest.raises(ProtocolError, match="f: substitute: String should have at least 1 character, got ''"):
        checked(Protocol, {"title": "T", "substitute": ""}, "f")
    assert Experiment.of({"title": "T"}, substitute="").document == {"title": "T"}
    with pytest.raises(ValueError, match="substitute"):
        Experiment.of({"substitute": 3})


def test_the_schema_for_editors_takes_every_shipped_experiment_and_refuses_wrong_keys_and_values():
    validator = Draft202012Validator(json.loads((ROOT / "config/schema.json").read_text("utf-8")))
    documents = {file.name: read_yaml(file) for file in files_of(ROOT).values()}
    assert len(documents) > 40
    for name, document in documents.items():
        assert not [*validator.iter_errors(document)], name
    table1 = documents["diez_table1.yaml"]
    method = {"uses": "SVOR", "label": "S", "params": {}}
    for change in ({"seed": 3}, {"seeds": 0}, {"title": ""}, {"metrics": "zero_one"}, {"methods": {"one": method}}):
        assert not validator.is_valid({**table1, **change}), change
    assert not validator.is_valid({key: value for key, value in table1.items() if key != "title"})
