"""Archives (tar, xz or gz) of published hold-outs: members ``train_SET.K`` and ``test_SET.K``, or ``train_SET_K.csv``.

The ordinal benchmark of the University of Cordoba has this form, K = 0..29: one line per example with numbers only and
the label last. The table is the training part of hold-out 0 and then its test part. For the other hold-outs it is noted
which of these rows are for training.
"""

import re
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from rankbench.datasets.assemble import assemble
from rankbench.datasets.readers.delimited import SEPARATORS
from rankbench.datasets.table import Table

MEMBER = re.compile(r"(train|test)_[^/]+?[._]([0-9]+)(\.csv)?")


def read(path: Path, row) -> Table:
    """Read all hold-outs of an archive; its columns are x1, x2, ... and y."""
    parts = _parts(path, row)
    numbers = sorted({number for _, number in parts})
    train = [np.vstack([parts["train", k], parts["test", k]]) for k in numbers]
    table, order = train[0], np.lexsort(train[0].T)
    masks = np.zeros((len(numbers), len(table)), dtype=bool)
    for k, rows in zip(numbers, train, strict=True):
        there = np.lexsort(rows.T)
        if rows.shape != table.shape or not np.array_equal(rows[there], table[order]):
            raise ValueError(f"{path}: hold-out {k} does not hold the same examples as hold-out 0")
        masks[k, order] = there < len(parts["train", k])
    names = [*(f"x{j}" for j in range(1, table.shape[1])), "y"]
    return replace(assemble(path, names, enumerate(table.tolist(), 1), row), partitions=masks)


def _parts(path: Path, row) -> dict[tuple[str, int], np.ndarray]:
    """Return (``train`` or ``test``, K) -> the numbers of that member, shape (n, d + 1)."""
    parts, separator = {}, SEPARATORS[row.separator].strip() or None
    for name, text in _members(path):
        if matched := MEMBER.fullmatch(name.rpartition("/")[2]):
            cells = [line.split(separator) for line in text.splitlines() if line.strip()]
            parts[matched[1], int(matched[2])] = np.array(cells, dtype=np.float64)
    return parts


def _members(path: Path) -> Iterator[tuple[str, str]]:
    """Yield name and text of every file of the archive."""
    with tarfile.open(path) as archive:
        for member in filter(tarfile.TarInfo.isfile, archive):
            yield member.name, archive.extractfile(member).read().decode("utf-8")
