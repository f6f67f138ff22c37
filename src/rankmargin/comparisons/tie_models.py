"""Win, tie and loss by a difference d of strengths, with a parameter t for ties.

    Davidson (1970)         P(win) = e^(d/2) / D,  P(tie) = e^t / D,  D = e^(d/2) + e^(-d/2) + e^t;  nu = e^t
    Rao and Kupper (1967)   P(win) = F(d - t),  P(loss) = F(-d - t),  F logistic, t > 0;  theta = e^t

Both have a concave log-likelihood in (d, t). With t = -inf Davidson's is the model of Bradley and Terry without ties.
"""

from dataclasses import dataclass

import numpy as np

from rankmargin.annotations import Array
from rankmargin.problem.links import INTERVALS


@dataclass(frozen=True)
class Slopes:
    """The log-likelihood of rows and its derivatives; the second ones have the sign of an information.

    Attributes
    ----------
    value : (n,) array
    d, t : (n,) arrays, the slopes
    dd, dt, tt : (n,) arrays, minus the second derivatives
    """

    value: Array
    d: Array
    t: Array
    dd: Array
    dt: Array
    tt: Array


def davidson(d, t, counts):
    """Return the :class:`Slopes` of rows with differences d (n,) and counts (n, 3) of losses, ties and wins."""
    lost, tied, won = counts.T
    size = np.abs(d)
    worse, tie = np.exp(-size), np.exp(t - size / 2)  # in units of the better player's e^(|d|/2), so none overflows
    total = 1.0 + worse + tie
    n, tie = lost + tied + won, tie / total
    mean, square = np.sign(d) * (1.0 - worse) / total, (1.0 + worse) / total
    value = (won - lost) * d / 2 + tied * np.where(tied > 0, t, 0.0) - n * (size / 2 + np.log(total))
    slope = (won - lost - n * mean) / 2
    return Slopes(value, slope, tied - n * tie, n * (square - mean**2) / 4, -n * mean * tie / 2, n * tie * (1 - tie))


def rao_kupper(d, t, counts):
    """Return the same for an ordered model with the thresholds -t and t."""
    edges = np.array([-np.inf, -t, t, np.inf])
    total = np.zeros((6, len(d)))
    for outcome in np.flatnonzero(counts.any(axis=0)):  # without ties t may be 0
        side = (-1.0, 1.0, 0.0)[outcome], (0.0, -1.0, 1.0)[outcome]  # slopes of the upper and of the lower edge by t
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):  # a step that leads too far is halved
            log, (up, low, up_up, low_low, both) = INTERVALS["logit"](edges[outcome + 1] - d, edges[outcome] - d)
            mixed = side[0] * up_up + side[1] * low_low + (side[0] + side[1]) * both
            bent = side[0] ** 2 * up_up + side[1] ** 2 * low_low + 2 * side[0] * side[1] * both
            parts = log, -(up + low), side[0] * up + side[1] * low, -(up_up + 2 * both + low_low), mixed, -bent
            total += counts[:, outcome] * np.stack(parts)
    return Slopes(*total)


MODELS = {"davidson": davidson, "rao_kupper": rao_kupper}


def first_guess(ties, share):
    """Return t at which equal players tie with this probability."""
    return float(np.log(2 * share / (1 - share)) if ties == "davidson" else np.log((1 + share) / (1 - share)))


def result_probabilities(model, d, t):
    """Return the probabilities of a loss, a tie and a win, shape (m, 3), for differences d (m,)."""
    return np.exp([model(d, t, np.tile(result, (len(d), 1))).value for result in np.eye(3)]).T
