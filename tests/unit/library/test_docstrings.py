"""The reference is complete: every public name is listed, with its parameters, its attributes and an example."""

import ast
import inspect
import warnings
from dataclasses import is_dataclass
from pathlib import Path

import pytest
from crossed import data
from numpydoc.docscrape import ClassDoc, FunctionDoc
from public import made
from sklearn.base import BaseEstimator
from test_stable_names import listed, named

import rankmargin

LISTED = listed()


def documented(thing, section):
    doc = (ClassDoc if inspect.isclass(thing) else FunctionDoc)(thing)
    return [name for entry in doc[section] for name in entry.name.replace("*", "").split(", ")]


def is_result(thing):
    """Return whether users get it from a call and never make it: a tuple, a warning, a picture, or a dataclass that is
    no estimator."""
    given = (tuple, Warning, Exception)
    return inspect.isclass(thing) and (
        (is_dataclass(thing) and not issubclass(thing, BaseEstimator))
        or issubclass(thing, given)
        or hasattr(thing, "from_estimator")
    )


def test_everything_public_is_listed_once():
    assert len(set(LISTED)) == len(LISTED)
    assert set(rankmargin.__all__) - {"__version__"} <= set(LISTED)


@pytest.mark.parametrize("name", [name for name in LISTED if not is_result(named(name))])
def test_parameters_are_those_of_the_signature(name):
    thing = named(name)
    assert len(str(inspect.signature(thing))) < 800, "help() shows it: name long types in rankmargin.annotations"
    taken = [p for p in inspect.signature(thing).parameters.values() if p.name != "self"]
    by_name = [p.name for p in taken if p.kind is p.KEYWORD_ONLY]  # their order has no meaning
    described = documented(thing, "Parameters")
    assert sorted(name for name in described if name in by_name) == sorted(by_name)
    assert [name for name in described if name not in by_name] == [p.name for p in taken if p.name not in by_name]


def functions_of(thing):
    """Return what a user may call of a class or function of the reference, without what Python or scikit-learn made."""
    if not inspect.isclass(thing):
        return [thing]
    ours = [base for base in thing.__mro__ if base.__module__.startswith("rankmargin")]
    named = {name: part for base in reversed(ours) for name, part in vars(base).items()}
    named = {name: inspect.unwrap(getattr(part, "__func__", part)) for name, part in named.items()}
    own = {name: getattr(part, "fn", part) for name, part in named.items()}  # inside available_if
    public = [part for name, part in own.items() if not name.startswith("_") or name in ("__init__", "__call__")]
    return [part for part in public if inspect.isfunction(part) and "<string>" not in part.__code__.co_filename]


@pytest.mark.parametrize("name", LISTED)
def test_everything_is_annotated(name):
    for function in functions_of(named(name)):
        signature = inspect.signature(function)
        bare = [
            p.name for p in signature.parameters.values() if p.annotation is p.empty and p.name not in ("self", "cls")
        ]
        assert not bare, f"{function.__qualname__}: {bare}"
        assert signature.return_annotation is not signature.empty, function.__qualname__
        assert len(str(signature)) < 800, function.__qualname__


def test_type_checkers_are_told_the_same_names():
    """The stub of the package, beside which its lazy imports would say nothing to them."""
    told = ast.parse(Path(rankmargin.__file__).with_suffix(".pyi").read_text()).body
    homes = {alias.asname: node.module for node in told if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert homes == rankmargin._HOMES


@pytest.mark.parametrize("name", LISTED)
def test_it_has_an_example(name):
    thing = named(name)
    assert is_result(thing) or ">>> " in thing.__doc__


def fitted(estimator, **given):
    C = None if estimator is rankmargin.SumOfMarginsSVM else 0.1
    model = made(estimator, **{"kernel": "linear", "C": C, "probability": True, "n_bins": 3} | given)
    if estimator is rankmargin.RankSearchCV:
        model.set_params(estimator=rankmargin.SVOR(kernel="linear"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(*data(model))


@pytest.mark.parametrize(
    "name", [n for n in LISTED if inspect.isclass(named(n)) and issubclass(named(n), BaseEstimator)]
)
def test_learned_attributes_are_documented(name):
    fits = [fitted(named(name)), fitted(named(name), kernel="rbf", landmarks=9)]
    learned = {key for fit in fits for key in vars(fit) if key.endswith("_") and not key.startswith("_")}
    assert learned - {"n_features_in_", "feature_names_in_"} == set(documented(named(name), "Attributes"))
