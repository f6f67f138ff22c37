"""Figures of Díez, del Coz and Bahamonde: their numbers beside ours, the protocols, the solvers."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from rankbench.figures.line_labels import label_lines
from rankbench.figures.method_rows import OFFSET, draw_rows, name_rows
from rankbench.figures.nothing import NothingToDraw
from rankbench.figures.style import COLORS, GREY, OURS, method_colors, style
from rankbench.intervals import half_width
from rankbench.labels import condition_label, figure_label, method_labels
from rankbench.papers.diez.printed import PUBLISHED_RUNS, beside_table1

N_COLUMNS = 3
X_LABEL = "swapped pairs on the test part (percent; each panel has its own scale), mean and its 95 percent interval"


def draw_dot_plot(frames, experiment, titles):
    """The paper's numbers against ours.

    One panel per data set, one row per method, both means with their 95 percent intervals.

    Draw the dot plot; parameters as in `rankbench.tables`, errors as `rankbench.papers.diez.printed.beside_table1`.

    Intervals are mean +- t sd / sqrt(n), from 0 on, ours from our runs and the paper's from its printed sd and 20 runs.
    Each panel has its own scale. Without printed numbers, ours are in the middle of their rows. The row of a method
    without runs says so, and a panel says how many of its runs are missing.
    """
    cells = with_intervals(beside_table1(frames, experiment, titles))
    names = list(cells["dataset"].unique())
    methods = list(experiment.methods)
    n_columns = min(N_COLUMNS, len(names))
    n_rows = -(-len(names) // n_columns)
    with style():
        figure = Figure(figsize=(7.2, 0.5 + 1.25 * n_rows), layout="constrained")
        axes = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
        panels = {name: cells[cells["dataset"] == name].set_index("method").loc[methods] for name in names}
        for axis, name in zip(axes, names):
            _draw_methods(axis, panels[name], experiment, cells["published_mean"].notna().any())
            axis.set_title(name)
        for axis in axes[len(names) :]:
            axis.remove()
        name_rows(axes[: len(names) : n_columns], experiment)
        _label_marks(axes, panels.values())
        figure.supxlabel(X_LABEL, fontsize=8)
    return figure


def describe_dot_plot(frames, experiment, titles):
    """Describe in one sentence how ours and the paper's numbers compare."""
    cells = with_intervals(beside_table1(frames, experiment, titles))
    both = cells.dropna(subset=["ours_mean", "published_mean"])
    within = (both["difference"].abs() <= 2 * both["standard_error"]).sum()
    lower = (both["difference"] < 0).sum()
    text = (
        f"Mean percentage of swapped pairs of {cells['method'].nunique()} methods on {cells['dataset'].nunique()} data "
        f"sets, ours beside the printed value, with 95 percent intervals: of {len(both)} cells with both, {within} "
        f"differ by at most two standard errors and ours is lower in {lower}"
    )
    if len(both):
        worst = both.loc[both["difference"].abs().idxmax()]
        label = method_labels(experiment)[worst["method"]]
        text += f"; the largest difference is {worst['difference']:+.2f} ({worst['dataset']}, {label})"
    n_without = int((cells["n_runs"] == 0).sum())
    return text + (f"; {n_without} cells are incomplete." if n_without else ".")


def with_intervals(cells):
    """Add the half widths of the 95 percent intervals, ``ours_half`` and ``published_half``, in percent."""
    ours = half_width(cells["ours_sd"] / np.sqrt(cells["n_runs"]), cells["n_runs"])
    printed = half_width(cells["published_sd"] / np.sqrt(PUBLISHED_RUNS), PUBLISHED_RUNS)
    return cells.assign(ours_half=ours, published_half=printed)


def _draw_methods(axis, cells, experiment, both_printed):
    """Draw the rows of one data set, and how many of its runs are missing."""
    draw_rows(axis, cells, experiment, OFFSET * both_printed)
    n_missing = cells["n_missing"].sum()
    if n_missing:
        note = f"{n_missing} of {experiment.seeds * len(cells)} runs missing"
        axis.set_title(note, loc="right", fontsize=7, fontweight="normal", color=GREY)
    axis.margins(x=0.1)
    axis.xaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10]))
    if cells[["ours_mean", "published_mean"]].isna().all(axis=None):
        axis.set_xticks([])


def _label_marks(axes, panels):
    """At the first row with both marks, write which is ours and which is the paper's, and make room for it."""
    for axis, cells in zip(axes, panels):
        rows = np.flatnonzero(cells[["ours_mean", "published_mean"]].notna().all(axis=1))
        if len(rows):
            left, right = axis.get_xlim()
            axis.set_xlim(left, right + 0.12 * (right - left))
            cell = cells.iloc[rows[0]]
            for kind, offset, words in (("ours", -OFFSET, "ours"), ("published", OFFSET, "paper")):
                end = cell[f"{kind}_mean"] + np.nan_to_num(cell[f"{kind}_half"]), rows[0] + offset
                axis.annotate(
                    words, end, (4, -6 * offset), textcoords="offset points", va="center", fontsize=7, color=GREY
                )
            return


LEVEL = 0.05


def draw_multiverse(frames, experiment, titles):
    """How far a conclusion depends on the protocol: the mean difference over the data sets under every protocol, one
    panel per opponent.

    Draw, for every condition and opponent, the mean over the data sets of opponent minus reference, with its 95
    percent interval; next to it the counts of data sets.
    """
    cells = _with_intervals(frames["overall"])
    opponents, names = list(cells["opponent"].unique()), method_labels(experiment, figure_label)
    colors, n_rows = method_colors(experiment), cells["condition"].nunique()
    with style():
        figure = Figure(figsize=(7.2, 0.5 + (0.5 + 0.2 * n_rows) * len(opponents)), layout="constrained")
        axes = figure.subplots(len(opponents), 1, squeeze=False, sharex=True).ravel()
        for axis, opponent in zip(axes, opponents):
            _draw_protocols(axis, cells[cells["opponent"] == opponent], experiment, colors[opponent])
            axis.set_title(f"against {names[opponent]}")
        reference = names[experiment.reference_method]
        figure.supxlabel(
            f"opponent minus {reference}: mean over the data sets of the swapped pairs (percentage points), 95 percent "
            "interval",
            fontsize=8,
        )
    return figure


def describe_multiverse(frames, experiment, titles):
    """Describe in one sentence under how many protocols the reference wins."""
    labels, parts = method_labels(experiment), []
    for opponent, rows in frames["overall"].groupby("opponent", sort=False):
        low, high = 100 * rows["mean_difference"].min(), 100 * rows["mean_difference"].max()
        count = f"{(rows['p_one_sided'] < LEVEL).sum()} of {len(rows)} protocols"
        parts.append(f"than {labels[opponent]} under {count} (mean difference {low:.2f} to {high:.2f} points)")
    reference = labels[experiment.reference_method]
    return f"{reference} is better, with a one-sided p < 0.05 over the data sets, {', '.join(parts)}."


def _with_intervals(overall):
    """Add ``difference`` and ``half``, the mean difference and the half width of its interval, in percentage points.

    The half width comes from ``t``: the standard error is ``mean_difference / t``.
    """
    error = (overall["mean_difference"] / overall["t"]).abs()
    half = half_width(100 * error, overall["n_datasets"])
    return overall.assign(difference=100 * overall["mean_difference"], half=half)


def _draw_protocols(axis, cells, experiment, color):
    """Draw one opponent, one row per condition."""
    axis.axvline(0, color=GREY, linewidth=0.8)
    for row, cell in enumerate(cells.itertuples()):
        half = None if np.isnan(cell.half) else cell.half
        axis.errorbar(cell.difference, row, xerr=half, color=color, **OURS)
        counts = f"{cell.wins}/{cell.ties}/{cell.losses}, {cell.significant_wins}, p = {cell.p_one_sided:.2g}"
        axis.text(1.01, row, counts, transform=axis.get_yaxis_transform(), va="center", fontsize=7)
    axis.text(
        1.01,
        -0.9,
        "wins/ties/losses, significant wins, p",
        transform=axis.get_yaxis_transform(),
        va="center",
        fontsize=7,
        color=GREY,
    )
    labels = [condition_label(experiment, condition) for condition in cells["condition"]]
    axis.set_yticks(range(len(cells)), labels)
    axis.set_ylim(len(cells) - 0.5, -0.5)
    axis.tick_params(left=False)
    axis.spines["left"].set_visible(False)
    axis.grid(axis="x")


GAP_COLUMNS = 2


def draw_time_gap(frames, experiment, titles):
    """How fast each solver closes the duality gap: gap against seconds.

    One panel per problem, lines labelled at their ends.

    Draw gap against seconds on two logarithmic axes.

    Parameters
    ----------
    frames : mapping
        ``solver_gaps``: columns ``solver dataset n gap seconds``, one row per point of a solver's curve; `gap`
        (relative) and `seconds` are > 0.
    experiment : Experiment
        Not used.
    titles : mapping of str to str
        Data set key -> printed name; a data set without a title is shown under its key.

    Raises
    ------
    ValueError
        If a gap or time is not > 0.
    NothingToDraw
        If there is no row.
    """
    gaps = _check(frames["solver_gaps"])
    problems = list(gaps.groupby(["dataset", "n"], sort=False))
    colors = {solver: COLORS[i % len(COLORS)] for i, solver in enumerate(gaps["solver"].unique())}
    n_columns = min(GAP_COLUMNS, len(problems))
    n_rows = -(-len(problems) // n_columns)
    with style():
        figure = Figure(figsize=(3.6 * n_columns, 0.3 + 2.4 * n_rows), layout="constrained")
        axes = figure.subplots(n_rows, n_columns, squeeze=False, sharex=True, sharey=True).ravel()
        for axis, ((dataset, n), problem) in zip(axes, problems):
            axis.set_title(f"{titles.get(dataset, dataset)}, n = {n}")
            _draw_solvers(axis, problem, colors)
        for axis in axes[len(problems) :]:
            axis.remove()
        figure.supxlabel("seconds", fontsize=8)
        figure.supylabel("relative duality gap", fontsize=8)
        for axis, (_, problem) in zip(axes, problems):
            ends = problem.sort_values("seconds").groupby("solver").last()[["seconds", "gap"]]
            label_lines(axis, ends, colors)
    return figure


def describe_time_gap(frames, experiment, titles):
    """Describe in one sentence which solver reaches the smallest gap first on each problem."""
    gaps = _check(frames["solver_gaps"])
    parts = []
    for (dataset, n), problem in gaps.groupby(["dataset", "n"], sort=False):
        # the smallest gap that every solver reaches
        common = problem.groupby("solver")["gap"].min().max()
        seconds = problem[problem["gap"] <= common].groupby("solver")["seconds"].min().sort_values(kind="stable")
        times = ", ".join(f"{solver} {float(f'{time:.2g}'):g} s" for solver, time in seconds.items())
        parts.append(f"{titles.get(dataset, dataset)} (n = {n}) to {common:.1g}: {times}")
    return f"Seconds to a relative duality gap that all solvers reach, fastest first: {'; '.join(parts)}."


def _check(gaps):
    if gaps.empty:
        raise NothingToDraw("no solver was measured")
    wrong = gaps[~((gaps["gap"] > 0) & (gaps["seconds"] > 0))]
    if len(wrong):
        raise ValueError(f"solver_gaps must have gap > 0 and seconds > 0, got {wrong.iloc[0].to_dict()}")
    return gaps


def _draw_solvers(axis, problem, colors):
    """Draw the curves of one problem, one line per solver."""
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.grid()
    axis.minorticks_off()
    for solver, curve in problem.sort_values("seconds").groupby("solver", sort=False):
        axis.plot(curve["seconds"], curve["gap"], color=colors[solver], linewidth=1.6, marker="o", markersize=2.5)
