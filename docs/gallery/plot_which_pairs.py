"""
Which pairs should I ask people to order?
=========================================

You can ask people for some orderings, but not for all. The four samplers of ``rankmargin.sampling`` choose pairs: at
random, the closest pairs, close ones among a few random draws, or edges of a minimum spanning tree.
"""

import matplotlib.pyplot as plt
import numpy as np

from rankmargin import sampling

rng = np.random.default_rng(3)
Z = np.concatenate([rng.normal(centre, 0.5, (40, 2)) for centre in ([0, 0], [3, 0.5], [1.5, 2.5])])
order = Z.sum(axis=1)  # what people would answer
kernel = {"kernel": "rbf", "gamma": 1.0}

# %%
# Close pairs show where the function rises, but only where points are dense. A spanning tree reaches every point and
# joins the clusters. Random pairs are far apart, and people can often order them easily.
#
# Picture: Four panels with the same three clusters of points, and lines for the pairs that a sampler chooses: long
# lines across and between the clusters for random, tiny lines where points are dense for close_pair, short lines in
# all clusters for p_close_pair, and for sample_mst short lines that also reach outlying points.

fig, axes = plt.subplots(1, 4, figsize=(10, 2.8), sharex=True, sharey=True)
for ax, name in zip(axes, ("random", "close_pair", "p_close_pair", "sample_mst"), strict=True):
    pairs = getattr(sampling, name)(Z, 40, order, kernel, rng=0)
    length = np.linalg.norm(Z[pairs[:, 0]] - Z[pairs[:, 1]], axis=1)
    print(f"{name:12} joins {len(np.unique(pairs)):3} of {len(Z)} points, mean distance {length.mean():.2f}")
    ax.scatter(*Z.T, s=6, color="0.7")
    ax.plot(*Z[pairs].transpose(2, 1, 0), "o-", color="C0", markersize=2.5, linewidth=1)
    ax.set(title=name, xticks=[], yticks=[])
plt.show()
