"""Kinds of values that a key or an argument of the configuration may have, with their bounds.

A value stays as the yaml has it: 1 becomes no float, a mapping keeps its order, and ``"1"``, ``true`` and 1.0 are
no integers.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WrapValidator

AS_WRITTEN = WrapValidator(lambda value, check: (check(value), value)[1])


def _different(values):
    if any(value in values[:place] for place, value in enumerate(values)):
        raise ValueError("An entry occurs twice")
    return values


DISTINCT = (
    AfterValidator(_different),
    Field(json_schema_extra={"uniqueItems": True}),
)  # entries


def number(**bounds):
    """Return the kind of a number within bounds."""
    return Annotated[float, Field(strict=True, **bounds), AS_WRITTEN]


def whole(least, most=None):
    """Return the kind of an integer within bounds."""
    return Annotated[int, Field(strict=True, ge=least, le=most)]


def several(kind, distinct=False):
    """Return the kind of a list."""
    return Annotated[list[kind], Field(min_length=1), *(DISTINCT if distinct else ())]


def one_of(*values):
    """Return the kind of one of some texts."""
    return Literal[*values]


def named(words, pattern):
    """Return the kind of a text with a pattern, which the words describe."""
    return Annotated[str, Field(pattern=f"^(?:{pattern})$", json_schema_extra={"words": words})]


NUMBER, POSITIVE, NOT_NEGATIVE = number(), number(gt=0), number(ge=0)
SECONDS, SHARE, FRACTION = number(gt=0, le=1_000_000), number(gt=0, lt=1), number(ge=0, le=1)
FLAG = Annotated[bool, Field(strict=True)]
TEXT = Annotated[str, Field(min_length=1)]
NAME = named("a name (lower case letters, digits and `_`)", "[a-z][a-z0-9_]*")
NAMES = Annotated[list[NAME], *DISTINCT]
COUNT = whole(1, 10**9)
SCALAR = NUMBER | str | FLAG | None
