"""A room holds what belongs to one paper; its list says what it offers: readers, methods, studies, figures, tables.

The list imports nothing of what it names, so that planning stays fast: the module of a component is imported when it
is used.
"""

import importlib
from dataclasses import dataclass, field, replace
from functools import cached_property

from rankbench.records.sources import source_of


@dataclass(frozen=True)
class Component:
    """What an experiment may name.

    Attributes
    ----------
    name : str
        The name by which an experiment asks for it.
    file : str
        The module of the room that holds it. If this is empty, the component has a module of its own name in the folder
        of its kind.
    module : str
        The full name of the module; the room sets it.
    """

    name: str
    file: str = field(default="", kw_only=True)
    module: str = field(default="", kw_only=True)

    def __str__(self):
        return self.module

    def load(self, prefix=""):
        """Return the module, imported, or its function of the name of this component, which may have a prefix."""
        module = importlib.import_module(self.module)
        return getattr(module, prefix + self.name) if self.file else module


ROWS, PAIRS = "rows", "pairs"


@dataclass(frozen=True)
class Reader(Component):
    """One source format.

    Its module has ``read(path, row) -> Table``, which returns a `rankbench.datasets.table.Table`, or raises a
    ValueError that names the file, the line and the column, what came and what is accepted. The reader of a set that is
    made or bundled does not use `path`.

    Attributes
    ----------
    kind : str
        Whether its examples are rows, or pairs of items with a label.
    """

    kind: str = field(default=ROWS, kw_only=True)


@dataclass(frozen=True)
class Study(Component):
    """A computation that is not a fit on splits: an illustration, a map, a count, a timing, the test of a theorem.

    It is a function of its name, ``study(data, experiment, **arguments)``, that yields the rows of one tidy frame,
    written to ``results/{experiment}/statistics/{study}.csv``; `rankbench.statistics.columns.columns` names the
    columns. The yaml of an experiment sets all arguments; a study with an argument ``method`` is given only that one of
    the ``methods`` of the experiment.
    ``data`` is a dict of str to (Table, list of Split): the data sets that the yaml names under
    ``studies.{study}.datasets``, with their splits under the first condition, one for each seed; without splits where
    they are no data sets of the experiment. ``experiment`` has the name of the study and what `reads` names. The frame
    does not depend on when or where it is made, but for columns of seconds.

    Attributes
    ----------
    reads : tuple of str
        The keys of the experiment that it is given. Editing another key does not run it again; editing a method does
        if ``methods`` is one of them.
    timed : bool
        Whether it measures seconds by which a claim is judged: then it runs while nothing else does, and all cores but
        one are idle.
    """

    file: str = field(default="studies", kw_only=True)
    reads: tuple = field(default=(), kw_only=True)
    timed: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Statistic(Component):
    """Records in, one tidy frame out: a function of its name, see `rankbench.statistics`.

    Attributes
    ----------
    reads : {"records", "test_scores"}
        The frame of the experiment that it is given.
    """

    file: str = field(default="statistics", kw_only=True)
    reads: str = field(default="records", kw_only=True)

    def __call__(self, records, experiment):
        """Return the frame."""
        return self.load()(records, experiment)


@dataclass(frozen=True, kw_only=True)
class Output(Component):
    """What figures and tables have in common.

    Attributes
    ----------
    needs : tuple of str
        The statistics and studies that it reads.
    one : tuple of str
        Keys of an experiment that must have exactly one entry; checked before the plan.
    metric : str
        A metric that the experiment must measure, if it is not empty.
    """

    name: str = field(kw_only=False)
    needs: tuple
    one: tuple = ()
    metric: str = ""


@dataclass(frozen=True, kw_only=True)
class Figure(Output):
    """Frames in, a matplotlib Figure out: two functions, ``draw_{name}`` and ``describe_{name}``.

    Both raise `rankbench.figures.nothing.NothingToDraw` if there is no run to show. The parameters are those of
    a `Table`.
    """

    file: str = "figures"

    def draw(self, frames, experiment, titles):
        """Return the picture, in the style of all figures."""
        with importlib.import_module(f"{__package__}.figures.style").style():
            return self.load("draw_")(frames, experiment, titles)

    def describe(self, frames, experiment, titles):
        """Return the same in one sentence with the main numbers: the text alternative."""
        return self.load("describe_")(frames, experiment, titles)


@dataclass(frozen=True, kw_only=True)
class Table(Output):
    """Frames in, the text of every format out: a function of its name."""

    file: str = "tables"

    def render(self, frames, experiment, titles):
        """Return the text of each format by its ending, ``{"csv": ..., "md": ..., "tex": ..., "html": ...}``.

        Parameters
        ----------
        frames : mapping of str to DataFrame
            The frames of `needs` by name, and under ``"published"`` the printed numbers that the experiment names in
            ``published:``; without that key the table says "not printed" in every printed cell.
        experiment : rankbench.experiments.experiment.Experiment
        titles : mapping of str to str
            Data set -> the name the paper prints (column ``title`` of ``config/datasets.tsv``), which is also how
            ``published`` names it.
        """
        return self.load()(frames, experiment, titles)


CLAIMS = "claims.csv"
KINDS = ("readers", "statistics", "studies", "figures", "tables")


@dataclass(frozen=True, eq=False)
class Room:
    """What belongs to one paper.

    Attributes
    ----------
    package : str
        Its package; what it lists is in its modules and in its folders of the names in `KINDS`.
    short, authors, reference : str
        Short reference, surnames and full reference of the paper; empty where there is no paper.
    claims : tuple of str
        The modules with the claims of the paper; importing them registers the claims (`rankbench.claims`).
    readers, statistics, studies, figures, tables : tuple of Reader, Statistic, Study, Figure or Table
    published : tuple of str
        The csv files with the printed numbers, in the folder of this name. A paper also has `CLAIMS` there, what it
        states.
    kept_tables : tuple of str
        Tables of a full run that the documentation shows, below ``results/`` (`rankbench.report.artefact` keeps them).
    kept_seconds : tuple of str
        Experiments of which `rankbench.report.artefact` also keeps the times of fits.
    keeper : str
        The module whose ``pack(run, root)`` keeps records that its pages show and returns experiment -> number of runs.
    contest : str
        The module that ``rankbench contest`` calls: ``prepare(options, root)`` writes a folder for a new estimator and
        ``tell(options, folder, root)`` prints its place among the kept records.
    """

    package: str
    short: str = ""
    authors: str = ""
    reference: str = ""
    claims: tuple = ()
    readers: tuple = ()
    statistics: tuple = ()
    studies: tuple = ()
    figures: tuple = ()
    tables: tuple = ()
    published: tuple = ()
    kept_tables: tuple = ()
    kept_seconds: tuple = ()
    keeper: str = ""
    contest: str = ""

    def __post_init__(self):
        for kind in KINDS:
            listed = getattr(self, kind)
            placed = tuple(replace(one, module=f"{self.package}.{one.file or f'{kind}.{one.name}'}") for one in listed)
            object.__setattr__(self, kind, placed)

    @cached_property
    def name(self):
        """The name of the paper in experiments and claims."""
        return self.package.rpartition(".")[2]

    @cached_property
    def folder(self):
        """The folder of what the paper prints."""
        return source_of(self.package).with_name("published")
