"""The figure that is drawn if no run of an experiment is ok, with that message."""

from matplotlib.figure import Figure

from rankbench.configuration.labels import figure_text

from ..statistics.runs import rivals
from .style import GREY, style


class NothingToDraw(ValueError):
    """The frames contain nothing that the figure could show; the message says what is missing."""


def draw_or_say(module, frames, experiment, titles):
    """Return the figure of a module of this package and its text; where there is nothing to draw, one that says why.

    Baselines are not drawn.
    """
    experiment = rivals(experiment)
    drawn = {name: figure_text(title) for name, title in titles.items()}
    try:
        return module.draw(frames, experiment, drawn), module.describe(frames, experiment, titles)
    except NothingToDraw as reason:
        text = f"Nothing to draw: {reason}."
        with style():
            figure = Figure(figsize=(5.2, 0.6))
            figure.text(0.5, 0.5, text, ha="center", va="center", color=GREY)
        return figure, text
