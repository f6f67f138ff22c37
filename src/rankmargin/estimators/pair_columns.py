"""Which columns of a table of pairs are of the first item, and which of the second: read from names, never guessed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankmargin.annotations import Array

WORDS = (("first", "second"), ("home", "away"), ("white", "black"), ("left", "right"))
LETTERS = (("a", "b"), ("1", "2"))  # they may also be names of features, so that words go first
SEPARATORS = " _.:-"
TOKENS = re.compile(rf"[{SEPARATORS}]+|(?<=[a-z])(?=[A-Z0-9])")
SAY = (
    "items=(columns of the first items, columns of the second items), or two endings such as items=('_a', '_b'), say it"
)


@dataclass(frozen=True)
class PairColumns:
    """The columns of both items of a pair.

    Attributes
    ----------
    at : (2, d) array of integers, the columns of the first items and those of the second, in the same order
    names : (d,) list, the columns of a single item, or None if the columns have no names
    around : what stands before and behind such a name, for the first and for the second items
    """

    at: Array
    names: list[Any] | None = None
    around: tuple[tuple[str, str], tuple[str, str]] = (("first_", ""), ("second_", ""))

    @property
    def in_order(self) -> bool:
        """Return whether each row is the first item followed by the second."""
        return bool(np.all(self.at.ravel() == np.arange(self.at.size)))


def pair_columns(columns: Sequence[Any] | None, n_columns: int, items: Any = None) -> PairColumns:
    """Return the columns of both items.

    Parameters
    ----------
    columns : (2 d,) names, or None if there are none
    n_columns : int, even
    items : None; two endings or beginnings of the names; or two lists of names, or of numbers if there are no names

    Raises
    ------
    ValueError
        If the names can be read in two ways, or otherwise than by position without saying which item is the first.
    """
    halves = np.arange(n_columns).reshape(2, -1)
    if items is not None:
        return _given(list(range(n_columns)) if columns is None else list(columns), items, columns is not None)
    if columns is None:
        return PairColumns(halves)
    names = [str(name) for name in columns]
    if len({*names}) < len(names):
        raise ValueError(f"the names of the columns of X must be different, got {_told(names)}")
    found = [reading for end in (0, -1) if (reading := _reading(names, end)) is not None]
    for known in (WORDS, LETTERS):  # of two readings, that with known marks counts
        found = [reading for reading in found if reading[0] in known] or found
    if not found:
        _refuse_odd_ones(names)
        return PairColumns(halves, list(columns[: n_columns // 2]))
    (marks, at, stems), *others = found
    if any({*map(tuple, at.T.tolist())} != {*map(tuple, other.T.tolist())} for _, other, _ in others):
        raise ValueError(f"the names of the columns of X can be read in two ways, got {_told(names)}: {SAY}")
    known, by_halves = marks in WORDS + LETTERS, [np.array_equal(np.sort(at[0]), half) for half in halves]
    if by_halves[1] or not (known or by_halves[0]):
        raise ValueError(f"the names of the columns of X must say which item is the first, got {_told(names)}: {SAY}")
    return PairColumns(at, stems, _around(names, at, stems))


def _reading(names, end):
    """Return the marks of the first and the second items at this end of the names, their columns (2, d) and the names
    without them; None if the names do not consist of such pairs."""
    split = [_without(name, end) for name in names]
    marks = {mark for mark, _ in split}
    for mark in marks:  # elo, elo_rival: only one item is marked
        plain = [name for name, (of, _) in zip(names, split) if of != mark]
        if {*plain} == {stem for of, stem in split if of == mark} and 2 * len(plain) == len(names):
            split = [part if part[0] == mark else ("", name) for part, name in zip(split, names)]
            marks = {"", mark}
            break
    columns = {part: column for column, part in enumerate(split)}
    stems = list(dict.fromkeys(stem for _, stem in split))
    if (
        len(marks) != 2
        or 2 * len(stems) != len(names)
        or len(columns) != len(names)
        or ("" in stems and len(stems) > 1)
    ):
        return None
    known = next((pair for pair in WORDS + LETTERS if {*pair} == marks), None)
    first, second = known or (split[0][0], (marks - {split[0][0]}).pop())
    at = np.array([[columns[mark, stem] for stem in stems] for mark in (first, second)])
    return (first, second), at, stems


def _without(name, end):
    """Return the first (0) or the last (-1) word of a name in small letters, and the rest of the name."""
    mark = TOKENS.split(name)[end]
    rest = name[len(mark) :].lstrip(SEPARATORS) if end == 0 else name[: len(name) - len(mark)].rstrip(SEPARATORS)
    return mark.casefold(), rest.removesuffix(" of")


def _refuse_odd_ones(names):
    """Refuse columns of which some name both items, as in ``elo_a, elo_b``, elsewhere than a half apart, if the others
    do not."""
    for end in (0, -1):
        of_stem: dict[str, dict[str, int]] = {}
        for column, name in enumerate(names):
            mark, stem = _without(name, end)
            of_stem.setdefault(stem, {})[mark] = column
        for first, second in WORDS + LETTERS:
            if any({*marks} > {first, second} for marks in of_stem.values()):
                continue  # a, b, c: these are names of features
            for marks in of_stem.values():
                if {*marks} == {first, second} and marks[second] - marks[first] != len(names) // 2:
                    one, two = names[marks[first]], names[marks[second]]
                    raise ValueError(
                        f"the columns {one!r} and {two!r} of X look like those of the two items of a pair, and not all "
                        f"columns are such pairs, got {_told(names)}: {SAY}"
                    )


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
    at = np.array([[columns.index(name) for name in side] for side in (first, second)])
    return PairColumns(at, first if named else None)


def _with_endings(columns, first, second):
    """Return the columns whose names end, or all begin, with two given texts."""
    for cut in (lambda name, of: name.removesuffix(of), lambda name, of: name.removeprefix(of)):
        sides = [
            {cut(name, of): i for i, name in enumerate(columns) if cut(name, of) != name} for of in (first, second)
        ]
        if {*sides[0]} == {*sides[1]} and {*sides[0].values(), *sides[1].values()} == {*range(len(columns))}:
            stems = list(sides[0])
            at = np.array([[side[stem] for stem in stems] for side in sides])
            return PairColumns(at, stems, _around(columns, at, stems))
    raise ValueError(
        f"items must hold two endings, or two beginnings, of all names of columns, got {first!r} and {second!r} for "
        f"{_told(columns)}"
    )


def _around(names, at, stems):
    """Return what stands before and behind the name of a column in the names of both items."""
    made = []
    for column in at[:, 0]:
        name, stem = names[column], stems[0]
        made.append((name.removesuffix(stem), "") if name.endswith(stem) else ("", name.removeprefix(stem)))
    return made[0], made[1]


def _told(names):
    return ", ".join(map(str, names[:6])) + (", ..." if len(names) > 6 else "")
