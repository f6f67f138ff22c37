"""Tables: frames in, the text of every format out.

``TABLES[name]`` is a module with

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
experiment : mapping
    The experiment's yaml as read. Used: ``datasets``, ``methods`` (keys and their ``label``), ``conditions``,
    ``seeds``, ``reference_method``.
titles : mapping of str to str
    Data set key -> the name the paper prints (column ``title`` of ``config/datasets.tsv``), which is also how
    ``published`` names it.
"""

from . import multiverse, ranksvr_table2, ranksvr_table3, table1

TABLES = {
    "multiverse": multiverse,
    "ranksvr_table2": ranksvr_table2,
    "ranksvr_table3": ranksvr_table3,
    "table1": table1,
}
