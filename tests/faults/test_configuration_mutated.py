"""Every key of every shipped configuration missing, misspelt or odd: refused with file and key, before any job."""

import copy
import os
from pathlib import Path

import pytest

from rankbench.datasets.sheet import load_sheet
from rankbench.experiments import protocol
from rankbench.experiments.protocol import ProtocolError

ROOT = Path(__file__).parents[2]
SHEET = load_sheet(ROOT / "config/datasets.tsv")
FILES = sorted((ROOT / "config/experiments").glob("*.yaml"))
SCHEMA = protocol.read_yaml(ROOT / "workflow/schemas/experiment.schema.yaml")
PUBLISHED = [file.name for file in (ROOT / "resources/published").glob("*.csv")]
LONG = os.environ.get("RANKBENCH_FAULTS") == "long"
ODD = ([{}], {"a": 1}, None, "", "two words", "Zürich", "../up", -1, 0, 1.5, True, 10**30)


def ways(document, way=()):
    """Yield the way to every key and list entry of a nested document."""
    children = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in children:
        yield (*way, key)
        if isinstance(value, dict | list):
            yield from ways(value, (*way, key))


def changed(document, way, change):
    """Return a copy in which ``change(parent, key)`` was done at the end of a way."""
    document = copy.deepcopy(document)
    parent = document
    for key in way[:-1]:
        parent = parent[key]
    change(parent, way[-1])
    return document


def outcome(experiment, file):
    """Return ``passes``, the message of a refusal, or ``fault: ...`` for any other exception."""
    try:
        protocol.check_schema(experiment, SCHEMA, file)
        protocol.check_experiment({**protocol.NOTHING, **experiment}, SHEET, PUBLISHED, file)
    except ProtocolError as error:
        return str(error)
    except Exception as error:
        return f"fault: {type(error).__name__}: {error}"
    return "passes"


def misspell(parent, key):
    parent[f"{key}x"] = parent.pop(key)


def replace_by(value):
    def change(parent, key):
        parent[key] = value

    return change


@pytest.mark.fault("configuration: every key of every experiment mutated")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_mutant_is_refused_by_name_or_is_a_protocol_too(path, record_property):
    experiment, file = protocol.read_yaml(path), path.name
    assert outcome(experiment, file) == "passes"
    tried, faults, passed = 0, [], 0
    for number, way in enumerate(ways(experiment)):
        values = ODD if LONG else (ODD[number % len(ODD)], ODD[-number % len(ODD)])
        changes = {"another value": [replace_by(value) for value in values]}
        if isinstance(way[-1], str):
            changes |= {"missing": [lambda parent, key: parent.pop(key)], "misspelt": [misspell]}
        for kind, several in changes.items():
            for at, change in enumerate(several):
                tried += 1
                said = outcome(changed(experiment, way, change), file)
                passed += said == "passes"
                named = all(line.startswith(f"{file}: ") for line in said.splitlines())
                if said.startswith("fault") or not (said == "passes" or named):
                    faults.append(f"{'.'.join(map(str, way))} {kind} {at}: {said}")
    record_property("tried", tried)
    record_property("survived", tried - len(faults))
    assert not faults, "\n".join(faults)
    assert passed < tried / 3
