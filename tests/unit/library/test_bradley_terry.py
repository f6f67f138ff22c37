"""Bradley and Terry: printed examples, results of other programs, bad input."""

import numpy as np
import pandas as pd
import pytest

from rankmargin.comparisons.ratings import SeparationError, bradley_terry

# Agresti, Categorical Data Analysis (2nd ed.), Table 10.10: American League 1987; games won at home and lost at home
BASEBALL = """Milwaukee Detroit 4 3, Milwaukee Toronto 4 2, Milwaukee New-York 4 3, Milwaukee Boston 6 1,
Milwaukee Cleveland 4 2, Milwaukee Baltimore 6 0, Detroit Milwaukee 3 3, Detroit Toronto 4 2, Detroit New-York 4 3,
Detroit Boston 6 0, Detroit Cleveland 6 1, Detroit Baltimore 4 3, Toronto Milwaukee 2 5, Toronto Detroit 4 3,
Toronto New-York 2 4, Toronto Boston 4 3, Toronto Cleveland 4 2, Toronto Baltimore 6 0, New-York Milwaukee 3 3,
New-York Detroit 5 1, New-York Toronto 2 5, New-York Boston 4 3, New-York Cleveland 4 2, New-York Baltimore 6 1,
Boston Milwaukee 5 1, Boston Detroit 2 5, Boston Toronto 3 3, Boston New-York 4 2, Boston Cleveland 5 2,
Boston Baltimore 6 0, Cleveland Milwaukee 2 5, Cleveland Detroit 3 3, Cleveland Toronto 3 4, Cleveland New-York 4 3,
Cleveland Boston 4 2, Cleveland Baltimore 2 4, Baltimore Milwaukee 2 5, Baltimore Detroit 1 5, Baltimore Toronto 1 6,
Baltimore New-York 2 4, Baltimore Boston 1 6, Baltimore Cleveland 3 4"""
# 20 games of each pair of six players: wins of the first, ties, losses
TIED = [(1, 2, 8, 7, 5), (1, 3, 10, 3, 7), (1, 4, 13, 2, 5), (1, 5, 9, 6, 5), (1, 6, 13, 7, 0), (2, 3, 6, 5, 9)]
TIED += [(2, 4, 11, 5, 4), (2, 5, 10, 6, 4), (2, 6, 11, 2, 7), (3, 4, 8, 7, 5), (3, 5, 7, 9, 4), (3, 6, 10, 8, 2)]
TIED += [(4, 5, 7, 6, 7), (4, 6, 5, 9, 6), (5, 6, 11, 4, 5)]


def games(rows, results=(1.0, 0.5, 0.0)):
    """Return the games of rows (first, second, number of each result), each once."""
    first, second, *numbers = np.array(rows, dtype=object).T
    numbers = np.array(numbers, dtype=int).T
    each = [np.repeat(side, numbers.sum(axis=1)) for side in (first, second)]
    return np.array(each[0].tolist()), np.array(each[1].tolist()), np.tile(results, len(rows)).repeat(numbers.ravel())


@pytest.mark.parametrize("advantage", [False, True])
def test_baseball_is_as_agresti_prints_it_and_as_r_computes_it(advantage):
    """BradleyTerry2 1.1.2 in R 4.2: ``BTm(cbind(home.wins, away.wins), home.team, away.team, ~ team [+ at.home])``."""
    rows = [row.split() for row in BASEBALL.replace("\n", " ").split(", ")]
    board = bradley_terry(*games(rows, (1.0, 0.0)), advantage=advantage)
    teams = ["Boston", "Cleveland", "Detroit", "Milwaukee", "New-York", "Toronto"]
    ahead, errors = board.differences(teams, "Baltimore")
    if advantage:
        found = [1.143802653297, 0.704694456900, 1.475357213586, 1.619554993578, 1.281340403276, 1.327110398072]
        known = [0.337842188911, 0.335001403342, 0.344551823286, 0.347365306113, 0.340403358811, 0.340322208808]
        assert board.advantage == pytest.approx(0.302260655528, abs=1e-10)
        assert board.advantage_error == pytest.approx(0.130943642532, abs=1e-6)
    else:
        found = [1.107697705372, 0.683852769153, 1.436408431806, 1.581355876655, 1.247617845135, 1.294485123905]
        known = [0.333877908162, 0.331876399144, 0.339568187482, 0.343255664026, 0.335860615785, 0.336669092693]
        printed = [1.11, 0.68, 1.44, 1.58, 1.25, 1.29]
        np.testing.assert_allclose(ahead, printed, atol=0.005)
    np.testing.assert_allclose(ahead, found, atol=1e-9)
    np.testing.assert_allclose(errors, known, atol=1e-6)  # R's are those of the last step but one
    assert np.abs(board.strengths.gradient).max() < 1e-10


def test_davidsons_ties_are_a_log_linear_model():
    """``glm(y ~ pair + tie + strengths, family = poisson)`` in R 4.2, whose coefficient of a tie is log nu."""
    board = bradley_terry(*games(TIED))
    ahead, errors = board.differences([1, 2, 3, 4, 5], 6)
    found = [1.548763139260, 1.034620659940, 1.109877009439, 0.285721922174, 0.587312006059]
    known = [0.340477993534, 0.327904747654, 0.329277417896, 0.323202043826, 0.323088663808]
    np.testing.assert_allclose(ahead, found, atol=1e-10)
    np.testing.assert_allclose(errors, known, atol=1e-8)
    assert np.log(board.ties) == pytest.approx(-0.141134233052, abs=1e-10)


def test_ties_as_half_a_win_are_those_of_choix_evalica_and_arena_rank():
    """choix 0.4.1 (``opt_pairwise``, each game twice), evalica 0.4.2 (tie_weight .5), arena-rank 0.1.1 (default,
    ``hessian_reg=1e-8``), whose ratings are 1000 + 400 / ln 10 times ours."""
    board = bradley_terry(*games(TIED), ties="half", scale=400 / np.log(10))
    evalica = [0.545641202179, 0.189895686538, 0.242090853884, -0.329753721285, -0.120620769353, -0.527253251963]
    choix = [0.545641202175, 0.189895686532, 0.24209085388, -0.329753721281, -0.120620769348, -0.527253251959]
    arena = [1094.787585282113, 1032.988259520198, 1042.055488784453, 942.715911383669, 979.046026186814]
    np.testing.assert_allclose(board.ratings * np.log(10) / 400, evalica, atol=1e-10)
    np.testing.assert_allclose(board.ratings * np.log(10) / 400, choix, atol=1e-10)
    np.testing.assert_allclose(board.ratings[:-1] + 1000, arena, atol=1e-8)
    variances = [664.561557980772, 651.935390569852, 594.985084750914, 637.567806529702, 596.945449787687]
    np.testing.assert_allclose(np.diag(board.covariance)[:-1], variances, rtol=1e-3)


def test_a_leaderboard_is_sorted_with_intervals_of_ratings_and_ranks():
    board = bradley_terry(*games(TIED))
    table = pd.DataFrame(board.table())
    assert table.player.tolist() == [1, 3, 2, 5, 4, 6] and table["rank"].tolist() == [1, 2, 3, 4, 5, 6]
    np.testing.assert_allclose(
        table.high - table.rating, 1.959964 * np.sqrt(np.diag(board.covariance))[table.player - 1]
    )
    assert (table.rank_low <= table["rank"]).all() and (table["rank"] <= table.rank_high).all()
    assert table.games.tolist() == [100] * 6 and "1, from 1 to 3" in repr(board)
    narrow = pd.DataFrame(board.table(level=0.5))
    assert (narrow.high - narrow.low < table.high - table.low).all()


@pytest.mark.parametrize(
    ("first", "second", "score", "named"),
    [
        ("abb", "bca", [1, 1, 0], r"\['a'\] never lost or tied against \['b', 'c'\]"),
        ("abab", "bacc", [1, 1, 1, 1], r"\['c'\] never won or tied against \['a', 'b'\]"),
        ("acd", "bdc", [0.5, 0, 0], r"\['a', 'b'\] never met \['c', 'd'\]"),
        (
            "abcdefgh",
            "bcdefghg",
            [0.5] * 6 + [1, 0],
            r"\['h'\] never won or tied against \['a', 'b', 'c', 'd', 'e', 'f', \.\.\.\]",
        ),
    ],
)
def test_who_is_separated_from_whom_is_named(first, second, score, named):
    with pytest.raises(SeparationError, match=f"{named}.*: prior=1 gives"):
        bradley_terry(list(first), list(second), score)
    assert np.isfinite(bradley_terry(list(first), list(second), score, prior=1.0).ratings).all()


def test_a_covariance_matrix_that_would_fill_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr("rankmargin.comparisons.leaderboard.MOST_SQUARED", 5)
    board = bradley_terry(*games(TIED))
    with pytest.raises(ValueError, match="at most 5 for a covariance matrix, got 6: differences"):
        _ = board.covariance
