"""The links of cumulative models: F, the logistic distribution (``logit``), the normal one (``probit``) or 1 -
exp(-exp(eta)) (``cloglog``), with log probabilities of intervals in which nothing cancels."""

from typing import Any

import numpy as np

MEDIANS = {"logit": 0.0, "probit": 0.0, "cloglog": float(np.log(np.log(2.0)))}  # F(median) = 1/2
LARGEST = 300.0  # a larger difference theta - s has the probability 0 or 1 to the last digit, with all three links


def _logit(up, low):
    """Return log (F(up) - F(low)) and its derivatives by up, low, up twice, low twice and both, for up > low.

    log p = log F(up) + log F(-low) + log(1 - exp(low - up)), in which nothing cancels.
    """
    up, low = np.clip(up, -LARGEST, LARGEST), np.clip(low, -LARGEST, LARGEST)
    below, above = np.exp(-np.abs(up)), np.exp(-np.abs(low))
    log_p = np.minimum(up, 0.0) - np.log1p(below) - np.maximum(low, 0.0) - np.log1p(above)
    width = -np.expm1(low - up)
    log_p += np.log(width)
    odds = (1.0 - width) / width  # 1 / (exp(up - low) - 1)
    curve = odds / width
    right, left = np.where(up > 0, below, 1.0) / (1.0 + below), np.where(low < 0, above, 1.0) / (1.0 + above)
    slopes = right + odds, -left - odds, -right * (1.0 - right) - curve, -left * (1.0 - left) - curve, curve
    return log_p, slopes


def _probit(up, low):
    """Return the same for the normal distribution; if both ends are positive, the other tail is used."""
    from scipy.special import log_ndtr

    flipped = low > 0
    far, near = np.where(flipped, -low, up), np.where(flipped, -up, low)
    log_far, log_near = log_ndtr(far), log_ndtr(near)
    log_p = log_far + np.log(-np.expm1(np.minimum(log_near - log_far, -1e-300)))
    finite_up, finite_low = np.clip(up, -1e100, 1e100), np.clip(low, -1e100, 1e100)
    half = 0.5 * np.log(2.0 * np.pi) + log_p
    up_slope, low_slope = np.exp(-0.5 * finite_up**2 - half), np.exp(-0.5 * finite_low**2 - half)
    slopes = (
        up_slope,
        -low_slope,
        -up_slope * (finite_up + up_slope),
        low_slope * (finite_low - low_slope),
        up_slope * low_slope,
    )
    return log_p, slopes


def _cloglog(up, low):
    """Return the same for F = 1 - exp(-exp(eta)): p = exp(-a) (1 - exp(a - b)) with a = exp(low), b = exp(up)."""
    a, b = np.exp(np.minimum(low, LARGEST)), np.exp(np.minimum(up, LARGEST))
    with np.errstate(over="ignore"):
        odds = 1.0 / np.expm1(b - a)
    log_p = -a + np.log(-np.expm1(a - b))
    more = 1.0 + odds
    slopes = b * odds, -a * more, b * odds * (1.0 - b * more), -a * more * (1.0 + a * odds), a * b * odds * more
    return log_p, slopes


# log (F(up) - F(low)) and its derivatives by up, low, up twice, low twice and both, for up > low
INTERVALS: dict[str, Any] = {"logit": _logit, "probit": _probit, "cloglog": _cloglog}


def distribution(link, eta):
    """Return F(eta), in the shape of ``eta``."""
    from scipy.special import expit, ndtr

    if link == "cloglog":
        return -np.expm1(-np.exp(np.minimum(eta, 700.0)))
    return (expit if link == "logit" else ndtr)(eta)
