"""Tables: frames in, the text of every format out.

The folder is the registry: ``TABLES[name]`` is a module of it with

``ONE : tuple[str, ...]``, ``METRIC : str``, where it has them
    keys of a protocol that must have exactly one entry, and the metric that it must measure; checked before the plan.
``NEEDS : tuple[str, ...]``
    names of the statistics it reads.
``render(frames, experiment, titles) -> dict[str, str]``
    the text of each format by its ending, ``{"csv": ..., "md": ..., "tex": ..., "html": ...}``, to be written as
    ``results/{experiment}/tables/{name}.{ending}`` (UTF-8).

Parameters of render
--------------------
frames : mapping of str to DataFrame
    The statistics of ``NEEDS`` by name, and under ``"published"`` the printed numbers (the csv of
    ``resources/published/`` that the experiment names in ``published:``); without that key the table says "not
    printed" in every printed cell.
experiment : Experiment
    See `rankbench.experiments.experiment`. Used: ``datasets``, ``methods`` (names and their ``label``),
    ``conditions``, ``seeds``, ``reference_method``.
titles : mapping of str to str
    Data set key -> the name the paper prints (column ``title`` of ``config/datasets.tsv``), which is also how
    ``published`` names it.
"""

import importlib
import pkgutil

_MODULES = [importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
TABLES = {module.__name__.rpartition(".")[2]: module for module in _MODULES if hasattr(module, "NEEDS")}
