"""Write the folder that make compare runs: the table, what is known of it, and the experiment."""

import os
import re
from pathlib import Path

import numpy as np
import yaml

from rankbench.compare.own import TABLES, OwnTable
from rankbench.datasets.table import save_table, table_digest
from rankbench.experiments.files import Damaged, read_values, write_text, write_values
from rankbench.experiments.places import LOCK
from rankbench.timing.expected import SECONDS
from rankbench.timing.keep import write_kept

from .names import TableError
from .read import ending_of

LONGEST = 40  # letters of a name that is made of the name of a file, and as many of the target
QUESTION = "config/question.json"
LOCKS = Path(LOCK).parts[0]


def name_of(path, target):
    """Return a name for a question about a file: lower-case letters, digits and underscores.

    >>> name_of("data/Wines 2024.csv.gz", "quality")
    'wines_2024_quality'
    """
    file = Path(path).name.lower().removesuffix(ending_of(path))
    words = [re.sub(r"[^a-z0-9]+", "_", text).strip("_")[:LONGEST] for text in (file, target.lower())]
    name = "_".join(filter(None, words))
    return name if name[:1].isalpha() else f"table_{name}".rstrip("_")


def folder_of(parent, path, target):
    """Return the folder of a question, below `parent`: its own if it was asked before, or else one that is free."""
    name = name_of(path, target)
    folders = numbered(parent, name)
    return next(one for one in folders if not one.exists() or question_in(one) == question_of(path, target))


def numbered(parent, name):
    """Yield the folders that may belong to a name, below `parent`: name, name_2, name_3, ...

    Raises
    ------
    TableError
        After 10,000 of them.
    """
    for again in range(1, 10_000):
        yield Path(parent) / (name if again == 1 else f"{name}_{again}")
    raise TableError(f"{parent}: already holds 10,000 folders of {name}; remove some")


def question_of(path, target):
    """Return what tells two questions apart, as it is written into the folder."""
    return {"file": str(Path(path).resolve()), "target": target}


def question_in(folder):
    """Return the question to which a folder belongs; None if it has none."""
    try:
        values = read_values(folder / QUESTION)
    except (FileNotFoundError, NotADirectoryError, Damaged):
        return None
    return {key: values[key] for key in ("file", "target")}


def check_folder(folder, question, named):
    """Refuse a folder that cannot be written, or that holds anything but a comparison of this question.

    Parameters
    ----------
    folder : Path
    question : dict
        See `question_of`.
    named : str
        What a refusal calls the folder.

    Raises
    ------
    TableError
    """
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists() or path.is_symlink())
    if not there.is_dir():
        which = "it" if there == folder else there
        raise TableError(f"{named}: {which} is no folder; name a new or an empty folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise TableError(f"{named}: this user cannot write in {there}; name another folder with --folder")
    other = question_in(folder)
    if other not in (None, question):
        raise TableError(f"{folder}: holds another comparison, {other['target']} of {other['file']}")
    # a lock is what is left of a command that was stopped before it wrote anything
    if other is None and there == folder and any(path.name != LOCKS for path in folder.iterdir()):
        what = "its config/" if (folder / "config").exists() else "what it holds"
        raise TableError(f"{named}: {what} is not that of a comparison; name a new or an empty folder")


def own_of(look, data, table, name, title):
    """Return what the workflow and the report know of the table of a `rankbench.compare.look.Look`."""
    return OwnTable(
        name=name,
        title=title,
        data=f"data/{name}.parquet",
        kind=table.kind,
        rows=len(table.y),
        attributes=list(table.attributes),
        target=data.columns[-1],
        groups=data.columns[-2] if look.groups else "",
        nominal=[] if look.kind == "pairs" else look.names_of("names"),
        grades=list(look.grades),
        missing=bool(np.isnan(table.X).any()),
        kept_whole=f"groups: {look.groups}" if look.groups else "rows with the same inputs",
        repeated=not look.groups and len(np.unique(table.blocks)) < len(table.blocks),
        table_sha256=table_digest(table),
    )


def write_folder(folder, data, table, own, experiment, seconds, said, question):
    """Write configuration, data and experiment into `folder`; the same table and choices give the same files.

    Parameters
    ----------
    folder : Path
        The folder in which the workflow runs and writes its results.
    data : DataFrame
        See `rankbench.compare.table.data_of`.
    table : rankbench.datasets.table.Table
    own : rankbench.compare.own.OwnTable
    experiment : dict
    seconds : dict
        See `rankbench.compare.protocol.seconds_of_runs`.
    said : sequence of str
        The lines about the table that the user was shown; they become the comment of the experiment.
    question : dict
        See `question_of`.
    """
    comment = "".join(f"# {line}\n" for line in said)
    config = {"experiments": [own.name], "data": {"mirrors": []}}
    protocol = yaml.safe_dump(experiment, sort_keys=False, allow_unicode=True)
    for path, write in {
        QUESTION: lambda path: write_values(path, question),
        own.data: lambda path: data.to_parquet(path, index=False),
        f"resources/tables/{own.name}.npz": lambda path: save_table(path, table),
        f"{TABLES}/{own.name}.json": lambda path: write_values(path, own.note),
        f"config/experiments/{own.name}.yaml": lambda path: write_text(path, comment + protocol),
        SECONDS: lambda path: write_kept(seconds, path),
        "config/config.yaml": lambda path: write_text(path, yaml.safe_dump(config, sort_keys=False)),
    }.items():
        write_changed(folder / path, write)


def write_changed(path, write):
    """Write a file, if it would get other bytes: Snakemake runs again what depends on a new file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".new.{path.name}")
    write(beside)
    if path.exists() and path.read_bytes() == beside.read_bytes():
        beside.unlink()
    else:
        beside.replace(path)
