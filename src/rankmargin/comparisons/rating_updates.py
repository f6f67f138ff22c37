"""The updates of Elo and Glicko, period by period, compiled; :mod:`rankmargin.ratings` has the formulas.

Arrays of games have one entry for each game, those of players one for each player; they are changed in place.
"""

import numpy as np

from rankmargin.compiled import njit

Q = np.log(10.0) / 400.0


@njit
def elo(periods, players, factors, advantage, before):
    """For each period: 1 sum score - E of each player, from the ratings before it; 2 compute the new ratings."""
    white, black, score, numbers, ends = periods
    rating, games, elite, last = players
    new, usual, best, new_games, elite_rating = factors
    before_white, before_black = before
    surplus, played = np.zeros(rating.size), np.zeros(rating.size, dtype=np.int64)
    begin = 0
    for p in range(ends.size):
        for g in range(begin, ends[p]):
            w, b = white[g], black[g]
            before_white[g], before_black[g] = rating[w], rating[b]
            over = score[g] - 1.0 / (1.0 + np.exp(Q * (rating[b] - rating[w] - advantage)))
            surplus[w] += over
            surplus[b] -= over
            played[w] += 1
            played[b] += 1
        for g in range(begin, ends[p]):
            for i in (white[g], black[g]):
                if played[i] > 0:
                    factor = best if elite[i] else (new if games[i] < new_games else usual)
                    rating[i] += factor * surplus[i]
                    games[i] += played[i]
                    elite[i] = elite[i] or rating[i] >= elite_rating
                    last[i] = numbers[p]
                    surplus[i], played[i] = 0.0, 0
        begin = ends[p]


@njit
def glicko(periods, players, options, before):
    """For each period: 1 increase deviations, 2 sum over the games of each player, 3 compute ratings and deviations."""
    white, black, score, numbers, ends = periods
    rating, deviation, games, last = players
    c, largest, advantage = options
    before_white, before_black, deviation_white, deviation_black = before
    information, surplus = np.zeros(rating.size), np.zeros(rating.size)
    played, grown = np.zeros(rating.size, dtype=np.int64), np.full(rating.size, -1)
    begin = 0
    for p in range(ends.size):
        for g in range(begin, ends[p]):
            for i in (white[g], black[g]):
                if grown[i] != p:
                    grown[i] = p
                    elapsed = numbers[p] - last[i] if games[i] > 0 else 0
                    deviation[i] = min(np.sqrt(deviation[i] ** 2 + c * c * elapsed), largest)
        for g in range(begin, ends[p]):
            w, b = white[g], black[g]
            before_white[g], before_black[g] = rating[w], rating[b]
            deviation_white[g], deviation_black[g] = deviation[w], deviation[b]
            ahead = rating[w] + advantage - rating[b]
            for i, j, lead, won in ((w, b, ahead, score[g]), (b, w, -ahead, 1.0 - score[g])):
                damping = 1.0 / np.sqrt(1.0 + 3.0 * (Q * deviation[j] / np.pi) ** 2)
                expected = 1.0 / (1.0 + 10.0 ** (-damping * lead / 400.0))
                information[i] += (Q * damping) ** 2 * expected * (1.0 - expected)
                surplus[i] += damping * (won - expected)
                played[i] += 1
        for g in range(begin, ends[p]):
            for i in (white[g], black[g]):
                if played[i] > 0:
                    variance = 1.0 / (1.0 / deviation[i] ** 2 + information[i])
                    rating[i] += Q * variance * surplus[i]
                    deviation[i] = np.sqrt(variance)
                    games[i] += played[i]
                    last[i] = numbers[p]
                    information[i], surplus[i], played[i] = 0.0, 0.0, 0
        begin = ends[p]
