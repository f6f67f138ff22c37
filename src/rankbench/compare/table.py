"""The table that methods get, and the same table as a data frame with the names that the user gave."""

import numpy as np
import pandas as pd

from rankbench.datasets.table import Table

from .names import free_name
from .repeated import blocks_of


def data_of(look):
    """Return the data frame: the used columns, the groups if there are any, and the target, which comes last.

    A missing name has a name too. In a table of pairs, the numbers of the first items come before those of the second,
    and a column of names is one column of zeros and ones per name.

    Parameters
    ----------
    look : rankbench.compare.look.Look

    Returns
    -------
    (n, columns) DataFrame
    """
    if look.kind == "pairs":
        return _pairs(look)
    used = [column.name for column in look.columns if column.role in ("number", "names")]
    named = {*look.names_of("names"), *look.names_of("groups")}
    columns = [*used, *([look.groups] if look.groups else []), look.target]
    return pd.DataFrame(
        {name: _named(look.frame[name]) if name in named else look.frame[name].astype(float) for name in columns}
    )


def _named(column):
    """Return a column of names as texts; a missing cell gets a name that no other cell has."""
    texts = column.astype("str")
    name = "missing"
    while (texts == name).any():
        name += " cell"
    return texts.fillna(name)


def _pairs(look):
    """Return the data frame of a table of pairs; no number of it is missing."""
    names, (first, second) = look.names_of("names"), look.endings
    used = [*look.names_of("number"), *names]
    stems = [name.removesuffix(first) for name in look.frame.columns if name in used and name.endswith(first)]
    items = {first: {}, second: {}}
    for stem in stems:
        sides = {ending: look.frame[stem + ending] for ending in items}
        if names_of_both := {*names} & {stem + first, stem + second}:
            both = _named(pd.concat(sides.values(), ignore_index=True)).to_numpy()
            sides = dict(zip(items, np.split(both, 2), strict=True))
        levels = sorted({*sides[first], *sides[second]}) if names_of_both else [""]
        for level in levels:
            attribute = free_name(f"{stem}={level}" if names_of_both else stem, items[first])
            for ending, side in sides.items():
                items[ending][attribute] = (side == level).astype(float) if names_of_both else side.astype(float)
    columns = {attribute + ending: column for ending, part in items.items() for attribute, column in part.items()}
    if look.groups:
        columns[free_name(look.groups, columns)] = _named(look.frame[look.groups])
    return pd.DataFrame({**columns, free_name(look.target, columns): look.frame[look.target]})


def table_of(data, look):
    """Return the table of a data frame that `data_of` made, and what it says of repeated rows.

    Returns
    -------
    table : Table
    notes : list of str
    """
    names, y = look.names_of("names"), data.iloc[:, -1].to_numpy(float)
    inputs = data.iloc[:, : -2 if look.groups else -1]
    groups = pd.factorize(data.iloc[:, -2], sort=True)[0].astype(float) if look.groups else None
    if look.kind == "pairs":
        d, X = inputs.shape[1] // 2, inputs.to_numpy(float)
        attributes = tuple(name.removesuffix(look.endings[0]) for name in inputs.columns[:d])
        blocks, notes = blocks_of(X, y, groups=groups, items=2)
        return Table(X, -y, attributes, ((),) * d, kind="pairs", blocks=blocks), notes
    levels = tuple(
        tuple(np.unique(column.to_numpy(object))) if name in names else () for name, column in inputs.items()
    )
    X = np.column_stack(
        [
            np.searchsorted(np.array(names_of_column, dtype=object), column.to_numpy(object)).astype(float)
            if names_of_column
            else column
            for names_of_column, (_, column) in zip(levels, inputs.items(), strict=True)
        ]
    )
    blocks, notes = blocks_of(X, y, groups=groups)
    return Table(X, y, tuple(inputs.columns), levels, groups=groups, blocks=blocks), notes
