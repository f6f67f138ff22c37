"""The yaml of an experiment: every key with its kind, its default and what it means.

This is its only description. `rankbench.configuration.checked` makes an object of a yaml by it, ``make pages``
writes the tables of ``config/README.md`` from the texts below the keys, and rules and jobs get the object. A key that
the yaml does not have is empty or None. An experiment of a few keys is an object too, because a study is given only the
keys that it reads: that a `needed` key is there, and that keys fit together (`faults`), is checked only of a yaml.
"""

from dataclasses import field
from typing import Annotated, Any, Literal, NotRequired

from annotated_types import MinLen
from pydantic import AfterValidator, Discriminator, Field, Tag
from pydantic.dataclasses import dataclass
from typing_extensions import TypedDict

from .checked import KEYS, OPEN, Keys
from .values import (
    AS_WRITTEN,
    COUNT,
    DISTINCT,
    FLAG,
    FRACTION,
    NAME,
    NAMES,
    NOT_NEGATIVE,
    NUMBER,
    POSITIVE,
    SCALAR,
    SECONDS,
    SHARE,
    TEXT,
    named,
    one_of,
    several,
    whole,
)

ROWS = whole(2)
SOME = Annotated[NAMES, MinLen(1)]
SCALING = one_of("standard", "standard_sample", "minmax", "unit", "none")
NOMINAL = one_of("onehot", "ordinal", "appearance", "native")
TARGET = one_of("raw", "standardised", "standardised_train")
COST = POSITIVE | None
STEM = named("a name (lower case letters, digits and `_`)", "[a-z0-9_]+")
DOTTED = "[A-Za-z_][A-Za-z0-9_]*([.][A-Za-z_][A-Za-z0-9_]*)"
USES = named("the name of a method, or the dotted path of an estimator", f"{DOTTED}*")
STEP = named("the dotted path of an estimator", f"{DOTTED}+")


def needed(default_of, of="experiment"):
    """Return a key that an experiment needs, or that its protocol needs; one with studies alone has no protocol."""
    return Field(default_factory=default_of, json_schema_extra={"needed": of})


class Mapping(TypedDict):
    """The base of a mapping that names all its keys."""

    __pydantic_config__ = KEYS


# The keys of a range of numbers to draw from, beside its ends, see `rankbench.configuration.space`.
RANGE = {"scale": Literal["linear", "log"], "whole": NotRequired[FLAG], "by": NotRequired[Literal["columns"]]}
RANGE |= {"first": NotRequired[NUMBER], "together": NotRequired[COUNT]}
RANGE |= {"open": NotRequired[Literal["low", "high", "both"]]}


def _sound(axis):
    """Refuse a range whose numbers do not fit together."""
    low, high = axis["low"], axis["high"]
    if not (low < high and (low > 0 or axis["scale"] != "log")):
        raise ValueError("Range needs low < high, and low > 0 on a log scale")
    if not low <= axis.get("first", low) <= high:
        raise ValueError("Range needs a first from low to high")
    if axis.get("whole") and ("by" in axis or any(axis.get(end, 0) % 1 for end in ("low", "high", "first"))):
        raise ValueError("Range of whole numbers needs whole ends and first, and no by")
    return axis


def axis(kind, end):
    """Return the kind of an axis of a space: a list of values, or a range with ends of another kind."""
    ends = TypedDict("Range", {"low": end, "high": end, **RANGE})
    ends.__pydantic_config__ = KEYS
    values, numbers = Annotated[several(kind, distinct=True), Tag("list")], Annotated[ends, AfterValidator(_sound)]
    numbers = Annotated[numbers, Tag("range")]
    return Annotated[values | numbers, Discriminator(lambda value: "range" if isinstance(value, dict) else "list")]


KINDS = {"C_rank": POSITIVE, "gamma": POSITIVE, "margin": POSITIVE, "epsilon": NOT_NEGATIVE}
KINDS |= {"degree": COUNT, "coef0": NOT_NEGATIVE}  # of arguments that a grid may hold too
FIXED = {"C": COST, **KINDS, "kernel": Literal["linear", "rbf", "poly"], "tol": POSITIVE}
AXES = {"C": axis(COST, POSITIVE), **{name: axis(kind, kind) for name, kind in KINDS.items()}}
# Fixed arguments of a method, and values of arguments to choose from; each in the order of the yaml.
Arguments = TypedDict("Arguments", FIXED, total=False, extra_items=SCALAR)
Axes = TypedDict("Axes", AXES, total=False, extra_items=axis(SCALAR, NUMBER))
Arguments.__pydantic_config__ = Axes.__pydantic_config__ = OPEN
Params = Annotated[Arguments, AS_WRITTEN]
Grid = Annotated[Axes, AS_WRITTEN]


class Budget(Mapping):
    """How long a search goes on."""

    settings: COUNT
    seconds: SECONDS


class SetSize(Mapping):
    """Numbers of pairs in a set."""

    equality: COUNT
    inequality: COUNT


class Preprocess(Mapping):
    """How inputs and targets are prepared."""

    scaling: SCALING
    """`standard` (mean 0, sd 1), `standard_sample` (the same with the sd that R computes, which divides by n - 1),
    `minmax` (0 to 1), `unit` (each row is divided by its length) or `none`; learned on the training part only; a column
    that is constant there becomes 0. Both items of a pair are scaled in the same way, learned from the items of all
    pairs"""
    nominal: NOMINAL
    """`onehot` (a 0/1 column for each level), `ordinal` (the level's number), `appearance` (levels numbered in the
    order in which they first appear in the table) or `native` (the method gets a frame with categories and missing
    cells, not scaled: CatBoost, LightGBM, XGBoost, scikit-learn's boosting)"""
    target: NotRequired[TARGET]
    """`raw` (the default): targets are fitted as they are; `standardised`: with mean 0 and sd 1 over the whole table
    (the method knows nothing else of the test part); `standardised_train`: over the training part. Metrics of the test
    part are in the unit of the table in all cases"""


class ChangedPreprocess(Mapping, total=False):
    """What a condition or a method changes."""

    scaling: SCALING
    nominal: NOMINAL
    target: TARGET


class Limits(Mapping):
    """Limits of a run."""

    seconds: SECONDS
    """processor time of one run (grid search and final fit), else its status is `timeout`; a compiled function that is
    running gets 5 s more, then its process is killed and the next run has a new one. Time in which the machine sleeps
    or does something else does not count; a run that only waits ends after 20 times its limit"""
    megabytes: whole(500, 10**8)
    """memory of a job (10^6 bytes); an allocation beyond it fails, and the run's status is `memory`"""


class Deviation(Mapping):
    """What the protocol leaves open or does otherwise than the paper: a row of the report."""

    paper: TEXT
    here: TEXT
    tried: NotRequired[TEXT]


class Outputs(Mapping):
    """Names of results."""

    statistics: NAMES
    tables: NAMES
    figures: NAMES


class Study(TypedDict, total=False, extra_items=Any):
    """The data sets of a study; its other keys are its arguments, which the list of its room names."""

    __pydantic_config__ = OPEN
    datasets: NAMES


@dataclass(frozen=True, kw_only=True, config=KEYS)
class Tuning(Keys):
    """How hyper-parameters are chosen: by which metric, and on which rows."""

    metric: TEXT = needed(str)
    """a function of `rankmargin.metrics`, `comparison_log_loss` or `ranked_probability_score`. It is minimised, or
    maximised if higher is better (see `metrics`). The grid point with the best mean is chosen; if several are equally
    good, the first in grid order, in which the first name of `grid` varies slowest"""
    budget: Budget = field(default_factory=dict)
    """`{settings: 60, seconds: 10}` tries at most 60 random settings, and begins no other once the search has used 10
    processor seconds. The order of the settings depends on the run alone: more seconds only try more of them. The
    records say how many were tried, and how many would have been (`n_settings`, `n_drawn`)"""
    folds: whole(2, 127) = None
    """folds of the cross-validation inside the training part, the same for all methods; each fold learns its own
    scaling. Where there is a pool, inputs are scaled once instead, on the training part and the pool together (inputs
    only, no target), before the folds are cut. A fold is left out of the means if one of its parts has fewer than two
    different targets"""
    shares: several(SHARE, distinct=True) = None
    """with `split: published`: for example `[0.5, 0.8]`: models are fitted on the first half (the first 80 percent) of
    the training part, in the order of its rows, and judged on what comes after it"""
    first_periods: whole(1) = None
    """with `shares`: only these first periods of the training part are used (months, for a reader of games)"""
    chosen_on: one_of("validation", "test") = ""
    """`validation` (if not given), or `test`: the grid point with the smallest loss on the test part of each run. This
    is not an honest estimate; it is there to show the effect of such a choice"""

    def faults(self, known):
        """Yield ``key: words`` of keys that do not fit together."""
        if self.first_periods and not self.shares:
            yield "first_periods: must come with shares"


@dataclass(frozen=True, kw_only=True, config=KEYS)
class ChangedTuning(Keys):
    """What a condition changes."""

    chosen_on: one_of("validation", "test") = ""


@dataclass(frozen=True, kw_only=True, config=KEYS)
class BinnedTuning(Keys):
    """What a method changes."""

    chosen_on: one_of("bins") = ""


class Sizes:
    """What both a data set and a condition may say about the parts of a split."""

    @property
    def sizes(self):
        """The sizes that are given, as a dict."""
        names = ("n_train", "n_test", "n_pool", "equality", "inequality", "test")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


@dataclass(frozen=True, kw_only=True, config=KEYS)
class DataSet(Keys, Sizes):
    """One entry of ``datasets``."""

    n_train: ROWS = None
    n_test: ROWS | Literal["rest"] = None
    n_pool: ROWS | Literal["rest"] = None
    """number of rows outside both parts that form a pool, or `rest`. Their targets are hidden; methods with a `sampler`
    learn the order of some pairs of them. Scaling of the inputs is then learned on the training part and the pool
    together"""
    equality: COUNT = None
    """with `split: comparisons`: pairs of label 0 in each of the three sets, here or in a condition"""
    inequality: COUNT = None
    """with `split: comparisons`: pairs of other labels in each of the three sets, here or in a condition"""
    test: SetSize = None
    """with `split: comparisons`: `equality` and `inequality` of the test set, which then stay the same for all sizes of
    the others"""
    params: Params = field(default_factory=dict)
    """fixed parameters of all methods on this data set. They override `methods.*.params`. Example: the kernel from
    which a made function was drawn"""
    split: one_of("groups", "published", "comparisons") = "hold_out"
    """where the parts do not come from hold-outs drawn at random. `published` takes the hold-outs that come with the
    set: seed k takes the k-th (readers `partitions`, and those of games); `n_test` takes only this many rows after
    the last one for training. `groups`, with both sizes, is for a set with groups: no group has rows in both parts or
    in two folds. `comparisons` is for labelled pairs: a training, a validation and a test set, all disjoint"""
    attributes: SOME = field(default_factory=list)
    """the attributes that methods see; by default all"""
    place: whole(0) = None
    """with `split: comparisons`: draws the sets as the R program of the paper on such pairs did: seed k uses its seed
    k + 1, and the number says how many data sets the program drew before this one from the same random stream"""


@dataclass(frozen=True, kw_only=True, config=KEYS)
class Condition(Keys, Sizes):
    """One entry of ``conditions``: what it changes."""

    n_train: ROWS = None
    n_test: ROWS | Literal["rest"] = None
    n_pool: ROWS | Literal["rest"] = None
    equality: COUNT = None
    inequality: COUNT = None
    test: SetSize = None
    params: Params = field(default_factory=dict)
    datasets: SOME = None
    n_pairs: COUNT = None
    wrong_pairs: FRACTION = None
    tuning: ChangedTuning = field(default_factory=ChangedTuning)
    preprocess: ChangedPreprocess = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, config=KEYS)
class Method(Keys):
    """One entry of ``methods``."""

    uses: USES | several(STEP) = needed(str)
    label: TEXT = needed(str)
    params: Params = needed(dict)
    grid: Grid = needed(dict)
    """parameter -> values to choose from, or with `tuning.budget` a range to draw from, `{low: 0.001, high: 10,
    scale: log}` (or `linear`). `whole: true` draws whole numbers, `by: columns` divides by the number of columns of X,
    `first` is the value that is tried first (else the method's default), `together: 6` draws six values for each
    setting of the others, which are fitted along one path where the method has one. `open: low` (`high`, `both`) says
    that nothing lies beyond an end: choosing it is no edge in the records (`edges`)"""
    datasets: SOME = None
    """the data sets on which this method runs; by default all"""
    attributes: SOME = field(default_factory=list)
    """the attributes that this method sees, instead of those of the data set"""
    baseline: FLAG = False
    """a constant or random answer (`rankbench.baselines.blind.Blind`). It is not compared with the methods: it appears
    in the statistic `baselines` only, in no table and no figure. Data sets and conditions do not change its `params`"""
    tuning: BinnedTuning = field(default_factory=BinnedTuning)
    """`{chosen_on: bins}` judges inner folds by the method's bins of the training targets instead of the targets"""
    preprocess: ChangedPreprocess = field(default_factory=dict)
    """changes of `preprocess` for this method"""
    stops: TEXT = ""
    """the parameter that is the number of trees of LightGBM, XGBoost or CatBoost: in each fold boosting stops early on
    the rows that judge it, and the final fit has the mean number of trees of the folds (without groups)"""
    sampler: NAME = ""
    """a function of `rankmargin.sampling` that chooses pairs of the pool; their order comes from the hidden targets.
    All methods of the experiment see the same pool, and methods with the same sampler see the same pairs"""
    n_pairs: COUNT = None
    """with a `sampler`: how many pairs, here or in each condition"""

    def faults(self, known):
        """Yield ``key: words`` of keys that do not fit together, or to the estimators that there are."""
        if self.tuning.chosen_on == "bins" and "n_bins" not in self.params:
            yield "tuning.chosen_on: bins needs n_bins in params"
        yield from known.of_method(self)


@dataclass(frozen=True, kw_only=True, eq=False, config=KEYS)
class Protocol(Keys):
    """A yaml of ``config/experiments``; the names of data sets, conditions, methods and studies are its own."""

    title: TEXT = needed(str)
    """one line for summaries and reports"""
    paper: NAME = ""
    """the paper it is about, by the folder of its room; without it the report shows it apart"""
    substitute: TEXT = ""
    """one sentence: which data replace those of the paper, and why. The report and the figures print it"""
    deviations: several(Deviation) = field(default_factory=list)
    """each has `paper` (what it says, or that it says nothing), `here` (what we do) and optionally `tried` (what else
    we tried, and its effect). The report shows it as a table"""
    datasets: Annotated[dict[NAME, DataSet], MinLen(1)] = needed(dict, "protocol")
    """name in `datasets.tsv` -> `n_train`, `n_test`: number of rows in the two parts of each hold-out; other rows are
    left out. `n_test: rest` takes all rows outside the training part"""
    conditions: Annotated[dict[NAME, Condition], MinLen(1)] = needed(dict, "protocol")
    """the x-axis of a figure, or `default: {}` where there is none. A condition may change `n_train`, `n_test`,
    `n_pool`, `n_pairs`, `equality`, `inequality`, `test`, `preprocess`, `tuning.chosen_on`, `params` (fixed parameters
    of all methods, which override those of the data set), name `datasets` (it is only for these; else for all), and set
    `wrong_pairs`, the share of the pairs whose order is reversed"""
    methods: Annotated[dict[NAME, Method], MinLen(1)] = needed(dict, "protocol")
    """name -> `uses` (an estimator of `rankmargin` by its name, any other by its import path, or a list of them for a
    pipeline; `docs/guide/your_table.md` says how it is used), `label` (as printed), `params` (fixed parameters) and
    `grid` (parameter -> values to choose from; a `C` of `null` is the default of `SumOfMarginsSVM`, which follows from
    the data). A grid of one point is fitted without cross-validation"""
    metrics: several(TEXT, distinct=True) = needed(list, "protocol")
    """functions of `rankmargin.metrics` computed on the test part, lower is better, except for AUCs of comparisons,
    `concordance_index`, `kendall_tau`, `spearman`, `ndcg` and `quadratic_kappa`. A metric whose second argument is
    called `ranks` judges predicted ranks; the others judge scores. `comparison_log_loss` judges the probabilities of a
    worse second item, of a tie and of a better one, for methods whose fitted model has `probabilities`.
    `ranked_probability_score` judges the probabilities of the grades; a method without them counts as certain of its
    grade"""
    seeds: whole(1, 1_000_000) = needed(int, "protocol")
    """number of hold-outs; the seeds are 0, 1, ... A split depends on experiment, data set and seed only: all methods
    see the same ones. For one seed, a smaller training part is the beginning of a larger one, unless `every_rank` had
    the smaller one drawn again"""
    seeds_per_job: whole(1) = 1
    """seeds of one job, 1 by default, for experiments of many short fits. The configuration and the command line
    override it"""
    every_rank: FLAG = False
    """the training part is drawn again until it contains every distinct target"""
    disjoint_training: FLAG = False
    """no row is in the training parts of two seeds; the test part of a seed is drawn from all rows outside its training
    part"""
    preprocess: Preprocess = needed(dict, "protocol")
    tuning: Tuning = needed(Tuning, "protocol")
    """`metric` and one of `folds` and `shares`, but for `split: comparisons`, whose validation set judges the models;
    the final fit is on the training part alone"""
    limits: Limits = needed(dict, "protocol")
    reference_method: NAME = needed(str, "protocol")
    """the method with which the others are compared"""
    published: named("the name of a csv file", "[a-z0-9_]+[.]csv") = ""
    """file with the printed numbers, which the room of a paper lists"""
    studies: Annotated[dict[NAME, Study], MinLen(1)] = field(default_factory=dict)
    """name of a study of a room (`room.py` in a folder of `rankbench/papers`) -> its `datasets` (rows of
    `datasets.tsv`; if the experiment has the data set too, its splits are used) and its arguments, which that file
    explains. The result goes to `statistics/{study}.csv`, where tables and figures read it"""
    outputs: Outputs = needed(dict)
    """`statistics`, `tables`, `figures`: names from `rankbench.registry`, that is, from the core and from the rooms"""

    def faults(self, known):
        """Yield ``key: words`` of keys that do not fit together."""
        if self.disjoint_training and self.every_rank:
            yield "disjoint_training: cannot be combined with every_rank"
        if self.methods.get(self.reference_method, Method()).baseline:
            yield "reference_method: must be a method that learns, got a baseline"
        if self.tuning.budget and "test" in [of.tuning.chosen_on for of in (self, *self.conditions.values())]:
            yield "tuning.budget: a choice on the test part tries every point of a grid"
        for name, method in self.methods.items():
            for argument, axis in method.grid.items():
                if isinstance(axis, dict) and not self.tuning.budget:
                    yield f"methods.{name}.grid.{argument}: a range needs tuning.budget"


class Data(Mapping):
    """Where data come from."""

    mirrors: Annotated[list[TEXT], *DISTINCT]
    """folders or http(s) addresses that hold the raw files, tried before the repository and the publishers (see
    below)"""


class Config(Mapping):
    """The configuration, ``config/config.yaml``."""

    experiments: TEXT | several(STEM, distinct=True)
    """names of files in `experiments/` or a folder there, a list or a text with blanks or commas; `all` stands for the
    next list. `--config experiments="a b"` or `make reproduce EXPERIMENTS="a b"` replaces it"""
    all: NotRequired[several(STEM, distinct=True)]
    """what `all` stands for; without it all files (here `not_run_here` holds those whose data we do not have)"""
    data: Data
    seeds_per_job: NotRequired[whole(1)]
    """how many seeds one job runs, for all experiments. Normally absent: then the number in the file of the experiment
    counts, or else 1. Starting a job takes about 0.1 s of one core. Records do not depend on this number, and
    after a change of it nothing runs again"""
    retry: NotRequired[several(one_of("timeout", "memory", "failed", "all"))]
    """on the command line: runs and studies that ended with one of these statuses are made again"""
