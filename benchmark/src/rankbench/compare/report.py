"""What the report of a comparison says: the answer in words, the ratings of battles, and a program that uses the best
method."""

import json
import math
from contextlib import suppress
from types import SimpleNamespace

import numpy as np
import pandas as pd

from rankbench.configuration.labels import join, method_labels, metric_label, shown, sign_of, two_digits
from rankbench.configuration.strict_yaml import comment
from rankbench.records.files import Damaged
from rankbench.records.frames import read_statistic
from rankbench.statistics.intervals import quantile
from rankbench.statistics.shortfalls import told_shortfalls
from rankmargin.comparisons.ratings import SeparationError, bradley_terry

from ..datasets.own import OwnTable
from ..datasets.table import load_table
from ..statistics.best import asked_cells, by_rank, overlap
from .plan import MOST_SEEDS
from .program import program_of

TINY = 0.005  # an error below is suspected to come from a column that holds the target
UNSEEN = "Regressions and forests do not see the groups ({}), so differences between groups count against them."
CHEAP = 0.5  # a method that takes less than this share of the best method's seconds gets a sentence
PERCENT = "swapped_pairs", "zero_one", "balanced_zero_one"
DOES = {  # what a method does by a metric
    "swapped_pairs": "puts {} of the pairs in the wrong order",
    "zero_one": "gives {} of the rows a wrong label",
    "mean_absolute_error": "is wrong by {} grades on average",
    "comparison_log_loss": "has a log loss of {}",
}
PRIOR = 1.0  # of ratings that have no maximum without it


def comparison(section, sheet, root):
    """Collect what the report shows of one experiment that is about no paper: as it was when its records were made.

    ``answers`` has paragraphs for each title of a data set, ``programs`` at most one program for each data set (both
    are empty without results), and ``said`` the lines that were printed about the user's table.
    """
    paragraphs, programs, experiment = {}, (), section.experiment
    cells = None
    path = f"results/{section.name}/statistics/best.csv"
    with suppress(Damaged, FileNotFoundError):  # a file that is missing or damaged is listed among the gaps
        cells = read_statistic(root / path) if path in section.files else None
    if cells is not None and {*cells["method"]} <= {*experiment.methods}:
        own = {name: sheet[name] for name in experiment.datasets if isinstance(sheet[name], OwnTable)}
        said = answers(cells, experiment, own)
        for name, table in own.items():
            said[name] += [*leaderboard(root / f"resources/tables/{name}.npz")] if table.battles else []
        paragraphs = {sheet[dataset].title: texts for dataset, texts in said.items()}
        programs = tuple(filter(None, _programs(cells, experiment, sheet)))
    return SimpleNamespace(section=section, answers=paragraphs, programs=programs, said=comment(root / section.file))


def leaderboard(path):
    """Yield the ratings of the items of battles, by all rows of a table, with their intervals."""
    table = load_table(path)
    names = np.array(table.levels[0], dtype=object)
    d = len(table.attributes)
    items = [names[table.X[:, at].astype(int)] for at in (0, d)]
    persons = table.blocks if 1 < len(np.unique(table.blocks)) < len(table.blocks) else None
    games = {"weights": table.weights, "cluster": persons}
    yield (
        "Ratings by Bradley and Terry of all rows, in logarithms of odds, with 95 % intervals of each rating and of "
        "its rank; they do not depend on the order of the rows or on other columns."
    )
    try:
        yield str(bradley_terry(*items, (1 - table.y) / 2, **games))
    except SeparationError as error:
        yield f"Without a prior the ratings have no maximum ({error}): each item is given a tie with an average one."
        yield str(bradley_terry(*items, (1 - table.y) / 2, prior=PRIOR, **games))


def answers(cells, experiment, own=None):
    """Return what the statistic ``best`` says about each data set.

    Parameters
    ----------
    cells : DataFrame
        `rankbench.statistics.best.best`.
    experiment : Experiment
    own : mapping of str to OwnTable or None
        Data set -> what is known of it.

    Returns
    -------
    dict of str to list of str
        Data set -> paragraphs: the first metric in full, what would settle what is open, who does not see the groups,
        missing runs, the costs, one sentence per other metric.
    """
    answer, (first, *others) = {}, experiment.metrics
    for dataset, part in asked_cells(cells, experiment).groupby("dataset", sort=False):
        of_metric = {metric: by_rank(rows) for metric, rows in part.groupby("metric", sort=False)}
        of_first, labels = of_metric[first], method_labels(experiment)
        missing = told_shortfalls(of_first, experiment, {}).strip()
        if not of_first["n_runs"].sum():
            answer[dataset] = ["No method has enough runs to be compared.", missing]
            continue
        table = (own or {}).get(dataset)
        n_train = list(experiment.conditions.values())[-1].n_train or experiment.datasets[dataset].n_train
        answer[dataset] = [*_in_full(of_first, labels, f"with {n_train:,} training rows " if n_train else "")]
        if table:
            answer[dataset] += [*_settled(of_first, labels, experiment, dataset, table.budget)]
        if table and table.groups and table.kind != "pairs":
            answer[dataset].append(UNSEEN.format(table.groups))
        sentences = [_briefly(of_metric[metric], labels) for metric in others]
        answer[dataset] += [missing, _costs(of_first, labels), " ".join(sentences)]
    return {dataset: [text for text in paragraphs if text] for dataset, paragraphs in answer.items()}


def amount(value, metric, unit=" %"):
    """Return a value of a metric as people say it; of a difference the unit is ``" points"``.

    >>> amount(0.0512, "swapped_pairs"), amount(0.0512, "spearman")
    ('5.1 %', '0.0512')
    """
    return f"{shown(100 * value, least=1)}{unit}" if metric in PERCENT else shown(value, metric)


def _in_full(part, labels, rows):
    """Yield the paragraphs about the first metric: the best method, those not clearly worse, the others."""
    best = part[part["verdict"] == "best"].iloc[0]
    near, worse = (part[part["verdict"] == verdict] for verdict in ("not clearly worse", "worse"))
    does = DOES.get(best["metric"], f"has {metric_label(best['metric'])} {{}}")
    name, value = labels[best["method"]], f"{rows}it {does.format(amount(best['mean'], best['metric']))}"
    compared = part["n_runs"].gt(0).sum() - 1
    if not compared:
        yield f"Only {name} has enough runs: {value}."
        return
    if len(near) == compared:
        others = "the other is not" if compared == 1 else "none of the others is"
        yield f"No method is clearly the best. {name} comes first, but {others} clearly worse: {value}."
    else:
        yield f"{name} {'comes first' if len(near) else 'is best'}: {value}."
    if sign_of(best["metric"]) > 0 and best["mean"] < TINY:
        yield (
            "An error so small is rare. Does a column hold the target, something made from it, or something that is "
            "known only after it? If so, leave that column out (--drop) and compare again."
        )
    for head, methods in (("Not clearly worse", near), ("Worse", worse)):
        if len(methods):
            yield f"{head}: {_listed(methods, labels)}."
    if compared > 1 and part["low"].notna().any():
        yield (
            f"The intervals of all {(compared + 1) * compared // 2} pairs of methods hold together (Bonferroni), "
            "because each may be that of the first; a method is worse if its interval is above 0."
        )


def _settled(part, labels, experiment, dataset, budget):
    """Yield how many hold-outs would show that the open methods are worse, if their differences stay as they are."""
    near = part[(part["verdict"] == "not clearly worse") & part["high"].notna()]
    if not len(near):
        return
    compared, n_runs = part["n_runs"].gt(0).sum(), int(near["n_runs"].iloc[0])
    sizes = experiment.datasets[dataset]
    rho = overlap(experiment, dataset, list(experiment.conditions.values())[-1].n_train or sizes.n_train, sizes.n_test)

    def width(runs):
        return quantile(runs - 1, compared * (compared - 1) // 2) * math.sqrt(1 / runs + rho)

    needed = {}
    for row in near.itertuples():
        spread = (row.high - row.difference) / width(n_runs)
        needed[row.method] = next(
            (n for n in range(n_runs + 1, MOST_SEEDS + 1) if spread * width(n) < row.difference), 0
        )
    if soon := {name: runs for name, runs in needed.items() if runs}:
        least = math.ceil(budget * max(soon.values()) / n_runs)
        also = "; the others are too near for hold-outs of this table" if len(soon) < len(needed) else ""
        yield (
            f"If the differences stay as they are, about --budget={least} ({max(soon.values())} hold-outs instead of "
            f"{n_runs}) would show that {join([labels[name] for name in soon])} {'is' if len(soon) == 1 else 'are'} "
            f"worse{also}."
        )
    else:
        yield "More hold-outs of this table would not settle what is open; more rows could."


def _listed(part, labels):
    """Return methods with their distance to the best one."""
    return "; ".join(f"{labels[row.method]} (by {_distance(row)})" for row in part.itertuples())


def _distance(row):
    behind = amount(row.difference, row.metric, " points")
    if pd.isna(row.low):
        return f"{behind}, no interval"
    return f"{behind}, 95 % interval {amount(row.low, row.metric, '')} to {amount(row.high, row.metric, '')}"


def _costs(part, labels):
    """Return the cost of the best method, and of the cheapest one that is not clearly worse if it costs far less."""
    best = part[part["verdict"] == "best"].iloc[0]
    text = f"{labels[best['method']]} takes {_cost(best)} for one grid search and fit."
    near = part[part["verdict"] == "not clearly worse"].sort_values("seconds")
    if len(near) and near["seconds"].iloc[0] < CHEAP * best["seconds"]:
        cheap = near.iloc[0]
        text += f" {labels[cheap['method']]}, which is not clearly worse, takes {_cost(cheap)}."
    return text


def _cost(row):
    return f"{two_digits(row['seconds'])} seconds and {row['megabytes']:.0f} megabytes"


def _briefly(part, labels):
    """Return one sentence about a metric."""
    metric, best = part["metric"].iloc[0], part[part["verdict"] == "best"]
    if not len(best):
        return f"By {metric_label(metric)}: no method has enough runs to be compared."
    near = [labels[method] for method in part.loc[part["verdict"] == "not clearly worse", "method"]]
    everybody = len(near) > 2 and len(near) == part["n_runs"].gt(0).sum() - 1
    also = f"; not clearly worse: {'all others' if everybody else join(near)}" if near else ""
    best = best.iloc[0]
    return f"By {metric_label(metric)}: {labels[best['method']]} ({amount(best['mean'], metric)}){also}."


def _is_usual(experiment, row, condition):
    """Return whether a program can be the method that was compared. It knows the parameters of methods, and nothing
    else that an edited yaml may change."""
    method, data = experiment.methods[row.method], experiment.datasets[row.dataset]
    preprocess = {"target": "raw", **experiment.preprocess, **condition.preprocess, **method.preprocess}
    usual = {"scaling": "standard", "nominal": "onehot", "target": method.preprocess.get("target", "raw")}
    changed = condition.params or data.params or data.attributes or method.attributes
    return preprocess == usual and not changed


def _programs(cells, experiment, sheet):
    """Yield a program that uses the best method, for each data set."""
    cells_of_last = asked_cells(cells, experiment)
    best = cells_of_last[(cells_of_last["metric"] == experiment.metrics[0]) & (cells_of_last["verdict"] == "best")]
    condition = list(experiment.conditions.values())[-1]
    for row in best.itertuples():
        own = sheet[row.dataset]
        if isinstance(own, OwnTable) and (own.battles or _is_usual(experiment, row, condition)):
            n_train = condition.n_train or experiment.datasets[row.dataset].n_train or 0
            yield program_of(own, experiment.methods[row.method], json.loads(row.params), n_train)
