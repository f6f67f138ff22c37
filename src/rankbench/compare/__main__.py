"""Compare methods on your own table: ``python -m rankbench.compare wines.csv quality``."""

import argparse
import math
import os
import subprocess
import sys
import textwrap
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rankbench.answers import answers
from rankbench.experiments.files import Damaged
from rankbench.experiments.frames import read_statistic
from rankbench.experiments.protocol import load_asked
from rankbench.home import HOME
from rankbench.retry import retry

from .cells import interpret
from .folder import folder_of, name_of, own_of, question_in, question_of, write_folder
from .look import describe, look_at
from .names import TableError, one_line
from .protocol import MOST_SEEDS, experiment_of
from .read import read_file
from .table import data_of, table_of

SEPARATED = "spaces, or by commas where a name holds a space"


def main(arguments=None):
    """Read the table, print how it was read, write a folder for it and run the workflow there.

    Returns
    -------
    int
        Exit code: that of the run, or 2 if methods cannot be compared on the table; then nothing is written.
    """
    asked = parser().parse_args(arguments)
    asked.target, asked.groups = one_line(asked.target), one_line(asked.groups)
    try:
        asked.budget = _number("BUDGET", asked.budget, float, "a number of minutes > 0")
        asked.cores = _number("CORES", asked.cores, int, "a whole number > 0")
        folder = prepare(asked)
        if asked.retry:
            try_again(folder, asked.retry)
    except (TableError, OSError) as error:
        print(f"compare: {one_line(error)}", file=sys.stderr)
        return 2
    print(f"folder    {folder}", flush=True)
    if asked.prepare:
        return 0
    where = ["--snakefile", HOME / "Snakefile", "--directory", folder, "--cores", asked.cores]
    code = subprocess.run([sys.executable, "-m", "snakemake", *map(str, where)]).returncode
    with suppress(Damaged, FileNotFoundError):  # the summary of the run has told why
        print("\n".join(answer_of(folder)))
    print(f"report    {folder / 'results/report.html'}")
    return code


def parser():
    """Return the parser of the arguments."""
    said = argparse.ArgumentParser(prog="python -m rankbench.compare", description=__doc__)
    said.add_argument("csv", help="csv, tsv (also .gz), parquet, arff or Excel file")
    said.add_argument("target", help="column to order by: higher is better")
    for name, default, what in (
        ("groups", "", "column: only rows with the same value are compared"),
        ("drop", "", f"columns to leave out, separated by {SEPARATED}"),
        ("nominal", "", f"columns of numbers that are names, separated by {SEPARATED}"),
        ("order", "", f"grades of the target, the worst first, separated by {SEPARATED}"),
        ("decimal", "", "decimal mark of numbers such as 1,234: point or comma"),
        ("keep", "", f"words such as NA that do not mean a missing cell, separated by {SEPARATED}"),
        ("budget", "10", "minutes that the comparison may take (default 10)"),
        ("cores", str(os.cpu_count()), "cores that the run will have (default all)"),
        ("folder", "", "folder of the comparison (default compare/<file>_<target>)"),
        ("retry", "", "try runs again that ended so: timeout, memory, failed, or all"),
    ):
        said.add_argument(f"--{name}", default=default, help=what)
    said.add_argument("--rivals", action="store_true", help="compare with LightGBM, XGBoost and mord too (rivals.lock)")
    said.add_argument("--prepare", action="store_true", help="only write the folder")
    return said


def try_again(folder, statuses):
    """Remove the files of the runs in a folder that ended with one of these statuses, and print how many there are."""
    try:
        for status, n_runs in retry(statuses.replace(",", " ").split(), root=folder).items():
            print(f"{n_runs} runs with status {status} will be tried again")
    except ValueError as error:
        raise TableError(str(error)) from error


def answer_of(folder):
    """Yield the lines of the answer of a comparison, as its report tells it."""
    (experiment,) = load_asked(root=folder)[0].values()
    cells = read_statistic(folder / "results" / experiment.name / "statistics/best.csv")
    for paragraphs in answers(cells, experiment).values():
        for text in paragraphs:
            yield from ("", *textwrap.wrap(text, 110))
    yield ""


def words_of(text, known=()):
    """Return the names in a text: the text itself if it is `known`, else its parts between commas, or else spaces."""
    if text in known:
        return [text]
    return [word.strip() for word in text.split(",") if word.strip()] if "," in text else text.split()


def _number(name, text, kind, accepted):
    """Return a number that the user gave; refuse any other text, zero, negative and infinite numbers."""
    with suppress(ValueError):
        if 0 < kind(text) < math.inf:
            return kind(text)
    raise TableError(f"{name} must be {accepted}, got {text!r}")


def read_look(asked):
    """Read the table of a user and decide how its columns are used."""
    frame, notes = read_file(asked.csv)
    words = {key: words_of(getattr(asked, key), frame.columns) for key in ("drop", "nominal")}
    order, target = words_of(asked.order), [asked.target] if asked.order else []
    frame, more = interpret(
        frame,
        drop=words["drop"],
        nominal=[*words["nominal"], *target],
        keep=words_of(asked.keep),
        grades={asked.target: order},
        decimal=asked.decimal,
    )
    return look_at(frame, asked.target, groups=asked.groups, order=order, notes=[*notes, *more], **words)


def prepare(asked):
    """Read the table, print how it was read and write its folder; return the folder."""
    look = read_look(asked)
    data = data_of(look)
    table, notes = table_of(data, look)
    question = question_of(asked.csv, asked.target)
    folder = Path(asked.folder) if asked.folder else folder_of("compare", asked.csv, asked.target)
    if (other := question_in(folder)) not in (None, question):
        raise TableError(f"{folder}: holds the comparison of another question, {other['target']} of {other['file']}")
    name = name_of(asked.csv, asked.target) if asked.folder else folder.name
    title = f"{one_line(Path(asked.csv).name)}: {asked.target}"
    experiment, minutes = experiment_of(look.kind, table, name, title, asked.budget, asked.cores, asked.rivals)
    *smaller, largest = [f"{entry['n_train']:,}" for entry in experiment["conditions"].values()]
    sizes = f"{', '.join(smaller)} and {largest}" if smaller else largest
    time = f"about {math.ceil(minutes)} min on {asked.cores} cores"
    if experiment["seeds"] < MOST_SEEDS:
        time += "; a larger BUDGET=minutes allows more hold-outs, more rows and larger grids"
    said = [
        *describe(replace(look, notes=(*look.notes, *notes))),
        f"compared  {len(experiment['methods'])} methods, {experiment['seeds']} hold-outs, training on {sizes} rows, "
        f"testing on {experiment['datasets'][name]['n_test']:,}",
        f"time      {time}",
    ]
    write_folder(folder, data, table, own_of(look, data, table, name, title), experiment, said, question)
    print("\n".join(said))
    return folder


if __name__ == "__main__":
    sys.exit(main())
