"""
From battles of language models to a leaderboard with intervals
===============================================================

People are shown two answers and say which is better, or that neither is. `bradley_terry` makes ratings of all such
battles, with intervals: how sure is it that the first is better than the third? The battles are simulated, so that the
true strengths are known: 12 models, 150 people with 20 votes each, and one person with 900.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.metrics import log_loss

from rankmargin import ComparisonLink, ComparisonSVM, stack_pairs
from rankmargin.inspection import LeaderboardDisplay
from rankmargin.ratings import bradley_terry

rng = np.random.default_rng(0)
models = np.array([f"model {letter}" for letter in "ABCDEFGHIJKL"])
size = np.sort(rng.uniform(0, 3, 12))[::-1]  # logarithms of parameters, in tens of billions
length = rng.uniform(-1, 1, 12)  # of the answers
strength = 0.6 * size + 0.5 * length + 0.2 * rng.standard_normal(12)


def battles(n, taste=0.0):
    """Return n battles: the places of both models, and the score of the first; ties follow Davidson with nu = 0.7.

    A person with a taste likes long answers better than others do.
    """
    a = rng.integers(0, 12, n)
    b = (a + rng.integers(1, 12, n)) % 12
    d = strength[a] - strength[b] + taste * (length[a] - length[b])
    shares = np.cumsum([np.exp(-d / 2), np.full(n, 0.7), np.exp(d / 2)], axis=0)
    return a, b, (rng.random(n) * shares[-1] > shares).sum(axis=0) / 2


crowd, fan = battles(3000), battles(900, taste=2.0)
a, b, score = (np.append(*both) for both in zip(crowd, fan))
person = np.append(np.arange(3000) // 20, np.full(900, 150))

# %%
# The leaderboard of the crowd. The rating of a model is in logarithms of odds, and `scale=400 / np.log(10)` would give
# the points of Elo. The interval of a rank says which ranks agree with the battles.

board = bradley_terry(models[a[:3000]], models[b[:3000]], score[:3000])
print(board)
ahead, error = board.differences("model A", "model C")
print(f"\nA is ahead of C by {ahead:.2f} +- {error:.2f}; the truth is {strength[0] - strength[2]:.2f}")
print("C against A: loses, ties, wins", board.predict_proba("model C", "model A").round(2))

# %%
# **Ties.** A tie as half a win and half a loss, as many leaderboards have it, gives the same order, but smaller
# differences: it takes battles without a decision for a weak one. There is then no probability of a tie.

half = bradley_terry(models[a[:3000]], models[b[:3000]], score[:3000], ties="half")
print("nu", round(board.ties, 2), "for 0.7")
for name, found in (("davidson", board), ("half", half)):
    slope = np.polyfit(strength - strength.mean(), found.ratings, 1)[0]
    print(f"{name:9} slope against the true strengths {slope:.2f}")

# %%
# **One person's votes.** With the 900 votes of somebody who likes long answers, ratings move, and the usual intervals
# even become narrower. `cluster=person` says that votes of one person belong together: the ratings are the same, and
# the intervals now show that much of them hangs on one person.

everybody = [bradley_terry(models[a], models[b], score, cluster=of) for of in (None, person)]
frame = pd.DataFrame({"long answers": length, "crowd": board.ratings, "everybody": everybody[0].ratings}, models)
frame["error"], frame["error by person"] = (np.sqrt(np.diag(one.covariance)) for one in everybody)
print(frame.sort_values("long answers", ascending=False).iloc[[0, 1, -2, -1]].round(2))

# %%
# Picture: Ratings of twelve models with their intervals, the best on top. The true strengths, shown as crosses, lie
# inside nearly all intervals.

fig, ax = plt.subplots(figsize=(7, 4.2))
display = LeaderboardDisplay.from_ratings(board, ax=ax)
order = np.argsort(-board.ratings)
ax.plot((strength - strength.mean())[order], range(12), "x", color="black", label="true strength")
ax.legend(loc="lower right")
plt.show()

# %%
# **Features.** A new model has no battles, but it has a size and a length. `ComparisonLink` learns from the features of
# both models how probable each result is, with standard errors of its weights.

features = np.column_stack([size, length])
rows = np.column_stack([a, b])[:3000]
link = ComparisonLink(C=100.0).fit(stack_pairs(features, rows=rows), score[:3000])
print("weights of size and length", link.coef_.round(2), "+-", link.standard_errors_.round(2))
print("2 against 1, equally long: loses, ties, wins", link.predict_proba([[2.0, 0.0, 1.0, 0.0]])[0].round(2))

# %%
# **Margins.** `ComparisonSVM` learns from which difference on one counts as better. People tie at any difference, so
# there is no such threshold in these battles. A judge who follows a rule has one: this one calls a difference of less
# than 0.4 in `0.6 size + 0.5 length` a tie, and errs a little. The margin finds the threshold. What margins do not
# add are better probabilities: here both are alike, and on the five fresh tables of our contest the likelihood was
# ahead.


def judged(n):
    """Return n pairs of features, and the judge's labels of the first."""
    first, second = (np.column_stack([rng.uniform(0, 3, n), rng.uniform(-1, 1, n)]) for _ in range(2))
    d = (first - second) @ [0.6, 0.5] + 0.1 * rng.standard_normal(n)
    return stack_pairs(first, second), np.sign(d) * (np.abs(d) > 0.4)


(X, y), (new, truth) = judged(300), judged(3000)
svm = ComparisonSVM(kernel="linear", C=10.0, probability=True).fit(X, y)
link = ComparisonLink(C=10.0).fit(X, y)
print(
    "a difference of 1 unit of ComparisonSVM is", (1 / svm.coef_).round(2), "in size, in length: 0.67 and 0.8 are true"
)
for name, model in (("ComparisonSVM", svm), ("ComparisonLink", link)):
    print(f"{name:15} log loss {log_loss(truth, model.predict_proba(new)):.3f}, right {model.score(new, truth):.3f}")
