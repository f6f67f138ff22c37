"""One job: runs of one data set, condition and method; each run writes a record and its test scores."""

import gc
import json
import sys
import time
import warnings
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from rankbench.configuration.space import as_lists, ends_of, grid_points
from rankbench.datasets.table import AbsentError, Table, load_table
from rankbench.records.files import note_of, write_arrays, write_note
from rankbench.records.record import Record, values_of
from rankmargin.caller import HintWarning
from rankmargin.problem.rows.ranks import ranks_of

from .limits import TimeLimitError, limited, peak_megabytes
from .measures import METRICS, finite_scores, measure, predictions
from .methods import input_of, solved, takes_blocks
from .pool import TargetUnit, ask_pairs, warm_up_sampler
from .preprocess import Categories, encode, learn_scaling
from .split import Split, load_split, seed_of
from .tune import choose, fit_points, loss_of, of, tune
from .watched import Fault, watched

# Hints of our own whose classes are not `HintWarning`, and which a job need not import.
HINTS = (".*no pair to compare", "compiled code cannot be cached")
PREPARED = set()  # the kinds of tasks that this process, or one that it was forked from, has prepared


@dataclass(frozen=True)
class Data:
    """A table and one split of it.

    Attributes
    ----------
    table : rankbench.datasets.table.Table
    X : (n, p) float64
        The inputs of the whole table, encoded but not scaled.
    split : rankbench.experiments.split.Split
    """

    table: Table
    X: np.ndarray
    split: Split

    @property
    def groups(self):
        """The group of each row, (n,) float64, or None; of pairs the blocks of the table, such as who answered."""
        return self.table.groups if self.table.items == 1 else self.table.blocks

    def scaling(self, preprocess):
        """Return the function that learns from training rows how rows are given to a method."""
        if preprocess["nominal"] == "native":
            return lambda X: Categories(self.table.column_levels)
        fill = bool(np.isnan(self.X).any())
        return partial(learn_scaling, scaling=preprocess["scaling"], items=self.table.items, fill=fill)


def run_job(task, table_path, files, read=()):
    """Make the run of every split; if a run fails, its record says so, and the others go on.

    Parameters
    ----------
    task : Task
    table_path : path
        A table, .npz.
    files : iterable of (path, path)
        For each run: its split and its scores, both .npz. The scores are the arrays that `run_seed` returns; their note
        has the record.
    read : dict of str to str
        The stamps of what the runs read, for their notes.
    """
    started = time.perf_counter()
    pending = [(load_split(split), partial(keep, task, dict(read), path)) for split, path in files]

    def blank(split, n_attributes=0, **more):
        identity = (task.experiment, task.dataset, task.condition, task.method, split.seed)
        sizes = (len(split.train), len(split.test), n_attributes)
        return Record(*identity, *sizes, source_digest=task.source_digest, limits=task.limits, **more)

    try:
        table = load_table(table_path).only(task.attributes)
    except AbsentError as error:
        for split, keep_run in pending:
            keep_run(blank(split, status="missing", reason=str(error)), {})
        return
    blank = partial(blank, n_attributes=len(table.attributes))
    X = encode(table.X, table.column_levels, task.preprocess["nominal"])

    def prepare():
        prepare_process(task, X.shape[1] // table.items)
        gc.freeze()  # modules and compiled code stay anyway, and the collector need not look through them again

    def run(item):
        gc.enable()
        split, record = item[0], blank(item[0])
        if split.absent:
            return replace(record, status="missing", reason=split.absent), {}
        arrays = run_seed(record, task, Data(table, X, split))
        record.job_seconds = time.perf_counter() - started
        return record, arrays

    for (split, keep_run), result in watched(prepare, run, pending, task.limits["seconds"]):
        keep_run(*((replace(blank(split), **vars(result)), {}) if isinstance(result, Fault) else result))


def prepare_process(task, n_columns=3):
    """Let this process load what the runs of a task need; an error here will occur in a run again, which records it.

    A fork of a process that has loaded it has nothing to do.
    """
    kind = json.dumps([task.uses, task.params, task.metric, task.sampler, ends_of(task.grid)], sort_keys=True)
    if kind in PREPARED:
        return
    with suppress(Exception), limited(task.limits):
        warm_up(task.uses, task.grid, task.params, task.metric, n_columns)
        warm_up_sampler(task)
        PREPARED.add(kind)


def keep(task, read, path, record, arrays):
    """Write the arrays of a run, then the note with its record, and a line about it into the log."""
    write_arrays(path, **arrays)
    values = {"packages": task.packages, "record": values_of(record)}
    write_note(note_of(path), [path], task=task.settings, read=read, **values)
    outcome = (
        f": {record.reason}" if record.reason else f", {record.params}, {record.job_seconds:.1f} s after the start"
    )
    print(f"seed {record.seed} {record.status}{outcome}", file=sys.stderr)


def run_seed(record, task, data):
    """Tune, fit and score one split, and put the results into its record.

    Parameters
    ----------
    record : Record
        It already has its identity and sizes.
    task : Task
    data : Data

    Returns
    -------
    dict of arrays
        The arrays from which metrics of the test part are computed: ``scores``, ``y``, ``test`` (row numbers of the
        table), and ``labels``, ``probabilities``, ``grades``, ``groups`` and ``weights`` if there are any; empty for a
        run that is not ok.
    """
    arrays = {}
    try:
        with limited(task.limits), warnings.catch_warnings():
            warnings.simplefilter("error", category=UserWarning)
            warnings.simplefilter("error", category=RuntimeWarning)
            warnings.simplefilter("ignore", category=HintWarning)
            for message in HINTS:
                warnings.filterwarnings("ignore", message=message)
            unit = TargetUnit.of(data.table.y, task.preprocess.get("target", "raw"), data.split.train)
            task, X, pairs = ask_pairs(record, task, data.X, data.table.y, data.split)
            arrays = fill(record, task, replace(data, X=X), unit, pairs)
    except TimeLimitError as error:
        record.status, record.reason = "timeout", str(error)
    except MemoryError as error:
        record.status, record.reason = "memory", f"limit of {task.limits['megabytes']} MB: {error}"
    except Exception as error:
        record.status, record.reason = "failed", " ".join(f"{type(error).__name__}: {error}".split())
    record.peak_megabytes = peak_megabytes()
    return arrays


def fill(record, task, data, unit, pairs):
    """Do the work of one run, put each result into its record as soon as it exists, and return the arrays to keep.

    All fits see targets in `unit`; the test scores are in the unit of the table.
    """
    name = (task.experiment, task.dataset, task.condition, task.method, record.seed)
    loss = loss_of(task.metric)
    split, y = data.split, unit.fitted(data.table.y)
    y_test = data.table.y[split.test]
    learn = data.scaling(task.preprocess)
    options = {"params": task.params, "pairs": pairs}
    weights = data.table.weights
    judged = {"groups": of(data.groups, split.test), "weights": of(weights, split.test)}
    started = time.perf_counter()
    scaler, final_seed = learn(data.X[split.train]), seed_of(*name, "final fit")
    X_fit, y_fit, X_test = scaler(data.X[split.train]), y[split.train], scaler(data.X[split.test])
    blocks = of(data.table.blocks, split.train)
    own_folds = {} if blocks is None or not takes_blocks(task.uses) else {"blocks": blocks}
    whole = {**options, "groups": of(data.groups, split.train), "pairs": {**pairs, **own_folds}}
    whole["weights"] = of(weights, split.train)
    fit_whole = partial(fit_points, task.uses, X_fit, y_fit, seed=final_seed, **whole)
    if task.tune_on == "test":
        points = grid_points(task.grid)
        models = map(unit.restored, fit_whole(points))
        losses = [measure(loss, y_test, model, X_test, **judged) for model in models]
        choice = choose([losses], points)
    else:
        y_inner, how = (y, options) if task.tune_on != "bins" else binned(y, split.train, options)
        inner = {"loss": loss, "scaling": learn, "seed": name, "groups": data.groups, "weights": weights}
        search = {"budget": task.search, "stops": task.stops}
        choice = tune(task.uses, data.X, y_inner, split.inner, task.grid, **inner, **search, **how)
    tuned = time.perf_counter()
    record.params, record.inner_score, record.tune_seconds = choice.params, choice.inner_score, tuned - started
    record.n_settings, record.n_failed, record.n_drawn = len(choice.losses), choice.n_failed, choice.n_drawn
    record.edges = choice.edges
    (fit,) = fit_whole([choice.params])
    model = unit.restored(fit)
    fitted = time.perf_counter()
    record.fit_seconds = fitted - tuned
    scores = finite_scores(model, X_test)
    record.predict_seconds = time.perf_counter() - fitted
    if fit.solution is not None:
        certificate = solved(task.uses).judge(fit, np.vstack([X_fit, pairs["Z"]]) if "Z" in pairs else X_fit)
        certify(record, fit, certificate)
    arrays = {"scores": scores, "y": y_test, "test": split.test, **predictions(model, X_test)}
    return arrays | {key: of for key, of in judged.items() if of is not None}


def binned(y, train, options):
    """Return targets (n,) with the training ones put into the bins of the method, and the options without the bins'."""
    params = dict(options["params"])
    bins = {key: params.pop(key) for key in ("n_bins", "bin_ties") if key in params}
    y_binned = y.copy()
    y_binned[train] = ranks_of(y[train], **bins)[0]
    return y_binned, {**options, "params": params}


def certify(record, model, certificate):
    """Write the judge's certificate of a model into its record; that of a method without a solution keeps nan."""
    record.objective, record.dual_bound = float(certificate.objective), float(certificate.dual_bound)
    record.gap, record.infeasibility = float(certificate.gap), float(certificate.infeasibility)
    record.n_iter = float(model.solution.n_iter)


def warm_up(uses, grid, params, metric, n_columns):
    """Run all code of a task once on simulated points, so that no later measurement of time includes a compilation.

    It fits 12 and 60 points, with the first and the last parameters of the grid, because both decide which algorithm a
    solver uses. Each rank occurs once. The seed is one with which a small C needs all of
    `rankmargin.solvers.solution.beyond_zero`.
    """
    rng = np.random.default_rng(5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about points that are not the user's
        for n_points in (12, 60):
            X = rng.standard_normal((n_points, n_columns))
            y = np.argsort(np.argsort(X[:, 0] + rng.standard_normal(n_points))).astype(float)
            if input_of(uses) == "pairs":
                X, y = np.hstack([X, X[::-1]]), y % 3 - 1
            points = grid_points(as_lists(grid))
            for model in fit_points(uses, X, y, [points[0], points[-1]], seed=0, params=params):
                measure(METRICS[metric], y, model, X)
                if model.solution is not None:
                    solved(uses).judge(model, X)


def compile_method(task):
    """Compile the method of a task for all later processes (numba's cache on disk).

    Parameters
    ----------
    task : dict
        ``uses``, ``grid``, ``params`` and ``metric`` of a `Task`.

    Returns
    -------
    str
        The seconds, or why it failed; the jobs of that method will then fail too, and their records say so.
    """
    started = time.perf_counter()
    try:
        warm_up(task["uses"], task["grid"], task["params"], task["metric"], 3)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return f"{time.perf_counter() - started:.1f} s"
