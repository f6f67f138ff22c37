"""All readers, methods, statistics, studies, figures and tables by name: those of the core, and those of the rooms."""

import importlib

from .room import CLAIMS, Figure, Reader, Room, Statistic, Table

OF_DATA = Room(
    f"{__package__}.datasets",
    readers=(
        Reader("arff"),
        Reader("csv"),
        Reader("delimited"),
        Reader("friedman1"),
        Reader("letor"),
        Reader("partitions"),
        Reader("sklearn_diabetes"),
        Reader("xls"),
    ),
)
CORE = Room(
    __package__,
    statistics=(
        Statistic("best", file="statistics.best"),
        Statistic("summary", file="statistics.summary"),
        Statistic("baselines", file="statistics.summary"),
        Statistic("per_dataset", file="statistics.per_dataset"),
        Statistic("overall", file="statistics.overall"),
        Statistic("ranks", file="statistics.ranks"),
        Statistic("ratios", file="statistics.ratios"),
    ),
    figures=(
        Figure("best", needs=("best",), file="figures.best"),
        Figure("critical_difference", needs=("ranks",), one=("conditions",), file="figures.critical_difference"),
        Figure("learning_curves", needs=("summary",), file="figures.learning_curves"),
    ),
    tables=(Table("best", needs=("best",), file="tables.best"),),
)
# Imported by name, so that what uses the registry does not depend on the source of every room
# (`rankbench.records.sources`): an edit of one room would run the jobs of all others again.
ROOMS = importlib.import_module(f"{__package__}.papers.rooms").ROOMS
PAPERS = tuple(sorted((room for room in ROOMS if room.reference), key=lambda room: room.authors))
CLAIM_MODULES = tuple(f"{room.package}.{name}" for room in PAPERS for name in room.claims)


def _by_name(kind, named):
    """Return name -> what it names.

    Parameters
    ----------
    kind : str
        Named in the message.
    named : iterable of (str, Component or Path)

    Raises
    ------
    ValueError
        If two have one name.
    """
    known = {}
    for name, one in named:
        if name in known:
            raise ValueError(f"{kind}: {one} has the same name as {known[name]}")
        known[name] = one
    return known


def _components(kind):
    return _by_name(kind, [(one.name, one) for room in (OF_DATA, CORE, *ROOMS) for one in getattr(room, kind)])


READERS, STUDIES = _components("readers"), _components("studies")
STATISTICS, FIGURES, TABLES = _components("statistics"), _components("figures"), _components("tables")
# The printed numbers: name of the file, by which experiments and claims ask for it -> path; and what the papers state
PUBLISHED = _by_name("published", [(name, room.folder / name) for room in ROOMS for name in room.published])
STATED = tuple(room.folder / CLAIMS for room in ROOMS if room.claims)
