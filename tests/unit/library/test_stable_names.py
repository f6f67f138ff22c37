"""The stable names are those of a frozen list, with their parameters and fitted attributes.

A change of the list is a change of the interface: CONTRIBUTING says when it may be made and where it is announced. The
list is written anew by ``python tests/unit/library/test_stable_names.py``.
"""

import inspect
import re
from importlib import import_module
from pathlib import Path

from numpydoc.docscrape import ClassDoc
from sklearn.base import BaseEstimator

import rankmargin

ROOT = Path(__file__).parents[3]
FROZEN = ROOT / "tests/golden/stable_names.txt"


def listed():
    """Return the names of the reference."""
    return re.findall(r"^   ([A-Za-z_][\w.]*)$", (ROOT / "docs/reference/index.rst").read_text("utf-8"), re.MULTILINE)


def named(name):
    """Return the class, function or value of the reference called ``name``."""
    module, _, last = name.rpartition(".")
    return getattr(import_module("rankmargin" + (f".{module}" if module else "")), last)


def stable():
    """Return a line for each name of the reference and of ``__all__``: its parameters and fitted attributes."""
    return [line(name) for name in sorted({*listed(), *rankmargin.__all__})]


def line(name):
    thing = named(name)
    if not callable(thing) or (inspect.isclass(thing) and issubclass(thing, (Warning, Exception))):
        return name
    taken = [p for p in inspect.signature(thing).parameters.values() if p.name != "self"]
    taken.sort(key=lambda p: p.name if p.kind is p.KEYWORD_ONLY else "")  # the order of these has no meaning
    text = f"{name}({', '.join(p.name for p in taken)})"
    if inspect.isclass(thing) and issubclass(thing, BaseEstimator):
        attributes = [own for entry in ClassDoc(thing)["Attributes"] for own in entry.name.split(", ")]
        text += f" -> {', '.join(attributes)}" if attributes else ""
    return text


def test_they_are_those_of_the_frozen_list():
    assert stable() == FROZEN.read_text("utf-8").splitlines()


if __name__ == "__main__":
    FROZEN.write_text("\n".join(stable()) + "\n", "utf-8")
