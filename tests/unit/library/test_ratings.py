"""Elo and Glicko: published worked examples, an independent definition, bad input."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from rankmargin.ratings import Fide, Ratings, elo, expected_score, glicko


def tournament(seed, n_players=12, n_games=150, n_periods=9):
    """Random games with draws; not every player plays in every period."""
    rng = np.random.default_rng(seed)
    white = rng.integers(n_players, size=n_games)
    black = (white + rng.integers(1, n_players, size=n_games)) % n_players
    return (
        white * 7 + 3,
        black * 7 + 3,
        rng.choice([0.0, 0.5, 1.0], n_games),
        np.sort(rng.integers(0, n_periods, n_games)),
    )


def everyone(rating=1500.0, deviation=200.0):
    return Ratings.start(np.arange(12) * 7 + 3, rating, deviation)


def test_glickmans_worked_example():
    """ "The Glicko system": 1500 (200) beats 1400 (30), loses to 1550 (100) and 1700 (300): 1464 and 151.4."""
    start = Ratings.start([1, 2, 3, 4], [1500.0, 1400.0, 1550.0, 1700.0], [200.0, 30.0, 100.0, 300.0])
    rated = glicko([1, 3, 1], [2, 1, 4], [1.0, 1.0, 0.0], [0, 0, 0], start=start, c=0.0)
    assert rated.ratings.rating[0] == pytest.approx(1464.06, abs=0.05)
    assert rated.ratings.deviation[0] == pytest.approx(151.4, abs=0.01)
    np.testing.assert_array_equal(rated.white, [1500, 1550, 1500])
    np.testing.assert_array_equal(rated.black_deviation, [30, 200, 300])


def test_glickmans_expected_scores():
    """The same example: g = .9955, .9531, .7242 and E = .639, .432, .303 for the three opponents."""
    expected = expected_score(1500.0 - np.array([1400.0, 1550.0, 1700.0]), np.array([30.0, 100.0, 300.0]))
    np.testing.assert_allclose(expected, [0.639, 0.432, 0.303], atol=5e-4)


def test_glickmans_growth_of_the_deviation():
    """c = 63.2 takes a deviation from 50 to 350 in 30 periods (sqrt((350^2 - 50^2) / 30))."""
    start = Ratings.start([1, 2], 1500.0, 50.0)
    first = glicko([1], [2], [0.5], [0], start=start, c=63.2)
    after = replace(first.ratings, deviation=start.deviation)
    for periods, deviation in ((29, 344.0), (30, 349.8), (31, 350.0)):
        later = glicko([1], [2], [0.5], [periods], start=after, c=63.2)
        assert later.white_deviation[0] == pytest.approx(deviation, abs=0.3)
    assert first.white_deviation[0] == 50.0


def test_elos_worked_example():
    """A player of 1613 with K = 32 scores 2.5 of 5 against 1609, 1477, 1388, 1586, 1720 (draw against 1477): 1601."""
    start = Ratings.start(np.arange(6), [1613.0, 1609.0, 1477.0, 1388.0, 1586.0, 1720.0])
    rated = elo([0] * 5, [1, 2, 3, 4, 5], [0.0, 0.5, 1.0, 1.0, 0.0], [0] * 5, start=start, k=32.0)
    assert rated.ratings.rating[0] == pytest.approx(1601, abs=0.5)
    np.testing.assert_allclose(expected_score(1613.0 - rated.black), [0.506, 0.686, 0.785, 0.539, 0.351], atol=6e-4)


def elo_by_definition(white, black, score, periods, advantage, rule):
    """Plain Python, one dict per quantity."""
    rating, games, elite = {}, {}, set()
    for period in sorted(set(periods.tolist())):
        change = {}
        for w, b, s, p in zip(white.tolist(), black.tolist(), score.tolist(), periods.tolist(), strict=True):
            if p == period:
                lead = rating.get(w, 2380.0) + advantage - rating.get(b, 2380.0)
                for i, won, ahead in ((w, s, lead), (b, 1 - s, -lead)):
                    change.setdefault(i, []).append(won - 1 / (1 + 10 ** (-ahead / 400)))
        for i, surpluses in change.items():
            k = rule.elite if i in elite else rule.new if games.get(i, 0) < rule.new_games else rule.usual
            rating[i] = rating.get(i, 2380.0) + k * sum(surpluses)
            games[i] = games.get(i, 0) + len(surpluses)
            if rating[i] >= rule.elite_rating:
                elite.add(i)
    return rating, games, elite


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("batch", [True, False])
def test_elo_is_its_definition(seed, batch):
    white, black, score, periods = tournament(seed)
    rule = Fide(new_games=12)
    rated = elo(white, black, score, periods if batch else None, start=everyone(2380.0), k=rule, advantage=30.0).ratings
    numbers = periods if batch else np.arange(len(score))
    rating, games, elite = elo_by_definition(white, black, score, numbers, 30.0, rule)
    np.testing.assert_allclose(rated.rating, [rating[i] for i in rated.players.tolist()], rtol=1e-12)
    np.testing.assert_array_equal(rated.games, [games[i] for i in rated.players.tolist()])
    assert set(rated.players[rated.elite].tolist()) == elite
    assert 0 < len(elite) < 12


def glicko_by_definition(white, black, score, periods, c):
    """Glickman's steps 1 and 2, player by player."""
    q = math.log(10) / 400
    player = {}
    for period in sorted(set(periods.tolist())):
        games = {}
        for w, b, s, p in zip(white.tolist(), black.tolist(), score.tolist(), periods.tolist(), strict=True):
            if p == period:
                games.setdefault(w, []).append((b, s))
                games.setdefault(b, []).append((w, 1 - s))
        before = {}
        for i in games:
            r, rd, last = player.get(i, (1500.0, 200.0, period))
            before[i] = r, min(math.sqrt(rd**2 + c**2 * (period - last)), 350.0)
        for i, played in games.items():
            r, rd = before[i]
            inverse, total = 0.0, 0.0
            for j, s in played:
                g = 1 / math.sqrt(1 + 3 * q**2 * before[j][1] ** 2 / math.pi**2)
                e = 1 / (1 + 10 ** (-g * (r - before[j][0]) / 400))
                inverse += q**2 * g**2 * e * (1 - e)
                total += g * (s - e)
            precision = 1 / rd**2 + inverse
            player[i] = r + q / precision * total, math.sqrt(1 / precision), period
    return player


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("batch", [True, False])
def test_glicko_is_its_definition(seed, batch):
    white, black, score, periods = tournament(seed)
    rated = glicko(white, black, score, periods if batch else None, start=everyone(), c=40.0).ratings
    player = glicko_by_definition(white, black, score, periods if batch else np.arange(len(score)), 40.0)
    by_definition = np.array([player[i] for i in rated.players.tolist()])
    np.testing.assert_allclose(rated.rating, by_definition[:, 0], rtol=1e-12)
    np.testing.assert_allclose(rated.deviation, by_definition[:, 1], rtol=1e-12)


def test_the_scripts_of_the_paper_are_options():
    """Elite by a list and never by rating."""
    white, black, score, _ = tournament(0)
    start = Ratings.start(np.arange(12) * 7 + 3, 1200.0, 200.0, elite=np.arange(12) * 7 + 3 >= 40)
    rated = elo(white, black, score, start=start, k=Fide(elite_rating=np.inf)).ratings
    np.testing.assert_array_equal(rated.elite, rated.players >= 40)
    first = elo([3], [80], [1.0], start=start, k=Fide(elite_rating=np.inf)).ratings
    assert first.rating[0] - 1200 == pytest.approx(15.0)
    assert 1200 - first.rating[-1] == pytest.approx(5.0)


@pytest.mark.parametrize("system", [elo, glicko])
def test_dates_are_periods(system):
    """Days since 1970 as integers, also for hours within the days, days before 1970, and pandas; months are months."""
    white, black, score, days = tournament(5)
    shifted = days - 4 + np.datetime64("1970-01-01", "D")
    plain = system(white, black, score, days - 4, start=everyone()).ratings
    hours = np.sort(np.random.default_rng(0).integers(0, 24, len(days))).astype("timedelta64[h]")
    within = np.sort(shifted.astype("datetime64[h]") + hours)
    assert np.array_equal(within.astype("datetime64[D]"), shifted)
    for dates in (shifted, within, within.astype("datetime64[ns]"), pd.Series(within)):
        rated = system(white, black, score, dates, start=everyone()).ratings
        np.testing.assert_array_equal(rated.rating, plain.rating)
        np.testing.assert_array_equal(rated.deviation, plain.deviation)
    months = np.sort(days).astype("datetime64[M]")
    np.testing.assert_array_equal(
        system(white, black, score, months, start=everyone()).ratings.deviation,
        system(white, black, score, days, start=everyone()).ratings.deviation,
    )


@pytest.mark.parametrize("system", [elo, glicko])
def test_without_a_start_all_players_of_the_games_start_alike(system):
    white, black, score, periods = tournament(6)
    players = np.union1d(white, black)
    start = Ratings.start(players, 1500.0, 350.0 if system is glicko else 0.0)
    plain, given = (system(white, black, score, periods, start=of).ratings for of in (None, start))
    for name in ("players", "rating", "deviation", "games"):
        np.testing.assert_array_equal(getattr(plain, name), getattr(given, name))


def test_a_player_who_starts_at_the_elite_rating_is_elite():
    start = Ratings.start(["a", "b"], [2410.0, 2000.0])
    rated = elo(["a"], ["b"], [0.0], start=start, k=Fide()).ratings
    assert rated.elite.tolist() == [True, False] and not start.elite.any()
    assert rated.rating[0] == pytest.approx(2410 - 10 * expected_score(410.0))


def test_no_games_have_no_periods():
    start = Ratings.start(["a", "b"], 1500.0, 100.0)
    for system in (elo, glicko):
        np.testing.assert_array_equal(system([], [], [], [], start=start).ratings.rating, start.rating)


@pytest.mark.parametrize("system", [elo, glicko])
def test_ratings_that_were_read_from_a_table_go_on_as_those_that_were_kept(system):
    """In a file they may be whole numbers; rounded after each period, forty games missed a rating by 20 points."""
    start, games = Ratings.start(["ann", "bob"], 1500.0, 200.0), (["ann"] * 40, ["bob"] * 40, [1, 0.5, 1, 1] * 10)
    table = pd.DataFrame(
        {name: getattr(start, name) for name in ("players", "rating", "deviation", "games", "elite", "last")}
    )
    table = table.astype({"rating": int, "deviation": int, "elite": int})
    read = Ratings(**{name: table[name] for name in table})
    kept = system(*games, start=start).ratings
    for given in (read, Ratings(**{name: table[name].to_numpy() for name in table})):
        np.testing.assert_array_equal(system(*games, start=given).ratings.rating, kept.rating)
        assert given.rating.tolist() == [1500, 1500], "what was given stays"
    with pytest.raises(ValueError, match=r"rating must be one value or have shape \(2,\), got shape \(3,\)"):
        system(*games, start=Ratings(**{**vars(start), "rating": np.ones(3)}))


@pytest.mark.parametrize("system", [elo, glicko])
def test_newcomers_of_a_later_season_start_beside_the_players_of_the_first(system):
    """As if they had been there from the start, without games."""
    white, black, score, periods = tournament(3)
    late = periods >= 4
    everybody = Ratings.start([*range(3, 87, 7), 1, 2], 1500.0, 200.0)
    white, black = np.where(late & (white == 3), 1, white), np.where(late & (black == 10), 2, black)
    whole = system(white, black, score, periods, start=everybody).ratings
    first = system(*(side[~late] for side in (white, black, score, periods)), start=everyone()).ratings
    joined = first.with_players([1, *white, 2, 2], rating=1500.0, deviation=200.0)
    second = system(*(side[late] for side in (white, black, score, periods)), start=joined).ratings
    assert joined.players.tolist() == [*range(3, 87, 7), 1, 2] and len(first.players) == 12
    for name in ("players", "rating", "deviation", "games", "last"):
        np.testing.assert_array_equal(getattr(second, name), getattr(whole, name))
    with pytest.raises(ValueError, match="got 1 which is not in players: with_players adds newcomers to start"):
        system(white[late], black[late], score[late], periods[late], start=first)
    with pytest.raises(ValueError, match=r"players must hold an id for each entry, .* all of one kind"):
        first.with_players(["a"])


@pytest.mark.parametrize("dates", [False, True])
def test_a_deviation_at_a_date_is_that_before_a_game_then(dates):
    white, black, score, periods = tournament(4)
    periods = periods + np.datetime64("2024-02-25") if dates else periods
    day = np.datetime64("2024-04-01") if dates else 20
    after = glicko(white, black, score, periods, start=everyone().with_players([1], 1500.0, 90.0), c=30.0).ratings
    then = glicko(after.players[:-1], after.players[1:], np.ones(12), [day] * 12, start=after, c=30.0)
    found = after.deviation_at(day, c=30.0)
    np.testing.assert_array_equal(found, np.append(then.white_deviation, then.black_deviation[-1]))
    assert found[-1] == 90 and np.all(found[:-1] > after.deviation[:-1])
    np.testing.assert_array_equal(
        after.deviation_at(periods[-1], c=30.0)[after.last == after.period], after.deviation[after.last == after.period]
    )
    assert not elo(white, black, score, periods).ratings.deviation_at(day).any()
    with pytest.raises(ValueError, match="period must not lie before period"):
        after.deviation_at(periods[0])
