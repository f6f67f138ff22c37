"""What the cells of a file of texts mean: which of them are missing, and which columns hold numbers.

A column is read as a whole, as a person reads it: ``1,234`` beside ``0,5`` is a number below two, and beside ``12,500``
and ``500`` it is more than a thousand.
"""

import re

import numpy as np
import pandas as pd

from .names import TableError, one_line

MISSING = {"", "?", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>"}
MISSING |= {"N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"}
MARKS = {"point": ".", "comma": ","}  # what --decimal may say -> the decimal mark
THOUSANDS = {"point": ",", "comma": "."}
BLANKS = " '’\u00a0\u2009\u202f"  # these separate thousands too, with either mark
SHOWN = 8  # names in a line
# A column of which fewer rows than this share are no numbers is probably one of numbers.
ODD = 0.1
MOST_LEVELS = 50  # a column with more names counts as text or identifiers


def number_pattern(decimal):
    """Return the expression of a number whose decimal mark is a ``point`` or a ``comma``."""
    mark, between = re.escape(MARKS[decimal]), f"[{THOUSANDS[decimal]}{BLANKS}]"
    whole = rf"[1-9][0-9]{{0,2}}(?P<between>{between})[0-9]{{3}}(?:(?P=between)[0-9]{{3}})*|[0-9]+"
    return re.compile(rf"[+-]?(?:(?:{whole})(?:{mark}[0-9]*)?|{mark}[0-9]+)(?:e[+-]?[0-9]+)?|[+-]?inf(?:inity)?", re.I)


PATTERNS = {decimal: number_pattern(decimal) for decimal in MARKS}


def number_of(text, decimal):
    """Return the number that a text means; it matches the pattern.

    >>> number_of("1.234.567,5", "comma"), number_of("1,234", "point")
    (1234567.5, 1234.0)
    """
    for character in THOUSANDS[decimal] + BLANKS:
        text = text.replace(character, "")
    return float(text.replace(MARKS[decimal], "."))


def readings_of(texts):
    """Return the readings of a column: ``point`` or ``comma`` -> its numbers; empty if some cells are no numbers.

    Parameters
    ----------
    texts : sequence of n str
        Its different cells without those that are missing.

    Returns
    -------
    dict of str to (n,) int64 or float64 array
        Two entries only if the readings differ.
    """
    texts = _with_plain_minus(texts)
    readings = {}
    for decimal, pattern in PATTERNS.items():
        plain = pd.to_numeric(pd.Series(texts, dtype="str"), errors="coerce") if decimal == "point" else None
        if plain is not None and plain.notna().all():  # read in C: most columns are written like this
            readings[decimal] = plain.to_numpy() if plain.dtype == np.int64 else plain.to_numpy(float)
        elif all(map(pattern.fullmatch, texts)):
            readings[decimal] = np.array([number_of(text, decimal) for text in texts])
    if len(readings) == 2 and np.array_equal(*readings.values()):
        del readings["comma"]
    return readings


def _with_plain_minus(texts):
    return [text.replace("−", "-") for text in texts]


def marks_of(columns, decimal=""):
    """Choose the decimal mark of each column of numbers.

    A column that can be read in two ways has the mark of the columns that can be read in one, if those agree, or else
    the mark by which commas separate thousands everywhere in the column, or else a point.

    Parameters
    ----------
    columns : dict of str to (sequence of str, dict)
        Column -> its different cells and its `readings_of` them.
    decimal : {"", "point", "comma"}
        What the user says of columns that can be read in two ways.

    Returns
    -------
    dict of str to str
    """
    certain = {next(iter(readings)) for texts, readings in columns.values() if len(readings) == 1 and _marked(texts)}
    usual = decimal or (certain.pop() if len(certain) == 1 else "")
    return {
        name: next(iter(readings)) if len(readings) == 1 else usual or _likely(texts)
        for name, (texts, readings) in columns.items()
    }


def _marked(texts):
    return any("," in text or "." in text for text in texts)


def _likely(texts):
    """Return ``comma`` if a large number is written without a separator, so that commas do not separate thousands."""
    return "comma" if any(re.fullmatch("[+-]?[0-9]{4,}", text) for text in texts) and "," in "".join(texts) else "point"


def interpret(frame, *, drop=(), nominal=(), keep=(), grades=None, decimal=""):
    """Turn the columns of texts of a file into numbers or names.

    Parameters
    ----------
    frame : DataFrame
        As `rankbench.compare.read.read_file` returns it: columns that are no texts stay as they are.
    drop : sequence of str
        Columns that are not used, and stay as they are.
    nominal : sequence of str
        Columns whose numbers are names, and stay as they are written.
    keep : sequence of str
        Words that are names although they usually mean a missing cell.
    grades : dict of str to sequence of str, optional
        Column -> words that are names there.
    decimal : {"", "point", "comma"}
        The decimal mark of columns that can be read in two ways.

    Returns
    -------
    frame : DataFrame
        Numbers, and texts on one line; a missing cell is nan.
    notes : list of str
        What was read as missing, which columns can be read in two ways, and which values of options change nothing.

    Raises
    ------
    TableError
        If `decimal` is something else.
    """
    if decimal not in ("", *MARKS):
        raise TableError(f"--decimal must be point or comma, got {decimal!r}")
    columns, words, numbers, odd = {}, {}, {}, {}
    for name in [name for name in frame.columns if name not in drop and _is_open(frame[name])]:
        codes, different = pd.factorize(frame[name])
        texts = np.array([one_line(text) for text in different], dtype=object)
        names_kept = {*keep, *(grades or {}).get(name, ())} - {""}
        missing = np.array([text in MISSING and text not in names_kept for text in texts], dtype=bool)
        for text in texts[missing & (texts != "")]:
            words.setdefault(text, []).append(name)
        columns[name] = codes, texts, missing
        readings = {} if name in nominal or missing.all() else readings_of(texts[~missing])
        if readings:
            numbers[name] = texts[~missing], readings
        elif name not in nominal:
            rows = np.bincount(codes[codes >= 0], minlength=len(texts))
            odd[name] = _odd_cells(texts[~missing], rows[~missing], names_kept)
    marks = marks_of(numbers, decimal)
    read = {
        name: _column(*column, numbers[name][1][marks[name]] if name in marks else None)
        for name, column in columns.items()
    }
    frame = pd.DataFrame({name: read.get(name, column) for name, column in frame.items()})
    held = {text for _, texts, _ in columns.values() for text in texts}
    notes = [*_words_note(words), *_odd_notes(odd), *_marks_notes(numbers, marks)]
    return frame, [*notes, *_idle_notes(held, keep, numbers, decimal)]


def _idle_notes(held, keep, numbers, decimal):
    """Yield a note about each value of an option that changes nothing; ``held`` are the texts of all columns."""
    for word in keep:
        why = "no column holds it" if word not in held else "it never means a missing cell"
        if word not in held or word not in MISSING:
            yield f"--keep={word} changes nothing: {why}"
    if decimal and all(len(readings) == 1 for _, readings in numbers.values()):
        yield f"--decimal={decimal} changes nothing: no column can be read in two ways"


def _is_open(column):
    """Return whether the cells of a column have to be interpreted: texts, or very many names, which may be numbers."""
    names = isinstance(column.dtype, pd.CategoricalDtype) and len(column.cat.categories) > MOST_LEVELS
    return names or isinstance(column.dtype, pd.StringDtype)


def _column(codes, texts, missing, numbers):
    """Return a column of numbers, or of texts if `numbers` is None; missing cells are nan."""
    if numbers is None:
        return pd.Series(np.append(np.where(missing, None, texts), [None])[codes], dtype="str")
    if missing.any() or (codes < 0).any():
        values = np.full(len(texts) + 1, np.nan)
        values[:-1][~missing] = numbers
        return pd.Series(values[codes])
    return pd.Series(numbers[codes])


def _words_note(words):
    """Yield a note about the words that were read as missing."""
    if words:
        places = "; ".join(f"{word!r} in {listed(names)}" for word, names in words.items())
        yield f"read as missing: {places}; --keep={quoted(words)} keeps such words as names"


def _odd_cells(texts, rows, kept):
    """Return those of the different cells of a column that are no numbers, if they are in few of the rows (``rows``: in
    how many each is) and no names that the user wants to keep."""
    odd, left = [], ODD * rows.sum()
    for text, plain, n in zip(texts, _with_plain_minus(texts), rows, strict=True):
        if not any(pattern.fullmatch(plain) for pattern in PATTERNS.values()):
            odd.append(text)
            left -= n
            if left <= 0 or text in kept:
                return []
    return odd


def _odd_notes(odd):
    """Yield a note about each column that is no column of numbers because of a few cells."""
    for name, texts in odd.items():
        if texts:
            because = listed([repr(text) for text in texts])
            yield f"{name} is not read as numbers because of {because}; empty such cells if their value is not known"


def quoted(words):
    """Return words as the value of an option: with commas between them if one of them holds a blank."""
    return '"' + (", " if any(" " in word for word in words) else " ").join(words) + '"'


def _marks_notes(numbers, marks):
    """Yield a note about the columns that can be read in two ways, for each way that was taken."""
    for mark, other in (("point", "comma"), ("comma", "point")):
        names = [name for name, (_, readings) in numbers.items() if len(readings) == 2 and marks[name] == mark]
        if names:
            texts, readings = numbers[names[0]]
            at = int(np.flatnonzero(readings[mark] != readings[other])[0])
            ways = [f"{readings[decimal][at]:.15g}" for decimal in (mark, other)]
            yield f"{listed(names)}: {texts[at]} is read as {ways[0]}; --decimal={other} reads it as {ways[1]}"


def listed(names, most=SHOWN):
    """Return names for a line, and how many more there are."""
    names = list(names)
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
