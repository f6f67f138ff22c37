"""
Grades: margins (SVOR) or a likelihood (cumulative links)?
==========================================================

There are two ways to predict grades. SVOR separates neighbouring grades by a margin and takes any kernel. A cumulative
link model fits probabilities along a straight line. Which one is better depends on the shape of the data; here are two.
"""

import matplotlib.pyplot as plt
import numpy as np

from rankmargin import SVOR, CumulativeLink
from rankmargin.metrics import mean_absolute_error

rng = np.random.default_rng(2)


def made(n, curved):
    """Return n points of the plane and one of four grades: along a line, or with the distance from a point."""
    X = rng.uniform(-1, 1, (n, 2))
    utility = 2.2 * np.hypot(X[:, 0], X[:, 1]) - 1.6 if curved else X[:, 0] + 0.6 * X[:, 1]
    return X, np.digitize(utility + 0.15 * rng.logistic(size=n), [-0.7, 0.0, 0.7]) + 1


# %%
# Train on 300 points, test on 2,000.
#
# Picture: Four maps of predicted grades under the training points. Upper row, grades along a line: both models find
# diagonal stripes; those of SVOR bend. Lower row, grades in rings: SVOR finds the rings, and CumulativeLink gives
# almost the whole square one grade.

at = np.linspace(-1, 1, 80)
grid = np.stack(np.meshgrid(at, at), axis=-1).reshape(-1, 2)
fig, axes = plt.subplots(2, 2, figsize=(7, 5.6), sharex=True, sharey=True)
for row, curved in zip(axes, (False, True), strict=True):
    (X, y), (X_test, y_test) = made(300, curved), made(2000, curved)
    for ax, model in zip(row, (CumulativeLink(), SVOR(C=1.0, gamma=1.0)), strict=True):
        model.fit(X, y)
        error = mean_absolute_error(y_test, model.predict(X_test))
        print(
            f"{'curved' if curved else 'straight':8}  {type(model).__name__:14}  off by {error:.2f} grades on average"
        )
        ax.contourf(at, at, model.predict(grid).reshape(80, 80), levels=[0.5, 1.5, 2.5, 3.5, 4.5], alpha=0.5)
        ax.scatter(*X.T, c=y, s=8, edgecolors="black", linewidths=0.3)
        ax.set(title=f"{type(model).__name__}: off by {error:.2f}", xticks=[], yticks=[])
plt.show()

# %%
# If the grades change along a line, both find the same stripes, and the likelihood model also has probabilities:

(X, y), (X_test, y_test) = made(300, curved=False), made(3, curved=False)
model = CumulativeLink().fit(X, y)
for row, probabilities in zip(X_test, model.predict_proba(X_test), strict=True):
    print(row.round(2), "grades", model.classes_, "with probabilities", probabilities.round(2))
