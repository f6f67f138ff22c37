"""
How do I tune a ranker when rows belong to people?
==================================================

Forty people rate fifteen films each. Some are strict and some are kind, so a 6 of one person may mean as much as an 8
of another: only ratings of the same person may be compared. ``groups`` says who gave each rating. The fit, the score
and the folds of the cross-validation use it.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn import config_context
from sklearn.model_selection import GridSearchCV, GroupKFold

from rankmargin import SwappedPairsSVM

rng = np.random.default_rng(0)
person = np.repeat(np.arange(40), 15)
mood = 2.0 * rng.standard_normal(40)  # strict or kind
X = rng.standard_normal((600, 6)) + 0.4 * mood[person, None] * rng.standard_normal(6)  # people choose films by mood
y = X[:, 0] + 0.5 * X[:, 1] ** 2 - 2 * mood[person] + 0.5 * rng.standard_normal(600)

# %%
# scikit-learn passes groups to the fit and to the score if metadata routing is on and the estimator asks for them.

grid = {"C": [0.1, 1.0, 10.0, 100.0], "gamma": [0.03, 0.1]}
with config_context(enable_metadata_routing=True):
    ranker = SwappedPairsSVM(tol=1e-2).set_fit_request(groups=True).set_score_request(groups=True)
    inside = GridSearchCV(ranker, grid, cv=GroupKFold(4)).fit(X, y, groups=person)

    # The same without groups in the fit: pairs of different people are compared too.
    ranker = SwappedPairsSVM(tol=1e-2).set_fit_request(groups=False).set_score_request(groups=True)
    across = GridSearchCV(ranker, grid, cv=GroupKFold(4)).fit(X, y, groups=person)

for name, search in (("pairs inside a person", inside), ("all pairs", across)):
    print(f"{name:22} best {search.best_params_}, right order within unseen people {search.best_score_:.3f}")

# %%
# Folds hold out whole people. Within them, the ranker that compared people with each other is worse at every C.

fig, ax = plt.subplots()
for name, search, style in (("pairs inside a person", inside, "o-"), ("all pairs", across, "s--")):
    mean = search.cv_results_["mean_test_score"].reshape(4, 2).max(axis=1)
    ax.semilogx(grid["C"], mean, style, label=name)
ax.set(xlabel="C", title="Share of pairs in the right order, within people who were not in the training folds")
ax.legend()
plt.show()
