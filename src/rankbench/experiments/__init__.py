"""Experiments: from a table and a protocol to one record per run.

On a job's path only numpy is imported (and numba, by the methods): `split`, `preprocess`, `tune`, `job`, `record`,
`provenance`. Beside it stand `protocol`, which checks configurations before any job exists, and `collect`, which turns
the records of all jobs into frames.
"""
