"""What the cells of a column mean: numbers, days or names. All have one form, and so have those of a new file."""

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd

from rankbench.configuration.labels import listed, one_line, quoted

from .read import TableError

# These mean an empty cell where all others are numbers or dates; elsewhere only the words of --missing do.
WORDS = {"na", "n/a", "n.a.", "nan", "null", "none", "missing", "unknown", "?", "-", "--", ".", "..", "*", "–", "—"}
WORDS |= {"#n/a", "#na", "<na>", "#n/a n/a", "-nan", "(null)", "#value!", "#div/0!", "-1.#ind", "1.#qnan"}
MARKS = {"point": ".", "comma": ","}  # what --decimal may say -> the decimal mark
BLANKS = " '’\u00a0\u2009\u202f"  # these separate thousands too, with either mark
SYMBOLS = r"[^\w\s+\-−.,()\[\]{}<>=~*'\"/?!:;&|\\]"  # such as $ and %
UNIT = rf"(?:[^\W\d_]|{SYMBOLS}|[ /])*"
DAY = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?")
OTHER_DAY = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}( .*)?")
AROUND = re.compile(r"^[^\w.,]+|[^\w]+$")  # such as the brackets of (0.4), and the sign of <1 and 10+
CODES = "holds names, because"
OTHER = "(another)"  # the name of all names that are not common
UNITS = 4  # more numbers than so many for each unit are numbers with units, not names


def number_pattern(decimal):
    """Return the expression of a number whose decimal mark is a ``point`` or a ``comma``, with what surrounds it."""
    mark, other = MARKS[decimal], MARKS["comma" if decimal == "point" else "point"]
    whole = rf"[1-9]\d{{0,2}}(?P<between>[{other}{BLANKS}])\d{{3}}(?:(?P=between)\d{{3}})*|\d+"
    number = rf"[+-]?(?:(?:{whole})(?:{re.escape(mark)}\d*)?|{re.escape(mark)}\d+)(?:e[+-]?\d+)?"
    return re.compile(
        rf"(?P<before>(?:[^\W\d_]{{3}} |{SYMBOLS}{{1,3}} ?)?)(?P<number>{number})(?P<behind>{UNIT})", re.I
    )


PATTERNS = {decimal: number_pattern(decimal) for decimal in MARKS}


@dataclass(frozen=True)
class Form:
    """How the cells of a column are written.

    Attributes
    ----------
    kind : {"number", "day", "names"}
    decimal : {"point", "comma"}
    before, behind : str
        What stands around each number.
    missing : tuple of str
        Words that mean an empty cell.
    common : tuple of str
        Of very many names those that are kept; the others are together. Empty if all are kept.
    """

    kind: str
    decimal: str = "point"
    before: str = ""
    behind: str = ""
    missing: tuple = ()
    common: tuple = ()

    def read(self, column):
        """Return the values of a column (n,): floats, of days since 1970, or names; a missing cell is nan.

        Raises
        ------
        TableError
            If a cell is written in another way; the message names the column and the cell.
        """
        if self.kind == "names":
            names = texts_of(column, self.missing)
            return names.where(names.isin(self.common) | names.isna(), OTHER) if self.common else names
        if pd.api.types.is_numeric_dtype(column):
            return column.astype(float)
        texts = texts_of(column, self.missing)
        codes, cells = pd.factorize(texts.mask(texts.str.casefold().isin(WORDS)))
        if self.kind == "day":
            if odd := [cell for cell in cells if not DAY.fullmatch(cell)]:
                raise TableError(f"column {column.name!r}: {odd[0][:40]!r} is no date such as 2024-12-31")
            times = pd.to_datetime(cells, format="ISO8601", utc=True, errors="coerce")
            values = (times - pd.Timestamp("1970-01-01", tz="UTC")) / pd.Timedelta(days=1)
        else:
            values = pd.to_numeric(pd.Series(cells, dtype="str"), errors="coerce")  # most are plain, which is fast
            if (self.before, self.behind, self.decimal) != ("", "", "point") or values.isna().any():
                values = [self.number(cell, column.name) for cell in cells]
        return pd.Series(np.append(values, np.nan)[codes], column.index, name=column.name, dtype=float)

    def number(self, cell, name=""):
        """Return the number of a cell.

        >>> Form("number", "comma", behind=" €").number("1.234.567,5 €")
        1234567.5
        """
        found = PATTERNS[self.decimal].fullmatch(cell.replace("−", "-"))
        if not found or (found["before"], found["behind"]) != (self.before, self.behind):
            raise TableError(f"column {name!r}: {cell[:40]!r} is not written as the other numbers are")
        text = found["number"]
        for character in ("," if self.decimal == "point" else ".") + BLANKS:
            text = text.replace(character, "")
        return float(text.replace(MARKS[self.decimal], "."))


def texts_of(column, missing=()):
    """Return the cells as texts on one line; a missing one is nan, an empty one and a word of ``missing`` too."""
    codes, cells = pd.factorize(column)
    texts = np.array([one_line(cell) for cell in cells] + [None], dtype=object)
    texts[[text in ("", *missing) for text in texts]] = None
    return pd.Series(texts[codes], column.index, name=column.name, dtype="str")


def forms_of(frame, names, decimal="", missing=()):
    """Find the form of each column that is not one of `names`.

    Parameters
    ----------
    frame : DataFrame
        As `rankbench.compare.read.read_file` returns it.
    names : sequence of str
        Columns whose cells are names, whatever they look like.
    decimal : {"", "point", "comma"}
        The decimal mark of all numbers of the file.
    missing : sequence of str
        Words that mean an empty cell in every column.

    Returns
    -------
    forms : dict of str to Form
    odd : dict of str to str
        Columns that have no form, and why.
    notes : list of str
        Every reading that is not plain.

    Raises
    ------
    TableError
        If a number can be read in two ways, and no option says which.
    """
    forms, odd, notes, empty, doubtful, given = {}, {}, [], {}, {}, {"missing": tuple(missing)}
    settled = bool(decimal)
    for name, column in frame.items():
        forms[name] = Form("names" if name in names else "number", **given)
        if name in names or pd.api.types.is_numeric_dtype(column):
            continue
        texts = texts_of(column, missing).dropna().unique()
        rest = [text for text in texts if text.casefold() not in WORDS]
        forms[name], why, marks = _form(name, rest, decimal, given)
        settled |= len(marks) == 1
        if len(marks) == 2 and (doubt := _doubt(rest, marks)):
            doubtful[name] = doubt
        if why.startswith(CODES):
            notes.append(f"{name} {why}")
        elif why:
            odd[name] = f"{why}; --nominal={quoted([name])} if these are names"
        if forms[name].kind == "names":
            continue
        for word in (text for text in texts if text.casefold() in WORDS):
            empty.setdefault(word, []).append(name)
        if unit := " and ".join(repr(part.strip()) for part in (forms[name].before, forms[name].behind) if part):
            notes.append(f"{name} is read without {unit}, which stands in every cell")
    for name, (text, point, comma) in doubtful.items():
        if not settled:
            both = f"{text} is {point:.15g} with --decimal=point, and {comma:.15g} with --decimal=comma"
            raise TableError(f"column {name!r}: {both}; say which")
        notes.append(f"{name}: {text} is read as {comma if decimal == 'comma' else point:.15g}")
    words = "; ".join(f"{word!r} in {listed(of)}" for word, of in sorted(empty.items()))
    notes += [f"read as missing: {words}; --nominal=... keeps such words as names"] if words else []
    days = [name for name, form in forms.items() if form.kind == "day"]
    notes += [f"{listed(days)}: dates count as days"] if days else []
    return forms, odd, notes


def _form(name, rest, decimal, given):
    """Return the form of a column with these different cells, why it holds codes or nothing that can be used, and its
    forms by the decimal marks with which it holds numbers."""
    names = Form("names", **given)
    if not rest:
        return names, "", {}
    if all(map(DAY.fullmatch, rest)):
        return Form("day", **given), "", {}
    if all(map(str.isdecimal, rest)) and (codes := [text for text in rest if text[0] == "0" and text != "0"]):
        return names, f"{CODES} {codes[0]!r} begins with 0", {}
    numbers = {mark: form for mark in MARKS if (form := _number(rest, mark, given))}
    mark = decimal or "point"
    if numbers and mark not in numbers:
        cure = (
            f"say --decimal={next(iter(numbers))}, mend or --drop it, or --nominal={quoted([name])} if these are names"
        )
        raise TableError(f"column {name!r}: the decimal mark of {rest[0]!r} is no {mark}; {cure}")
    return (numbers[mark], "", numbers) if numbers else (names, _nearly(rest, mark), {})


def _doubt(rest, numbers):
    """Return the first cell that is another number by another decimal mark, and both numbers; None without one."""
    ways = ((text, *(form.number(text) for form in numbers.values())) for text in rest)
    return next((way for way in ways if way[1] != way[2]), None)


def _number(rest, mark, given):
    """Return the form of numbers with this mark; None if one of the cells is none, or with something else around it."""
    around = {found and (found["before"], found["behind"]) for found in _matches(rest, mark)}
    return Form("number", mark, *around.pop(), **given) if len(around) == 1 and None not in around else None


def _matches(rest, mark):
    return (PATTERNS[mark].fullmatch(text.replace("−", "-")) for text in rest)


def _nearly(rest, mark):
    """Return why cells are neither numbers nor names, or ``""`` for names."""
    found, bare = [*_matches(rest, mark)], [*_matches([AROUND.sub("", text) for text in rest], mark)]
    around = {one and (one["before"], one["behind"]) for one in found}
    other = [text for text, one in zip(rest, found, strict=True) if not one or one["before"] or one["behind"]]
    if 2 * sum(one is not None and not (one["before"] or one["behind"]) for one in bare) >= len(rest):
        cure = f"--missing={quoted(other[:1])} if it means an empty cell"
        return f"not all cells are numbers: {listed(map(repr, other), 3)}; {cure}"
    if all(found) and (("", "") in around or len(rest) >= UNITS * len(around)):
        return f"numbers with several units: {listed(map(repr, other), 3)}"
    return f"dates must be written as 2024-12-31, got {rest[0]!r}" if all(map(OTHER_DAY.fullmatch, rest)) else ""
