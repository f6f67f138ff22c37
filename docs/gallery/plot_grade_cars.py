"""
From a table to probabilities of grades
=======================================

A typical table has numbers with some gaps, a column of names, grades in words, and rows that belong together. All steps
below are scikit-learn's own: ``ColumnTransformer``, a pipeline, a search whose folds keep makers
whole, probabilities, their calibration, and partial dependence.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.calibration import CalibrationDisplay
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.inspection import PartialDependenceDisplay
from sklearn.metrics import ConfusionMatrixDisplay, log_loss
from sklearn.model_selection import GridSearchCV, GroupKFold, GroupShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from rankmargin import SVOR
from rankmargin.metrics import get_scorer

FILE = Path("../../resources/data/auto-mpg/auto-mpg.data.xz")  # Quinlan (1993), UCI; in the repository
NUMBERS = ["displacement", "horsepower", "weight", "acceleration", "model_year"]
COLUMNS = ["mpg", "cylinders", *NUMBERS, "origin", "name"]

# %%
# The grade says in four words how far a car goes on a gallon; the categorical knows their order. Horsepower is missing
# for six cars. The maker is the first word of the name. Test cars are of makers that are not in the training part.

cars = pd.read_csv(FILE, sep=r"\s+", names=COLUMNS, na_values="?", dtype={"model_year": float})
cars["origin"] = cars["origin"].map({1: "America", 2: "Europe", 3: "Japan"})
maker = cars["name"].str.split().str[0]
grade = pd.cut(cars["mpg"], [0, 17, 22, 28, 50], labels=["thirsty", "fair", "good", "thrifty"])
X = cars[[*NUMBERS, "origin"]]
train, test = next(GroupShuffleSplit(test_size=0.35, random_state=3).split(X, grade, maker))
print(f"{len(train)} cars of {maker[train].nunique()} makers, and {len(test)} cars of {maker[test].nunique()} others")
print(grade[train].value_counts(sort=False).to_dict())

# %%
# One estimator from the raw table to the grade. The folds of the search keep each maker whole; the scorer knows that
# "thirsty" is further from "thrifty" than from "fair".

columns = make_column_transformer(
    (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), NUMBERS),
    (OneHotEncoder(handle_unknown="ignore"), ["origin"]),
)
search = GridSearchCV(
    make_pipeline(columns, SVOR(probability=True)),
    {"svor__C": [0.1, 1.0, 10.0], "svor__gamma": [0.03, 0.1, 0.3]},
    scoring=get_scorer("neg_mean_absolute_error"),
    cv=GroupKFold(4),
)
search.fit(X.iloc[train], grade.iloc[train], groups=maker.iloc[train])
print("chosen:", search.best_params_)
print("grades:", search.best_estimator_[-1].grades_)

# %%
# How good are the grades of makers that the model has not seen?

X_test, truth = X.iloc[test], grade.iloc[test]
predicted = search.predict(X_test)
print(f"right: {np.mean(predicted == truth):.2f}; off by {-search.score(X_test, truth):.2f} grades on average")
ConfusionMatrixDisplay.from_predictions(truth, predicted, labels=grade.cat.categories, colorbar=False)
plt.show()

# %%
# The probabilities have one column per class. Their log-loss is compared with that of the frequencies of the grades.

probability = pd.DataFrame(search.predict_proba(X_test), columns=search.classes_)
shares = grade.iloc[train].value_counts(normalize=True)[search.classes_]
alone = log_loss(truth, np.tile(shares, (len(test), 1)))
print(f"log-loss {log_loss(truth, probability):.2f}; of the shares alone {alone:.2f}")
print(probability[grade.cat.categories].iloc[::30].round(2))

# %%
# Are they calibrated? Among the cars whose probability of "this grade or better" is p, a share of p should have it.

at_least = probability[grade.cat.categories[::-1]].cumsum(axis=1)
figure, ax = plt.subplots(figsize=(6, 5))
for name in grade.cat.categories[1:]:
    CalibrationDisplay.from_predictions(
        truth >= name, at_least[name], n_bins=6, strategy="quantile", name=f"{name} or better", ax=ax
    )
plt.show()

# %%
# What makes a car thrifty? Partial dependence of the probability of one grade, along numbers and names alike.

features = ["weight", "model_year", "origin"]
figure, ax = plt.subplots(figsize=(9, 3.4))
PartialDependenceDisplay.from_estimator(
    search, X.iloc[train], features, target="thrifty", categorical_features=["origin"], grid_resolution=15, ax=ax
)
plt.show()
