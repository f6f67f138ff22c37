"""The entries of an experiment as objects; ``config/README.md`` explains every key, and the JSON schema checks them.

A key that the yaml does not have is None, empty or False.
"""

from dataclasses import MISSING, dataclass, field, fields, is_dataclass


def document_of(part):
    """Return an object of this module, or values that hold some, as the yaml would say it: without defaults."""
    if isinstance(part, dict):
        return {key: document_of(value) for key, value in part.items()}
    if not is_dataclass(part):
        return part
    given = {f: getattr(part, f.name) for f in fields(part)}
    return {f.name: document_of(value) for f, value in given.items() if value != _default(f)}


def _default(f):
    return f.default if f.default_factory is MISSING else f.default_factory()


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """How hyper-parameters are chosen: by which metric, and on which rows."""

    metric: str = ""
    folds: int | None = None
    validation_set: bool = False
    shares: list | None = None
    first_periods: int | None = None
    chosen_on: str = ""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """What both a data set and a condition may say: the sizes of the parts, and parameters of the methods."""

    n_train: int | None = None
    n_test: int | str | None = None
    n_pool: int | str | None = None
    equality: int | None = None
    inequality: int | None = None
    test: dict | None = None
    params: dict = field(default_factory=dict)

    @property
    def sizes(self):
        """The sizes that are given, as a dict."""
        given = {f.name: getattr(self, f.name) for f in fields(Sizes) if f.name != "params"}
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class DataSet(Sizes):
    """One entry of ``datasets``. The sheet, not the yaml, says how many rows the table has (`Experiment.with_rows`)."""

    n_rows: int | None = None
    split: str = "hold_out"
    attributes: list = field(default_factory=list)
    place: int | None = None


@dataclass(frozen=True, kw_only=True)
class Condition(Sizes):
    """One entry of ``conditions``: what it changes."""

    datasets: list | None = None
    n_pairs: int | None = None
    wrong_pairs: float | None = None
    tuning: Tuning = field(default_factory=Tuning)
    preprocess: dict = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Method:
    """One entry of ``methods``."""

    uses: str | list = ""
    label: str = ""
    params: dict = field(default_factory=dict)
    grid: dict = field(default_factory=dict)
    datasets: list | None = None
    attributes: list = field(default_factory=list)
    baseline: bool = False
    tuning: Tuning = field(default_factory=Tuning)
    preprocess: dict = field(default_factory=dict)
    sampler: str = ""
    n_pairs: int | None = None


KINDS = {"datasets": DataSet, "conditions": Condition, "methods": Method}


def entries_of(document):
    """Return a document with an object for each entry of ``datasets``, ``conditions`` and ``methods``, and for every
    ``tuning``; what is an object already stays."""
    built = dict(document)
    if isinstance(tuning := document.get("tuning"), dict):
        built["tuning"] = Tuning(**tuning)
    for key, kind in KINDS.items():
        if isinstance(entries := document.get(key), dict):
            built[key] = {
                name: kind(**entries_of(entry)) if isinstance(entry, dict) else entry for name, entry in entries.items()
            }
    return built
