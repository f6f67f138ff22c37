"""Ratings by maximum likelihood beside evalica, arena-rank and choix (installed separately: ``pip install evalica
arena-rank choix``), on simulated games whose ties follow Davidson.

    OMP_NUM_THREADS=1 python benchmarks/ratings.py [--games 1000000 10000000] [--players 300]

Processor seconds, median of three calls. Players are integers here, and what each rival takes: to make that is not
timed. A tie of evalica and arena-rank is half a win, ``ties="half"`` here; choix has no ties, and is given each game
twice. ``z`` is the deviation of the errors of the ratings in units of their standard errors: 1 is right.
"""

import argparse
import sys

import numpy as np
from made import median_seconds, peak_megabytes

from rankmargin.ratings import bradley_terry

NU = 0.6
MOST_OF_CHOIX = 200_000  # games: it lists them in Python


def played(n_games, n_players, seed=0):
    """Return the strengths (P,), and both players and the first one's score of each game."""
    rng = np.random.default_rng(seed)
    truth = rng.standard_normal(n_players)
    truth -= truth.mean()
    first = rng.integers(0, n_players, n_games)
    second = (first + 1 + rng.integers(0, n_players - 1, n_games)) % n_players
    ahead = np.exp((truth[first] - truth[second]) / 2)
    share, drawn = 1.0 / (ahead + 1.0 / ahead + NU), rng.random(n_games)
    score = np.where(drawn < ahead * share, 1.0, np.where(drawn < (ahead + NU) * share, 0.5, 0.0))
    return truth, first, second, score


def by_evalica(first, second, score):
    """Return a call that rates with evalica, whose ratings are strengths on the scale of odds."""
    import evalica

    names = [str(player) for player in range(first.max() + 1)]
    winners = [evalica.Winner.Y, evalica.Winner.Draw, evalica.Winner.X]
    sides, told = [[names[player] for player in side.tolist()] for side in (first, second)], (2 * score).astype(int)
    won = [winners[result] for result in told.tolist()]

    def rate():
        scores = evalica.bradley_terry(*sides, won, tolerance=1e-10, limit=10_000).scores
        found = np.log(scores.loc[names].to_numpy())
        return found - found.mean()

    return rate


def by_arena_rank(first, second, score):
    """Return a call that rates with arena-rank, with intervals."""
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset
    from pandas import DataFrame

    winner = np.array(["model_b", "tie", "model_a"])[(2 * score).astype(int)]
    frame = DataFrame({"model_a": first.astype(str), "model_b": second.astype(str), "winner": winner})

    def rate():
        games = PairDataset.from_pandas(frame)
        told = BradleyTerry(len(games.competitors)).compute_ratings_and_cis(games)
        found = np.asarray(told["ratings"])[np.argsort(np.array(told["competitors"], dtype=int))]
        return (found - found.mean()) * np.log(10) / 400

    return rate


def by_choix(first, second, score):
    """Return a call that rates with choix, which is given the winner and the loser of each game twice."""
    import choix

    won, lost = np.where(score > 0, first, second), np.where(score > 0, second, first)
    other = np.where(score == 0.5, second, won), np.where(score == 0.5, first, lost)
    games = np.vstack([np.column_stack([won, lost]), np.column_stack(other)]).tolist()

    def rate():
        found = choix.ilsr_pairwise(int(first.max()) + 1, games, alpha=0.0)
        return found - found.mean()

    return rate


RIVALS = {"evalica": by_evalica, "arena-rank": by_arena_rank, "choix": by_choix}


def compare(n_games, n_players):
    """Print a row for each system on the same games."""
    truth, *games = played(n_games, n_players)
    for ties in ("davidson", "rao_kupper", "half"):

        def rate(ties=ties):
            board = bradley_terry(*games, ties=ties)
            return board, board.covariance

        seconds, (board, covariance) = median_seconds(rate)
        z = float(((board.ratings - truth) / np.sqrt(np.diag(covariance))).std()) if ties == "davidson" else None
        row(n_games, n_players, f"ties={ties!r}, covariance", seconds, 1.0, np.abs(board.strengths.gradient).max(), z)
    for name, prepare in RIVALS.items():
        if name == "choix" and n_games > MOST_OF_CHOIX:
            continue
        try:
            rival = prepare(*games)
            took, found = median_seconds(rival)
        except ModuleNotFoundError:
            continue
        row(n_games, n_players, name, took, took / seconds, np.abs(found - board.ratings).max(), None)


def row(n_games, n_players, name, seconds, ratio, difference, z):
    """Print one row: of ours the largest slope of the likelihood, of others the largest difference of a rating."""
    z = "" if z is None else f"{z:.2f}"
    print(
        f"| {n_games:,} | {n_players:,} | {name} | {seconds:.3f} | {ratio:.1f} | {difference:.0e} | {z} |", flush=True
    )


def main(arguments=None):
    """Compare on each number of games, and rate many players."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", type=int, default=[100_000, 1_000_000, 10_000_000])
    parser.add_argument("--players", type=int, default=300)
    parser.add_argument("--many", type=int, default=100_000, help="players of a sparse problem with ten games each")
    asked = parser.parse_args(arguments)
    print("| games | players | system | seconds | ratio to half | slope or difference | z |")
    print("| ---: | ---: | --- | ---: | ---: | ---: | ---: |")
    bradley_terry([0, 1], [1, 0], [1, 1])  # compiles
    for n_games in asked.games:
        compare(n_games, asked.players)
    _, *games = played(10 * asked.many, asked.many)
    seconds, board = median_seconds(lambda: bradley_terry(*games, prior=0.1), repeats=1)
    row(10 * asked.many, asked.many, "prior=.1, sparse", seconds, np.nan, np.abs(board.strengths.gradient).max(), None)
    print(f"peak memory {peak_megabytes():.0f} megabytes")


if __name__ == "__main__":
    sys.exit(main())
