"""The metrics by which an experiment may judge: those of `rankmargin.metrics`, and the log loss of comparisons.

The second argument of a metric says what it judges: ``ranks``, ``probabilities``, or else scores.
"""

import numpy as np

from rankmargin import metrics

LEAST = 1e-6  # a probability below it counts as this one


def comparison_log_loss(y, probabilities):
    """Return the mean of minus the logarithm of the probability of what happened.

    Parameters
    ----------
    y : (n,) array of -1, 0 and 1
    probabilities : (n, 3) array, of these three labels
    """
    happened = np.take_along_axis(probabilities, np.asarray(y, dtype=int)[:, None] + 1, axis=1)
    return float(-np.mean(np.log(np.clip(happened, LEAST, 1.0))))


# what a metric judges -> the method of a fitted model, and the array of a run, that has it; of others, the scores
JUDGED = {"ranks": "labels", "probabilities": "probabilities"}
METRICS = {name: getattr(metrics, name) for name in metrics.__all__ if name != "get_scorer"}
METRICS["comparison_log_loss"] = comparison_log_loss
