"""Experiments: from a table and a protocol to one record per run.

`model` says what a yaml may hold, `protocol` checks it before there are any jobs, and `experiment` derives what
follows from it: runs, a `task` for each, files. A `job` makes runs, with `split`, `preprocess` and `tune`; `collect`
turns their records into frames.
"""
