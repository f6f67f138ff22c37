"""
Elo, Glicko or ComparisonSVM: who wins the next game?
=====================================================

Elo and Glicko use only the results of games. ComparisonSVM also uses features of the players, so it can judge players
who have hardly played. All three get the same simulated games of 60 players, whose skill depends on age and training.
"""

import matplotlib.pyplot as plt
import numpy as np

from rankmargin import ComparisonSVM, stack_pairs
from rankmargin.ratings import Ratings, elo, glicko

rng = np.random.default_rng(0)
age, hours = rng.uniform(16, 60, 60), rng.uniform(0, 20, 60)
skill = 1500 - 0.5 * (age - 32) ** 2 + 25 * hours + 60 * rng.standard_normal(60)
features = np.column_stack([(age - 38) / 13, (hours - 10) / 6])


def play(n):
    """Return n games: the two players and White's score of each; every third or so ends in a draw."""
    white, black = np.array([rng.choice(60, 2, replace=False) for _ in range(n)]).T
    lead = skill[white] - skill[black] + 150 * rng.standard_normal(n)
    return white, black, 0.5 + 0.5 * np.sign(lead) * (np.abs(lead) > 120)


white, black, score = play(1200)
new_white, new_black, new_score = play(600)
clear = new_score != 0.5

# %%
# Each method orders the two players of a new game. We compute the share of right orders among the games that are not
# draws, after more and more games. ComparisonSVM takes the scores of White as they are: 1, 0.5 and 0.

counts = [30, 60, 120, 240, 480, 960]
right = {"Elo": [], "Glicko": [], "ComparisonSVM": [], "both: ratings as features": []}
for n in counts:
    w, b, s = white[:n], black[:n], score[:n]
    after_elo = elo(w, b, s, start=Ratings.start(range(60), 1500), k=30).ratings.rating
    after_glicko = glicko(w, b, s, start=Ratings.start(range(60), 1500, 350), c=0).ratings.rating
    svm = ComparisonSVM(C=1.0, gamma=0.3).fit(stack_pairs(features[w], features[b]), s)
    known = np.column_stack([features, (after_glicko - 1500) / 200])
    both = ComparisonSVM(C=1.0, gamma=0.2).fit(stack_pairs(known[w], known[b]), s)
    strength = [after_elo, after_glicko, svm.rank(features), both.rank(known)]
    for name, rating in zip(right, strength, strict=True):
        ahead = np.sign(rating[new_white] - rating[new_black])
        right[name].append(float(np.mean((ahead == np.sign(new_score - 0.5))[clear])))
best = np.mean((np.sign(skill[new_white] - skill[new_black]) == np.sign(new_score - 0.5))[clear])
for name, shares in right.items():
    print(f"{name:26}", *(f"{share:.2f}" for share in shares))

# %%
# With few games the features are better. With many games the ratings catch up, because results also show what the
# features do not contain.
#
# Picture: Share of right winners against the number of games, from 30 to 960. ComparisonSVM starts highest and
# changes little. Elo and Glicko start far below and pass it after some 400 games. Ratings as features lie between
# them and end among the best, close to the dashed line of the true skill.

fig, ax = plt.subplots()
for (name, shares), marker in zip(right.items(), "os^D", strict=True):
    ax.semilogx(counts, shares, f"{marker}-", label=name)
ax.axhline(best, color="gray", linewidth=0.8, linestyle="--", label="the true skill")
ax.set(xlabel="games played by 60 players", title="Share of new games, draws left out, whose winner is right")
ax.legend(loc="lower right")
plt.show()
