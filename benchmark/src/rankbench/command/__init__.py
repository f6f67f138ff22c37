"""The command ``rankbench``, and the only one: what it accepts and does (`doors`), and how it ends when it is told to
(`stop`).

It is written with argparse: with typer and rich it would start 0.25 s later and need seven more packages in the locks.
"""
