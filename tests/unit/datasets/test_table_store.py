"""Table: the values it refuses, the values that a file keeps, the changes that its digest notices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rankbench.datasets.table import Table, load_table, save_table, table_digest

X = np.array([[1.5, 0.0], [2.5, 1.0], [-0.0, 1.0]])
Y = np.array([3.0, 1.0, 2.0])
TABLE = Table(X, Y, ("a", "k"), ((), ("hi", "lo")))


@given(arrays(np.float64, (3, 2), elements=st.floats(allow_nan=False, allow_infinity=False)), st.text(max_size=5))
def test_every_number_and_name_survives(tmp_path_factory, X, name):
    path = tmp_path_factory.mktemp("t") / "t.npz"
    save_table(path, Table(X, Y, (name, name + "!"), ((), ())))
    again = load_table(path)
    np.testing.assert_array_equal(again.X, X)
    assert again.attributes == (name, name + "!")


def test_pairs_have_their_attributes_twice(tmp_path):
    y, periods = np.array([-1.0, 0.0, 1.0]), np.array([1.0, 1.0, 2.0])
    pairs = Table(np.hstack([X, X + 0.5]), y, ("a", "b"), ((), ()), kind="pairs", periods=periods)
    save_table(tmp_path / "t.npz", pairs)
    again = load_table(tmp_path / "t.npz")
    assert (again.kind, again.items, again.column_levels) == ("pairs", 2, ((),) * 4)
    np.testing.assert_array_equal(again.periods, periods)
    np.testing.assert_array_equal(again.only(("b",)).X, np.column_stack([X[:, 1], X[:, 1] + 0.5]))
    assert again.only(()) is again
    with pytest.raises(ValueError, match="attributes must be among a, b, got c"):
        again.only(("a", "c"))
    for changes, message in (
        ({"y": y + 1}, "y of pairs must be -1, 0 or 1, got 2"),
        ({"attributes": ("a", "b", "c", "d")}, "2 attributes"),
    ):
        parts = {"X": pairs.X, "y": y, "attributes": ("a", "b"), "levels": ((), ()), "kind": "pairs"}
        with pytest.raises(ValueError, match=message):
            Table(**{**parts, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"y": np.array([1.0, np.nan, 2.0])}, "y must be finite, got nan"),
        ({"y": Y[:2]}, "needs 3 targets"),
        ({"attributes": ("a",)}, "2 attributes"),
        ({"levels": ((), ("hi",))}, r"'k' must hold level codes 0\.\.0"),
    ],
)
def test_contradictions_are_refused(changes, message):
    parts = {"X": X, "y": Y, "attributes": ("a", "k"), "levels": ((), ("hi", "lo"))}
    with pytest.raises(ValueError, match=message):
        Table(**{**parts, **changes})


def test_the_digest_sees_values_and_levels_only():
    same = Table(X + 0.0, Y, ("b", "c"), TABLE.levels)
    assert table_digest(same) == table_digest(TABLE)
    for other in (
        Table(X + 1e-12, Y, TABLE.attributes, ((), ())),
        Table(X, Y[::-1].copy(), TABLE.attributes, TABLE.levels),
        Table(X, Y, TABLE.attributes, ((), ("hi", "low"))),
        Table(X[:, ::-1].copy(), Y, TABLE.attributes, ((), ())),
    ):
        assert table_digest(other) != table_digest(TABLE)
