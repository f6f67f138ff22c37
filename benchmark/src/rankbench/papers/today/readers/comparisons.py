"""Games and choices of R packages as comparisons of two items, packed as `rdatasets` beside this file says.

The target says which of two forms a table has:

- games: ``HomeGoals``, beside it ``AwayGoals HomeTeam AwayTeam Date Year``. x is the home team; the attributes are its
  ``name`` and whether it is at ``home``. A draw is a tie. Hold-out k learns from the first three quarters of the k-th
  last season of `SEASON` games; ``n_test`` of the experiment says how many of those after them are predicted.
- choices: any other target names the chosen option. A column belongs to the option in whose name it ends
  (``price.heinz41``; ``price1`` to ``choice1``), and what comes before it is the attribute; the option's ``name`` is an
  attribute too. A choice of k options gives k - 1 comparisons, of the chosen one with each other; x is the option that
  comes first in alphabetical order. The groups are persons, whom no split cuts.
"""

from pathlib import Path

import numpy as np

from rankbench.datasets.table import Table
from rankbench.papers.today.readers.rdatasets import frame_of

NAME = "name"
SEASON = 306  # games of 18 teams, each twice with each other


def read(path: Path, row) -> Table:
    """Return the comparisons of a packed data frame."""
    frame = frame_of(path)
    games = row.target == "HomeGoals"
    return _games(frame) if games else _choices(frame, row)


def _games(frame):
    played = frame.dropna(subset=["HomeGoals", "AwayGoals"]).sort_values(["Year", "Date"], kind="stable")
    teams = np.concatenate([played[side].to_numpy(dtype=str) for side in ("HomeTeam", "AwayTeam")])
    names, codes = np.unique(teams, return_inverse=True)
    first, second = codes.reshape(2, -1).astype(np.float64)
    X = np.column_stack([first, np.ones(len(first)), second, np.zeros(len(first))])
    y = np.sign(played["AwayGoals"].to_numpy(dtype=np.float64) - played["HomeGoals"].to_numpy(dtype=np.float64))
    _, begins, games = np.unique(played["Year"], return_index=True, return_counts=True)
    begins = begins[games == SEASON][::-1, None]
    at = np.arange(len(y))
    learned = (at >= begins) & (at < begins + (3 * SEASON + 3) // 4)
    return Table(X, y, (NAME, "home"), (tuple(names.tolist()), ()), kind="pairs", partitions=learned)


def _choices(frame, row):
    options, chosen = np.unique(frame[row.target].to_numpy(dtype=str), return_inverse=True)
    persons = np.unique(frame[row.groups], return_inverse=True)[1].astype(np.float64)
    given = frame.drop(columns=[row.target, row.groups, *row.drop])
    columns = [_columns(given, option.removeprefix("choice")) for option in options]
    attributes = [name for name in columns[0] if all(name in others for others in columns)]
    values = [
        np.column_stack([np.full(len(given), code), given[[of[name] for name in attributes]]])
        for code, of in enumerate(columns)
    ]
    values = np.stack(values, axis=1).astype(np.float64)  # of each choice and option
    at, other = np.divmod(np.arange(chosen.size * len(options)), len(options))
    at, other = at[other != chosen[at]], other[other != chosen[at]]
    first, second = np.minimum(chosen[at], other), np.maximum(chosen[at], other)
    X, y = np.hstack([values[at, first], values[at, second]]), np.where(chosen[at] == first, -1.0, 1.0)
    levels = (tuple(options.tolist()), *((),) * len(attributes))
    return Table(X, y, (NAME, *attributes), levels, kind="pairs", blocks=persons[at])


def _columns(frame, ending):
    """Return attribute -> column of the option whose columns end so."""
    return {name.removesuffix(ending).rstrip("."): name for name in frame.columns if name.endswith(ending)}
