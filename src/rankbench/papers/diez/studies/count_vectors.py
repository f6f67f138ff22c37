"""Equations 1 and 15 to 19 of Diez et al. on random data: count vectors against sums over all pairs, swapped pairs
against the area under the ROC curve."""

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

from rankmargin.metrics import swapped_pairs
from rankmargin.oracles.swapped_pairs import violations

MARGIN = 0.5
COLUMNS = ("n", "r", "loss_error", "psi_error", "tied", "auc_error", "strict_error")


def run(data, experiment, *, trials):
    """Compare both sides of each equation.

    Parameters
    ----------
    trials : int

    Returns
    -------
    DataFrame
        One row per trial: ``n r loss_error psi_error`` (the larger of absolute and relative, against sums over all
        pairs),
        and for two classes drawn from the same scores ``tied`` (whether two scores of different classes are equal),
        ``auc_error`` (to 1 - AUC of scikit-learn, which counts a tie as half an error) and ``strict_error`` (to the
        share of pairs not in strictly the right order).
    """
    rng, rows = np.random.default_rng(0), []
    for trial in range(trials):
        n, r = int(rng.integers(4, 60)), int(rng.integers(2, 10))
        X, y = rng.standard_normal((n, 3)), rng.integers(0, r, n)
        y[:2] = 0, 1
        s = rng.integers(-5, 6, n) / 4 if trial % 2 else rng.standard_normal(n)
        rows.append((n, r, *_count_errors(X, y, s), *_auc_errors((y > np.median(y[y < y.max()])).astype(int), s)))
    return pd.DataFrame(rows, columns=COLUMNS)


def _count_errors(X, y, s):
    """Return the errors of the loss (eq. 15 to 17) and of the joint features (eq. 18, 19) made of the two vectors."""
    found = violations(y, s, MARGIN)
    c = (y[:, None] > y).sum(1) - 2 * found.above
    d = (y[:, None] < y).sum(1) - 2 * found.below
    loss, psi = (0.5 * np.sum((y[:, None] > y).sum(1) - c)), (c - d) @ X
    pairs_loss, pairs_psi = 0.0, np.zeros(X.shape[1])
    for i, j in zip(*np.nonzero(y[:, None] > y)):
        label = -1 if s[i] - MARGIN < s[j] else 1
        pairs_loss += 0.5 * (1 - label)
        pairs_psi += label * (X[i] - X[j])
    return abs(loss - pairs_loss), float(np.max(np.abs(psi - pairs_psi) / np.maximum(1, np.abs(pairs_psi))))


def _auc_errors(label, s):
    positive, negative = s[label == 1], s[label == 0]
    loss, strict = swapped_pairs(label, s), 1 - np.mean(positive[:, None] > negative)
    tied = bool(np.isin(positive, negative).any())
    return tied, abs(loss - (1 - roc_auc_score(label, s))), abs(loss - strict)
