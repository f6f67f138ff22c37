"""Protect cells that a spreadsheet would read as a formula."""

import csv
import io


def without_formulas(text):
    """Return a csv in which each cell that begins like a formula, but is not a number, gets an apostrophe in front."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(map(_plain, row) for row in csv.reader(io.StringIO(text)))
    return out.getvalue()


def _plain(cell):
    if not cell.startswith(("=", "+", "-", "@", "\t", "\r")):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell
