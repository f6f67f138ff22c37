"""The answers of the contest in words, from its kept records: what the page says first."""

import numpy as np
import pandas as pd

from rankbench.labels import counted, error_of, method_labels, metric_label, two_digits
from rankbench.statistics.bayes import probabilities, rope_of
from rankmargin.significance import adjusted

from .contest import (
    FEWEST,
    GRADES_ASKED,
    OURS,
    PLANNED,
    RIVALS,
    Errors,
    averages_of,
    interval,
    planned,
    questions,
    together,
)
from .contest_tables import doubtful
from .decisions import decisions, features_of
from .kept import GRADES, KEPT, VALUES, Kept
from .robust import by_package, clearness, p_of, packages, settled, to_settle

ALIKE_GRADES = rope_of("mean_absolute_error")  # grades that do not matter, in the Bayesian test
KNOWN, FRESH, _, CONFIRM = VALUES


def is_kept(name, root):
    """Return whether records of an experiment are kept."""
    return (root / KEPT / f"{name}.parquet").exists()


def answers(root):
    """Return the answers as a list of Markdown: who is first on A and on B, then each question."""
    lines = [agreement(root), *_of_values(FRESH, root)]
    if is_kept(CONFIRM, root):
        lines += [f"Part C, {line}" for line in _of_values(CONFIRM, root)]
    if all(is_kept(name, root) for name in GRADES):
        lines.append(_of_grades(root))
    else:
        lines.append("**Grades, groups and 1,000 rows**: parts without kept records have no answer yet.")
    return "\n".join([lines[0], "", *(f"- {line}" for line in lines[1:])])


def agreement(root):
    """Say whether our search and the first rival stand in the same order on A and on B."""
    rival, told = RIVALS[0], []
    for name in (KNOWN, FRESH):
        kept = Kept(name, root)
        ranks = kept.average_ranks
        told.append((ranks[OURS], ranks[rival], len(ranks), kept.experiment.datasets))
    labels = method_labels(kept.experiment)
    (a, other_a, n_a, tables_a), (b, other_b, n_b, tables_b) = told
    same = (a < other_a) == (b < other_b)
    words = "have the same sign" if same else "do not have the same sign: B counts, A has been looked at"
    return (
        f"**The differences on parts A (known tables) and B (fresh tables) {words}.** Average ranks of "
        f"{labels[OURS]} and {labels[rival]}: "
        f"{a:.2f} and {other_a:.2f} of {n_a} entries on {len(tables_a)} tables of A, "
        f"{b:.2f} and {other_b:.2f} of {n_b} entries on {len(tables_b)} tables of B."
    )


def _of_values(name, root):
    return answered(averages_of(name, root), Kept(name, root).experiment, doubtful(), packages())


def answered(averages, experiment, doubted, package_of):
    """Yield the answers to the questions 1 to 3, each again without the tables that are doubted, if there are any.

    Parameters
    ----------
    averages : DataFrame
        Of the statistic ``averages``.
    experiment : Experiment
    doubted : set of str
        Names of data sets; the experiment need not have them.
    package_of : mapping
        Data set -> where it comes from.
    """
    labels = method_labels(experiment)
    certain = averages[~averages["dataset"].isin(doubted)]
    parts = [averages, certain] if 0 < len(certain) < len(averages) else [averages]
    parts = [questions(part, experiment).set_index(["question", "against"]) for part in parts]
    asked = planned(averages)
    holm = adjusted(np.array([p_of(one.to_numpy()) for one in asked]), "holm")
    for (question, members), differences, p in zip(PLANNED.items(), asked, holm, strict=True):
        ours, other = (together(one, labels) for one in members)
        row, *without = (part.loc[(ours, other)] for part in parts)
        yield (
            f"**{question} {row.answer.capitalize()}.** {ours} against {other}: {row.difference} percent points of "
            f"swapped pairs (below 0 ours is better; interval {row.low} to {row.high}), better on {row.better} of "
            f"{row.tables} tables; probabilities better / alike / worse {_shares(row)}. "
            f"{_robust(row, differences, p, package_of)}"
        ) + "".join(
            f" Without the {counted(row.tables - one.tables, 'doubtful table')} **{one.answer}**: {one.difference} "
            f"(interval {one.low} to {one.high}), better on {one.better} of {one.tables}; "
            f"{_shares(one)}."
            for one in without
        )


def _shares(row):
    """Return the probabilities better, alike and worse of a question, with which of them is clear."""
    return f"{row['better / alike / worse']} (clear: {row['clear']})"


def _robust(row, differences, p, package_of):
    """Say p for one question and for all, what tables of one package change, and how many tables would settle it."""
    by = by_package(100 * differences, package_of)
    more = [settled(to_settle(differences))] if row.answer == "open" else []
    told = (
        f"By a t test over tables p = {row.p}, for the three questions together (Holm) {p:.2g}.",
        f"With whole R packages as draws ({by.n}): interval {by.low:+.2f} to {by.high:+.2f}, p = {by.p:.2g}.",
    )
    return " ".join([*told, *more])


def grade_errors(name, root):
    """Return the mean absolute errors, one row per table and one column per method, and the kept part.

    A failed run has the largest error of its hold-out.
    """
    kept = Kept(name, root)
    metric = kept.experiment.metrics[0]
    runs = kept.records.assign(value=error_of(metric, kept.records[metric].where(kept.records["status"] == "ok")))
    runs["value"] = runs["value"].fillna(runs.groupby(["dataset", "seed"])["value"].transform("max"))
    return runs.pivot_table(index="dataset", columns="method", values="value"), kept


def _of_grades(root):
    errors, kept = grade_errors(GRADES[1], root)
    labels, metric = method_labels(kept.experiment), metric_label(kept.experiment.metrics[0])
    both = [errors[name].to_numpy() for name in GRADES_ASKED]
    differences = both[0] - both[1]
    (low, high), n = interval(differences), len(differences)
    answer = "Too few tables" if n < FEWEST else "Yes" if high < 0 else "No" if low > 0 else "Open"
    found = probabilities(*both, ALIKE_GRADES)
    shares = " / ".join(f"{share:.2f}" for share in found) + f" (clear: {clearness(found)})"
    ours, rival = (labels[name] for name in GRADES_ASKED)
    return (
        f"**Grades: is our best better? {answer}.** On the first eight tables of A our best was {ours}, and "
        f"{rival} the best rival; they were named for B. There the difference of the {metric} is "
        f"{differences.mean():+.3f} (interval {low:+.3f} to {high:+.3f}), ours better on {(differences < 0).sum()} of "
        f"{n} tables; probabilities better / alike / worse {shares}."
    ) + (f" {settled(to_settle(differences))}" if answer == "Open" else "")


def rules(name, root):
    """Return the decision table of a part of kind values on fresh tables, as `decisions` says, for a page."""
    kept, errors, rival = Kept(name, root), Errors(averages_of(name, root)), RIVALS[0]
    alone = pd.DataFrame({method: errors.of(method) for method in kept.experiment.methods})
    found = decisions(features_of(kept.records, alone), alone[OURS] - alone[rival])
    labels = method_labels(kept.experiment)
    return pd.DataFrame(
        {
            "tables with": found["feature"] + " " + found["side"],
            "tables": found["tables"],
            f"{labels[OURS]} better": found["better"],
            f"against {labels[rival]}, points": [f"{100 * value:+.2f}" for value in found["difference"]],
            "rule right on tables left out": [f"{share:.0%}" for share in found["right"]],
            "one for all right": [f"{share:.0%}" for share in found["always"]],
            "rule saves, points": [f"{100 * value:+.2f}" for value in found["gain"]],
        }
    )


def ranks_by_metric(name, root):
    """Return the average rank of each method by each metric of a part, and Nemenyi's critical difference."""
    columns, labels = {}, {}
    for metric in Kept(name, root).metrics:
        kept = Kept(name, root, metric)
        labels, ranks = method_labels(kept.experiment), kept.frames("ranks")["ranks"].set_index("method")
        columns[metric_label(metric)] = ranks["average_rank"]
    table = pd.DataFrame(columns).sort_values(next(iter(columns)), kind="stable").round(2)
    distance = ranks["critical_difference"].iloc[0]
    table = table.rename(index=labels).rename_axis("average rank by").reset_index()
    last = pd.DataFrame([["significant from a difference of (Nemenyi, 0.05)", *[round(distance, 2)] * len(columns)]])
    return pd.concat([table, last.set_axis(table.columns, axis=1)], ignore_index=True)


def costs(name, root):
    """Return the seconds of a search with its last fit, and of a prediction, the fastest first: as in the table of
    ranks the medians over the tables of the medians over their hold-outs.

    In the prediction are the columns that a method makes of its inputs.
    """
    kept = Kept(name, root)
    runs = kept.records[kept.records["status"] == "ok"]
    seconds = runs["tune_seconds"].fillna(0.0) + runs["fit_seconds"]
    of_1000 = 1e6 * runs["predict_seconds"] / runs["n_test"]
    by_table = pd.DataFrame({"search": seconds, "prediction": of_1000}).groupby([runs["method"], runs["dataset"]])
    table = by_table.median().groupby(level="method").median()
    table, labels = table.sort_values("search"), method_labels(kept.experiment)
    return pd.DataFrame(
        {
            "method": [labels[method] for method in table.index],
            "search and fit, seconds": [two_digits(value) for value in table["search"]],
            "prediction of 1,000 rows, ms": [two_digits(value) for value in table["prediction"]],
        }
    )


def extremes(name, root, most=3):
    """Return the tables where our search loses and wins most against the first rival, in percent points."""
    kept, errors, rival = Kept(name, root), Errors(averages_of(name, root)), RIVALS[0]
    labels, ours, other = method_labels(kept.experiment), errors.of(OURS), errors.of(rival)
    order = (ours - other).sort_values(ascending=False, kind="stable").index
    shown = [*order[:most], *order[-most:]]
    return pd.DataFrame(
        {
            "table": [kept.titles[table] for table in shown],
            labels[OURS]: [f"{100 * ours[table]:.1f}" for table in shown],
            labels[rival]: [f"{100 * other[table]:.1f}" for table in shown],
            "": ["ours loses"] * most + ["ours wins"] * most,
        }
    )
