"""All readers, methods, studies, figures and tables by name: those of the core, and those of the rooms."""

import importlib

from .room import Figure, Reader, Room, Table

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
    figures=(
        Figure("best", needs=("best",)),
        Figure("critical_difference", needs=("ranks",), one=("conditions",)),
        Figure("learning_curves", needs=("summary",)),
    ),
    tables=(Table("best", needs=("best",)),),
)
# Imported by name: what uses the registry does not depend on the source of every room (`rankmargin.sources`), or an
# edit of one room would run the jobs of all others again.
ROOMS = importlib.import_module(f"{__package__}.papers.rooms").ROOMS
PAPERS = tuple(room for room in ROOMS if room.reference)  # in the order of the ledger and the report
CLAIM_MODULES = tuple(f"{room.package}.{name}" for room in PAPERS for name in room.claims)


def _by_name(kind):
    """Return name -> component.

    Raises
    ------
    ValueError
        If two rooms have a component of one name.
    """
    components = {}
    for room in (OF_DATA, CORE, *ROOMS):
        for component in getattr(room, kind):
            if component.name in components:
                raise ValueError(f"{kind}: {component.module} has the name of {components[component.name].module}")
            components[component.name] = component
    return components


READERS, METHODS, STUDIES = _by_name("readers"), _by_name("methods"), _by_name("studies")
FIGURES, TABLES = _by_name("figures"), _by_name("tables")
