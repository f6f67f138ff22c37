"""Write the folder that make compare runs: the data, their row in the sheet of data sets, and the experiment."""

import hashlib
import re
from pathlib import Path

import pandas as pd
import yaml

from rankbench.datasets.sheet import Row
from rankbench.experiments.files import write_text

READERS = {"values": "csv", "grades": "csv", "pairs": "csv_pairs"}


def name_of(path):
    """Return a name for the data set in a file: lower-case letters, digits and underscores."""
    stem = re.sub(r"[^a-z0-9]+", "_", Path(path).name.lower().partition(".")[0]).strip("_")
    return stem if stem[:1].isalpha() else f"table_{stem}".rstrip("_")


def column_name(name):
    """Return the name of a column without blanks, which the sheet of data sets does not allow."""
    return re.sub(r"\s+", "_", name)


def csv_of(look):
    """Return the table as csv for the readers of the benchmark: only the used columns, the target last."""
    if look.kind == "pairs":
        return pairs_of(look).to_csv(index=False, lineterminator="\n")
    used = [column.name for column in look.columns if column.role in ("number", "names")]
    frame = look.frame[[*used, *([look.groups] if look.groups else []), look.target]].copy()
    for column in look.columns:
        if column.role in ("names", "groups"):
            kept = frame[column.name].notna()
            frame[column.name] = frame[column.name].astype(str).str.replace(r"\s+", " ", regex=True).where(kept)
    frame.columns = [column_name(name) for name in frame.columns]
    return frame.to_csv(index=False, lineterminator="\n")


def pairs_of(look):
    """Return a table of pairs: the numbers of the first item, those of the second, and -1 where the first is better.

    A column of names becomes one column of zeros and ones per name.
    """
    names, (first, second) = look.names_of("names"), look.endings
    used = [*look.names_of("number"), *names]
    stems = [name.removesuffix(first) for name in look.frame.columns if name in used and name.endswith(first)]
    parts = {}
    for stem in stems:
        one, other = look.frame[stem + first], look.frame[stem + second]
        if stem + first in names or stem + second in names:
            one, other = one.astype(str), other.astype(str)
            for level in sorted({*one, *other}):
                parts[f"{stem}={level}"] = [(side == level).astype(int) for side in (one, other)]
        else:
            parts[stem] = [one, other]
    columns = {column_name(stem) + first: one for stem, (one, _) in parts.items()}
    columns |= {column_name(stem) + second: other for stem, (_, other) in parts.items()}
    return pd.DataFrame(columns | {column_name(look.target): -look.frame[look.target].astype(int)})


def row_of(look, name, title, source, content):
    """Return the row of the sheet of data sets for the table with the csv text `content`."""
    names = [column_name(column) for column in look.names_of("names")]
    used = len(look.names_of("number")) + len(names)
    if look.kind == "pairs":
        names, used = [], content.partition("\n")[0].count(",") // 2
    missing = any(column.missing for column in look.columns if column.role in ("number", "names"))
    return {
        "name": name,
        "title": title,
        "reader": READERS[look.kind],
        "file": f"{name}/{name}.csv",
        "urls": "",
        "sha256": hashlib.sha256(content.encode()).hexdigest(),
        "table_sha256": "",
        "columns": "",
        "separator": "comma",
        "target": column_name(look.target),
        "nominal": " ".join(names),
        "drop": "",
        "missing": "keep" if missing else "refuse",
        "rows": str(len(look.frame)),
        "attributes": str(used),
        "licence": "your own",
        "reference": f"{source}",
    } | ({"groups": column_name(look.groups)} if "groups" in Row.__dataclass_fields__ else {})


def write_folder(folder, look, name, title, source, experiment, said):
    """Write configuration, data and experiment into `folder`; the same table and choices give the same files.

    Parameters
    ----------
    folder : Path
        The folder in which the workflow runs and writes its results.
    look : rankbench.compare.look.Look
    name, title : str
    source : path
        The user's file.
    experiment : dict
    said : sequence of str
        The lines about the table that the user was shown; they become the comment of the experiment.
    """
    content = csv_of(look)
    row = row_of(look, name, title, source, content)
    sheet = "\t".join(row) + "\n" + "\t".join(str(cell) for cell in row.values()) + "\n"
    comment = "".join(f"# {line}\n" for line in said)
    config = {"experiments": [name], "data": {"mirrors": ["data"]}}
    for path, text in {
        f"data/{name}/{name}.csv": content,
        "config/datasets.tsv": sheet,
        f"config/experiments/{name}.yaml": comment + yaml.safe_dump(experiment, sort_keys=False, allow_unicode=True),
        "config/config.yaml": yaml.safe_dump(config, sort_keys=False),
    }.items():
        file = folder / path
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_text(file, text)
