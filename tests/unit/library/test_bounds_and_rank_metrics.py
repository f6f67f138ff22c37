"""The margin bound against the theorem term by term, and the losses of ranks by hand."""

import math

import numpy as np
import pytest

from rankbench.papers.herbrich.margin_bound import margin_bound
from rankmargin.metrics import rank_inversions, swapped_pairs


def test_bound_is_theorem_2_2():
    """R = 1, margin 0.5, m = 100,001, delta = 0.05: k = (1 / (0.5 / 8))^2 = 256."""
    m = 100_000
    expected = 2 / m * (256 * math.log2(8 * math.e * m / 256) * math.log2(32 * m) + math.log2(8 * m / 0.05))
    assert margin_bound(0.5, 1.0, m + 1, 0.05) == pytest.approx(expected, rel=1e-12)


def test_bound_depends_on_margin_over_radius_and_falls_with_both():
    assert margin_bound(0.5, 1.0, 10**6, 0.05) == margin_bound(5.0, 10.0, 10**6, 0.05)
    assert margin_bound(1.0, 1.0, 10**6, 0.05) < margin_bound(0.5, 1.0, 10**6, 0.05)
    assert margin_bound(0.5, 1.0, 10**7, 0.05) < margin_bound(0.5, 1.0, 10**6, 0.05)
    assert margin_bound(0.5, 1.0, 10**6, 0.5) < margin_bound(0.5, 1.0, 10**6, 0.01)


def test_bound_says_nothing_for_small_samples():
    assert margin_bound(0.5, 1.0, 90, 0.05) == math.inf  # k = 256 > e 89
    assert margin_bound(0.5, 1.0, 96, 0.05) > 1


def test_inversions_are_the_classification_risk_of_pairs():
    """Theorem 2.1 on a sample: R_emp is the mean loss over all ordered pairs times the share of unequal pairs."""
    rng = np.random.default_rng(0)
    y, g = rng.integers(1, 6, (2, 50))
    loss = [((y[i] > y[j]) and g[i] <= g[j]) or ((y[j] > y[i]) and g[j] <= g[i]) for i in range(50) for j in range(50)]
    unequal = np.mean(y[:, None] != y[None, :])
    assert np.mean(loss) == pytest.approx(unequal * rank_inversions(y, g))
    assert rank_inversions(y, g) == swapped_pairs(y, g.astype(float))
