"""How long Snakemake takes to plan a large study: ``python benchmarks/planning.py [--datasets 100] [--methods 20]``.

In a copy of the checkout, a dry run plans 100 simulated data sets x 20 methods x 100 seeds (200,000 results), for
several numbers of seeds per job. It prints the number of jobs, the seconds and the peak memory of Snakemake.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]


def write_study(folder, n_datasets, n_methods, n_seeds):
    """Copy the checkout and add an experiment ``large`` with these numbers of data sets, methods and seeds."""
    for name in ("config", "workflow", "src", "benchmark"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.egg-info"))
    shutil.copy(ROOT / "Snakefile", folder)
    (folder / "profiles").symlink_to("workflow/profiles")
    experiment = yaml.safe_load((ROOT / "config/experiments/smoke.yaml").read_text(encoding="utf-8"))
    methods, sizes = list(experiment["methods"].values()), experiment["datasets"]["friedman1"]
    experiment["methods"] = {f"m{k}": {**methods[k % len(methods)], "label": f"M {k}"} for k in range(n_methods)}
    experiment |= {"datasets": {f"d{k}": sizes for k in range(n_datasets)}, "seeds": n_seeds, "reference_method": "m0"}
    (folder / "config/experiments/large.yaml").write_text(yaml.safe_dump(experiment), encoding="utf-8")
    sheet = folder / "config/datasets.tsv"
    header, *rows = sheet.read_text(encoding="utf-8").splitlines()
    (row,) = [row for row in rows if row.startswith("friedman1\t")]
    made = [f"d{k}\t{row.partition(chr(9))[2]}" for k in range(n_datasets)]
    sheet.write_text("\n".join([header, *rows, *made]) + "\n", encoding="utf-8")


def plan(folder, seeds_per_job):
    """Return seconds, peak memory in 10**6 bytes and the number of jobs of a dry run."""
    command = [sys.executable, "-m", "snakemake", "-n", "--cores", "2", "--config", "experiments=[large]"]
    environment = {**os.environ, "PYTHONPATH": f"{folder / 'src'}:{folder / 'benchmark/src'}"}
    with tempfile.TemporaryFile("w+") as output:
        started = time.perf_counter()
        process = subprocess.Popen(
            [*command, f"seeds_per_job={seeds_per_job}"], cwd=folder, env=environment, stdout=output, stderr=output
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        output.seek(0)
        text = output.read()
    if status:
        raise SystemExit(text[-3000:])
    total = next(line.split()[1] for line in text.splitlines() if line.startswith("total "))
    return seconds, usage.ru_maxrss * 1024 / 1e6, int(total)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--datasets", type=int, default=100)
    parser.add_argument("--methods", type=int, default=20)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--seeds-per-job", type=int, nargs="+", default=[100, 20])
    arguments = parser.parse_args()
    results = arguments.datasets * arguments.methods * arguments.seeds
    print(f"{arguments.datasets} data sets x {arguments.methods} methods x {arguments.seeds} seeds = {results} results")
    with tempfile.TemporaryDirectory() as name:
        write_study(Path(name), arguments.datasets, arguments.methods, arguments.seeds)
        for size in arguments.seeds_per_job:
            seconds, megabytes, jobs = plan(Path(name), size)
            print(f"{size} seeds a job: {jobs} jobs planned in {seconds:.1f} s, {megabytes:.0f} MB", flush=True)


if __name__ == "__main__":
    main()
