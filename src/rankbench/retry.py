"""Try again the runs that failed, took too long or needed too much memory: their files are removed, and the next run
makes them again.
"""

from pathlib import Path

from rankbench.experiments.files import Damaged, read_note
from rankbench.experiments.places import hold
from rankbench.experiments.protocol import load_asked

AGAIN = ("timeout", "memory", "failed")


def retry(statuses, names=(), root="."):
    """Remove the files of the runs and studies that ended with one of these statuses.

    Parameters
    ----------
    statuses : sequence of str
        Some of ``timeout``, ``memory`` and ``failed``, or ``all``.
    names : sequence of str
        Experiments; by default those of ``config/config.yaml``.
    root : path
        The checkout.

    Returns
    -------
    dict of str to int
        Number of runs with each status.

    Raises
    ------
    ValueError
        If a status or an experiment is not known, or a run is in progress in the checkout.
    """
    strange = set(statuses) - {*AGAIN, "all"}
    if strange or not statuses:
        raise ValueError(f"retry must be some of {', '.join(AGAIN)}, or all, got {' '.join(sorted(strange)) or 'none'}")
    root, n_removed = Path(root), dict.fromkeys(AGAIN if "all" in statuses else statuses, 0)
    experiments, _ = load_asked(names, root)
    with hold(root):
        for experiment in experiments.values():
            folder = root / "results" / experiment.name
            again = [files for files in _made(folder, experiment) if _status(files[0]) in n_removed]
            for record, *others in again:
                n_removed[_status(record)] += 1
                for file in (record, *others):
                    file.unlink(missing_ok=True)
            if again:  # Snakemake makes a missing file only if another missing file needs it
                (folder / "records.parquet").unlink(missing_ok=True)
    return n_removed


def _made(folder, experiment):
    """Yield the note of each run and study of an experiment, with the other file that was written with it."""
    for _, *cell, seed in experiment.runs:
        yield tuple(folder.joinpath("jobs", *cell, f"{seed}.{ending}") for ending in ("json", "npz"))
    for study in experiment.studies:
        yield tuple(folder / f"statistics/{study}.{ending}" for ending in ("json", "csv"))


def _status(record):
    """Return how a run or study ended; None if there is no note, or it is damaged (the next run makes it again)."""
    try:
        note = read_note(record)
    except (FileNotFoundError, Damaged):
        return None
    return note.get("record", note).get("status")
