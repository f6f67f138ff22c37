"""Read a table, say how it is read, write the folder in which methods are compared on it, and print the answer."""

import math
import textwrap
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from rankbench.experiments.files import note_of, read_note
from rankbench.experiments.places import hold

from ..labels import counted
from .cells import interpret
from .described import describe
from .folder import check_folder, folder_of, name_of, own_of, question_of, write_folder
from .look import look_at
from .names import TableError, one_line
from .protocol import MOST_SEEDS, experiment_of, seconds_of_runs
from .read import read_file
from .table import data_of, table_of

BUDGET = 10.0  # minutes


def words_of(text, known=()):
    """Return the names in a text: the text itself if it is `known`, else its parts between commas, or else spaces."""
    if text in known:
        return [text]
    return [word.strip() for word in text.split(",") if word.strip()] if "," in text else text.split()


def minutes_of(text):
    """Return the budget that the user gave; refuse any text but a number of minutes."""
    with suppress(ValueError):
        if 0 < float(text or BUDGET) < math.inf:
            return float(text or BUDGET)
    raise TableError(f"--budget must be a number of minutes > 0, got {text!r}")


def read_look(options, target):
    """Read the table of a user and decide how its columns are used."""
    frame, notes = read_file(options.file)
    words = {key: words_of(getattr(options, key), frame.columns) for key in ("drop", "nominal")}
    order = words_of(options.order)
    frame, more = interpret(
        frame,
        drop=words["drop"],
        nominal=[*words["nominal"], *([target] if order else [])],
        keep=words_of(options.keep),
        grades={target: order},
        decimal=options.decimal,
    )
    return look_at(frame, target, groups=one_line(options.groups), order=order, notes=[*notes, *more], **words)


def prepare(options):
    """Read the table, print how it was read and write its folder; return the folder.

    Parameters
    ----------
    options : Namespace
        The arguments of ``rankbench compare``, see `rankbench.command.arguments`.

    Raises
    ------
    TableError
        When methods cannot be compared on the table; then nothing is written.
    """
    if not (options.file and options.target):
        raise TableError("needs a file and a column, such as wines.csv and quality")
    target, budget = one_line(options.target), minutes_of(options.budget)
    look = read_look(options, target)
    data = data_of(look)
    table, notes = table_of(data, look)
    question = question_of(options.file, target)
    folder = Path(options.folder) if options.folder else folder_of("compare", options.file, target)
    named = f"--folder={folder}" if options.folder else f"{folder}"
    check_folder(folder, question, named)
    name = name_of(options.file, target) if options.folder else folder.name
    title = f"{one_line(Path(options.file).name)}: {target}"
    experiment, minutes, most = experiment_of(look.kind, table, name, title, budget, options.cores, options.rivals)
    said = [
        *describe(replace(look, notes=(*look.notes, *notes))),
        *plan_in_words(experiment, name, minutes, most, options.cores),
    ]
    own, seconds = own_of(look, data, table, name, title), seconds_of_runs(look.kind, experiment, table)
    with _held(folder, named):  # no run reads these files while they are written
        write_folder(folder, data, table, own, experiment, seconds, said, question)
    print("\n".join(said))
    return folder


@contextmanager
def _held(folder, named):
    """Hold the folder while it is written; refuse one that another run holds, or that cannot be written."""
    try:
        held = hold(folder)
    except ValueError as error:
        raise TableError(f"{folder}: {error}") from None
    except OSError as error:
        raise TableError(f"{named}: cannot be written: {error.strerror or error}") from None
    with held:
        try:
            yield
        except OSError as error:
            raise TableError(f"{named}: cannot be written: {error.strerror or error}") from None


def plan_in_words(experiment, name, minutes, most, cores):
    """Yield the lines about what is compared and how long that will take; a larger budget trains on `most` rows."""
    *smaller, largest = [f"{entry['n_train']:,}" for entry in experiment["conditions"].values()]
    sizes = f"{', '.join(smaller)} and {largest}" if smaller else largest
    yield (
        f"compared  {len(experiment['methods'])} methods, {experiment['seeds']} hold-outs, training on {sizes} rows, "
        f"testing on {experiment['datasets'][name]['n_test']:,}"
    )
    if (n_train := [entry["n_train"] for entry in experiment["conditions"].values()][-1]) < most:
        yield f"note      training on {n_train:,} of {most:,} possible rows: a larger --budget=minutes uses all"
    if "rank_linear" in experiment["methods"]:
        yield "note      too few ties for ComparisonSVM, which learns from them: it is not compared"
    more = "; a larger --budget=minutes allows more hold-outs, more rows and larger grids"
    less_than_most = experiment["seeds"] < MOST_SEEDS
    yield f"time      about {math.ceil(minutes)} min on {counted(cores, 'core')}{more if less_than_most else ''}"


def print_answer(folder):
    """Print the answer of a comparison, which its report has given, and where that report is."""
    report = folder / "results/report.html"
    for paragraphs in read_note(note_of(report))["answers"].values():
        for text in paragraphs:
            print("", *textwrap.wrap(text, 110), sep="\n")
    print(f"\nreport    {report}")
