"""Our cells beside the printed ones.

One module per paper, one function per table: one tidy frame for all that show them.

Each takes ``frames`` and ``experiment`` as `rankbench.tables` and works without ``frames["published"]`` too.
"""
