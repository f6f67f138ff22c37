"""From a row of ``config/datasets.tsv`` to a checked :class:`~rankbench.datasets.table.Table`.

``sheet`` reads the rows, ``fetch`` gets the bytes, ``readers`` has one file per source format, ``build`` checks the
result. Import the modules by name: a benchmark job needs only ``table``, which imports nothing but numpy.
"""
