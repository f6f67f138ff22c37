"""
How do I grade wines, and where are the thresholds?
===================================================

Tasters gave each of 1,599 red wines one of six grades. A grade is not a number: the step from 5 to 6 need not be as
large as that from 6 to 7. Support vector ordinal regression learns one score and the thresholds between the grades.
"""

import io
import tarfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rankmargin import SVOR
from rankmargin.metrics import mean_absolute_error

FILE = Path("../../resources/data/ordinal-uco/winequality-red.gpor.tar.xz")  # Cortez et al. (2009), in the repository


def read(part):
    with tarfile.open(FILE) as archive:
        text = archive.extractfile(f"winequality-red/{part}_winequality-red.0").read().decode()
    table = np.loadtxt(io.StringIO(text))
    return table[:, :-1], table[:, -1].astype(int) + 2  # the tasters' grades are 3 to 8


(X, y), (X_test, y_test) = read("train"), read("test")
X, y = X[::2], y[::2]  # half of them is enough here

# %%
# Six grades have five thresholds.

grader = make_pipeline(StandardScaler(), SVOR(C=1.0, gamma=0.05, tol=1e-5)).fit(X, y)
svor = grader[-1]
print("grades    ", svor.classes_)
print("thresholds", svor.thresholds_.round(2))

# %%
# How good are the grades? Two simple measures, beside those of a random forest and of a model that always predicts the
# most frequent grade. On this half the two are alike. [The contest](../guide/today.md#grades) has more tables.

predicted = grader.predict(X_test)
forest = RandomForestClassifier(random_state=0).fit(X, y).predict(X_test)
for name, grades in (("SVOR", predicted), ("random forest", forest), ("always 5", np.full_like(y_test, 5))):
    print(
        f"{name:13} right {np.mean(grades == y_test):.2f}, off by {mean_absolute_error(y_test, grades):.2f} on average"
    )

# %%
# The scores of the unseen wines, one row per true grade. Scores between two thresholds get the same predicted grade.
# The gaps differ: the grades 5 and 6 cover a wide range of scores, and few wines get a higher or a lower grade.
#
# Picture: Scores of unseen wines, one row of points per true grade from 3 to 8, with vertical lines at the
# thresholds. Better wines have higher scores on average, but neighbouring grades overlap widely. Nearly all scores
# lie in the ranges of the grades 5, 6 and 7.

scores = svor.score_samples(grader[:-1].transform(X_test))
rng = np.random.default_rng(0)
fig, ax = plt.subplots()
for grade in svor.classes_:
    at = y_test == grade
    ax.scatter(scores[at], grade + rng.uniform(-0.25, 0.25, at.sum()), s=8, alpha=0.6)
for threshold in svor.thresholds_:
    ax.axvline(threshold, color="gray", linewidth=0.8)
edges = np.concatenate([[min(scores.min(), svor.thresholds_[0] - 0.3)], svor.thresholds_, [svor.thresholds_[-1] + 0.6]])
for grade, middle in zip(svor.classes_, (edges[1:] + edges[:-1]) / 2, strict=True):
    ax.annotate(str(grade), (middle, 8.6), ha="center", annotation_clip=False)
ax.set(xlabel="score; gray lines are the thresholds, numbers above the predicted grade", ylabel="true grade")
plt.show()
