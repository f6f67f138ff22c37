"""Ratings of films, lines ``user film rating time`` (MovieLens-100K's ``u.data``), as one user's ordinal regression.

The protocol is that of Shashua and Levin, section 4. An example is a film that the user rated, and its target is that
rating. Its attributes are the ratings by all other users minus 3.5, so that no rating is 0; 0 means that a user did not
rate the film. The target in the sheet names the user: ``user_13``.
"""

from pathlib import Path

import numpy as np

from rankbench.datasets.assemble import assemble
from rankbench.datasets.table import Table

SHIFT = 3.5


def read(path: Path, row) -> Table:
    """Read the films of the user ``row.target``, in the order of their numbers; one column for every other user."""
    users, films, ratings, _ = np.loadtxt(path, dtype=int).T
    mine = users == int(row.target.removeprefix("user_"))
    seen = np.unique(films[mine])
    known = np.isin(films, seen)
    others = np.unique(users)
    matrix = np.zeros((len(seen), len(others)))
    matrix[np.searchsorted(seen, films[known]), np.searchsorted(others, users[known])] = ratings[known] - SHIFT
    matrix[:, others == users[mine][0]] += SHIFT
    names = [f"user_{number}" for number in others]
    return assemble(path, names, enumerate(matrix.tolist(), 1), row)
