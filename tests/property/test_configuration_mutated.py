"""Every key of every shipped configuration missing, misspelt or odd: refused with file and key, before any job."""

import copy
import random

import pytest
import shipped
from checkout import ROOT
from fault_cases import SHARE
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from rankbench.configuration.labels import figure_label, tex_label
from rankbench.experiments import protocol
from rankbench.experiments.protocol import ProtocolError

KNOWN = protocol.Known(shipped.sheet())
FILES = [*protocol.files_of(ROOT).values()]
NAMED_FREELY = ("datasets", "conditions", "methods")
FREE = (*NAMED_FREELY, "studies", "params", "grid")
ODD = ([{}], {"a": 1}, None, "", "two words", "Zürich", "../up", -1, 0, 1.5, True, 10**30, 2.0, "name\n")


def ways(document, way=()):
    """Yield the way to every key and list entry of a nested document; by default, of siblings that have the same keys
    and types only one is looked into, and of entries of a list with the same type only one is taken."""
    seen = set()
    for key, value in document.items() if isinstance(document, dict) else enumerate(document):
        known = shape(value) in seen and not SHARE
        seen.add(shape(value))
        if isinstance(document, dict) or not known:
            yield (*way, key)
        if isinstance(value, dict | list) and not known:
            yield from ways(value, (*way, key))


def kind_of(way):
    """Return a way without the names that a yaml may choose: all methods have the same keys."""
    return tuple("*" if at and way[at - 1] in NAMED_FREELY else step for at, step in enumerate(way))


def ways_of_all():
    """Yield file, document and ways; by default only the first way of each kind in all files."""
    seen = set()
    for path in FILES:
        document, new = protocol.read_yaml(path), []
        for way in ways(document):
            if SHARE or kind_of(way) not in seen:
                new.append(way)
                seen.add(kind_of(way))
        if new:
            yield pytest.param(path.name, document, new, id=path.stem)


def shape(value):
    """Return the keys and types of a nested document."""
    if isinstance(value, dict):
        return tuple((key, shape(below)) for key, below in value.items())
    return tuple({shape(below) for below in value}) if isinstance(value, list) else type(value)


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
        protocol.described(experiment, KNOWN, file)
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


@pytest.mark.parametrize(("file", "experiment", "mutated"), list(ways_of_all()))
def test_a_mutant_is_refused_by_name_or_is_a_protocol_too(file, experiment, mutated):
    assert outcome(experiment, file) == "passes"
    tried, faults, passed, chosen = 0, [], 0, random.Random(0)
    for number, way in enumerate(mutated):
        changes, named = [(f"{value!r}", replace_by(value)) for value in ODD], []
        if isinstance(way[-1], str):
            named = [("missing", lambda parent, key: parent.pop(key)), ("misspelt", misspell)]
        if way[0] == "studies" and len(way) > 2:  # arguments of a function, which refuses them
            continue
        changes = named + (changes if SHARE else [changes[5 * number % len(changes)]])  # by default one odd value a key
        for kind, change in changes:
            if SHARE and chosen.random() > SHARE:
                continue
            tried += 1
            said = outcome(changed(experiment, way, change), file)
            passed += said == "passes"
            told = said == "passes" or all(line.startswith(f"{file}: ") for line in said.splitlines())
            if kind == "misspelt" and not (way[-2:-1] and way[-2] in FREE):
                told = f"{'.'.join(map(str, way))}x: unknown key; did you mean {way[-1]!r}?" in said
            if said.startswith("fault") or not told:
                faults.append(f"{'.'.join(map(str, way))} {kind}: {said}")
    assert not faults, "\n".join(faults)
    assert tried < 20 or passed < tried / 2


@pytest.mark.parametrize("label", ["x_%", "a_#", "'\"_x", "$x_{", "\\foo_x", "{_}", "a_b^$", "100 % ^"])
def test_a_label_that_is_no_mathematics_is_drawn_as_it_is(label):
    figure = Figure()
    figure.text(0, 0, figure_label(label))
    FigureCanvasAgg(figure).draw()
    assert figure_label(label).replace("\\$", "$") == label
    assert "$" not in tex_label(label).replace("\\$", "")
