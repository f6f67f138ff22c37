"""Average ranks over the data sets, with a bar over methods that do not differ significantly by Nemenyi's test."""

import numpy as np
from matplotlib.figure import Figure

from rankbench.configuration.labels import counted, figure_label, method_labels, metric_label

from .curves import as_sentence, draw_note
from .nothing import NothingToDraw
from .style import GREY, method_colors

BEST = {
    "swapped_pairs": "fewest swapped pairs",
    "rank_inversions": "fewest inversions",
    "zero_one": "fewest wrong labels",
    "mean_absolute_error": "smallest mean absolute error",
}


def draw_critical_difference(frames, experiment, titles):
    """Draw the critical-difference diagram (Demsar 2006, section 3.2.2).

    Parameters are those of `rankbench.tables`; `titles` is not used.

    Raises
    ------
    NothingToDraw
        If fewer than two methods are ranked.
    """
    kinds = _by_metric(frames["ranks"])
    n_methods = max(len(ranks) for ranks in kinds.values())
    critical = ", ".join(dict.fromkeys(f"{ranks['critical_difference'].iloc[0]:.2f}" for ranks in kinds.values()))
    figure = Figure(figsize=(6.4, 0.2 + len(kinds) * (0.9 + 0.16 * n_methods)), layout="constrained")
    axes = figure.subplots(len(kinds), squeeze=False)[:, 0]
    for axis, (metric, ranks) in zip(axes, kinds.items(), strict=True):
        _draw_panel(axis, ranks.dropna(subset="average_rank"), experiment)
        axis.set_xlabel(f"average rank (1 = {BEST.get(metric, 'best ' + metric_label(metric))})")
    note = f"joined by a bar: no significant difference (Nemenyi, 0.05; critical difference {critical})"
    draw_note(figure, note + "".join(f"\n{text}" for text in _left_out(kinds, experiment, figure_label)))
    return figure


def _draw_panel(axis, ranks, experiment):
    """Draw the diagram of one metric."""
    labels = method_labels(experiment, figure_label)
    colors = method_colors(experiment)
    average, critical = ranks["average_rank"], ranks["critical_difference"].iloc[0]
    n_methods, ends = len(average), []  # the last rank of each level of bars
    for low, high in bars(average.to_numpy(), critical):
        level = next((k for k, end in enumerate(ends) if end < low), len(ends))
        ends[level : level + 1] = [high]
        shape = {"linewidth": 3, "solid_capstyle": "round", "zorder": 3}
        axis.plot([low, high], [-1 - level, -1 - level], color=GREY, **shape)
    best, worst = np.split(average.sort_values(kind="stable").index, [(n_methods + 1) // 2])
    for members, edge in ((best, 1), (worst[::-1], max(n_methods, 2))):
        for step, method in enumerate(members):
            rank, y, color = average[method], -len(ends) - 1 - step, colors.get(method)
            (line,) = axis.plot([edge, rank, rank], [y, y, 0], color=color)
            axis.scatter(rank, 0, color=line.get_color(), zorder=3, clip_on=False)
            text = f"{labels[method]}  {rank:.2f}  " if edge == 1 else f"  {rank:.2f}  {labels[method]}"
            axis.text(edge, y, text, ha="right" if edge == 1 else "left", va="center", color=line.get_color())
    axis.yaxis.set_visible(False)
    axis.spines[["left", "right", "bottom"]].set_visible(False)
    axis.spines["top"].set(visible=True, position="zero")
    axis.xaxis.set_ticks_position("top")
    axis.xaxis.set_label_position("top")
    axis.set(xlim=(1, max(n_methods, 2)), xticks=range(1, n_methods + 1))


def bars(average_ranks, critical_difference):
    """Return the first and the last rank of each maximal set of methods without a significant difference."""
    ranks = np.sort(average_ranks)
    last = np.searchsorted(ranks, ranks + critical_difference, side="left") - 1
    new = np.diff(last, prepend=-1) > 0
    return [(float(ranks[i]), float(ranks[j])) for i, j in enumerate(last) if j > i and new[i]]


def describe_critical_difference(frames, experiment, titles):
    """Return how the methods rank and which differences are significant, in one sentence per metric."""
    kinds = _by_metric(frames["ranks"])
    named = len(kinds) > 1
    texts = [f"{metric}: " * named + _describe_one(ranks, experiment) for metric, ranks in kinds.items()]
    return " ".join([*texts, *(f"{as_sentence(text)}" for text in _left_out(kinds, experiment, str))])


def _left_out(kinds, experiment, label):
    """Return what is said of methods without a rank and of data sets that are left out, once for all metrics."""
    labels, texts = method_labels(experiment, label), {}
    for ranks in kinds.values():
        first = ranks.iloc[0]
        out = [
            f"{labels[name]} ({row['n_compared']} of {first['n_datasets'] + first['n_missing']} data sets)"
            for name, row in ranks[ranks["average_rank"].isna()].iterrows()
        ]
        texts |= {f"not ranked, because runs are missing: {', '.join(out)}": None} if out else {}
        if first["n_missing"]:
            texts[f"left out: {counted(first['n_missing'], 'data set')} where a ranked method lacks runs"] = None
    return list(texts)


def _describe_one(ranks, experiment):
    labels, ranks = method_labels(experiment), ranks.dropna(subset="average_rank")
    first, last = ranks.iloc[0], ranks.iloc[-1]
    friedman = "" if np.isnan(first["friedman_p"]) else f"Friedman p = {first['friedman_p']:.2g}, "
    return (
        f"Average ranks over {first['n_datasets']} data sets, on a line from {labels[first.name]} "
        f"({first['average_rank']:.2f}, the best) to {labels[last.name]} ({last['average_rank']:.2f}). A bar joins "
        f"methods that do not differ significantly: {friedman}critical difference {first['critical_difference']:.2f} "
        "(Nemenyi, 0.05)."
    )


def _by_metric(ranks):
    """Return metric -> its ranks by method; refuse fewer than two ranked methods."""
    kinds = {metric: part.set_index("method") for metric, part in ranks.groupby("metric", sort=False)}
    if any(part["average_rank"].count() < 2 for part in kinds.values()):
        raise NothingToDraw("fewer than two methods have enough runs to be ranked")
    return kinds
