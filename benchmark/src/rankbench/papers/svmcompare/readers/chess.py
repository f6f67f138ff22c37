"""Results of chess games, and what was known about both players before each game (Venuto et al., section 4.3).

The source is a csv file with the columns ``MonthID WhitePlayer BlackPlayer WhiteScore``, or a folder of such files in
the order of their names: the primary training set of the Deloitte/FIDE challenge as Chessmetrics gives it, or the test
set of the challenge with its results, in which a score of -1 marks games that were never played.

The target ``label_FIRST_LAST_TEST_END`` names the months: games of FIRST to LAST are for training, games of TEST to END
for testing. The reader leaves out games of players with fewer than 10 games in the training months, and training games
that are the first game of a player.

An example is a game; x is White and x' is Black. The label is -1 if White won, 0 for a draw, 1 if Black won. The last
two attributes are the scores that Elo and Glicko expect of the player in this game; they are the two baselines.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from rankbench.datasets.table import Table
from rankbench.papers.svmcompare.chess_features import ATTRIBUTES, EXPECTED, Games, features

COLUMNS = ("MonthID", "WhitePlayer", "BlackPlayer", "WhiteScore")
FEWEST_GAMES = 10


def read(path: Path, row) -> Table:
    """Read one window of games; the games of the training part come first."""
    first, last, test, end = map(int, row.target.split("_")[1:])
    games = played(path)
    training, testing = ((games.month >= a) & (games.month <= b) for a, b in ((first, last), (test, end)))
    if not (first <= last < test <= end and training.any() and testing.any()):
        raise ValueError(f"{path}: expected games in months {first} to {last} and {test} to {end} after them")
    games, n_train = _regulars(games, training, testing)
    white, black, debut = features(games)
    used = ~debut | (np.arange(len(debut)) >= n_train)
    X, y = np.hstack([white, black])[used], (1.0 - 2.0 * games.score)[used]
    train = (np.arange(len(debut)) < n_train)[used]
    names = ATTRIBUTES + EXPECTED
    periods = games.month[used].astype(np.float64)
    return Table(X, y, names, ((),) * len(names), partitions=train[None], kind="pairs", periods=periods)


def played(path: Path) -> Games:
    """Return all games of a file or of the files of a folder, sorted by month, without those that were not played."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    tables = [pd.read_csv(file, usecols=COLUMNS, dtype=float) for file in files]
    month, white, black, score = pd.concat(tables)[list(COLUMNS)].to_numpy().T
    whole = np.concatenate([month, white, black])
    if not np.all((whole == np.round(whole)) & (np.abs(whole) < 1e9)):
        raise ValueError(f"{path}: expected whole numbers below 1e9 in {', '.join(COLUMNS[:3])}")
    strange = ~np.isin(score, (-1.0, 0.0, 0.5, 1.0))
    if np.any(strange):
        raise ValueError(f"{path}: expected a WhiteScore of 0, 0.5, 1 or -1 (no game), got {score[strange][0]:g}")
    if np.any(white == black):
        raise ValueError(f"{path}: expected two different players in a game, got {white[white == black][0]:g} twice")
    games = Games(month.astype(int), white.astype(int), black.astype(int), score).where(score >= 0)
    return games.where(np.argsort(games.month, kind="stable"))


def _regulars(games, training, testing):
    """Return the games of both parts between players with enough training games, and how many are for training."""
    players, counts = np.unique(np.append(games.white[training], games.black[training]), return_counts=True)
    players = players[counts >= FEWEST_GAMES]
    regular = np.isin(games.white, players) & np.isin(games.black, players)
    parts = np.append(np.flatnonzero(regular & training), np.flatnonzero(regular & testing))
    return games.where(parts), int((regular & training).sum())
