"""Experiments: from a table and a protocol to one record per run.

The modules that a job uses import only numpy (and numba, in the methods): `split`, `preprocess`, `tune`, `job`,
`record`, `provenance`. `protocol` checks configurations before there are any jobs, and `collect` turns the records of
all jobs into frames.
"""
