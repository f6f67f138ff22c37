"""How fast each solver closes the duality gap: gap against seconds.

One panel per problem, lines labelled at their ends.
"""

from matplotlib.figure import Figure

from rankbench.figures.line_labels import label_lines
from rankbench.figures.nothing import NothingToDraw
from rankbench.figures.style import COLORS, style

N_COLUMNS = 2


def draw(frames, experiment, titles):
    """Draw gap against seconds on two logarithmic axes.

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
    n_columns = min(N_COLUMNS, len(problems))
    n_rows = -(-len(problems) // n_columns)
    with style():
        figure = Figure(figsize=(3.6 * n_columns, 0.3 + 2.4 * n_rows), layout="constrained")
        axes = figure.subplots(n_rows, n_columns, squeeze=False, sharex=True, sharey=True).ravel()
        for axis, ((dataset, n), problem) in zip(axes, problems):
            axis.set_title(f"{titles.get(dataset, dataset)}, n = {n}")
            _draw_panel(axis, problem, colors)
        for axis in axes[len(problems) :]:
            axis.remove()
        figure.supxlabel("seconds", fontsize=8)
        figure.supylabel("relative duality gap", fontsize=8)
        for axis, (_, problem) in zip(axes, problems):
            ends = problem.sort_values("seconds").groupby("solver").last()[["seconds", "gap"]]
            label_lines(axis, ends, colors)
    return figure


def describe(frames, experiment, titles):
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


def _draw_panel(axis, problem, colors):
    """Draw the curves of one problem, one line per solver."""
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.grid()
    axis.minorticks_off()
    for solver, curve in problem.sort_values("seconds").groupby("solver", sort=False):
        axis.plot(curve["seconds"], curve["gap"], color=colors[solver], linewidth=1.6, marker="o", markersize=2.5)
