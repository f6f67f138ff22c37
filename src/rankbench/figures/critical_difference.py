"""Average ranks over the data sets, with a bar over methods that Nemenyi's test does not tell apart."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scikit_posthocs import critical_difference_diagram

from ..labels import figure_label, method_labels
from .style import GREY, method_colors, style

NEEDS = ("ranks", "nemenyi")


def draw(frames, experiment, titles):
    """Draw the critical-difference diagram (Demsar 2006, section 3.2.2) by scikit-posthocs.

    Parameters are those of `rankbench.tables`; `titles` is not used.

    Raises
    ------
    ValueError
        If the ranks are of several conditions or metrics, or of no complete data set.
    """
    ranks = _one_kind(frames["ranks"])
    labels, colors = method_labels(experiment, figure_label), method_colors(experiment)
    average = ranks["average_rank"].rename(labels)
    critical = ranks["critical_difference"].iloc[0]
    with style():
        figure = Figure(figsize=(5.2, 1.1 + 0.16 * len(average)), layout="constrained")
        axis = figure.add_subplot()
        critical_difference_diagram(
            average,
            _p_matrix(frames["nemenyi"], ranks.index).rename(index=labels, columns=labels),
            ax=axis,
            label_fmt_left="{label}  {rank:.2f}  ",
            label_fmt_right="  {rank:.2f}  {label}",
            color_palette={labels[method]: color for method, color in colors.items()},
            crossbar_props={"color": GREY, "linewidth": 3, "solid_capstyle": "round"},
            marker_props={"clip_on": False},
            text_h_margin=0.05 * len(average),
        )
        axis.spines["top"].set_visible(True)
        axis.set_xlim(1, len(average))
        axis.set_xticks(range(1, len(average) + 1))
        axis.set_xlabel("average rank (1 = fewest swapped pairs)")
        axis.xaxis.set_label_position("top")
        note = f"joined by a bar: not told apart (Nemenyi, 0.05; critical difference {critical:.2f})"
        figure.supxlabel(note, fontsize=7, color=GREY)
    return figure


def describe(frames, experiment, titles):
    """Say in one sentence how the methods rank and whether they can be told apart."""
    ranks = _one_kind(frames["ranks"])
    labels = method_labels(experiment)
    order = ", ".join(f"{labels[method]} {rank:.2f}" for method, rank in ranks["average_rank"].items())
    first = ranks.iloc[0]
    friedman = "" if np.isnan(first["friedman_p"]) else f"Friedman p = {first['friedman_p']:.2g}, "
    return (
        f"Average ranks over {first['n_datasets']} data sets, best first: {order}; {friedman}ranks that differ by less "
        f"than {first['critical_difference']:.2f} are not told apart at 0.05 (Nemenyi)."
    )


def _one_kind(ranks):
    """Return the ranks by method, refusing several conditions or metrics and ranks of nothing."""
    kinds = ranks[["condition", "metric"]].drop_duplicates().to_dict("records")
    if len(kinds) != 1:
        raise ValueError(f"ranks must be of one condition and metric, got {kinds}")
    if ranks["n_datasets"].iloc[0] == 0:
        raise ValueError("ranks must rest on at least one data set where every method has a mean, got none")
    return ranks.set_index("method")


def _p_matrix(nemenyi, methods):
    """Return the pairs' p values as a symmetric frame, 1 on the diagonal."""
    matrix = pd.DataFrame(np.eye(len(methods)), methods, methods)
    for pair in nemenyi.itertuples():
        matrix.loc[pair.method, pair.other] = matrix.loc[pair.other, pair.method] = pair.p
    return matrix
