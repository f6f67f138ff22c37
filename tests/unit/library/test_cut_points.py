"""Monotone cut points compared with all possible ones, and the ranker that uses them."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankmargin.certificates.models import rank_scores
from rankmargin.metrics import mean_absolute_error, zero_one
from rankmargin.solvers.cut_points import best_cut_points

LOSS = {"absolute": mean_absolute_error, "zero_one": zero_one}


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 3)), min_size=1, max_size=9),
    st.sampled_from(["absolute", "zero_one"]),
)
def test_no_other_cut_is_better(points, loss):
    s, rank = (np.array(v, dtype=t) for v, t in zip(zip(*points, strict=True), (float, int), strict=True))
    theta = best_cut_points(s, rank, 4, loss)
    assert np.all(np.diff(theta[np.isfinite(theta)]) >= 0)
    found = LOSS[loss](rank, rank_scores(s, theta, np.arange(4)))
    grid = [-np.inf, *np.arange(-2.5, 3.0), np.inf]
    cuts = itertools.combinations_with_replacement(grid, 3)
    best = min(LOSS[loss](rank, rank_scores(s, np.array(cut), np.arange(4))) for cut in cuts)
    assert found == pytest.approx(best)


def test_scores_without_a_float_between_them_are_still_cut():
    a, b = 1.0, np.nextafter(1.0, 2.0)
    (cut,) = best_cut_points(np.array([a, b]), np.array([0, 1]), 2)
    assert a < cut <= b
