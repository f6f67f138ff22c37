"""Zero-one loss and ROC of comparisons: by hand, against scikit-learn, and by the definition of a threshold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from rankmargin.metrics import (
    comparison_auc,
    comparison_auc_any_direction,
    comparison_roc,
)

LATTICE = st.lists(st.tuples(st.sampled_from([-1, 0, 1]), st.integers(-6, 6)), min_size=2, max_size=20).filter(
    lambda rows: {0} < {abs(y) for y, _ in rows}
)


def test_curve_of_five_pairs_by_hand():
    """Descending |s|: 5 right, 4 wrong way, 3 tie, 2 right and tie at once, 0 no direction."""
    y = np.array([1, 1, 0, -1, 0, 1])
    s = np.array([5.0, -4.0, 3.0, -2.0, 2.0, 0.0])
    fpr, tpr, tau = comparison_roc(y, s)
    np.testing.assert_allclose(fpr, [0, 0, 0, 0.5, 1, 1])
    np.testing.assert_allclose(tpr, [0, 0.25, 0.25, 0.25, 0.5, 0.5])
    np.testing.assert_array_equal(tau, [np.inf, 5, 4, 3, 2, 0])
    _, tpr, _ = comparison_roc(y, s, "any_direction")
    np.testing.assert_allclose(tpr, [0, 0.25, 0.5, 0.5, 0.75, 1])
    assert comparison_auc(y, s) == pytest.approx(0.5 * 0.25 + 0.5 * (0.25 + 0.5) / 2)
    assert comparison_auc_any_direction(y, s) == pytest.approx(0.5 * 0.5 + 0.5 * (0.5 + 0.75) / 2)


@given(LATTICE)
def test_curves_are_rates_at_every_threshold(rows):
    """Table 3 by its definition, for every tau of the curve; the ends are those of claim S35."""
    y, s = (np.array(column) for column in zip(*rows, strict=True))
    for definition, hit in (("any_direction", y != 0), ("right_direction", (np.sign(s) == y) & (y != 0))):
        fpr, tpr, thresholds = comparison_roc(y, s, definition)
        assert (fpr[0], tpr[0], fpr[-1]) == (0.0, 0.0, 1.0)
        for at, tau in enumerate(thresholds):
            called = np.abs(s) >= tau
            assert fpr[at] == pytest.approx(np.mean(called[y == 0]))
            assert tpr[at] == pytest.approx(np.mean((called & hit)[y != 0]))


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
