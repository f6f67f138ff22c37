"""What a user is told of the first look at a table: how each column is used, and how to change that."""

import pandas as pd

from .cells import listed
from .look import useful_groups

MISSING = {  # role of a column -> what becomes of its empty cells
    "number": "replaced by the training mean and marked in an extra column",
    "names": "an empty cell counts as a name of its own",
}


def describe(look):
    """Yield lines that say how each column is used and how to change that."""
    by_role = {role: look.names_of(role) for role in ("number", "names", "left out")}
    what = {
        "values": "numbers, higher is better: ranking methods are compared",
        "grades": f"{len(look.grades)} grades, the worst first: {', '.join(look.grades)}",
        "pairs": f"1: the item in the columns ...{''.join(look.endings[:1])} is better, -1: the other is, 0: neither "
        '(if rows are no pairs of items: --order="-1 0 1")',
    }[look.kind]
    yield f"rows      {len(look.frame):,}"
    yield f"target    {look.target}: {what}"
    if look.groups:
        use = "each is in one part of a hold-out" if look.kind == "pairs" else "only rows of one group are compared"
        yield f"groups    {look.groups}: {_counted_groups(look)}; {use}"
    yield f"numbers   {listed(by_role['number']) or 'none'}"
    if by_role["names"]:
        yield f"names     {listed(by_role['names'])} (one column of 0 and 1 per name; --nominal=... adds others)"
    out = [f"{column.name} ({column.why})" for column in look.columns if column.role == "left out"]
    if out:
        yield f"left out  {listed(out)}"
    for role, filled in MISSING.items():
        holes = [
            f"{column.name} ({column.missing:,})" for column in look.columns if column.missing and column.role == role
        ]
        if holes:
            yield f"missing   {listed(holes)}: {filled}"
    yield from (f"note      {note}" for note in look.notes)
    options = '--drop="name ...", --nominal="name ...", --groups=name, --order="worst ... best", --keep="word ..."'
    yield f"change    with {options}"


def _counted_groups(look):
    """Return the number of groups, and in how many of them there is something to compare if these are not all."""
    useful = pd.Series(True) if look.kind == "pairs" else useful_groups(look)["useful"]
    n_groups = f"{look.frame[look.groups].nunique():,}"
    return n_groups if useful.all() else f"{n_groups}, of which {useful.sum():,} hold rows to compare"
