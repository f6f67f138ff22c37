"""The answer of a comparison in words: which method is best, by how much, which are not clearly worse, at what cost."""

import pandas as pd

from ..labels import method_labels, metric_label, shown, sign_of, two_digits
from ..shortfalls import told_shortfalls
from ..statistics.paired import DECIMALS
from .adding import BETWEEN

TINY = 0.005  # an error below is suspected to come from a column that holds the target
UNSEEN = "Regressions and forests do not see the groups ({}), so differences between groups count against them."
CHEAP = 0.5  # a method that takes less than this share of the best method's seconds gets a sentence


def asked_cells(cells, experiment):
    """Return the rows of the statistic ``best`` for the last condition: the largest training size."""
    return cells[cells["condition"] == list(experiment.conditions)[-1]]


def by_rank(part):
    """Return the rows of one metric: the best mean first, and incomplete methods last."""
    return part.assign(error=part["mean"] * sign_of(part["metric"].iloc[0])).sort_values("error", kind="stable")


def answers(cells, experiment, added=None, groups=None):
    """Return what the statistics ``best`` and ``adding`` say about each data set.

    Parameters
    ----------
    cells : DataFrame
        `rankbench.statistics.best.best`.
    experiment : Experiment
    added : DataFrame or None
        `rankbench.compare.adding.adding`, where the comparison has it.
    groups : mapping of str to str or None
        Data set -> its column of groups, where only rows of one group are compared.

    Returns
    -------
    dict of str to list of str
        Data set -> paragraphs: the first metric in full, who does not see the groups, whether our method adds something
        to the best rival, missing runs, the costs, one sentence per other metric.
    """
    answer, (first, *others) = {}, experiment.metrics
    for dataset, part in asked_cells(cells, experiment).groupby("dataset", sort=False):
        of_metric = {metric: by_rank(rows) for metric, rows in part.groupby("metric", sort=False)}
        of_first, labels = of_metric[first], method_labels(experiment)
        missing = told_shortfalls(of_first, experiment, {}).strip()
        if of_first["n_runs"].sum():
            sentences = [_briefly(of_metric[metric], labels) for metric in others]
            answer[dataset] = [*_in_full(of_first, labels, _rows_of(experiment, dataset))]
            if column := (groups or {}).get(dataset):
                answer[dataset].append(UNSEEN.format(column))
            if added is not None:
                of_dataset = asked_cells(added[added["dataset"] == dataset], experiment)
                answer[dataset] += _adding(of_dataset, of_first, labels)
            answer[dataset] += [missing, _costs(of_first, labels), " ".join(sentences)]
        else:
            answer[dataset] = ["No method has enough runs to be compared.", missing]
    return {dataset: [text for text in paragraphs if text] for dataset, paragraphs in answer.items()}


def _rows_of(experiment, dataset):
    """Return what is said of the training rows of the largest size."""
    n_train = list(experiment.conditions.values())[-1].n_train or experiment.datasets[dataset].n_train
    return f" with {n_train:,} training rows" if n_train else ""


def _in_full(part, labels, rows):
    """Yield the paragraphs about the first metric: the best method, those not clearly worse, the others."""
    best = part[part["verdict"] == "best"].iloc[0]
    near = part[part["verdict"] == "not clearly worse"]
    name, value = labels[best["method"]], f"{metric_label(best['metric'])} {shown(best['mean'], best['metric'])}{rows}"
    compared = part["n_runs"].gt(0).sum() - 1
    if not compared:
        yield f"Only {name} has enough runs: {value}."
        return
    if len(near) == compared:
        others = "the other is not" if compared == 1 else "none of the others is"
        yield f"No method is clearly the best. {name} comes first ({value}), but {others} clearly worse."
    else:
        yield f"{name} {'comes first' if len(near) else 'is best'}: {value}."
    if sign_of(best["metric"]) > 0 and best["mean"] < TINY:
        yield (
            "An error so small is rare. Does a column hold the target, something made from it, or something that is "
            "known only after it? If so, leave that column out (--drop) and compare again."
        )
    if len(near):
        yield f"Not clearly worse: {_listed(near, labels)}."
    worse = part[part["verdict"] == "worse"]
    if len(worse):
        yield f"Worse: {_listed(worse, labels)}."
    if compared > 1 and part["low"].notna().any():
        yield (
            f"The intervals of all {(compared + 1) * compared // 2} pairs of methods hold together (Bonferroni), "
            "because each may be that of the first; a method is worse if its interval is above 0."
        )


def _adding(part, of_first, labels):
    """Yield the paragraph on averages with our method, of the rows about the largest size."""
    if not len(part):
        return
    rows = part.to_dict("records")
    metric = rows[0]["metric"]
    ours, rival = (labels[name] for name in rows[0]["methods"].split(BETWEEN))
    against = "; ".join(f"against {_members(row['control'], labels)}, {_gain(row)}" for row in rows)
    yield (
        f"The average of the ranks by {ours} and by {rival}, the best method of another library that finished all "
        f"hold-outs, has {metric_label(metric)} {shown(rows[0]['error'], metric)}. {against[0].upper()}{against[1:]}. "
        f"{_lowest(rows, of_first, labels)}"
    )


def _members(control, labels):
    """Return the words for one method alone or for an average."""
    names = [labels[name] for name in control.split(BETWEEN)]
    return f"{names[0]} alone" if len(names) == 1 else f"the average of {' and '.join(names)}"


def _lowest(rows, of_first, labels):
    """Return the sentence that says which average or which method alone comes first by the first metric.

    The best method of all counts if its mean is over the same hold-outs.
    """
    metric = rows[0]["metric"]
    sign, best = sign_of(metric), of_first[of_first["verdict"] == "best"].iloc[0]
    same = best["n_runs"] == rows[0]["n_runs"]
    values = {best["method"]: best["mean"]} if same else {}
    for row in rows:
        values.setdefault(row["control"], row["error"] - sign * row["difference"])
    values[rows[0]["methods"]] = rows[0]["error"]
    first = min(values, key=lambda name: round(sign * values[name], DECIMALS))  # of equal ones, a method alone
    alone = "all methods" if same else "their methods"
    value = shown(values[first], metric)
    return f"Of these averages and {alone} alone, {_members(first, labels)} comes first: {value}."


def _gain(row):
    """Return what adding our method does, with the difference of the errors and its interval, if it has one."""
    if pd.isna(row["low"]):
        return f"the difference is {shown(row['difference'])}, with no interval"
    said = "it is better" if row["high"] < 0 else "it is worse" if row["low"] > 0 else "the difference is not clear"
    return f"{said} ({shown(row['difference'])}, 95 % interval {shown(row['low'])} to {shown(row['high'])})"


def _listed(part, labels):
    """Return methods with their distance to the best one."""
    return "; ".join(f"{labels[row.method]} (by {_distance(row)})" for row in part.itertuples())


def _distance(row):
    if pd.isna(row.low):
        return f"{shown(row.difference)}, no interval"
    return f"{shown(row.difference)}, 95 % interval {shown(row.low)} to {shown(row.high)}"


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
    best = part[part["verdict"] == "best"]
    if not len(best):
        return f"By {metric_label(part['metric'].iloc[0])}: no method has enough runs to be compared."
    best = best.iloc[0]
    near = [labels[method] for method in part.loc[part["verdict"] == "not clearly worse", "method"]]
    everybody = len(near) > 2 and len(near) == part["n_runs"].gt(0).sum() - 1
    also = f"; not clearly worse: {'all others' if everybody else join(near)}" if near else ""
    return f"By {metric_label(best['metric'])}: {labels[best['method']]} ({shown(best['mean'], best['metric'])}){also}."


def join(names):
    """Return names as a list in words."""
    return names[0] if len(names) == 1 else f"{'; '.join(names[:-1])} and {names[-1]}"
