"""Ratings of films, lines ``user film rating time`` (MovieLens-100K's ``u.data``), as one user's ordinal regression.

The protocol is that of Shashua and Levin, section 4. An example is a film that the user rated, and its target is that
rating. Its attributes are the ratings by all other users minus 3.5, so that no rating is 0; 0 means that a user did not
rate the film. The target in the sheet names the user: ``user_13``.
"""

import re
from pathlib import Path

import numpy as np

from rankbench.datasets.assemble import assemble
from rankbench.datasets.lines import numbered_lines, split_cells
from rankbench.datasets.table import Table

SHIFT = 3.5


def read(path: Path, row) -> Table:
    """Read the films of the user ``row.target``, in the order of their numbers; one column for every other user."""
    user = re.fullmatch(r"user_([0-9]+)", row.target)
    if not user:
        raise ValueError(f"{row.name}: target of reader movielens must be user_N, got {row.target!r}")
    users, films, ratings = _ratings(path)
    mine = users == int(user[1])
    if not np.any(mine):
        raise ValueError(f"{path}: no rating of {row.target}")
    seen = np.unique(films[mine])
    known = np.isin(films, seen)
    others = np.unique(users)
    matrix = np.zeros((len(seen), len(others)))
    matrix[np.searchsorted(seen, films[known]), np.searchsorted(others, users[known])] = ratings[known] - SHIFT
    matrix[:, others == int(user[1])] += SHIFT
    names = [f"user_{number}" for number in others]
    return assemble(path, names, enumerate(matrix.tolist(), 1), row)


def _ratings(path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return users, films and ratings; refuse a film that a user rated twice."""
    rows = []
    for number, line in numbered_lines(path):
        cells = split_cells(path, number, line, separator=" ")
        if len(cells) != 4 or not all(cell.isascii() and cell.isdigit() and len(cell) < 16 for cell in cells):
            raise ValueError(f"{path}, line {number}: expected user, film, rating and time, got {line[:60]!r}")
        rows.append([int(cell) for cell in cells[:3]])
    if not rows:
        raise ValueError(f"{path}: expected ratings, got an empty file")
    users, films, ratings = np.array(rows).T
    if len(np.unique(np.column_stack([users, films]), axis=0)) < len(rows):
        raise ValueError(f"{path}: expected one rating of a film by a user, got several")
    return users, films, ratings
