"""Check what a user wrote against a kind: a class whose fields are the keys, or another type that pydantic knows.

Every error is one line: the key, what is accepted there, and what was given.
"""

import difflib
import json
import re
from functools import cache

from pydantic import ConfigDict, TypeAdapter, ValidationError, model_validator
from pydantic.dataclasses import dataclass
from pydantic_core import ArgsKwargs

OPEN = ConfigDict(use_attribute_docstrings=True, allow_inf_nan=False)  # shared by all classes of keys
KEYS = ConfigDict(extra="forbid", **OPEN)  # of a class that lists all its keys
UNIONS = {"oneOf": "anyOf"}  # pydantic writes oneOf if a value says which kind of a union it is
NUMBER = re.compile(r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?")
LONGEST = 120  # characters of a value in a message
TYPES = {"integer": "an integer", "number": "a number", "string": "text", "boolean": "`true` or `false`"}
TYPES |= {"array": "a list", "object": "a mapping", "null": "`null`"}
BOUNDS = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}


@dataclass(frozen=True, kw_only=True, config=KEYS)
class Keys:
    """The base of a class of keys: an object may have only some of them."""

    @model_validator(mode="before")
    @classmethod
    def _that_are_set(cls, values):
        """Leave out keys that have their default: a copy names all keys, and many defaults may not stand in a yaml."""
        if not isinstance(values, ArgsKwargs):  # a mapping from a yaml
            return values
        default = {name: of.get_default(call_default_factory=True) for name, of in cls.__pydantic_fields__.items()}
        values_given = values.kwargs or {}
        return ArgsKwargs((), {key: value for key, value in values_given.items() if value != default.get(key, ...)})


@cache
def adapter_of(kind):
    """Return the object that checks values of a kind and writes them as plain values."""
    return TypeAdapter(kind)


@cache
def schema_of(kind):
    """Return the JSON schema of a kind, with each definition in the places that refer to it."""
    schema = adapter_of(kind).json_schema()
    definitions = schema.pop("$defs", {})

    def written(part):
        if isinstance(part, list):
            return [written(one) for one in part]
        if not isinstance(part, dict):
            return part
        named = written(definitions[part["$ref"].rpartition("/")[2]]) if "$ref" in part else {}
        named.pop("description", None)  # the docstring of a class, which is for readers of the source
        return named | {UNIONS.get(key, key): written(value) for key, value in part.items() if key != "$ref"}

    return written(schema)


def faults_of(kind, document):
    """Return the faults of a document, sorted by key.

    Parameters
    ----------
    kind : type
        A class with the configuration `KEYS`, or any other kind of values that pydantic knows.
    document : object
    """
    schema, faults = schema_of(kind), []
    try:
        adapter_of(kind).validate_python(document)
    except ValidationError as error:
        faults = [_fault(one, schema, document) for one in error.errors(include_url=False, include_context=False)]
    faults += [([*way], "missing key") for way in _absent(schema, document)]
    in_order = sorted(faults, key=lambda fault: [*map(str, fault[0])])
    return [*dict.fromkeys(f"{'.'.join(map(str, way)) or 'the document'}: {words}" for way, words in in_order)]


def _fault(error, schema, document):
    """Return one error of pydantic as the path to its key and what is wrong there."""
    way, value = _reached(error["loc"], document)
    if error["type"] == "missing":
        return [*way, error["loc"][-1]], "missing key"
    if error["type"] in ("extra_forbidden", "unexpected_keyword_argument", "invalid_key"):
        entry = schema_at(schema, way[:-1])
        known = sorted(name for one in entry.get("anyOf", [entry]) for name in one.get("properties", ()))
        return way, f"unknown key; {meant(way[-1], known)}"
    if error["loc"][-1:] == ("[key]",):
        return way[:-1], f"must have names in lower case letters, digits and _, got {_shown(way[-1])}"
    entry = schema_at(schema, way)
    words = ("one of " if "enum" in entry else "") + words_of(entry).replace("`", "")
    return way, f"must be {words}, got {_shown(value)}{_near(value, entry)}"


def _reached(location, document):
    """Return the steps of a location that exist in a document, and the value there; the others are names of kinds."""
    way = []
    for step in location:
        if isinstance(document, dict):
            inside = step in document
        else:
            inside = isinstance(document, list) and isinstance(step, int) and step < len(document)
        if not inside:
            continue
        way.append(step)
        document = document[step]
    return way, document


def schema_at(schema, way):
    """Return the part of a schema for the value at the end of a path of keys; empty if every value is accepted."""
    for step in way:
        parts = [part for one in schema.get("anyOf", [schema]) if (part := _below(one, step)) is not None]
        schema = parts[0] if parts else {}
    return schema


def _below(schema, step):
    if isinstance(step, int):
        return schema.get("items")
    others = [*schema.get("patternProperties", {}).values(), schema.get("additionalProperties")]
    return next((part for part in (schema.get("properties", {}).get(step), *others) if isinstance(part, dict)), None)


def _absent(schema, document, way=()):
    """Yield the path to each key that the schema requires and the document lacks."""
    if not isinstance(document, dict):
        return
    properties = schema.get("properties", {})
    of_protocol = {name for name, entry in properties.items() if entry.get("needed") == "protocol"}
    optional = of_protocol if "studies" in document and document.keys().isdisjoint(of_protocol) else ()
    for name, entry in properties.items():
        if entry.get("needed") and name not in {*document, *optional}:
            yield *way, name
    for name, value in document.items():
        yield from _absent(schema_at(schema, [name]), value, (*way, name))


def words_of(entry):
    """Return in words which values a schema accepts."""
    if "words" in entry:
        return entry["words"]
    if "anyOf" in entry:
        return " or ".join(words_of(part) for part in entry["anyOf"])
    if "enum" in entry or "const" in entry:
        values = entry.get("enum", [entry.get("const")])
        return ", ".join(f"`{json.dumps(value)}`".replace('"', "") if value != "" else "empty" for value in values)
    bounds = [f"{sign} {entry[bound]}" for bound, sign in BOUNDS.items() if bound in entry]
    kind = " ".join([TYPES[entry["type"]] if "type" in entry else "any value", " and ".join(bounds)]).strip()
    least = max(entry.get(bound, 0) for bound in ("minItems", "minLength", "minProperties"))
    size = "" if not least else "not empty" if least == 1 else f"at least {least} entries"
    return ", ".join(filter(None, [kind, size, "without repetition" if entry.get("uniqueItems") else ""]))


def _near(value, entry):
    """Return what was probably meant, as the end of a message: a word of the schema, or a number that YAML takes for a
    text, such as 1e-3."""
    if isinstance(value, str) and NUMBER.fullmatch(value) and "number" in words_of(entry):
        return f"; YAML takes {value} for a text: write {float(value)!r}"
    close = difflib.get_close_matches(str(value), [str(one) for one in entry.get("enum", ())], 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def _shown(value):
    shown = repr(value)
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]} ..."


def meant(name, known):
    """Return the name that the user may have meant, and all accepted ones, as the end of a message."""
    close = difflib.get_close_matches(str(name), known, 1)
    return (f"did you mean {close[0]!r}? " if close else "") + f"accepted: {', '.join(known)}"
