"""
What do people mean by "both are equally good"?
===============================================

People compare two coffees at a time: the first is better, the second is, or they cannot tell. "Cannot tell" is
information: it says how large a difference has to be before anyone notices. ComparisonSVM learns a ranking function and
this smallest difference together, which is 1 in units of its scores.
"""

import matplotlib.pyplot as plt
import numpy as np

from rankmargin import ComparisonSVM, stack_pairs

# %%
# The tasters are simulated: the quality of a coffee falls with its distance from the best strength and roast, and they
# notice a difference of 0.25 or more.

rng = np.random.default_rng(1)


def quality(items):
    return -((items - [0.6, 0.4]) ** 2 * [3.0, 1.5]).sum(axis=-1)


first, second = rng.uniform(0, 1, (2, 300, 2))
difference = quality(first) - quality(second) + 0.05 * rng.standard_normal(300)
label = np.sign(difference) * (np.abs(difference) > 0.25)
print({name: int(np.sum(label == value)) for value, name in ((1, "first"), (0, "neither"), (-1, "second"))})

pairs = stack_pairs(first, second)
svm = ComparisonSVM(C=10.0, gamma=2.0).fit(pairs, label)
print(f"right labels of the training pairs: {svm.score(pairs, label):.2f}")

# %%
# On the left is the learned ranking function. The step from line to line is 1, the smallest difference that counts: two
# coffees between neighbouring lines taste alike. On the right are new pairs: the learned difference against the true
# one. Inside the gray band the model says "neither".

at = np.linspace(0, 1, 60)
grid = np.stack(np.meshgrid(at, at), axis=-1).reshape(-1, 2)
rank = svm.rank(grid).reshape(60, 60)
new, other = rng.uniform(0, 1, (2, 400, 2))
learned, true = svm.score_samples(stack_pairs(new, other)), quality(new) - quality(other)

fig, (left, right) = plt.subplots(1, 2)
lines = left.contour(at, at, rank - rank.max(), levels=np.arange(-8, 0.1, 1.0), cmap="viridis")
left.clabel(lines, fmt="%d")
left.plot(0.6, 0.4, "k+", markersize=10)
left.set(xlabel="strength", ylabel="roast", title="Ranking function, steps of 1 (+: the true best)")
right.axhspan(-1, 1, color="0.9")
right.scatter(true, learned, s=8, c=np.where(np.abs(true) > 0.25, "C0", "C1"))
right.axvline(-0.25, color="gray", linewidth=0.8)
right.axvline(0.25, color="gray", linewidth=0.8)
right.set(xlabel="true difference; gray: smallest noticed", title="Learned difference of new pairs")
plt.show()
