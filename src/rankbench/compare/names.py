"""Texts from a user's file as they are shown and written: on one line, without control characters."""


class TableError(ValueError):
    """Methods cannot be compared on a table; the message names the file or column, what came and what is accepted."""


def one_line(text):
    """Return a text on one line: runs of blanks, line breaks and characters that cannot be shown are one blank.

    >>> one_line(" price\\n in\\t\\x1b[31mEUR ")
    'price in [31mEUR'
    """
    text = str(text)
    return " ".join((text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)).split())


def column_names(cells):
    """Return the names of the columns of a file, each on one line; a column without a name is called ``column 3``.

    Raises
    ------
    TableError
        If two columns have the same name.
    """
    names = [one_line(cell) for cell in cells]
    for name in filter(None, names):
        if names.count(name) > 1:
            raise TableError(f"the column {name!r} occurs twice; every column needs a different name")
    for at, name in enumerate(names):
        if not name:
            names[at] = next(free for free in _free_names(at + 1) if free not in names)
    return names


def _free_names(number):
    """Yield names for a column without one."""
    yield f"column {number}"
    yield from (f"column {number} ({again})" for again in range(2, 1_000_000))
