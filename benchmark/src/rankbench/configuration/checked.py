"""Make an object of what a user wrote, or refuse it: the kind is a class whose fields are the keys, or another type.

A fault is one line: the file, the key, the words of pydantic or of a validator beside the key, and what came.
"""

import difflib
from functools import cache

from pydantic import ConfigDict, TypeAdapter, ValidationError, model_validator
from pydantic.dataclasses import dataclass
from pydantic_core import ArgsKwargs, PydanticCustomError

from .labels import meant
from .strict_yaml import ProtocolError

OPEN = ConfigDict(use_attribute_docstrings=True, allow_inf_nan=False)  # shared by all classes of keys
KEYS = ConfigDict(extra="forbid", **OPEN)  # of a class that lists all its keys
UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
LONGEST = 120  # characters of a value in a message


@dataclass(frozen=True, kw_only=True, config=KEYS)
class Keys:
    """The base of a class of keys: an object may have only some of them.

    A yaml is checked with what there is, ``known``: it must have the keys that are needed and no others, and `faults`
    must find nothing. A copy, or the experiment that a job is given, was made of a yaml that has been checked.
    """

    @model_validator(mode="before")
    @classmethod
    def _that_are_set(cls, values, info):
        """Leave out keys that have their default: a copy names all keys, and many defaults may not stand in a yaml."""
        fields = cls.__pydantic_fields__
        if isinstance(values, ArgsKwargs):
            default = {name: of.get_default(call_default_factory=True) for name, of in fields.items()}
            values_given = values.kwargs or {}
            return ArgsKwargs((), {key: value for key, value in values_given.items() if value != default.get(key, ...)})
        if info.context and isinstance(values, dict):
            needed = {name: (of.json_schema_extra or {}).get("needed") for name, of in fields.items()}
            of_protocol = {name for name, part in needed.items() if part == "protocol"}
            optional = of_protocol if "studies" in values and values.keys().isdisjoint(of_protocol) else ()
            absent = [f"{name}: Field required" for name in needed if needed[name] and name not in {*values, *optional}]
            unknown = [name for name in values if name not in fields]
            refuse([*absent, *(f"{name}: unknown key; {meant(name, sorted(fields))}" for name in unknown)])
        return values

    @model_validator(mode="after")
    def _that_fit(self, info):
        if info.context:
            refuse(self.faults(info.context))
        return self

    def faults(self, known):
        """Yield ``key: words`` of keys that do not fit together, or to what there is."""
        return ()


def refuse(faults):
    """Refuse an object in a validator: each fault is ``key: words``, with the key as seen from the object."""
    if faults := [*dict.fromkeys(faults)]:
        raise PydanticCustomError("faults", "{said}", {"said": "; ".join(faults), "faults": faults})


@cache
def adapter_of(kind):
    """Return the object that checks values of a kind and writes them as plain values."""
    return TypeAdapter(kind)


def checked(kind, document, file, known=None):
    """Return the object of a document.

    Parameters
    ----------
    kind : type
        A class with the configuration `KEYS`, or any other kind of values that pydantic knows.
    document : object
    file : path
        Named in the messages.
    known : object, optional
        What there is, for validators.

    Raises
    ------
    ProtocolError
        With one line per fault.
    """
    try:
        return adapter_of(kind).validate_python(document, context=known)
    except ValidationError as error:
        lines = (" ".join(line.split("\n")) for line in lines_of(error, kind, document))  # a name may hold a line break
        raise ProtocolError("\n".join(f"{file}: {line}" for line in lines)) from None


def lines_of(error, kind, document):
    """Return the faults of a document, ``key: words, got value``, sorted by key; a union has the words of each kind."""
    found, lines = {}, []
    for one in error.errors(include_url=False):
        way, value = _reached(one["loc"], document)
        words, came = one["msg"].removeprefix("Value error, "), ""
        if one["type"] == "faults":
            lines += [".".join([*way, fault]) for fault in one["ctx"]["faults"]]
            continue
        if one["type"] == "missing":
            way = [*way, one["loc"][-1]]
        elif one["type"] in UNKNOWN:
            close = difflib.get_close_matches(way[-1], names_in(kind), 1)
            words = f"unknown key; did you mean {close[0]!r}?" if close else "unknown key"
        else:
            if one["loc"][-1:] == ("[key]",):
                value = way.pop()
            came = f", got {_shown(value)}"
        found.setdefault((".".join(map(str, way)) or "the document", came), []).append(words)
    lines += [f"{key}: {' or '.join(dict.fromkeys(words))}{came}" for (key, came), words in found.items()]
    return sorted(lines)


def _reached(location, document):
    """Return the steps of a location that exist in a document, and the value there; the others are names of kinds."""
    way = []
    for step in location:
        if isinstance(document, dict):
            inside = step in document
        else:
            inside = isinstance(document, list) and isinstance(step, int) and step < len(document)
        if inside:
            way.append(str(step))
            document = document[step]
    return way, document


@cache
def names_in(kind):
    """Return the names of all keys of a kind, at every depth."""
    schema = adapter_of(kind).json_schema()
    parts = [schema, *schema.get("$defs", {}).values()]
    return sorted({name for part in parts for name in part.get("properties", ())})


def _shown(value):
    shown = repr(value)
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]} ..."
