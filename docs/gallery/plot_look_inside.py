"""
What has the ranker learned, and would more rows help?
======================================================

A fitted ranker orders new computers. Before we use it, we ask: Which columns matter most? How many rows does the
function depend on? Which pairs does it get wrong? Would a larger table make it better? Is each fit near its optimum?
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.model_selection import LearningCurveDisplay, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from rankmargin import RankSearchCV, SwappedPairsSVM
from rankmargin.inspection import ScoresDisplay, SearchDisplay, SwappedPairsDisplay, summary

FILE = Path("../../resources/data/machine-cpu/machine.data.xz")  # UCI Computer Hardware, in the repository
COLUMNS = ["cycle time", "least memory", "most memory", "cache", "least channels", "most channels"]
table = pd.read_csv(FILE, names=["vendor", "model", *COLUMNS, "performance", "estimate"])
X, y = table[COLUMNS], table["performance"]
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, random_state=0)

# %%
# The summary of a linear ranker lists its weights by name, also inside a pipeline. Rows with the coefficient 0 could be
# left out without changing the fit; here nearly every computer is close to another one and has a coefficient.

logarithm = FunctionTransformer(np.log1p, feature_names_out="one-to-one")
linear = make_pipeline(logarithm, StandardScaler(), SwappedPairsSVM(kernel="linear")).fit(X_train, y_train)
print(summary(linear))

# %%
# Are only near neighbours confused? On the left the scores of unseen computers against their performance, on the right
# the share of swapped pairs by how far the logarithms of their performance are apart.
#
# Picture: Left, points: the scores of unseen computers rise with their performance. Right, bars: the share of swapped
# pairs falls quickly with the difference of the logarithms, from two fifths for the nearest computers to almost
# nothing.

figure, (left, right) = plt.subplots(1, 2)
ScoresDisplay.from_estimator(linear, X_test, y_test, ax=left)
left.set(xscale="log", xlabel="performance", title="Unseen computers")
SwappedPairsDisplay.from_estimator(linear, X_test, np.log10(y_test), n_bins=8, ax=right)
right.set(xlabel="difference of log10(performance)", title="Who is confused with whom?")
plt.show()

# %%
# With a kernel we have to choose C. The dotted line is the largest gap of the five fits for each C: all gaps are within
# the tolerance of 0.001, so that the curve shows the effect of C and not of fits that stopped early.
#
# Picture: Scores of the test parts against C: thin lines for the five folds and a thick one for their mean, which is
# highest and almost the same at C = 1 and 10. A dashed line marks the chosen C = 1. A dotted line shows the largest
# gaps, about 0.001.

scaled = make_pipeline(logarithm, StandardScaler()).fit_transform(X_train)
search = RankSearchCV(Cs=10.0 ** np.arange(-2, 3), param_grid=None, scale=False, cv=5, fast=False).fit(scaled, y_train)
C = search.best_params_["C"]
print(f"C = {C:g}: {search.best_score_:.3f} of the pairs in the right order")
print(summary(search))
SearchDisplay.from_estimator(search).ax_.set_title("Scores of five folds and their mean")
plt.show()

# %%
# Would more rows help? Hardly: the curve of unseen rows is flat from sixty rows on.
#
# Picture: Learning curves from 10 to 100 training rows. The score on training rows falls slowly, that on held-out
# rows rises and has a much wider band; they approach each other.

shown = LearningCurveDisplay.from_estimator(SwappedPairsSVM(C=C), scaled, y_train, shuffle=True, random_state=0)
shown.ax_.set(title="Share of pairs in the right order", xlabel="training rows", ylabel="score")
plt.show()
