"""What every study defines."""

import ast
import inspect

from rankbench.claims.ledger import registered
from rankbench.registry import STUDIES


def names_in(study):
    """Return the names that a study uses, itself or in the functions of its module that it calls."""
    tree = ast.parse(inspect.getsource(inspect.getmodule(study.load())))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    found, waiting = set(), [study.name]
    while waiting:
        names = {node.id for node in ast.walk(functions[waiting.pop()]) if isinstance(node, ast.Name)}
        waiting += [name for name in names - found if name in functions]
        found |= names
    return found


def test_timed_studies_are_those_that_measure_seconds_for_a_claim():
    measuring = {name for name, study in STUDIES.items() if "least_seconds" in names_in(study)}
    judged = {need.rpartition("/")[2] for claim in registered().values() for need in claim.needs}
    assert {name for name, study in STUDIES.items() if study.timed} == measuring
    assert measuring <= judged
