"""Comparisons in the contest: readers of games and choices, the methods, and what is measured."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from checkout import ROOT
from packed_frame import packed

from rankbench.datasets.sheet import load_sheet
from rankbench.papers.today.readers.comparisons import read

TEAMS = [f"team {letter}" for letter in "abcdefghijklmnopqr"]
CHOICES = {
    "id": [7, 7, 5],
    "price.tea": [3.0, 2.0, 1.0],
    "price.milk": [2.0, 2.5, 4.0],
    "price.water": [0.0, 0.0, 0.5],
    "ad.tea": [1, 0, 0],
    "age": [30, 30, 60],
    "choice": ["water", "milk", "tea"],
}


@pytest.fixture
def made(tmp_path):
    """A table of a data frame, by the reader of comparisons."""

    def to(columns, target, groups=""):
        frame = pd.DataFrame({name: pd.Series(of, dtype=object) for name, of in columns.items()}).infer_objects()
        frame = frame.astype({name: object for name in frame if frame[name].dtype.kind not in "if"})
        frame.columns = pd.Index(list(frame.columns), dtype=object)
        (tmp_path / "toy.pkl.compress").write_bytes(packed(frame))
        row = load_sheet(ROOT / "config/datasets.tsv")["r_train_choice"]
        return read(tmp_path / "toy.pkl.compress", replace(row, target=target, groups=groups))

    return to


def test_a_choice_is_compared_with_each_other_option(made):
    table = made(CHOICES, "choice", groups="id")
    assert table.attributes == ("name", "price") and table.levels == (("milk", "tea", "water"), ())
    expected = [  # milk and water, tea and water; milk and tea, milk and water; milk and tea, tea and water
        [0, 2.0, 2, 0.0, 1],
        [1, 3.0, 2, 0.0, 1],
        [0, 2.5, 1, 2.0, -1],
        [0, 2.5, 2, 0.0, -1],
        [0, 4.0, 1, 1.0, 1],
        [1, 1.0, 2, 0.5, -1],
    ]
    np.testing.assert_array_equal(np.column_stack([table.X, table.y]), expected)
    assert table.blocks.tolist() == [1, 1, 1, 1, 0, 0]


def test_a_choice_without_columns_of_its_options_is_refused(made):
    with pytest.raises(ValueError, match="expected columns of milk, tea, water, got age"):
        made({name: CHOICES[name] for name in ("id", "age", "choice")}, "choice", groups="id")
    with pytest.raises(ValueError, match="expected the column id, got choice"):
        made({"choice": ["a", "b"]}, "choice", groups="id")


def test_hold_outs_of_games_are_the_last_whole_seasons_in_the_order_of_time(made):
    pairs = [(home, away) for home in TEAMS for away in TEAMS if home != away]
    rows = [(2000 + season, home, away) for season in range(3) for home, away in pairs]
    rows = [row for row in rows if row[0] != 2001 or row[1] != "team a"]  # no whole season
    games = pd.DataFrame(rows, columns=["Year", "HomeTeam", "AwayTeam"])
    games["Date"] = [f"{year}-{at:04d}" for at, year in enumerate(games["Year"])]
    games["HomeGoals"], games["AwayGoals"] = np.arange(len(games)) % 3, 1
    backwards = games.iloc[::-1].to_dict("list")
    table = made(backwards, "HomeGoals")
    assert table.attributes == ("name", "home") and table.levels == (tuple(TEAMS), ())
    np.testing.assert_array_equal(table.X[:2], [[0, 1, 1, 0], [0, 1, 2, 0]])
    np.testing.assert_array_equal(table.y[:3], [1, 0, -1])
    before = len(games) - 306
    assert [np.flatnonzero(of).tolist() for of in table.partitions] == [[*range(before, before + 230)], [*range(230)]]
