"""Kinds of values that a key or an argument of the configuration may have, with their bounds.

They are annotations for pydantic, which is imported only where something is checked
(`rankbench.configuration.checked`): the lists of rooms use them too, and jobs read those lists.
"""

from typing import Annotated, Literal

from annotated_types import Ge, Gt, Le, Lt, MinLen, MultipleOf


class AsWritten:
    """The value stays as the yaml has it: 1 does not become a float, and a mapping keeps its order; ``"1"``, ``true``
    and 1.0 are no integers."""

    def __get_pydantic_core_schema__(self, kind, schema_of):
        from pydantic_core import core_schema

        schema = schema_of(kind)
        if schema["type"] in ("int", "float", "bool"):
            schema = {**schema, "strict": True}
        return core_schema.no_info_wrap_validator_function(lambda value, check: (check(value), value)[1], schema)


class Distinct:
    """No entry of the list occurs twice."""

    def __get_pydantic_core_schema__(self, kind, schema_of):
        from pydantic_core import core_schema

        return core_schema.no_info_after_validator_function(_distinct, schema_of(kind))

    def __get_pydantic_json_schema__(self, schema, json_schema_of):
        return {**json_schema_of(schema), "uniqueItems": True}


def _distinct(values):
    if any(value in values[:place] for place, value in enumerate(values)):
        raise ValueError("An entry occurs twice")
    return values


class Named:
    """The text has a pattern that these words describe."""

    def __init__(self, words, pattern):
        self.words, self.pattern = words, pattern

    def __get_pydantic_core_schema__(self, kind, schema_of):
        return {**schema_of(kind), "pattern": f"^(?:{self.pattern})$"}

    def __get_pydantic_json_schema__(self, schema, json_schema_of):
        return {**json_schema_of(schema), "words": self.words}


def whole(least, most=None, multiple_of=1):
    """Return the kind of an integer within bounds."""
    return Annotated[int, Ge(least), *([Le(most)] if most else []), MultipleOf(multiple_of), AsWritten()]


def several(kind, at_least=1, distinct=False):
    """Return the kind of a list."""
    return Annotated[list[kind], MinLen(at_least), *([Distinct()] if distinct else [])]


def one_of(*values):
    """Return the kind of one of some texts."""
    return Literal[*values]


def named(words, pattern):
    """Return the kind of a text with a pattern, which the words describe."""
    return Annotated[str, Named(words, pattern)]


NUMBER = Annotated[float, AsWritten()]
POSITIVE = Annotated[float, Gt(0), AsWritten()]
SECONDS = Annotated[float, Gt(0), Le(1_000_000), AsWritten()]
NOT_NEGATIVE = Annotated[float, Ge(0), AsWritten()]
SHARE = Annotated[float, Gt(0), Lt(1), AsWritten()]
TOLERANCE = Annotated[float, Gt(0), Le(1), AsWritten()]
FRACTION = Annotated[float, Ge(0), Le(1), AsWritten()]
FLAG = Annotated[bool, AsWritten()]
TEXT = Annotated[str, MinLen(1)]
NAME = named("a name (lower case letters, digits and `_`)", "[a-z][a-z0-9_]*")
NAMES = Annotated[list[NAME], Distinct()]
COUNT = whole(1, 10**9)
SCALAR = NUMBER | str | FLAG | None
NUMBERS = dict[str, NUMBER]
