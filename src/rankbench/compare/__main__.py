"""Compare methods on your own table: ``python -m rankbench.compare wines.csv quality``."""

import argparse
import math
import os
import subprocess
import sys
import textwrap
from contextlib import suppress
from pathlib import Path

from rankbench.answers import answers
from rankbench.experiments.files import Damaged
from rankbench.experiments.frames import read_statistic
from rankbench.experiments.protocol import load_asked
from rankbench.home import HOME

from .folder import name_of, write_folder
from .look import describe, look_at
from .protocol import MOST_SEEDS, experiment_of
from .read import TableError, read_file

SEPARATED = "spaces, or by commas where a name holds a space"


def main(arguments=None):
    """Read the table, print how it was read, write a folder for it and run the workflow there.

    Returns
    -------
    int
        Exit code: that of the run, or 2 if methods cannot be compared on the table; then nothing is written.
    """
    parser = argparse.ArgumentParser(prog="python -m rankbench.compare", description=__doc__)
    parser.add_argument("csv", help="csv, tsv (also .gz), parquet, arff or Excel file")
    parser.add_argument("target", help="column to order by: higher is better")
    parser.add_argument("--groups", default="", help="column: only rows with the same value are compared")
    for name, what in (("drop", "columns to leave out"), ("nominal", "columns of numbers that are names")):
        parser.add_argument(f"--{name}", default="", help=f"{what}, separated by {SEPARATED}")
    parser.add_argument("--order", default="", help=f"grades of the target, the worst first, separated by {SEPARATED}")
    parser.add_argument("--budget", default="10", help="minutes that the comparison may take (default 10)")
    parser.add_argument("--cores", default=str(os.cpu_count()), help="cores that the run will have (default all)")
    parser.add_argument("--folder", default="", help="folder of the comparison (default compare/<name of the file>)")
    parser.add_argument(
        "--rivals", action="store_true", help="compare with LightGBM, XGBoost and mord too (rivals.lock)"
    )
    parser.add_argument("--prepare", action="store_true", help="only write the folder")
    asked = parser.parse_args(arguments)
    try:
        asked.budget = _number("BUDGET", asked.budget, float, "a number of minutes > 0")
        asked.cores = _number("CORES", asked.cores, int, "a whole number > 0")
        folder = prepare(asked)
    except TableError as error:
        print(f"compare: {error}", file=sys.stderr)
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


def prepare(asked):
    """Read the table, print how it was read and write its folder; return the folder."""
    frame = read_file(asked.csv)
    words = {key: words_of(getattr(asked, key), frame.columns) for key in ("drop", "nominal")}
    words["order"] = words_of(asked.order)
    look = look_at(frame, asked.target, groups=asked.groups, **words)
    name = name_of(asked.csv)
    title = f"{Path(asked.csv).name}: {asked.target}"
    experiment, minutes = experiment_of(look, name, title, asked.budget, asked.cores, asked.rivals)
    *smaller, largest = [f"{entry['n_train']:,}" for entry in experiment["conditions"].values()]
    sizes = f"{', '.join(smaller)} and {largest}" if smaller else largest
    time = f"about {math.ceil(minutes)} min on {asked.cores} cores"
    if minutes > asked.budget:
        time += f": more than BUDGET={asked.budget:g}, which is too short for {experiment['seeds']} hold-outs"
    elif experiment["seeds"] < MOST_SEEDS:
        time += "; a larger BUDGET=minutes allows more hold-outs, more rows and larger grids"
    said = [
        *describe(look),
        f"compared  {len(experiment['methods'])} methods, {experiment['seeds']} hold-outs, training on {sizes} rows, "
        f"testing on {experiment['datasets'][name]['n_test']:,}",
        f"time      {time}",
    ]
    print("\n".join(said))
    folder = Path(asked.folder or f"compare/{name}")
    write_folder(folder, look, name, title, Path(asked.csv).name, experiment, said)
    return folder


if __name__ == "__main__":
    sys.exit(main())
