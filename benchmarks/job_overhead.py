"""The overhead of a job: its wall time by Snakemake minus the times of tuning, fitting and scoring in its records.

Usage: python benchmarks/job_overhead.py results/diez_table1
"""

import csv
import json
import sys
from pathlib import Path

import numpy as np


def overheads(results):
    """Return wall seconds less fit seconds, and the peak memory in MB, of every job of an experiment."""
    seconds, megabytes, folder = [], [], results / "benchmarks" / "run_job"
    for measured in sorted(folder.glob("**/*.tsv")):
        with measured.open(encoding="utf-8") as file:
            wall = float(next(csv.DictReader(file, delimiter="\t"))["s"])
        first, _, last = measured.stem.partition("-")
        cell = results / "jobs" / measured.parent.relative_to(folder)
        seeds = range(int(first), int(last or first) + 1)
        records = [json.loads((cell / f"{seed}.json").read_text(encoding="utf-8"))["record"] for seed in seeds]
        fits = sum(r["tune_seconds"] + r["fit_seconds"] + r["predict_seconds"] for r in records if r["status"] == "ok")
        seconds.append(wall - fits)
        megabytes.append(max(r["peak_megabytes"] for r in records))
    return np.array(seconds), np.array(megabytes)


def main(results):
    """Print the median and the extremes."""
    seconds, megabytes = overheads(Path(results))
    print(f"{len(seconds)} jobs of {results}: wall less fits, seconds: median {np.median(seconds):.2f}, ", end="")
    print(f"10 to 90 percent {np.percentile(seconds, 10):.2f} to {np.percentile(seconds, 90):.2f}")
    print(f"peak memory: largest {megabytes.max():.0f} MB")


if __name__ == "__main__":
    main(sys.argv[1])
