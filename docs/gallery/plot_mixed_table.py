"""Which cars go far on a gallon, and why?
=======================================

A table as people have it: 398 cars with names, numbers and missing cells. One line learns to put them in the order of
their miles per gallon. Then we ask which columns the order hangs on, and how.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.inspection import PartialDependenceDisplay, permutation_importance

from rankmargin import RankSearchCV
from rankmargin.inspection import ColumnWeightsDisplay
from rankmargin.metrics import concordance_index

FILE = "../start/cars.csv"  # Quinlan (1993), UCI Auto MPG; in the repository
cars = pd.read_csv(FILE).astype({"year": float})
mpg = cars.pop("mpg")
known, new = cars[:200], cars[200:]
print(known.head(3).to_string())

# %%
# `RankSearchCV` takes the frame as it is. Boosted trees need to be told that names are categories. Here the two are
# level.

ranker = RankSearchCV().fit(known, mpg[:200])
names = cars.astype({"maker": "category", "origin": "category"})
trees = HistGradientBoostingRegressor(random_state=0).fit(names[:200], mpg[:200])
print("share of the pairs of new cars in the right order")
scores_of = {"RankSearchCV": ranker.predict(new), "boosted trees": trees.predict(names[200:])}
for name, scores in scores_of.items():
    print(f"{name:13} {concordance_index(mpg[200:], scores):.3f}")

# %%
# Above: how far each column moves the scores, and by how much the share of right pairs falls if it is shuffled. Below:
# how the mean score moves with the weight of a car and with its year. Scores have no unit.
#
# Picture: Above, bars: the weight moves the scores most and costs most if it is shuffled, the year and the horsepower
# come next, and the other columns cost nearly nothing. Below, curves: the score falls steadily with the weight and
# rises with the year.

fig, ((moves, costs), (left, right)) = plt.subplots(2, 2, figsize=(9, 6))
ColumnWeightsDisplay.from_estimator(ranker, ax=moves)
lost = permutation_importance(ranker, new, mpg[200:], n_repeats=10, random_state=0)
pd.Series(lost.importances_mean, cars.columns).sort_values().plot.barh(ax=costs, color="C0")
costs.set(xlabel="share of pairs lost")
columns = ["weight", "year"]
PartialDependenceDisplay.from_estimator(ranker, new, columns, ax=[left, right], grid_resolution=30)
left.set(ylabel="mean score")
right.set(ylabel="")
plt.show()

# %%
# The list: new cars, the one that is likely to go furthest first.

ranked = new.assign(score=ranker.predict(new), mpg=mpg[200:]).sort_values("score", ascending=False)
shown = ["maker", "origin", "year", "weight", "score", "mpg"]
print(ranked[shown].head(5).round(1).to_string(index=False))
