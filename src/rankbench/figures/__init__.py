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

A script needs no more than::

    figure = FIGURES[name]
    text = figure.describe(frames, experiment, titles)
    save_figure(figure.draw(frames, experiment, titles), stem, title=name, description=text)
"""

import importlib
import pkgutil

from .save import save_figure

_MODULES = [importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
FIGURES = {module.__name__.rpartition(".")[2]: module for module in _MODULES if hasattr(module, "NEEDS")}

__all__ = ["FIGURES", "save_figure"]
