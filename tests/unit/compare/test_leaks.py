"""Columns that hold the target are named, and others are not."""

import numpy as np
import pandas as pd
import pytest

from rankbench.compare.leaks import leaks_of
from rankbench.compare.look import look_at

N = 300
rng = np.random.default_rng(0)
PRICE = rng.lognormal(size=N)
HOUSES = pd.DataFrame({"area": PRICE + rng.normal(size=N), "price": PRICE})
COPIES = {
    "the target": PRICE,
    "in another currency": 1.1 * PRICE,
    "a monotone function": np.log(PRICE),
    "rounded": np.round(PRICE, 2),
    "in reverse": -PRICE,
    "with a little noise": PRICE * (1 + 0.001 * rng.normal(size=N)),
    "with holes": np.where(np.arange(N) % 3, PRICE, np.nan),
}


@pytest.mark.parametrize("copy", COPIES)
def test_a_copy_of_the_target_is_noted(copy):
    look = look_at(HOUSES.assign(copy=COPIES[copy]), "price")
    said = "copy orders the rows as the target does, or in reverse: if it is a copy of it or made from it, --drop=copy"
    assert look.notes == (said,)
    assert look_at(HOUSES.assign(copy=COPIES[copy]), "price", drop=["copy"]).notes == ()


def test_several_copies_are_one_note():
    look = look_at(HOUSES.assign(**{"the copy": PRICE, "euro": 1.1 * PRICE}), "price")
    assert look.notes[0].startswith("the copy, euro order the rows as the target does, or in reverse: if they are ")
    assert look.notes[0].endswith('--drop="the copy, euro"')


@pytest.mark.parametrize("levels", [2, 5])
def test_of_grades_a_number_behind_them_is_noted(levels):
    """Kendall's tau-b of such a column is far below 1, because equal grades are ties; the AUC of two values is 1."""
    grade = np.floor(levels * HOUSES["price"].rank(pct=True) * 0.999)
    look = look_at(HOUSES.assign(price=grade, score=PRICE), "price")
    assert look.kind == "grades" and look.notes[0].startswith("score orders the rows as the target does")


def test_inside_groups_only_rows_of_one_group_count():
    """The places inside each group are a copy there, although the same place is many prices."""
    frame = HOUSES.assign(town=np.arange(N) % 30)
    frame["price"] += 100 * frame["town"]
    frame["place"] = frame.groupby("town")["price"].rank()
    assert leaks_of(frame, ["area", "place"], "price", "town") == ["place"]
    assert leaks_of(frame, ["area", "place"], "price") == []


def test_a_good_column_is_no_copy_and_a_rare_grade_says_nothing():
    """One row of 300 may be the first by a column that has nothing to do with it."""
    good = HOUSES.assign(rooms=PRICE * (1 + 0.1 * rng.normal(size=N)))
    assert look_at(good, "price").notes == ()
    rare = (np.arange(N) == 7).astype(int)
    assert leaks_of(pd.DataFrame({"y": rare, "a": rare + rng.random(N)}), ["a"], "y") == []
    sparse = np.where(np.arange(N) < 6, PRICE, np.nan)
    assert leaks_of(HOUSES.assign(sparse=sparse), ["sparse"], "price") == []
