"""
Patients, some of whom left the study
=====================================

A study ends before every patient has had the event of interest. For the others only a lower bound of the time is
known: it is *censored*. Such a patient can still be ordered: after all patients whose event came earlier.
``fit(X, time, event=event)`` learns from exactly these pairs. ``predict`` returns scores that grow with the time: a
high score is a late event, a **low** risk.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes

from rankmargin import SwappedPairsSVM
from rankmargin.metrics import concordance_index

# %%
# **The times are invented.** The measurements are those of 442 real patients with diabetes, but times and study are
# simulated, so that the truth is known: the worse the progression of the disease within a year, the earlier the event.
# The patients enter a study one after the other, and it ends for all on the same day.

X, progression = load_diabetes(return_X_y=True)
rng = np.random.default_rng(0)
truth = rng.weibull(2.0, len(X)) * 10.0 * np.exp(-(progression - progression.mean()) / 60.0)
train, test = np.arange(len(X)) % 2 == 0, np.arange(len(X)) % 2 == 1


def study(end):
    """Return what is known when the study ends: a time for each patient, and whether it is that of the event."""
    known_for = end * np.random.default_rng(1).uniform(0.5, 1.0, len(X))
    return np.minimum(truth, known_for), truth <= known_for


# %%
# Three ways to learn from what is known: the order that is certain; only patients with an event; or all times as if
# each were the time of an event. All three are judged by the true times of other patients.


def order_of_others(time, rows, **given):
    """Return the share of pairs of test patients whose true times are in the order of the scores."""
    ranker = SwappedPairsSVM(kernel="linear", C=10.0).fit(X[rows], time[rows], **given)
    return concordance_index(truth[test], ranker.predict(X[test]))


ends = np.quantile(truth, [0.1, 0.15, 0.25, 0.4, 0.6, 0.8, 0.95])
censored, found = [], []
for end in ends:
    time, event = study(end)
    censored.append(1.0 - event[train].mean())
    found.append(
        [
            order_of_others(time, train, event=event[train]),
            order_of_others(time, train & event),
            order_of_others(time, train),
        ]
    )
print("censored", *np.round(censored, 2))
print(np.round(found, 2))

# %%
# With ``event=`` the order is about as good as if all times were known, even if nine of ten patients are censored.
# Without the censored patients, or with their times taken for events, it is worse where many are censored. The dashed
# line is a fit to the true times of the same patients.
#
# Picture: Concordance with the true times against the share of censored patients. With event= it stays near or above
# the dashed line of a fit to all true times. With events only, and with all times taken for events, it falls clearly
# where most patients are censored.

figure, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
for values, name, marker in zip(np.transpose(found), ("event=", "events only", "all as events"), "os^"):
    ax.plot(censored, values, marker=marker, label=name)
ax.axhline(order_of_others(truth, train), color="0.5", linestyle="--", label="all times known")
ax.set(xlabel="share of censored patients", ylabel="concordance with the true times of others")
ax.legend()
plt.show()
