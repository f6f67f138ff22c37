"""Figures: frames in, a matplotlib Figure out; one style, no legends.

`rankbench.room.Figure` says what the module of a figure has, and `rankbench.registry.FIGURES` knows all of them. Here
are those that any experiment may use, and what all share. ``save_figure(figure, stem, title=..., description=...)``
writes ``{stem}.svg``, ``{stem}.pdf`` and ``{stem}.png``, each whole or not at all and the same bytes each time; title
and description go into the files. A script needs no more than::

    figure, text = draw_or_say(FIGURES[name], frames, experiment, titles)
    save_figure(figure, stem, title=name, description=text)
"""

from .nothing import NothingToDraw, draw_or_say
from .save import save_figure

__all__ = ["NothingToDraw", "draw_or_say", "save_figure"]
