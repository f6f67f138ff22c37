"""Readers of labelled pairs: the simulated norms, sushi, chess, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from rankbench.datasets.readers import read
from rankbench.papers.svmcompare.chess_features import ATTRIBUTES, EXPECTED, Games, features


def test_the_simulated_norms_know_their_latent_function(make_row):
    row = make_row(reader="squared_norm_pairs", file=(), target="label_linf", rows=50, nominal=())
    table = read(None, row)
    np.testing.assert_allclose(table.X[:, 2], np.abs(table.X[:, :2]).max(axis=1) ** 2)
    assert (table.kind, table.attributes, table.X.shape) == ("pairs", ("x1", "x2", "r"), (50, 6))
    assert np.mean(np.sign(table.X[:, 5] - table.X[:, 2])[table.y != 0] == table.y[table.y != 0]) > 0.95


@pytest.fixture
def sushi(tmp_path, make_row):
    """Two persons and eleven kinds; the first rates ten kinds as 0, 0, 1, 1, 2, 3, 4, 4, 4, 4 in another order."""
    first, second = [4, 0, 1, 4, 2, 0, 3, 4, 1, 4, -1], [-1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4]
    order = [[0, 3, 7, 9, 6, 4, 2, 8, 1, 5], [10, 1, 2, 3, 4, 5, 6, 7, 8, 9]]
    write = {
        "sushi3b.5000.10.score": "\n".join(" ".join(map(str, row)) for row in (first, second)),
        "sushi3b.5000.10.order": "11 1\n" + "\n".join("0 10 " + " ".join(map(str, row)) for row in order),
        "sushi3.idata": "\n".join(f"{i}\tname{i}\t1\t0\t{i}\t0.5\t1.5\t2.5\t0.1" for i in range(11)),
        "sushi3.udata": "7\t0\t2\t355\t0\t0\t0\t13\t4\t0\t1\n8\t1\t3\t100\t47\t0\t0\t0\t0\t0\t1",
    }
    for name, text in write.items():
        (tmp_path / name).write_text(text + "\n")
    return tmp_path, make_row(reader="sushi", file=tuple(write), target="label", nominal=())


def test_ratings_of_a_person_are_cut_into_five_couples(sushi):
    table = read(*sushi)
    minor = ATTRIBUTE = table.attributes.index("minor_group")
    couples = table.X[:, [minor, 14 + ATTRIBUTE]].astype(int).tolist()
    assert couples[:5] == [[1, 5], [2, 8], [4, 6], [0, 3], [7, 9]]
    assert couples[5:] == [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]
    assert table.y.tolist() == [0, 0, 1, 0, 0, 0, 0, 0, 0, 1]
    np.testing.assert_array_equal(table.X[0, 7:14], table.X[0, 21:])
    np.testing.assert_allclose(table.X[0, 10:14], [43.0621, 141.3544, 35.6938, 139.7033])


def test_before_2016_the_couples_were_cut_from_the_other_end(sushi):
    """The best come first, and of equal ones still the lowest number: 0, 3, 7, 9 (4 of 4), then 6, 4, 2, 8, 1, 5."""
    path, row = sushi
    table = read(path, replace(row, target="label_before_2016"))
    minor = table.attributes.index("minor_group")
    assert table.X[:5, [minor, 14 + minor]].astype(int).tolist() == [[0, 3], [7, 9], [6, 4], [2, 8], [1, 5]]
    assert table.y[:5].tolist() == [0, 0, 1, 0, 0]
    with pytest.raises(ValueError, match="target of reader sushi must be one of label, label_before_2016, got score"):
        read(path, replace(row, target="score"))


HEADER = "TEID,MonthID,WhitePlayer,BlackPlayer,WhiteScore\r"


def games(rng, months, n=40, players=4):
    """Return lines of random games between few players, so that all have many games."""
    rows = []
    for month in months:
        for _ in range(n):
            white, black = rng.choice(players, 2, replace=False) + 1
            rows.append((month, white, black, rng.choice([0, 0.5, 1])))
    return rows


def chess_row(make_row, target="label_1_2_3_3"):
    return make_row(reader="chess", target=target, nominal=())


def test_games_are_filtered_and_cut_by_months(tmp_path, make_row):
    rows = games(np.random.default_rng(0), (3, 1, 2))
    rows += [(1, 1, 9, 1.0), (3, 9, 2, 0.0), (1, 1, 2, -1.0)]  # too few games, and one that was never played
    text = HEADER + "\r".join(f"1,{m},{w},{b},{s:g}" for m, w, b, s in rows)
    (tmp_path / "games.csv").write_text(text)
    table = read(tmp_path / "games.csv", chess_row(make_row))
    assert table.partitions.sum() == (table.periods <= 2).sum() and (table.periods == 3).sum() == 40
    assert 70 < table.partitions.sum() < 80  # all but the first games of the four
    results = np.array([s for m, *_, s in rows[:40]])
    np.testing.assert_array_equal(table.y[-40:], 1 - 2 * results)
    with pytest.raises(ValueError, match="expected games in months 2 to 1"):
        read(tmp_path / "games.csv", chess_row(make_row, "label_2_1_3_3"))
    for cell, message in (("2,1,1,1,0.5", "two different players in a game, got 1 twice"), ("2,1,1,2,0.7", "got 0.7")):
        (tmp_path / "games.csv").write_text(text + "\r" + cell)
        with pytest.raises(ValueError, match=message):
            read(tmp_path / "games.csv", chess_row(make_row))


def known(played):
    """Attributes of White and Black by name, before each of the games (white, black, score)."""
    white, black, score = (np.array(column) for column in zip(*played, strict=True))
    games = Games(np.ones(len(white), int), white, black, score.astype(float))
    sides = features(games)
    return [dict(zip(ATTRIBUTES + EXPECTED, side.T, strict=True)) for side in sides[:2]] + [sides[2]]


def test_counts_by_hand():
    played = [(1, 2, 1.0), (2, 1, 0.5), (1, 3, 0.0), (1, 2, 0.5)]
    white, black, first = known(played)
    assert first.tolist() == [True, False, True, False]
    assert (white["games"][3], white["win"][3], white["draw"][3], white["loss"][3]) == (3, 1, 1, 1)
    assert white["beat_better"][3] == 0 and white["lost_worse"][3] == 2  # a draw and a loss as the higher rated
    assert white["percent_lost_worse"][3] == 1.0 and white["percent_beat_better"][3] == 0.5  # never the lower one
    assert black["beat_better"][3] == 1 and black["percent_beat_better"][3] == 1.0
    assert white["lag"][3] == 0 and black["lag"][3] == 1
    assert white["match_history"][3] == black["match_history"][3] == 0.75
    assert white["percent_norm"][3] == pytest.approx(2 / 3) and white["percent_norm"][0] == 0
    assert white["player_move"].tolist() == [1, 1, 1, 1] and black["player_move"].tolist() == [0, 0, 0, 0]
    assert white["elo"][0] == 1200 and white["elo"][1] == 1185 and black["elo"][1] == 1215
    assert white["avg_score_diff"][1] == 0 and white["avg_score_diff"][2] == -15  # 0 and -30 points
    assert white["elo_expected"][0] == pytest.approx(1 / (1 + 10 ** (-30 / 400)))
    np.testing.assert_allclose(white["glicko_expected"] + black["glicko_expected"], 1)
