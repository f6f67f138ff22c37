"""What a run costs beyond its fits, with jobs as forks of a warm process and with a new process for each job.

Usage: python benchmarks/job_overhead.py [EXPERIMENT ...] [--cores N] [--rounds N] [--executors warm local]
                                         [--checkouts FOLDER ...]

Each executor runs the same experiments in a fresh clone of the last commit of each checkout (default: this one), one
after the other, in each round. All start without machine code, as on a new machine. Table 1 (diez_table1) takes some
minutes with each. The last lines are medians over the rounds, and whether the records are equal.
"""

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from rankbench.records.diff import compare

ROOT = Path(__file__).resolve().parents[1]
HEAD = ("wall s", "CPU s", "fits s", "a job less its fits: median", "10 percent", "90 percent", "largest run, MB")


def records_of(results, experiments):
    """Return the path of each run's note -> its record."""
    notes = (path for name in experiments for path in sorted((results / name / "jobs").glob("**/*.json")))
    return {str(path.relative_to(results)): json.loads(path.read_text(encoding="utf-8"))["record"] for path in notes}


def seconds_of_fits(record):
    """Return the seconds of tuning, fitting and scoring."""
    return record["tune_seconds"] + record["fit_seconds"] + record["predict_seconds"] if record["status"] == "ok" else 0


def parts_of(results, experiments):
    """Return the last numbers of `HEAD` of a run: jobs by the clock of Snakemake."""
    records, overhead = records_of(results, experiments), []
    for name in experiments:
        folder = results / name / "benchmarks" / "run_job"
        for measured in sorted(folder.glob("**/*.tsv")):
            with measured.open(encoding="utf-8") as file:
                wall = float(next(csv.DictReader(file, delimiter="\t"))["s"])
            first, _, last = measured.stem.partition("-")
            cell = Path(name, "jobs", measured.parent.relative_to(folder))
            seeds = range(int(first), int(last or first) + 1)
            overhead.append(wall - sum(seconds_of_fits(records[f"{cell}/{seed}.json"]) for seed in seeds))
    fits = sum(map(seconds_of_fits, records.values()))
    return fits, *np.percentile(overhead, [50, 10, 90]), max(record["peak_megabytes"] for record in records.values())


def run(checkout, executor, experiments, cores, folder):
    """Run experiments in a fresh clone; return the numbers of `HEAD`."""
    subprocess.run(["git", "clone", "--quiet", checkout, folder], check=True)
    environment = os.environ | {"PYTHONPATH": f"{folder / 'src'}:{folder / 'benchmark/src'}"}
    command = [Path(sys.executable).with_name("snakemake"), "--cores", str(cores), "--executor", executor]
    command += ["--config", f"experiments=[{','.join(experiments)}]"]
    began, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=sys.stderr)
    wall, now = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    return wall, processor, *parts_of(folder / "results", experiments)


def main():
    """Print a line per run, and medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiments", nargs="*", default=["smoke"])
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--executors", nargs="+", default=["warm", "local"])
    parser.add_argument("--checkouts", nargs="+", type=Path, default=[ROOT])
    given = parser.parse_args()
    found, made = defaultdict(list), []
    print("| run |", " | ".join(HEAD), "|\n| --- |", " ---: |" * len(HEAD))
    with tempfile.TemporaryDirectory() as temporary:
        for number in range(given.rounds):
            for checkout in given.checkouts:
                for executor in given.executors:
                    name, folder = f"{checkout.name} {executor}", Path(temporary, str(len(made)))
                    found[name].append(run(checkout, executor, given.experiments, given.cores, folder))
                    made.append(folder / "results")
                    tell(f"{name} {number + 1}", found[name][-1])
        for name, runs in found.items():
            tell(f"{name}, median", np.median(runs, axis=0))
        for other in made[1:]:
            compare(made[0], other)


def tell(name, numbers):
    """Print a line of the table."""
    print(f"| {name} |", " | ".join(f"{number:.3g}" if number < 100 else f"{number:.0f}" for number in numbers), "|")


if __name__ == "__main__":
    main()
