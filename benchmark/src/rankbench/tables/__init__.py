"""Tables: frames in, the text of every format out.

`rankbench.room.Table` says what the module of a table has, and `rankbench.registry.TABLES` knows all of them. Here are
those that any experiment may use, and what all share.
"""
