"""Print the files of runs of the contest that the present sources have to make again, as targets of Snakemake:

    name=contest_fresh_200
    files=$(python -m rankbench.papers.today.stale $name) &&
        snakemake --cores 2 --config "experiments=[$name]" -- $files

Then ``rankbench artefact records`` keeps them with the runs of the other methods (`rankbench.papers.today.kept`).
"""

import sys
from pathlib import Path

from rankbench.artefact import check_sources
from rankbench.experiments.protocol import load_asked


def stale_files(name, root):
    """Return the files of the runs of those methods whose kept runs other sources made.

    Raises
    ------
    ValueError
        If packages of other methods are not installed, because their sources cannot be compared then.
    """
    old, unknown = check_sources(root).get(name, ([], {}))
    if packages := sorted({package for needed in unknown.values() for package in needed}):
        raise ValueError(f"{name} needs {', '.join(packages)}: make .venv/rivals")
    experiment = load_asked((name,), root)[0][name]
    files = zip(experiment.runs, experiment.run_files("npz"), strict=True)
    return [file for (_, _, _, method, _), file in files if method in old]


def main():
    """Print the files, or end with an error: of no target Snakemake makes everything."""
    name = sys.argv[1]
    try:
        found = stale_files(name, Path())
    except ValueError as error:
        sys.exit(str(error))
    if not found:
        sys.exit(f"{name}: the present sources made all runs that are kept")
    print("\n".join(found))


if __name__ == "__main__":
    main()
