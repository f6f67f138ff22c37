"""Compare the cells of our tables with the printed cells.

There is one module per paper and one function per table. It returns a tidy frame that all tables and figures use.

Each function takes ``frames`` and ``experiment`` as in `rankbench.tables`; ``frames["published"]`` may be missing.
"""
