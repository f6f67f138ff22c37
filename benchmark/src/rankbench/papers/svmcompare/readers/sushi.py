"""SUSHI preference data of Kamishima (2016 edition): pairs of kinds of sushi, as each person rated them.

The pairs are those of Venuto et al., section 4.2: the ten rated items of a person are sorted by ascending score (items
with the same score by their number) and cut into five pairs. x is the item with the lower or equal score, so a label is
0 or 1. Each item has 7 attributes of the sushi, with categories as plain numbers, and the same 7 attributes of the
person.

Until 2016 the scale of the files was inverted: 0 was the best score. The inverted scale gives other pairs, because
items with the same score are still sorted by ascending number, but the scores are in reverse order. The target
``label`` reads the files as they are; ``label_before_2016`` makes the pairs that the paper of 2014 must have had.

Of the files of the folder ``sushi3b.5000.10.order`` is not read; the digests of the sheet prove all of them.
"""

from pathlib import Path

import numpy as np

from rankbench.datasets.table import Table
from rankbench.papers.svmcompare.prefectures import COORDINATES

FILES = ("sushi3b.5000.10.score", "sushi3.idata", "sushi3.udata")
ITEM = ("style", "major_group", "minor_group", "oiliness", "eating_frequency", "price", "selling_frequency")
PERSON = ("gender", "age", "time", "latitude_until_15", "longitude_until_15", "latitude", "longitude")
N_RATED = 10
BEST = 4
TARGETS = ("label", "label_before_2016")


def read(path: Path, row) -> Table:
    """Read the pairs of all persons, five per person in the order of the files."""
    if row.target not in TARGETS:
        raise ValueError(f"{row.name}: target of reader sushi must be one of {', '.join(TARGETS)}, got {row.target}")
    scores = _numbers(path / FILES[0], " ")
    items = _numbers(path / FILES[1], "\t", columns=range(2, 9))
    persons = _numbers(path / FILES[2], "\t", columns=(1, 2, 3, 4, 7))
    if row.target == "label_before_2016":
        scores = np.where(scores < 0, scores, BEST - scores)
    chosen = np.argsort(np.where(scores < 0, np.inf, scores), axis=1, kind="stable")[:, :N_RATED]
    ranked = np.take_along_axis(scores, chosen, axis=1)
    low, high = chosen[:, 0::2].ravel(), chosen[:, 1::2].ravel()
    y = (ranked[:, 1::2] > ranked[:, 0::2]).astype(np.float64).ravel()
    person = np.repeat(_located(persons), N_RATED // 2, axis=0)
    X = np.hstack([items[low], person, items[high], person])
    return Table(X, y, ITEM + PERSON, ((),) * len(ITEM + PERSON), kind="pairs")


def _numbers(path, separator, columns=None):
    """Return the numbers of one file, shape (lines, columns)."""
    return np.loadtxt(path, delimiter=separator, comments=None, usecols=columns, ndmin=2, encoding="latin-1")


def _located(persons):
    """Return gender, age, time and the coordinates of both prefectures, shape (P, 7)."""
    at = np.array(COORDINATES)
    codes = persons[:, 3:].astype(int)
    return np.hstack([persons[:, :3], at[codes[:, 0]], at[codes[:, 1]]])
