"""Compare two pictures, SVG of matplotlib, by what they show.

Another processor rounds otherwise: a coordinate differs in its last digit, and with it the names that are hashed from
it. So places may differ by a distance that no reader sees. Texts, colours, widths, and what is drawn in which order,
must be the same.
"""

import re
from itertools import zip_longest
from xml.etree import ElementTree

PLACES = {"d", "x", "y", "width", "height"}
NUMBER = re.compile(r"(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)")
REFERENCE = re.compile(r"(?:url\()?#([^)]*)\)?$")
NOT_SEEN = {"defs", "creator", "date", "format", "type"}  # definitions are shown where they are used


def difference(kept, made, distance):
    """Return the first difference of two pictures as a text, empty if they show the same.

    Parameters
    ----------
    kept, made : bytes
    distance : float
        By so many points (1/72 inch) a place may differ.
    """
    one, other = parts(kept), parts(made)
    for (name, said, places), (_, now, anew) in zip(one, other):
        if said != now:
            first = next(at for at, (a, b) in enumerate(zip_longest(said, now)) if a != b)
            at = max(first - 12, 0)  # a style is long
            return f"{name} is {said[at : at + 40]!r}, drawn anew {now[at : at + 40]!r}"
        for at, new in zip(places, anew):
            if abs(at - new) > distance:
                return f"{name} is at {at:g}, drawn anew at {new:g}"
    return "" if len(one) == len(other) else f"it has {len(one)} parts, drawn anew {len(other)}"


def parts(svg):
    """Return (name, what must be equal, places) of every part of a picture in the order in which it is drawn."""
    root = ElementTree.fromstring(svg)
    return list(_parts(root, {element.get("id"): element for element in root.iter() if element.get("id")}))


def _parts(element, named):
    kind = element.tag.rpartition("}")[2]
    if kind in NOT_SEEN:
        return
    if text := (element.text or "").strip():
        yield kind, text, []
    for key, value in sorted(element.attrib.items()):
        key = key.rpartition("}")[2]
        if key == "id":
            continue
        if used := REFERENCE.match(value):
            yield from _parts(named[used[1]], named)
            continue
        if key == "transform":  # a translation is a place; a scale or a rotation is not
            where = re.match(r"translate\(([^)]*)\)", value)
            split, rest = (NUMBER.split(where[1]), value[where.end() :]) if where else ([""], value)
        else:
            split, rest = (NUMBER.split(value), "") if key in PLACES else ([value], "")
        yield f"{kind} {key}", " ".join("".join(split[::2]).split()) + rest, [float(number) for number in split[1::2]]
    for child in element:
        yield from _parts(child, named)
