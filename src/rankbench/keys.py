"""Write the tables of ``config/README.md`` from the schemas that check its keys: ``python -m rankbench.keys``."""

import json
import re

import yaml

from rankbench.home import HOME, SCHEMAS

README = HOME / "config/README.md"
KINDS = {"integer": "integer", "number": "number", "string": "text", "boolean": "`true` or `false`"}
KINDS |= {"array": "list", "object": "mapping", "null": "`null`"}
BOUNDS = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}


def with_tables(text):
    """Return the text with what is between ``<!-- keys of FILE -->`` and ``<!-- end -->`` written from that schema."""

    def written(found):
        schema = yaml.safe_load((SCHEMAS / found[2]).read_text(encoding="utf-8"))
        rows = [f"| `{key}` | {values} | {meaning} |" for key, values, meaning in rows_of(schema)]
        return "\n".join([found[1], "| key | value | meaning |", "| --- | --- | --- |", *rows, "<!-- end -->"])

    return re.sub(r"(<!-- keys of (\S+) -->)\n.*?<!-- end -->", written, text, flags=re.DOTALL)


def rows_of(schema):
    """Return (key, accepted values, meaning) for every key of a schema that has a description.

    Raises
    ------
    ValueError
        If a key has no description, is not named in that of the key that holds it, and holds no keys that have one.
    """
    return [*_rows(schema, schema.get("$defs", {}), "", "")]


def _rows(schema, definitions, inside, told):
    """Yield the rows of the properties of a schema; `told` is the description of the key that holds them."""
    needed = {*schema.get("required", ()), *schema.get("else", {}).get("required", ())}
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", told))))
    for name, entry in schema.get("properties", {}).items():
        key, meaning, entries = f"{inside}{name}", entry.get("description", ""), entry.get("additionalProperties")
        below = entries if isinstance(entries, dict) else entry
        if meaning:
            yield key, ("" if name in needed else "optional: ") + values_of(entry, definitions), meaning
        elif name not in named and "properties" not in below:
            raise ValueError(f"{key} has no description in the schema")
        yield from _rows(below, definitions, f"{key}.*." if below is entries else f"{key}.", meaning or told)


def values_of(entry, definitions):
    """Return in words which values a schema accepts."""
    if "$ref" in entry:
        return values_of(definitions[entry["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in entry:
        return " or ".join(values_of(part, definitions) for part in entry["anyOf"])
    if "enum" in entry or "const" in entry:
        values = entry.get("enum", [entry.get("const")])
        return ", ".join(f"`{json.dumps(value)}`".replace('"', "") if value != "" else "empty" for value in values)
    bounds = [f"{sign} {entry[bound]}" for bound, sign in BOUNDS.items() if bound in entry]
    return " ".join([KINDS[entry["type"]], " and ".join(bounds)]).strip()


if __name__ == "__main__":
    README.write_text(with_tables(README.read_text(encoding="utf-8")), encoding="utf-8")
