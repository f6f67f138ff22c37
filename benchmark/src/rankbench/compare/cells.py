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
ZERO = r"[+-]?0\d"  # begins a code such as 01234
OTHER = "(another)"  # the name of all names that are not common
UNITS = 4  # more numbers than so many for each unit are numbers with units, not names


def number_pattern(decimal):
    """Return the expression of a number whose decimal mark is a ``point`` or a ``comma``, with what surrounds it."""
    mark, other = MARKS[decimal], MARKS["comma" if decimal == "point" else "point"]
    whole = rf"[1-9]\d{{0,2}}(?P<between>[{other}{BLANKS}])\d{{3}}(?:(?P=between)\d{{3}})*|\d+"
    number = rf"[+-]?(?:(?:{whole})(?:{re.escape(mark)}\d*)?|{re.escape(mark)}\d+)(?:e[+-]?\d+)?|[+-]?inf(?:inity)?"
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
        if pd.api.types.is_datetime64_any_dtype(column):
            return _days(column)
        codes, cells = pd.factorize(_without_words(texts_of(column, self.missing)))
        if self.kind == "day":
            if odd := [cell for cell in cells if not DAY.fullmatch(cell)]:
                raise TableError(f"column {column.name!r}: {odd[0][:40]!r} is no date such as 2024-12-31")
            values = _days(pd.Series(cells, dtype="str"))
        elif self == Form("number", missing=self.missing) and (plain := _plain(cells)) is not None:
            values = plain
        else:
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


def _without_words(texts):
    """Return texts in which the words of a number column that mean an empty cell are missing."""
    return texts.where(~texts.str.casefold().isin(WORDS))


def _plain(texts):
    """Return the numbers of texts that are all written plainly, which is read in C; None for others."""
    numbers = pd.to_numeric(pd.Series(texts, dtype="str"), errors="coerce").to_numpy(float)
    return None if np.isnan(numbers).any() else numbers


def _days(column):
    if len(column) and not pd.api.types.is_datetime64_any_dtype(column):
        column = pd.to_datetime(column, format="ISO8601", utc=True, errors="coerce").dt.tz_localize(None)
    return (column - pd.Timestamp("1970-01-01")) / pd.Timedelta(days=1)


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
    if decimal not in ("", *MARKS):
        raise TableError(f"--decimal must be point or comma, got {decimal!r}")
    forms, cells, given = {}, {}, {"missing": tuple(missing)}
    for name, column in frame.items():
        if name in names or isinstance(column.dtype, pd.CategoricalDtype):
            forms[name] = Form("names", **given)
        elif pd.api.types.is_numeric_dtype(column) or pd.api.types.is_datetime64_any_dtype(column):
            forms[name] = Form("number" if pd.api.types.is_numeric_dtype(column) else "day", **given)
        else:
            cells[name] = texts_of(column, missing).dropna().unique()
    ways = {name: _ways(texts, given) for name, texts in cells.items()}
    mark, notes = _mark(ways, cells, decimal)
    odd, empty = {}, {}
    for name, texts in cells.items():
        forms[name] = form = ways[name][mark]
        if isinstance(form, str):
            forms[name] = Form("names", **given)
            if form == "zero":
                code = next(text for text in texts if re.match(ZERO, text))
                notes.append(f"{name} holds names, because {code!r} begins with 0")
            elif form:
                odd[name] = f"{form}; --nominal={quoted([name])} if these are names"
            continue
        for word in (text for text in texts if text.casefold() in WORDS):
            empty.setdefault(word, []).append(name)
        if unit := " and ".join(repr(part.strip()) for part in (form.before, form.behind) if part):
            notes.append(f"{name} is read without {unit}, which stands in every cell")
    words = "; ".join(f"{word!r} in {listed(of)}" for word, of in sorted(empty.items()))
    notes += [f"read as missing: {words}; --nominal=... keeps such words as names"] if words else []
    days = [name for name, form in forms.items() if form.kind == "day"]
    notes += [f"{listed(days)}: dates count as days"] if days else []
    return forms, odd, notes


def _ways(texts, given):
    """Return the form of a column of these different cells with either decimal mark, see `_form`."""
    rest = [text for text in texts if text.casefold() not in WORDS]
    if rest and _plain(rest) is not None:  # most columns are written like this
        plain = "zero" if any(re.match(ZERO, text) for text in rest) else Form("number", **given)
        both = all(map(PATTERNS["comma"].fullmatch, rest))
        return {"point": plain, "comma": plain if plain == "zero" else _form(rest, "comma", given) if both else ""}
    return {mark: _form(rest, mark, given) for mark in MARKS}


def _form(rest, decimal, given):
    """Return the form of a column with these different cells; or ``""`` if they are names, or why they are
    neither."""
    if not rest:
        return ""
    if all(map(DAY.fullmatch, rest)):
        return Form("day", **given)
    found = [PATTERNS[decimal].fullmatch(text.replace("−", "-")) for text in rest]
    bare = [PATTERNS[decimal].fullmatch(AROUND.sub("", text)) for text in rest]
    around = {(one["before"], one["behind"]) for one in found if one}
    if all(found) and len(around) == 1:
        return Form("number", decimal, *around.pop(), **given)
    other = [text for text, one in zip(rest, found, strict=True) if not one or one["before"] or one["behind"]]
    if 2 * sum(one is not None and not (one["before"] or one["behind"]) for one in bare) >= len(rest):
        cure = f"--missing={quoted(other[:1])} if it means an empty cell"
        return f"not all cells are numbers: {listed(map(repr, other), 3)}; {cure}"
    if all(found) and (("", "") in around or len(rest) >= UNITS * len(around)):
        return f"numbers with several units: {listed(map(repr, other), 3)}"
    return f"dates must be written as 2024-12-31, got {rest[0]!r}" if all(map(OTHER_DAY.fullmatch, rest)) else ""


def _mark(ways, cells, decimal):
    """Return the decimal mark of a file, that by which its numbers can be read, and notes."""
    forms = {
        name: {mark: form for mark, form in of.items() if isinstance(form, Form) and form.kind == "number"}
        for name, of in ways.items()
    }
    only = {mark: [name for name, of in forms.items() if [*of] == [mark]] for mark in MARKS}
    if only["point"] and only["comma"]:
        one, other = only["point"][0], only["comma"][0]
        raise TableError(f"{one!r} has a decimal point, and {other!r} a decimal comma: mend one, or --drop it")
    notes, mark = [], decimal or "comma" if only["comma"] else decimal or "point"
    for name, of in forms.items():
        texts = [text for text in cells[name] if text.casefold() not in WORDS] if len(of) == 2 else []
        ways = ((text, *(of[mark].number(text) for mark in MARKS)) for text in texts)
        if doubtful := next((way for way in ways if way[1] != way[2]), None):
            text, point, comma = doubtful
            if not (decimal or only["point"] or only["comma"]):
                both = f"{text} is {point:.15g} with --decimal=point, and {comma:.15g} with --decimal=comma"
                raise TableError(f"column {name!r}: {both}; say which")
            notes.append(f"{name}: {text} is read as {point if mark == 'point' else comma:.15g}")
    return mark, [*notes, *([f"{listed(only['comma'])}: a comma is the decimal mark"] if only["comma"] else [])]
