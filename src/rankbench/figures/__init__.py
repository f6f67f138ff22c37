"""Figures: frames in, a matplotlib Figure out; one style, no legends.

The folder is the registry: ``FIGURES[name]`` is a module of it with

``NEEDS : tuple[str, ...]``
    names of the frames it reads: statistics and studies.
``draw(frames, experiment, titles) -> Figure``
    the picture.
``describe(frames, experiment, titles) -> str``
    the same in one sentence with the main numbers: the text alternative.

The parameters are those of `rankbench.tables`. ``save_figure(figure, stem, title=..., description=...)`` writes
``{stem}.svg``, ``{stem}.pdf`` and ``{stem}.png``, each whole or not at all and the same bytes each time; title and
description go into the files.

Both raise a `NothingToDraw` when no run is there that they could show; a script needs no more than::

    figure, text = draw_or_say(FIGURES[name], frames, experiment, titles)
    save_figure(figure, stem, title=name, description=text)
"""

import importlib
import pkgutil

from .nothing import draw_or_say
from .save import save_figure

_MODULES = [importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
FIGURES = {module.__name__.rpartition(".")[2]: module for module in _MODULES if hasattr(module, "NEEDS")}

__all__ = ["FIGURES", "draw_or_say", "save_figure"]
