"""Our cells beside the printed ones, a module a paper, a function a table: one tidy frame for all that show them.

Each takes ``frames`` and ``experiment`` as `rankbench.tables` and works without ``frames["published"]`` too.
"""
