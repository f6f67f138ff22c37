"""Seconds that Elo and Glicko take for games like those of the chess data: 54,205 players, 1.8 million games.

python benchmarks/ratings.py [GAMES ...]
"""

import sys
import time

import numpy as np

from rankmargin.ratings import Ratings, elo, glicko

PLAYERS, MONTHS, REPEATS = 54_205, 132, 3


def games(n):
    """Return n games: active players play more, a third are draws."""
    rng = np.random.default_rng(n)
    white, black = (PLAYERS * rng.random((2, n)) ** 2).astype(np.int64)
    black = np.where(white == black, (black + 1) % PLAYERS, black)
    return white, black, rng.choice([0.0, 0.5, 1.0], n), np.sort(rng.integers(0, MONTHS, n))


def main(sizes):
    start = Ratings.start(np.arange(PLAYERS), 1200.0, 200.0)
    for system in (elo, glicko):  # compile
        system(*games(100), start=start)
    print(f"{'games':>9}  {'system':6}  {'rated':14}  {'median s':>8}  {'ns/game':>7}")
    for n in sizes:
        white, black, score, months = games(n)
        for system in (elo, glicko):
            for name, periods in (("by month", months), ("game by game", None)):
                seconds = []
                for _ in range(REPEATS):
                    began = time.perf_counter()
                    system(white, black, score, periods, start=start)
                    seconds.append(time.perf_counter() - began)
                median = float(np.median(seconds))
                print(f"{n:9d}  {system.__name__:6}  {name:14}  {median:8.2f}  {1e9 * median / n:7.0f}")


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [450_000, 1_800_000])
