"""The areas of comparisons: by hand, against scikit-learn, and by the definition of a threshold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from rankbench.experiments.measures import comparison_auc_any_direction
from rankmargin.metrics import comparison_auc

LATTICE = st.lists(st.tuples(st.sampled_from([-1, 0, 1]), st.integers(-6, 6)), min_size=2, max_size=20).filter(
    lambda rows: {0} < {abs(y) for y, _ in rows}
)


def test_areas_of_five_pairs_by_hand():
    """Descending |s|: 5 right, 4 wrong way, 3 tie, 2 right and tie at once, 0 no direction."""
    y = np.array([1, 1, 0, -1, 0, 1])
    s = np.array([5.0, -4.0, 3.0, -2.0, 2.0, 0.0])
    assert comparison_auc(y, s) == pytest.approx(0.5 * 0.25 + 0.5 * (0.25 + 0.5) / 2)
    assert comparison_auc_any_direction(y, s) == pytest.approx(0.5 * 0.5 + 0.5 * (0.5 + 0.75) / 2)


@given(LATTICE)
def test_the_area_lies_under_the_rates_at_every_threshold(rows):
    """Table 3 by its definition, for every threshold, from infinity to 0."""
    y, s = (np.array(column) for column in zip(*rows, strict=True))
    called = np.abs(s) >= np.array([np.inf, *range(6, -1, -1)])[:, None]
    fpr, right = called[:, y == 0].mean(axis=1), (called & (np.sign(s) == y))[:, y != 0].mean(axis=1)
    assert comparison_auc(y, s) == pytest.approx(np.trapezoid(right, fpr))


@given(LATTICE)
def test_areas_are_known_statistics(rows):
    """Any direction: the usual AUC of |s|. Right direction: at most that, and at most the share of right directions."""
    y, s = (np.array(column) for column in zip(*rows, strict=True))
    any_direction = comparison_auc_any_direction(y, s)
    assert any_direction == pytest.approx(roc_auc_score(y != 0, np.abs(s)))
    right = comparison_auc(y, s)
    assert right <= any_direction + 1e-12
    assert right <= np.mean((np.sign(s) == y)[y != 0]) + 1e-12
    assert comparison_auc(-y, -s) == pytest.approx(right)
    assert comparison_auc(y, 3.0 * s) == pytest.approx(right)
    directed = np.where(y == 0, s, np.abs(s) * y)
    if np.all(s[y != 0] != 0):
        assert comparison_auc(y, directed) == pytest.approx(any_direction)
