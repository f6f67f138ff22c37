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
            names[at] = free_name(f"column {at + 1}", names)
    return names


def free_name(name, used):
    """Return the name, with a number if it is used already."""
    return next(free for free in (name, *(f"{name} ({k})" for k in range(2, 10**6))) if free not in used)
