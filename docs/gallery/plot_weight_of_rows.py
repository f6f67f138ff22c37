"""
The best C and the number of rows
=================================

The losses of the rankers are sums over pairs, and the number of pairs grows with the square of the number of rows. If C
is the weight of a pair, as in the papers, the best C falls as rows are added: a C that cross-validation chooses on 80
percent of the rows is another regularisation on all of them. With ``C_scale="rows"``, the default, C is the weight of a
row, and what was best on some rows stays good on more of them.
"""

import matplotlib.pyplot as plt
import numpy as np

from rankmargin import SwappedPairsSVM, rank_path

# %%
# A curved order with noise: the test rows say which C of a path is best on average over four draws of 40 to 320
# training rows.

rng = np.random.default_rng(0)
X = rng.standard_normal((1600, 5))
y = X[:, 0] + np.sin(2 * X[:, 1]) + 0.5 * rng.standard_normal(len(X))
X_test, y_test = X[1000:], y[1000:]
sizes = [40, 80, 160, 320]
grid = {"rows": 10.0 ** np.arange(-2, 2.1, 0.5), "pairs": 10.0 ** np.arange(-4, 0.6, 0.5)}


def curve(scale, n):
    """Return the test score for each C, shape (c,), the mean over four draws."""
    ranker, found = SwappedPairsSVM(gamma=0.2, C_scale=scale), []
    for _ in range(4):
        rows = rng.permutation(1000)[:n]
        path = rank_path(ranker, X[rows], y[rows], grid[scale])
        found.append([one.score(X_test, y_test) for one in path])
    return np.mean(found, axis=0)


scores = {scale: [curve(scale, n) for n in sizes] for scale in grid}

# %%
# Left: from 40 to 320 rows the best C falls tenfold if it weighs pairs. If it weighs rows, it moves by one step of the
# grid. Right: the whole curves.

figure, (left, *right) = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
for scale, marker in (("rows", "o"), ("pairs", "s")):
    left.plot(sizes, grid[scale][np.argmax(scores[scale], axis=1)], marker=marker, label=f'C_scale="{scale}"')
left.set(xscale="log", yscale="log", xlabel="training rows", ylabel="best C", xticks=sizes, xticklabels=sizes)
left.minorticks_off()
left.legend(frameon=False)
for ax, scale in zip(right, ("rows", "pairs")):
    for n, found in zip(sizes, scores[scale]):
        ax.plot(grid[scale], found, label=f"{n} rows")
    ax.set(xscale="log", xlabel="C", ylabel="pairs in the right order", title=f'C_scale="{scale}"')
right[-1].legend(frameon=False)
plt.show()
