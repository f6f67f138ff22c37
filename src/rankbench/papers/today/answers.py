"""The answers of the contest in words, from its kept records: what the page says first."""

import numpy as np
import pandas as pd

from rankbench.labels import counted, error_of, method_labels, metric_label, two_digits
from rankbench.statistics.bayes import rope_of
from rankmargin.significance import adjusted

from .contest import GRADES_ASKED, OURS, PLANNED, RIVALS, Compared, Errors, asked, together
from .contest_tables import doubtful
from .decisions import decisions, features_of
from .kept import GRADES, VALUES, Kept
from .robust import by_package, packages, settled

ALIKE_GRADES = rope_of("mean_absolute_error")  # grades that do not matter, in the Bayesian test
KNOWN, FRESH, _, CONFIRM = VALUES


def answers(root):
    """Return the answers in Markdown: who is first on A and B, a table of the planned questions, then each in full."""
    lines = [*_of_values(FRESH, root), *(f"Part C, {line}" for line in _of_values(CONFIRM, root)), _of_grades(root)]
    return "\n".join([agreement(root), "", *in_short(root), "", "In full:", "", *(f"- {line}" for line in lines)])


def in_short(root):
    """Return the lines of a table: one row per planned question, one column for the parts B and C."""
    parts = {"fresh tables (B)": Kept(FRESH, root), "later tables (C)": Kept(CONFIRM, root)}
    found = [asked(kept.averages) for kept in parts.values()]
    labels = method_labels(next(iter(parts.values())).experiment)
    lines = [f"| percentage points fewer swapped pairs | {' | '.join(parts)} |", "| --- | --- | --- |"]
    for ours, other in PLANNED.values():
        cells = [_in_cell(part[ours, other]) for part in found]
        lines.append(f"| {together(ours, labels)} than {together(other, labels)} | {' | '.join(cells)} |")
    return lines


def _in_cell(compared):
    mean, *ends = (-100 * value for value in (compared.differences.mean(), *compared.interval))
    tables = f"ahead on {compared.better} of {len(compared.differences)} tables"
    return f"{mean:.2f} ({min(ends):.2f} to {max(ends):.2f}), {tables}: **{compared.answer}**"


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
    kept = Kept(name, root)
    return answered(kept.averages, kept.experiment, doubtful(), packages())


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
    found = [[asked(part)[members] for members in PLANNED.values()] for part in parts]
    holm = adjusted(np.array([one.p for one in found[0]]), "holm")
    for (question, members), p, all_tables, *without in zip(PLANNED.items(), holm, *found, strict=True):
        ours, other = (together(one, labels) for one in members)
        difference, low, high = all_tables.points()
        yield (
            f"**{question} {all_tables.answer.capitalize()}.** {ours} against {other}: {difference} percentage points "
            f"of swapped pairs (below 0 ours is better; interval {low} to {high}), better on {all_tables.better} of "
            f"{len(all_tables.differences)} tables; probabilities better / alike / worse {all_tables.likely}. "
            f"{_robust(all_tables, p, package_of)}"
        ) + "".join(_without_doubtful(certain, all_tables) for certain in without)


def _without_doubtful(certain, all_tables):
    """Return the sentence about an answer from the tables that are not doubted."""
    tables, (difference, low, high) = len(certain.differences), certain.points()
    left_out = counted(len(all_tables.differences) - tables, "doubtful table")
    return (
        f" Without the {left_out} **{certain.answer}**: {difference} (interval {low} to {high}), better on "
        f"{certain.better} of {tables}; {certain.likely}."
    )


def _robust(compared, p, package_of):
    """Say p for one question and for all, what tables of one package change, and how many tables would settle it."""
    by = by_package(100 * compared.differences, package_of)
    told = (
        f"By a t test over tables p = {compared.p:.2g}, for the three questions together (Holm) {p:.2g}.",
        f"With whole R packages as draws ({by.n}): interval {by.low:+.2f} to {by.high:+.2f}, p = {by.p:.2g}.",
    )
    return " ".join([*told, *_to_settle(compared)])


def _to_settle(compared):
    return [] if compared.to_settle is None else [settled(compared.to_settle)]


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
    compared = Compared(*(errors[name] for name in GRADES_ASKED), ALIKE_GRADES)
    ours, rival = (labels[name] for name in GRADES_ASKED)
    mean, (low, high) = compared.differences.mean(), compared.interval
    told = (
        f"**Grades: is our best better? {compared.answer.capitalize()}.** On the first eight tables of A our best was "
        f"{ours}, and {rival} the best rival; they were named for B. There the difference of the {metric} is "
        f"{mean:+.3f} (interval {low:+.3f} to {high:+.3f}), ours better on {compared.better} of {len(errors)} tables; "
        f"probabilities better / alike / worse {compared.likely}."
    )
    return " ".join([told, *_to_settle(compared)])


def rules(kept):
    """Return the decision table of a part of kind values on fresh tables, as `decisions` says, for a page."""
    errors, rival = Errors(kept.averages), RIVALS[0]
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


def ranks_by_metric(kept):
    """Return the average rank of each method by each metric of a part, and Nemenyi's critical difference."""
    columns, labels = {}, method_labels(kept.experiment)
    for metric in kept.metrics:
        ranks = kept.by(metric).frames("ranks")["ranks"].set_index("method")
        columns[metric_label(metric)] = ranks["average_rank"]
    table = pd.DataFrame(columns).sort_values(next(iter(columns)), kind="stable").round(2)
    distance = ranks["critical_difference"].iloc[0]
    table = table.rename(index=labels).rename_axis("average rank by").reset_index()
    last = pd.DataFrame([["significant from a difference of (Nemenyi, 0.05)", *[round(distance, 2)] * len(columns)]])
    return pd.concat([table, last.set_axis(table.columns, axis=1)], ignore_index=True)


def costs(kept):
    """Return the seconds of a search with its last fit, and of a prediction, the fastest first: as in the table of
    ranks the medians over the tables of the medians over their hold-outs.

    In the prediction are the columns that a method makes of its inputs.
    """
    searched = kept.frames("best")["best"].groupby("method")["seconds"].median().sort_values()
    runs, labels = kept.records[kept.records["status"] == "ok"], method_labels(kept.experiment)
    of_1000 = (1e6 * runs["predict_seconds"] / runs["n_test"]).groupby([runs["method"], runs["dataset"]]).median()
    predicted = of_1000.groupby(level="method").median()[searched.index]
    return pd.DataFrame(
        {
            "method": [labels[method] for method in searched.index],
            "search and fit, seconds": [two_digits(value) for value in searched],
            "prediction of 1,000 rows, ms": [two_digits(value) for value in predicted],
        }
    )


def extremes(kept, most=3):
    """Return the tables where our search loses and wins most against the first rival, in percentage points."""
    errors, rival = Errors(kept.averages), RIVALS[0]
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
