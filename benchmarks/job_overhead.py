"""What a run costs beyond its fits, with jobs as forks of warm processes and with a new process for each job.

Usage: python benchmarks/job_overhead.py [EXPERIMENT ...] [--cores N] [--executors warm local]
       python benchmarks/job_overhead.py --results FOLDER EXPERIMENT     (a run that has ended, in another checkout)

Each executor runs the same experiments in a fresh clone of this checkout's last commit, one after the other. Both start
without machine code, as on a new machine. Table 1 (diez_table1) takes some minutes with each.
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
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rankbench.records.diff import compare
from rankbench.timing.keep import read_timeline

ROOT = Path(__file__).resolve().parents[1]


@dataclass
class Parts:
    """The seconds of a run.

    Attributes
    ----------
    wall, planning, idle : float
        From the start of Snakemake to the end of its last job; to the first job; the share of the cores' time between
        these two in which no job ran.
    compiling, fits, rest : float
        Sums over jobs: those that compile; tuning, fitting and scoring; all other seconds of jobs.
    overhead : array of shape (n_jobs,)
        Wall time of each job that makes runs, by Snakemake, less its fits.
    megabytes : float
        The peak memory of the largest run.
    """

    wall: float
    planning: float
    idle: float
    compiling: float
    fits: float
    rest: float
    overhead: np.ndarray
    megabytes: float


def records_of(results, experiments):
    """Return the path of each run's note -> its record."""
    notes = (path for name in experiments for path in sorted((results / name / "jobs").glob("**/*.json")))
    return {str(path.relative_to(results)): json.loads(path.read_text(encoding="utf-8"))["record"] for path in notes}


def seconds_of_fits(record):
    """Return the seconds of tuning, fitting and scoring."""
    return record["tune_seconds"] + record["fit_seconds"] + record["predict_seconds"] if record["status"] == "ok" else 0


def parts_of(results, experiments, cores):
    """Return the parts of the last run of these experiments."""
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
    plan, *jobs = read_timeline(results / "logs" / "timeline.csv").to_dict("records")
    wall = max(job["end"] for job in jobs)
    busy = sum(job["end"] - job["start"] for job in jobs)
    compiling = sum(job["end"] - job["start"] for job in jobs if job["rule"] == "warm_up")
    fits = sum(map(seconds_of_fits, records.values()))
    return Parts(
        wall=wall,
        planning=plan["end"],
        idle=1 - busy / (cores * (wall - plan["end"])),
        compiling=compiling,
        fits=fits,
        rest=busy - fits - compiling,
        overhead=np.array(overhead),
        megabytes=max(record["peak_megabytes"] for record in records.values()),
    )


def run(executor, experiments, cores, folder):
    """Run experiments in a fresh clone; return the seconds of wall time and of the processor."""
    subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
    environment = os.environ | {"PYTHONPATH": f"{folder / 'src'}:{folder / 'benchmark/src'}"}
    command = [Path(sys.executable).with_name("snakemake"), "--cores", str(cores), "--executor", executor]
    command += ["--config", f"experiments=[{','.join(experiments)}]"]
    began, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=sys.stderr)
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - began, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime


HEAD = (
    "| executor | wall s | CPU s | planning | compiling | fits | rest of the jobs | idle "
    "| a job less its fits: median | 10 to 90 percent | largest run, MB |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
)


def line(name, parts, wall, processor):
    """Return a line of the table."""
    low, middle, high = np.percentile(parts.overhead, [10, 50, 90])
    cells = [name, f"{wall:.1f}", f"{processor:.1f}", f"{parts.planning:.1f}", f"{parts.compiling:.1f}"]
    cells += [
        f"{parts.fits:.1f}",
        f"{parts.rest:.1f}",
        f"{parts.idle:.1%}",
        f"{middle:.3f}",
        f"{low:.3f} to {high:.3f}",
    ]
    return "| " + " | ".join([*cells, f"{parts.megabytes:.0f}"]) + " |"


def main():
    """Print a line per executor, and whether the records are equal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiments", nargs="*", default=["smoke"])
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--executors", nargs="+", default=["warm", "local"])
    parser.add_argument("--results", type=Path)
    given = parser.parse_args()
    if given.results:
        parts = parts_of(given.results, given.experiments, given.cores)
        print(HEAD, line("of the run", parts, parts.wall, np.nan), sep="\n")
        return
    lines, made = [], []
    with tempfile.TemporaryDirectory() as temporary:
        for executor in given.executors:
            folder = Path(temporary, executor)
            spent = run(executor, given.experiments, given.cores, folder)
            results = folder / "results"
            lines.append(line(executor, parts_of(results, given.experiments, given.cores), *spent))
            made.append(results)
        print(f"{', '.join(given.experiments)} on {given.cores} cores\n", HEAD, *lines, "", sep="\n")
        for other in made[1:]:
            compare(made[0], other)


if __name__ == "__main__":
    main()
