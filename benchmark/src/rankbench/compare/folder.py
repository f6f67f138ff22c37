"""Write the folder of a comparison: table, experiment, and what is known of the file, by which new rows are read."""

import re
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from rankbench.datasets.own import TABLES, OwnTable, load_datasets
from rankbench.datasets.table import Table, save_table, table_digest
from rankbench.experiments.places import LOCK
from rankbench.records.files import Damaged, read_values, write_text, write_values

from .cells import Form
from .columns import results_of
from .read import TableError, ending_of, read_file

LONGEST = 40  # letters of a name that is made of the name of a file, and as many of the target
RECUR = 0.1  # of the rows may have the same inputs; if more have, inputs are few values that have to recur


def table_of(found):
    """Return the table that methods get, and what a user has to know of repeated rows.

    Parameters
    ----------
    found : rankbench.compare.columns.Columns

    Returns
    -------
    table : rankbench.datasets.table.Table
        A missing name has a name too. Of pairs, -1 means that the first item is better.
    notes : list of str
    """
    names, frame = {*found.names_of("names")}, found.frame
    sides = [[pair[side] for pair in found.items] for side in (1, 2)]
    used = [*zip(*sides, strict=True)] or [(name,) for name in frame if name in {*names, *found.names_of("number")}]
    attributes = tuple(pair[0] for pair in found.items) or tuple(of[0] for of in used)
    codes, levels = [], []
    for of in used:
        both = pd.concat([frame[name] for name in of], ignore_index=True)
        if of[0] in names:
            both, held = pd.factorize(_named(both), sort=True)
        levels.append(tuple(held) if of[0] in names else ())
        codes.append(np.split(np.asarray(both, dtype=float), len(of)))
    X = np.column_stack([column for side in zip(*codes, strict=True) for column in side])
    y = frame[found.target].to_numpy(float)
    groups = pd.factorize(frame[found.groups], sort=True)[0].astype(float) if found.groups else None
    weights = frame[found.weight].to_numpy(float) if found.weight else None
    blocks, notes = blocks_of(X, y, groups=groups, items=len(used[0]), battles=found.kind == "battles")
    if found.items:
        y, groups = -y, None
    kind = "pairs" if found.items else "rows"
    return Table(X, y, attributes, tuple(levels), kind=kind, groups=groups, blocks=blocks, weights=weights), notes


def _named(column):
    """Return a column of names; a missing cell gets a name that no other cell has."""
    name = "missing"
    while (column == name).any():
        name += " cell"
    return column.fillna(name)


def blocks_of(X, y, *, groups=None, items=1, battles=False):
    """Return what no hold-out may cut, and what a user has to know of it.

    Rows with the same inputs are in one block, whatever their targets are: if only rows with the same target were, a
    method would learn all other targets of these inputs, and never the one on which it is judged. With groups, the
    groups are the blocks. In battles the same two items may meet again.

    Parameters
    ----------
    X : (n, items * d) float64
        Missing numbers are nan.
    y : (n,) float64
    groups : (n,) float64 or None
    items : {1, 2}
        Number of items in a row. Two rows with the same two items, in either order, have the same inputs.
    battles : bool

    Returns
    -------
    blocks : (n,) float64
    notes : list of str
    """
    n = len(X)
    inputs = _codes(_ordered(X) if items == 2 else X)
    targets = np.abs(y) if items == 2 else y  # of the same two items in the other order it has the other sign
    if groups is not None:
        whole = pd.DataFrame({"row": _codes(np.column_stack([inputs, targets])), "group": groups})
        across = 0 if battles else int((whole.groupby("row")["group"].transform("nunique") > 1).sum())
        note = f"rows with the inputs and the target of a row in another group: {across:,} of {n:,}"
        return groups, [f"{note}; they may be in both parts of a hold-out"] if across else []
    again = pd.Series(inputs).duplicated()
    if battles or not again.any():
        return np.arange(float(n)), []
    same = int(pd.DataFrame({"x": inputs, "y": targets}).duplicated().sum())
    note = f"rows with the inputs of an earlier row: {again.sum():,} of {n:,} ({same:,} of them with its target too)"
    if (most := int(np.bincount(inputs).max())) > RECUR * n:
        both = "rows have the same inputs, so that equal rows are in both parts of a hold-out"
        return np.arange(float(n)), [f"{note}; {most:,} {both}"]
    return inputs.astype(float), [f"{note}; rows with the same inputs are in the same part of each hold-out"]


def _codes(X):
    """Return a code 0, 1, ... of each row, shape (n,): the same for equal rows."""
    return pd.factorize(pd.util.hash_pandas_object(pd.DataFrame(X + 0.0), index=False))[0]  # + 0.0: -0 is 0


def _ordered(X):
    """Return pairs of items (n, 2 d) with the smaller item first, by the first attribute in which they differ."""
    first, second = np.hsplit(X, 2)
    at = np.argmax(first != second, axis=1)[:, None]
    swap = np.take_along_axis(first, at, 1) > np.take_along_axis(second, at, 1)
    return np.where(swap, np.hstack([second, first]), X)


def rows_of(file, root="."):
    """Read rows as the comparison in a folder read its table, also new ones without a target.

    Parameters
    ----------
    file : path
        A file with the columns of that table; its ending may be another.
    root : path
        The folder of the comparison.

    Returns
    -------
    DataFrame
        The columns that are used, in their order: numbers, and names, of which a missing one is ``"missing"``; then the
        groups, the weights and the target, if the file has them.

    Raises
    ------
    TableError
        If a column is missing, or a cell is written in another way.
    """
    (own,) = (known for known in load_datasets(root).values() if isinstance(known, OwnTable))
    frame = read_file(file, **(own.options if ending_of(file) == ending_of(own.file) else {}))
    columns = {}
    for name, form in own.forms.items():
        if name not in frame and name in (own.target, own.groups, own.weight):
            continue
        if name not in frame:
            raise TableError(f"{file}: there is no column {name!r}")
        columns[name] = Form(**form).read(frame[name])
        if name in own.nominal:
            columns[name] = _named(columns[name])
    read = pd.DataFrame(columns)
    if own.target in read and own.order:
        known = {
            name if own.forms[own.target]["kind"] == "names" else float(name): at for at, name in enumerate(own.order)
        }
        read[own.target] = read[own.target].map(known)
    elif own.target in read and own.items:
        _, *named = own.items[0]
        read[own.target] = results_of(read, own.target, tuple(named), own.halves)
    return read


def name_of(path, target):
    """Return a name for a question about a file: lower-case letters, digits and underscores.

    >>> name_of("data/Wines 2024.csv.gz", "quality")
    'wines_2024_quality'
    """
    file = Path(path).name.lower().removesuffix(ending_of(path))
    words = [re.sub(r"[^a-z0-9]+", "_", text).strip("_")[:LONGEST] for text in (file, target.lower())]
    name = "_".join(filter(None, words))
    return name if name[:1].isalpha() else f"table_{name}".rstrip("_")


def check_folder(folder, file, target):
    """Refuse a folder that holds anything but a comparison of this file and target."""
    try:
        (note,) = (folder / TABLES).glob("*.json")
        values = read_values(note)
    except (ValueError, OSError, Damaged):
        # a lock is what is left of a command that was stopped before it wrote anything
        if folder.is_dir() and any(path.name != Path(LOCK).parts[0] for path in folder.iterdir()):
            raise TableError(f"{folder}: holds something else; name a new or an empty --folder") from None
    else:
        if (values["file"], values["target"]) != (str(Path(file).resolve()), target):
            other = f"{values['target']} of {values['file']}"
            raise TableError(f"{folder}: holds another comparison, {other}; name another --folder")


def own_of(found, table, name, title, file, options, budget):
    """Return what the workflow and the report know of the table of a `rankbench.compare.columns.Columns`."""
    return OwnTable(
        name=name,
        title=title,
        file=str(Path(file).resolve()),
        options=options,
        forms={column: asdict(form) for column, form in found.forms.items()},
        kind=table.kind,
        rows=len(table.y),
        attributes=list(table.attributes),
        items=[list(pair) for pair in found.items],
        battles=found.kind == "battles",
        halves=found.halves,
        target=found.target,
        groups=found.groups,
        weight=found.weight,
        nominal=found.names_of("names"),
        order=list(found.grades),
        grades=list(found.grades) if found.kind == "grades" else [],
        missing=bool(np.isnan(table.X).any()),
        kept_whole=f"groups: {found.groups}" if found.groups else "rows with the same inputs",
        repeated=not found.groups and len(np.unique(table.blocks)) < len(table.blocks),
        budget=budget,
        table_sha256=table_digest(table),
    )


def write_folder(folder, table, own, experiment, said):
    """Write configuration, table and experiment into `folder`; the same table and choices give the same files.

    Parameters
    ----------
    folder : Path
        The folder in which the workflow runs and writes its results.
    table : rankbench.datasets.table.Table
    own : rankbench.datasets.own.OwnTable
    experiment : dict
    said : sequence of str
        The lines about the table that the user was shown; they become the comment of the experiment.
    """
    comment = "".join(f"# {line}\n" for line in said)
    config = {"experiments": [own.name], "data": {"mirrors": []}}
    protocol = yaml.safe_dump(experiment, sort_keys=False, allow_unicode=True)
    write_table(folder, table, own)
    for path, write in {
        f"config/experiments/{own.name}.yaml": lambda path: write_text(path, comment + protocol),
        "config/config.yaml": lambda path: write_text(path, yaml.safe_dump(config, sort_keys=False)),
    }.items():
        write_changed(folder / path, write)


def write_table(folder, table, own):
    """Write a table, and what is known of it, into `folder`."""
    write_changed(folder / TABLES / f"{own.name}.json", lambda path: write_values(path, vars(own)))
    write_changed(folder / f"resources/tables/{own.name}.npz", lambda path: save_table(path, table))


def write_changed(path, write):
    """Write a file, if it would get other bytes: Snakemake runs again what depends on a new file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".new.{path.name}")
    write(beside)
    if path.exists() and path.read_bytes() == beside.read_bytes():
        beside.unlink()
    else:
        beside.replace(path)
