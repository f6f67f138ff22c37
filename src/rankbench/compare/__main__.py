"""Compare methods on your own table: ``python -m rankbench.compare wines.csv quality``."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from rankbench.home import HOME

from .folder import name_of, write_folder
from .look import describe, look_at
from .protocol import experiment_of
from .read import TableError, read_file


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
        parser.add_argument(f"--{name}", default="", help=f"{what}, separated by spaces")
    parser.add_argument("--order", default="", help="grades of the target, the worst first, separated by spaces")
    parser.add_argument("--budget", type=float, default=10, help="minutes that the comparison may take (default 10)")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="cores that the run will have")
    parser.add_argument("--folder", default="", help="folder of the comparison (default compare/<name of the file>)")
    parser.add_argument(
        "--rivals", action="store_true", help="compare with LightGBM, XGBoost and mord too (rivals.lock)"
    )
    parser.add_argument("--prepare", action="store_true", help="only write the folder")
    asked = parser.parse_args(arguments)
    try:
        if not asked.budget > 0:
            raise TableError(f"BUDGET must be a number of minutes > 0, got {asked.budget:g}")
        folder = prepare(asked)
    except TableError as error:
        print(f"compare: {error}", file=sys.stderr)
        return 2
    print(f"folder    {folder}", flush=True)
    if asked.prepare:
        return 0
    where = ["--snakefile", HOME / "Snakefile", "--directory", folder, "--cores", asked.cores]
    code = subprocess.run([sys.executable, "-m", "snakemake", *map(str, where)]).returncode
    print(f"report    {folder / 'results/report.html'}")
    return code


def prepare(asked):
    """Read the table, print how it was read and write its folder; return the folder."""
    frame = read_file(asked.csv)
    words = {key: getattr(asked, key).split() for key in ("drop", "nominal", "order")}
    look = look_at(frame, asked.target, groups=asked.groups, **words)
    name = name_of(asked.csv)
    title = f"{Path(asked.csv).name}: {asked.target}"
    experiment, minutes = experiment_of(look, name, title, asked.budget, asked.cores, asked.rivals)
    sizes = [entry["n_train"] for entry in experiment["conditions"].values()]
    said = [
        *describe(look),
        f"compared  {len(experiment['methods'])} methods, {experiment['seeds']} hold-outs, training on "
        f"{' and '.join(f'{size:,}' for size in sizes)} rows, testing on {experiment['datasets'][name]['n_test']:,}",
        f"time      about {minutes:.0f} minutes on {asked.cores} cores; BUDGET=60 allows more hold-outs and more rows",
    ]
    print("\n".join(said))
    folder = Path(asked.folder or f"compare/{name}")
    write_folder(folder, look, name, title, Path(asked.csv).name, experiment, said)
    return folder


if __name__ == "__main__":
    sys.exit(main())
