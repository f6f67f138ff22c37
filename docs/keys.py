"""The tables of ``config/README.md``, and ``config/schema.json``, from the classes that check the keys."""

import json
import re
from pathlib import Path

from rankbench.configuration.checked import adapter_of
from rankbench.configuration.model import Config, Protocol
from rankbench.datasets.sheet import Row

README = Path(__file__).parents[1] / "config/README.md"
SCHEMA = README.with_name("schema.json")  # .vscode/settings.json names it
FILES = {"config.yaml": Config, "experiments": Protocol, "datasets.tsv": Row}
TYPES = {"integer": "an integer", "number": "a number", "string": "text", "boolean": "`true` or `false`"}
TYPES |= {"array": "a list", "object": "a mapping", "null": "`null`"}
BOUNDS = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}


def with_tables(text):
    """Return the text with the part between ``<!-- keys of FILE -->`` and ``<!-- end -->`` written from `FILES`."""

    def written(place):
        rows = [f"| `{key}` | {values} | {meaning} |" for key, values, meaning in rows_of(FILES[place[2]])]
        return "\n".join([place[1], "| key | value | meaning |", "| --- | --- | --- |", *rows, "<!-- end -->"])

    return re.sub(r"(<!-- keys of (\S+) -->)\n.*?<!-- end -->", written, text, flags=re.DOTALL)


def rows_of(kind):
    """Return (key, accepted values, meaning) for every key of a kind that has a description."""
    schema = adapter_of(kind).json_schema()
    return [*_rows(schema, schema.get("$defs", {}), "")]


def _rows(schema, classes, outside):
    """Yield the rows of the properties of a schema that refers to these classes."""
    for name, entry in schema.get("properties", {}).items():
        key, meaning = f"{outside}{name}", " ".join(entry.get("description", "").split())
        below = next(iter(entry.get("patternProperties", {}).values()), entry)
        below = classes.get(below.get("$ref", "").rpartition("/")[2], below)
        holds = any("description" in part for part in below.get("properties", {}).values())
        if meaning:
            needed = name in schema.get("required", ()) or entry.get("needed")
            yield key, ("" if needed else "optional: ") + words_of(entry), meaning
        if holds:
            yield from _rows(below, classes, f"{key}.*." if "patternProperties" in entry else f"{key}.")


def words_of(entry):
    """Return in words which values a schema accepts."""
    if "words" in entry:
        return entry["words"]
    if "anyOf" in entry:
        return " or ".join(map(words_of, entry["anyOf"]))
    if "enum" in entry or "const" in entry:
        values = entry.get("enum", [entry.get("const")])
        return ", ".join(f"`{value}`" if value != "" else "empty" for value in values)
    bounds = " and ".join(f"{sign} {entry[bound]}" for bound, sign in BOUNDS.items() if bound in entry)
    least = max(entry.get(bound, 0) for bound in ("minItems", "minLength", "minProperties"))
    size = "" if not least else "not empty" if least == 1 else f"at least {least} entries"
    kind = f"{TYPES[entry.get('type', 'object')]} {bounds}".strip()
    return ", ".join(filter(None, [kind, size, "without repetition" if entry.get("uniqueItems") else ""]))


def editor_schema():
    """Return the JSON schema by which an editor completes and checks the yaml of an experiment, as a text."""
    schema = adapter_of(Protocol).json_schema()
    for part in (schema, *schema["$defs"].values()):
        entries = part.get("properties", {}).items()
        if needed := [name for name, entry in entries if entry.get("needed") == "experiment"]:
            part["required"] = needed
    return json.dumps(schema, indent=1) + "\n"


def made():
    """Return path -> content of both files."""
    return {README: with_tables(README.read_text(encoding="utf-8")), SCHEMA: editor_schema()}
