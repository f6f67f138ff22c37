"""
The best C and the number of rows
=================================

The losses of the rankers are sums over pairs, and the number of pairs grows with the square of the number of rows. If C
is the weight of a pair, as in the papers, the best C falls as rows are added: a C that cross-validation chooses on 80
percent of the rows is too large for all of them. With ``C_scale="rows"``, the default, C is the weight of a row, and
a value that is good on a sample is good on all rows too.
"""

import matplotlib.pyplot as plt
import numpy as np

from rankmargin import SwappedPairsSVM, rank_path

# %%
# Eight curved orders with noise, each a random function of three features. The test rows say how good each C of a path
# is after 40 to 640 training rows.

GAMMA, DRAWS, TEST = 0.3, 8, 500
sizes = [40, 80, 160, 320, 640]
grid = 10.0 ** np.arange(-2, 1.6, 0.25)


def made(rng, n):
    """Return n rows and targets: the sum of 200 random waves, and noise of the same size."""
    waves = np.sqrt(2 * GAMMA) * rng.standard_normal((3, 200))
    X = rng.standard_normal((n, 3))
    f = np.sqrt(2 / 200) * np.cos(X @ waves + rng.uniform(0, 2 * np.pi, 200)).sum(axis=1)
    return X, f + rng.standard_normal(n)


scores = np.zeros((len(sizes), len(grid)))
for draw in range(DRAWS):
    X, y = made(np.random.default_rng(draw), sizes[-1] + TEST)
    for row, n in enumerate(sizes):
        path = rank_path(SwappedPairsSVM(gamma=GAMMA, tol=1e-2), X[:n], y[:n], grid)
        scores[row] += [one.score(X[-TEST:], y[-TEST:]) / DRAWS for one in path]

# %%
# With ``C_scale="pairs"``, C n / n_pairs is the same fit. So the curves of the other scale need no fits of their own.

per_pair = {n: n / (n * (n - 1) / 2) for n in sizes}
by_rows = SwappedPairsSVM(C=1.0, gamma=GAMMA).fit(X[:80], y[:80])
by_pairs = SwappedPairsSVM(C=per_pair[80], C_scale="pairs", gamma=GAMMA).fit(X[:80], y[:80])
print("the same coefficients:", np.allclose(by_rows.dual_coef_, by_pairs.dual_coef_))

# %%
# Left: from 40 to 640 rows the best C falls by a factor of nearly 30 if it weighs pairs, and by one step of the grid if
# it weighs rows. Right: the whole curves; the dots are their tops.
#
# Picture: Left: the best C against training rows is almost flat if it weighs rows, and falls steeply if it weighs
# pairs. Middle and right: pairs in the right order against C, one curve from 40 to 640 rows. The tops stay at nearly
# the same C if it weighs rows, and move to the left if it weighs pairs.

best = grid[scores.argmax(axis=1)]
weights = {"rows": dict.fromkeys(sizes, 1.0), "pairs": per_pair}
figure, (left, *right) = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
for (scale, weight), ax, marker in zip(weights.items(), right, "os"):
    left.plot(sizes, best * list(weight.values()), marker=marker, label=f'C_scale="{scale}"')
    for n, found, dashes in zip(sizes, scores, ("-", "--", "-.", ":", (0, (1, 3))), strict=True):
        (line,) = ax.plot(grid * weight[n], found, linestyle=dashes, label=f"{n} rows")
        ax.plot(grid[found.argmax()] * weight[n], found.max(), "o", color=line.get_color())
    ax.set(xscale="log", xlim=(5e-5, 5e1), ylim=(0.57, None), title=f'C_scale="{scale}"')
    ax.set(xlabel="C", ylabel="pairs in the right order")
left.set(xscale="log", yscale="log", xlabel="training rows", ylabel="best C", xticks=sizes, xticklabels=sizes)
left.minorticks_off()
left.legend(frameon=False)
right[-1].legend(frameon=False, loc="lower center", ncols=2)
plt.show()
