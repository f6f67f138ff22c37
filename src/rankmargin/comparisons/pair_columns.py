"""Which columns of a table of pairs are of the first item, and which of the second: read from names, never guessed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankmargin.annotations import Array

# pairs of words in the order in which they count: later ones may also be names of features
WORDS = (
    (("first", "second"),),  # of `stack_pairs`
    (("home", "away"), ("white", "black"), ("red", "blue"), ("left", "right")),
    (("a", "b"), ("1", "2")),
)
SEPARATORS = " _.:-"
# a word begins behind separators, with a capital letter behind a small one, and on both sides of a number
BEGINS = re.compile(rf"(?<=[{SEPARATORS}])(?=[^{SEPARATORS}])|(?<=[a-z])(?=[A-Z])|(?<=[^\d])(?=\d)|(?<=\d)(?=[A-Za-z])")
KNOWN = ", ".join("/".join(pair) for pairs in WORDS for pair in pairs)
MOST_TOLD = 8  # columns that a proposed line names


@dataclass(frozen=True)
class PairColumns:
    """The columns of both items of a pair.

    Attributes
    ----------
    numbers : (2, d) array of integers, the columns of the first items and those of the second, in the same order
    names : (d,) list, the columns of a single item, or None if the columns have no names
    """

    numbers: Array
    names: list[Any] | None = None

    @property
    def in_order(self) -> bool:
        """Return whether each row is the first item followed by the second."""
        return bool(np.all(self.numbers.ravel() == np.arange(self.numbers.size)))


def pair_columns(columns: Sequence[Any] | None, n_columns: int, items: Any = None) -> PairColumns:
    """Return the columns of both items. Those without names are the first item followed by the second.

    Two columns belong together if their names differ only in one of the pairs of :data:`WORDS`, the same for all; or if
    both halves of the columns have the same names.

    Parameters
    ----------
    columns : (2 d,) names, or None if there are none
    n_columns : int, even
    items : None; two endings or beginnings of the names; or two lists of names, or of numbers if there are no names

    Raises
    ------
    ValueError
        If the names do not say which columns belong together, or which item is the first, or say it in two ways.
    """
    half = n_columns // 2
    if items is not None:
        return _given(list(range(n_columns)) if columns is None else list(columns), items, columns is not None)
    if columns is None or list(columns[:half]) == list(columns[half:]):
        return PairColumns(np.arange(n_columns).reshape(2, -1), None if columns is None else list(columns[:half]))
    names = [str(name) for name in columns]
    if len({*names}) < len(names):
        raise ValueError(f"the names of the columns of X must be different, got {_told(names)}")
    words = [[part.strip(SEPARATORS).casefold() for part in BEGINS.split(name)] for name in names]
    for pairs in WORDS:
        found = [reading for pair in pairs if (reading := _reading(words, *pair))]
        if len(found) > 1:
            raise ValueError(
                f"the names of the columns of X can be read in two ways, got {_told(names)}: {_line(names)}"
            )
        if found and {first for first, _, _ in found[0]} != {*range(half, n_columns)}:  # the second items come first
            return _named(names, found[0])
    raise ValueError(
        f"the names of the columns of X must say which item is the first, got {_told(names)}: {_line(names)}; or names "
        f"that differ only in {KNOWN}"
    )


def _reading(words, first, second):
    """Return the first column, the second column and the place of the word in which they differ, of each pair of
    columns; an empty list if the columns do not consist of such pairs, or in several ways."""
    column = {tuple(words_of_name): number for number, words_of_name in enumerate(words)}
    found = []
    for words_of_name, number in column.items():
        for place in [place for place, word in enumerate(words_of_name) if word == first]:
            other = column.get((*words_of_name[:place], second, *words_of_name[place + 1 :]))
            found += [] if other is None else [(number, other, place)]
    # beside others, a column needs a name of its own
    alone = len(words) > 2 and any(len(words_of_name) == 1 for words_of_name in words)
    used = sorted(number for reading in found for number in reading[:2])
    return found if used == list(range(len(words))) and not alone else []


def _named(names, found):
    """Return the columns of a reading, with the names of a single item: what stands behind the word if the same stands
    before it in all names, and else what is left without the word."""
    found = sorted(found)
    numbers = np.array([reading[:2] for reading in found]).T
    parts = [(BEGINS.split(names[first]), place) for first, _, place in found]
    ends = ["".join(words[place + 1 :]) for words, place in parts]
    if all(ends) and len({"".join(words[: place + 1]) for words, place in parts}) == 1:
        return PairColumns(numbers, ends)
    without = ["".join(words[:place]) + end for (words, place), end in zip(parts, ends)]
    return PairColumns(numbers, [re.sub(rf"([{SEPARATORS}]of)?[{SEPARATORS}]*$", "", name) for name in without])


def _line(names):
    """Return the line to write for names that do not say which item they belong to."""
    half = len(names) // 2
    sides = f"{names[:half]!r}, {names[half:]!r}" if len(names) <= MOST_TOLD else f"list(X)[:{half}], list(X)[{half}:]"
    return f"write items=({sides}) if the first half of them is the first item"


def _given(columns, items, named):
    """Return the columns that ``items`` says."""
    try:
        first, second = () if isinstance(items, str) else items
        endings = named and isinstance(first, str) and isinstance(second, str)
        first, second = (first, second) if endings else (list(first), list(second))
    except (TypeError, ValueError):
        raise ValueError(f"items must hold two endings or two lists of columns, got {items!r}") from None
    if endings:
        return _with_endings(columns, first, second)
    if len(first) != len(second) or len({*first, *second}) != len(columns) or {*first, *second} != {*columns}:
        raise ValueError(f"items must name each of the {len(columns)} columns of X once, in two lists, got {items!r}")
    numbers = np.array([[columns.index(name) for name in side] for side in (first, second)])
    return PairColumns(numbers, first if named else None)


def _with_endings(columns, first, second):
    """Return the columns whose names end, or all begin, with two given texts."""
    for cut in (lambda name, affix: name.removesuffix(affix), lambda name, affix: name.removeprefix(affix)):
        sides = [
            {cut(name, affix): i for i, name in enumerate(columns) if cut(name, affix) != name}
            for affix in (first, second)
        ]
        if {*sides[0]} == {*sides[1]} and {*sides[0].values(), *sides[1].values()} == {*range(len(columns))}:
            stems = list(sides[0])
            numbers = np.array([[side[stem] for stem in stems] for side in sides])
            return PairColumns(numbers, stems)
    raise ValueError(
        f"items must hold two endings, or two beginnings, of all names of columns, got {first!r} and {second!r} for "
        f"{_told(columns)}"
    )


def _told(names):
    return ", ".join(map(str, names[:6])) + (", ..." if len(names) > 6 else "")
