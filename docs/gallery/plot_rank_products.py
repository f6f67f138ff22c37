"""
Which product is better, whatever it costs?
===========================================

You have a table of products with their technical data, and a measure of quality for some of them. You want to put new
products in order. Should you regress on the quality, or learn the order?

The products are 209 computers of the 1980s, described by clock, memory, cache and channels, without their price. Their
quality is the performance that a test measured. A few of them are a hundred times faster than many others, and this
disturbs a regression.
"""

import csv
import lzma
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from rankmargin import SwappedPairsSVM
from rankmargin.metrics import swapped_pairs

FILE = Path("../../resources/data/machine-cpu/machine.data.xz")  # UCI Computer Hardware, in the repository
with lzma.open(FILE, "rt") as text:
    table = [row for row in csv.reader(text) if row]
names = [f"{row[0]} {row[1]}" for row in table]
X = np.array([row[2:8] for row in table], dtype=float)  # clock, memory, cache, channels
y = np.array([row[8] for row in table], dtype=float)  # published relative performance

# %%
# All models see the same twenty random halves of the table. The score is the share of pairs of unseen computers in the
# right order.

models = {
    "regression": make_pipeline(StandardScaler(), LinearRegression()),
    "regression on log(quality)": make_pipeline(StandardScaler(), LinearRegression()),
    "SVR on log(quality)": make_pipeline(StandardScaler(), SVR(C=10.0)),
    "random forest": RandomForestRegressor(random_state=0),
    "SwappedPairsSVM, linear": make_pipeline(StandardScaler(), SwappedPairsSVM(C=1.0, kernel="linear")),
    "SwappedPairsSVM, Gaussian": make_pipeline(StandardScaler(), SwappedPairsSVM(C=10.0, gamma=0.1)),
}
right = {name: [] for name in models}
for train, test in ShuffleSplit(20, test_size=0.5, random_state=0).split(X):
    for name, model in models.items():
        target = np.log(y) if "log" in name else y
        scores = model.fit(X[train], target[train]).predict(X[test])
        right[name].append(1 - swapped_pairs(y[test], scores))
for name, shares in right.items():
    print(f"{name:28} {np.mean(shares):.3f} +- {np.std(shares):.3f}")

# %%
# A linear regression needs a decision about the scale of the target, and a bad decision is expensive. A ranker needs
# none: quality and its logarithm have the same order, so they are the same for it. It does not win here: the random
# forest is ahead by half a point, which is less than the spread over the halves. A Gaussian kernel does not help.

best = models["SwappedPairsSVM, linear"].fit(X[train], y[train])
scores = best.predict(X[test])
print("first three of the unseen computers:", [names[test[i]] for i in scores.argsort()[::-1][:3]])

fig, (left, middle) = plt.subplots(1, 2, width_ratios=[1, 1], figsize=(9, 3.6))
left.boxplot(list(right.values()), orientation="horizontal", tick_labels=list(right))
left.invert_yaxis()
left.set(title="Share of pairs in the right order")
middle.scatter(scores, y[test], s=12)
middle.set(yscale="log", xlabel="score of an unseen computer", title="Measured performance")
plt.show()
