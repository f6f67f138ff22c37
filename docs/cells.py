"""How a table of a page is written: narrow enough for a telephone, and readable on any code host."""

import html

import pandas as pd

GLUE = "\u00a0"  # a narrow column breaks before a difference and before its error, and nowhere else


def markdown(frame):
    """Return a frame as a table of MyST; numbers are aligned to the right."""
    right = [pd.api.types.is_numeric_dtype(frame[column]) for column in frame]
    lines = [list(frame), ["---:" if number else "---" for number in right]]
    lines += [["" if pd.isna(value) else escaped(value) for value in row] for row in frame.itertuples(index=False)]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def grouped(frame, by):
    """Return one table for each value of a column; the value stands above the table in bold instead of in a column."""
    parts = [(name, part.drop(columns=by).dropna(axis=1, how="all")) for name, part in frame.groupby(by, sort=False)]
    return "\n\n".join(f"**{escaped(name)}**\n\n{markdown(part)}" for name, part in parts)


def escaped(value):
    return html.escape(str(value), quote=False).replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")


def difference(ours, printed, error, digits):
    """Return printed, ours, and their difference with its standard error, as a cell."""
    return f"{printed:.{digits}f}{GLUE}/{GLUE}{ours:.{digits}f} ({change(ours - printed, error, digits)})"


def apart(ours, printed, error, digits):
    """Return printed, ours, and by how many standard errors ours is higher, as a cell."""
    by = (ours - printed) / error if error else 0.0
    return f"{printed:.{digits}f}{GLUE}/{GLUE}{ours:.{digits}f} ({by:+.{0 if abs(by) > 10 else 1}f})"


def change(by, error, digits):
    """Return a difference with its standard error."""
    return f"{by:+.{digits}f} ±{GLUE}{error:.{digits}f}"


def parsed(text):
    """Return the first table of a Markdown text as a frame of texts, and the text below it."""
    lines = text.strip().splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|")]
    return pd.DataFrame(rows[2:], columns=rows[0]), "\n".join(lines[len(rows) :]).strip()
