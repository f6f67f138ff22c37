"""
From a table to grades with names
=================================

A typical table has numbers with some gaps, a column of names, grades in words, and rows that belong together. The
columns, the pipeline and the calibration below are scikit-learn's own; the search is ``RankSearchCV``, whose folds keep
makers whole.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.calibration import CalibrationDisplay
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import GroupKFold, GroupShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from rankmargin import SVOR, RankSearchCV

FILE = Path("../../resources/data/auto-mpg/auto-mpg.data.xz")  # Quinlan (1993), UCI; in the repository
NUMBERS = ["displacement", "horsepower", "weight", "acceleration", "model_year"]
COLUMNS = ["mpg", "cylinders", *NUMBERS, "origin", "name"]

# %%
# The grade says in four words how far a car goes on a gallon; the categorical knows their order. Horsepower is missing
# for six cars. The maker is the first word of the name. The test cars come from makers that the training part lacks.

cars = pd.read_csv(FILE, sep=r"\s+", names=COLUMNS, na_values="?", dtype={"model_year": float})
cars["origin"] = cars["origin"].map({1: "America", 2: "Europe", 3: "Japan"})
maker = cars["name"].str.split().str[0]
grade = pd.cut(cars["mpg"], [0, 17, 22, 28, 50], labels=["thirsty", "fair", "good", "thrifty"])
X, place = cars[[*NUMBERS, "origin"]], grade.cat.codes.to_numpy()

# %%
# One estimator from the raw table to the grade; the folds of its search keep each maker whole. It is compared with
# two classifiers that you might use anyway, on the same columns. They do not know that "thirsty" is further from
# "thrifty" than from "fair". All see the same five divisions of the makers.


def columns():
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    return make_column_transformer((numbers, NUMBERS), (OneHotEncoder(handle_unknown="ignore"), ["origin"]))


grid = {"svor__gamma": [0.03, 0.1, 0.3]}
models = {
    "SVOR": RankSearchCV(make_pipeline(columns(), SVOR(probability=True)), param_grid=grid, cv=GroupKFold(4)),
    "logistic regression": make_pipeline(columns(), LogisticRegression()),
    "random forest": make_pipeline(columns(), RandomForestClassifier(random_state=0)),
}
found = {name: [] for name in models}
for train, test in GroupShuffleSplit(5, test_size=0.35, random_state=3).split(X, grade, maker):
    for name, model in models.items():
        model.fit(X.iloc[train], grade.iloc[train], **({"groups": maker.iloc[train]} if name == "SVOR" else {}))
        said = pd.Categorical(model.predict(X.iloc[test]), grade.cat.categories).codes
        loss = log_loss(grade.iloc[test], model.predict_proba(X.iloc[test]), labels=model.classes_)
        found[name].append([np.mean(said == place[test]), np.mean(abs(said - place[test])), loss])
print("method               right  grades off  log-loss")
for name, numbers in found.items():
    print(f"{name:20} {'        '.join(f'{number:.2f}' for number in np.mean(numbers, axis=0))}")

# %%
# The three are close, and the forest is a little better: an ordinal SVM is not what these cars need. Are the
# probabilities of SVOR calibrated? Among the cars whose probability of "this grade or better" is p, a share of p
# should have it.
#
# Picture: Calibration curves for fair or better, good or better, and thrifty or better: the share of cars that have
# the grade against its predicted probability. Most points lie a little above the diagonal of perfect calibration, and
# those far from it lie on both sides. With so few cars the curves are rough.

probability = pd.DataFrame(models["SVOR"].predict_proba(X.iloc[test]), columns=models["SVOR"].classes_)
at_least = probability[grade.cat.categories[::-1]].cumsum(axis=1)
figure, ax = plt.subplots(figsize=(6, 5))
for name, marker in zip(grade.cat.categories[1:], "s^o", strict=True):
    truth, label = grade.iloc[test] >= name, f"{name} or better"
    curve = CalibrationDisplay.from_predictions(truth, at_least[name], n_bins=6, name=label, ax=ax)
    curve.line_.set_marker(marker)
ax.legend(loc="lower right")
plt.show()
