"""Files that are there but outdated: of another task, of other data, or damaged.

Snakemake makes again what is missing or older than what it was made from, and what had other parameters when it was
made, if it remembers them. It does not see a file that was exchanged, copied, renamed or edited without a newer time,
and it forgets the parameters if ``.snakemake`` is lost. Notes do not (`rankbench.experiments.files`): a note is
compared with the current task, with the notes of the files that were read, and with the files that it describes. What
does not fit counts as missing. `rankbench.experiments.tasks` looks through all files before the jobs are planned.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .files import Damaged, damaged, digests, read_note, sha256, sha256_of

STOPPED = ("timeout", "memory")  # how a run ends at one of its limits
AGAIN = (*STOPPED, "failed")  # how runs and studies end that are tried again on request


@dataclass(frozen=True)
class Made:
    """What one job makes.

    Attributes
    ----------
    note : str
        Path of its note.
    task : dict
        What the job is asked to do now.
    read : sequence of str or None
        The files that it has to read; None if that depends on what is there.
    fault : function
        Gets the note, and returns one more reason why the files do not count; the empty string if there is none.
    """

    note: str
    task: dict
    read: tuple | None = ()
    fault: Callable = lambda note: ""


def misfit(made, known, root="."):
    """Return why the files of a job are not what is asked for; the empty string if they are, or are not there.

    Parameters
    ----------
    made : Made
    known : dict of str to str
        Path -> sha256 of the files that are what is asked for, and path of a note -> its digest. Those of this job are
        added if they fit. A file that is not known is made again, and with it whatever has read it.
    root : path
        The checkout.
    """
    try:
        note = read_note(Path(root, made.note))
        files = {(Path(made.note).parent / name).as_posix(): digest for name, digest in note["files"].items()}
        reason = _other_task(made, note, known) or _damage(files, root) or made.fault(note)
    except FileNotFoundError:
        return ""
    except Damaged as error:
        return str(error)
    if not reason:
        known |= {**files, made.note: note["digest"]}
    return reason


def _other_task(made, note, known):
    """Return how the task of a note and what its job read differ from what is asked for."""
    task = json.loads(json.dumps(made.task))
    if differing := sorted(key for key in {*task, *note["task"]} if task.get(key) != note["task"].get(key)):
        return f"made for a different task: {', '.join(differing)}"
    if made.read is not None and (differing := sorted({*made.read} ^ {*note["read"]})):
        return f"made from different files: {', '.join(differing)}"
    differing = [path for path, digest in note["read"].items() if known.get(path, digest) != digest]
    return f"made from a different version of {', '.join(differing)}" if differing else ""


def _damage(files, root):
    """Return which of some files (path -> sha256) is not as it was written."""
    for path, digest in files.items():
        try:
            if sha256_of(Path(root, path)) != digest:
                return str(damaged(path, "changed since it was written"))
        except OSError as error:
            return str(damaged(path, error.strerror))
    return ""


def reasons_of(several, known, root="."):
    """Return path of the note -> reason for those of several `Made` that are not what is asked for."""
    return {made.note: reason for made in several if (reason := misfit(made, known, root))}


# Runs


def runs_of(experiment, retry=()):
    """Yield a `Made` for each run of an experiment; those that ended with a status of `retry` are made again."""

    def fault(note):
        return tried_again(note["record"], retry) or other_limits(note["record"], experiment.limits)

    for dataset, condition, method in experiment.cells:
        task = experiment.task(dataset, condition, method).settings
        splits = experiment.split_files(dataset, condition, range(experiment.seeds))
        for seed, split in enumerate(splits):
            note = f"results/{experiment.name}/jobs/{dataset}/{condition}/{method}/{seed}.json"
            read = (f"resources/tables/{dataset}.npz", split)
            yield Made(note, task, read, fault)


def tried_again(ended, retry):
    """Return why a run or study that ended in this way is made again; see the key `retry`."""
    statuses = AGAIN if "all" in retry else retry
    return f"tried again: {ended['status']} before" if ended["status"] in statuses else ""


def other_limits(record, limits):
    """Return why a run must be made again because the limits of its experiment have changed.

    A run that ended by itself would do so under longer limits too, and one that was stopped would be stopped by shorter
    ones.
    """
    changed = [key for key, value in record["limits"].items() if limits[key] != value]
    longer = [key for key in changed if limits[key] > record["limits"][key]]
    if record["status"] in STOPPED:
        return f"stopped by a limit that is longer now: {', '.join(longer)}" if longer else ""
    shorter = sorted({*changed} - {*longer})
    return f"made under longer limits than the current ones: {', '.join(shorter)}" if shorter else ""


def misfits_of_runs(experiment, root="."):
    """Return path of the note -> reason for the runs of an experiment that do not count, and the digests of those that
    do (path of the note -> digest)."""
    runs = [*runs_of(experiment)]
    read = dict.fromkeys(file for made in runs for file in made.read if Path(root, file).exists())
    known = digests([Path(root, file) for file in read], root)
    reasons = reasons_of(runs, known, root)
    return reasons, {made.note: known[made.note] for made in runs if made.note in known}


def digest_of_runs(experiment, known):
    """Return what stands for all runs of an experiment that count: path of their folder -> digest.

    Parameters
    ----------
    experiment : Experiment
    known : dict of str to str
        Path of the note -> digest, among others.
    """
    lines = "".join(f"{note} {known[note]}\n" for note in experiment.run_files("json") if note in known)
    return {f"results/{experiment.name}/jobs": sha256(lines.encode())}
