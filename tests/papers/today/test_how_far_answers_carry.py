"""What docs/reproduction/contest.md says of how far its answers carry, compared with the kept records."""

import numpy as np
from checkout import ROOT, words_of
from scipy import stats
from shipped import Kept

from rankbench.claims.evidence import interval
from rankbench.experiments.experiment import Experiment
from rankbench.papers.today.contest import PLANNED, asked, questions
from rankbench.papers.today.robust import by_package, p_of, packages, to_settle
from rankbench.registry import STATISTICS
from rankmargin.significance import adjusted

PAGE = words_of("docs/reproduction/contest.md")


def of(name):
    """Return the differences of the planned questions in points, and their p values adjusted by Holm."""
    found = asked(Kept(name, ROOT).averages)
    planned = [100 * found[members].differences for members in PLANNED.values()]
    return planned, adjusted(np.array([p_of(one.to_numpy()) for one in planned]), "holm")


def asked_of(kept):
    return questions(kept.averages, kept.experiment)


def test_which_answers_stay_for_three_questions_together():
    fresh, holm = of("contest_fresh_200")
    assert (holm < 0.05).all() and "On B all three answers stay for three questions together." in PAGE
    clusters = [by_package(one, packages()).p for one in fresh]
    assert f"does not stay if packages are the draws (p = {clusters[0]:.2g})" in PAGE
    assert clusters[0] > 0.05 > max(clusters[1:])
    later, holm = of("contest_confirm_200")
    assert list(holm < 0.05) == [False, True, False]
    assert f"stays for three questions together ({holm[1]:.4f})" in PAGE
    assert f"does not ({holm[2]:.3f}), and the difference is clearly below the half point that counts here" in PAGE
    assert f'That of "does adding ours help" ({-later[1].mean():.2f}) is below it, too.' in PAGE
    told = f"{-later[2].mean():.2f} points, p = {p_of(later[2]):.3f} alone and {holm[2]:.3f} for the three questions"
    assert told in PAGE
    on_c, on_b = (asked_of(Kept(name, ROOT)) for name in ("contest_confirm_200", "contest_fresh_200"))
    assert on_c.loc[4, "clear"] == "alike" and on_c.loc[4, "against"].startswith("SVR")
    assert set(on_b.loc[[0, 1, 4], "clear"]) == {"none"} and "On B none is." in PAGE


def test_what_is_open_on_part_c():
    alone = of("contest_confirm_200")[0][0]
    span, better = interval(alone), int((alone < 0).sum())
    assert f"t interval {span.low:+.2f} to {span.high:+.2f}, better on {better} of {len(alone)} tables" in PAGE
    assert f"(sign test p = {stats.binomtest(better, len(alone)).pvalue:.2f})" in PAGE
    first = alone.sort_values()
    assert list(first.index[:2]) == ["r_saving", "r_backpacks"]
    assert f"saving and backpacks ({first.iloc[0]:.1f} and {first.iloc[1]:.1f}), carry the mean" in PAGE
    assert f"without them it is {first.iloc[2:].mean():.2f}." in PAGE
    assert f"About {to_settle(alone)} tables would settle it" in PAGE
    clustered = by_package(alone, packages())
    assert clustered.n == 12 and f"clear (p = {clustered.p:.4f}); this was not planned, and twelve packages" in PAGE


def test_what_part_a_says_and_what_two_tables_less_change():
    kept = Kept("contest_known_200", ROOT)
    row = asked_of(kept).iloc[0]
    told = f"CatBoost on {row.better} of {row.tables} tables, by {-float(row.difference):.2f} points"
    assert f"{told} (interval {row.low} to {row.high}): {row.answer}." in PAGE
    twice = {"bodyfat_density", "bank8"}
    rest = {name: made for name, made in kept.experiment.document["datasets"].items() if name not in twice}
    records = kept.counted[~kept.counted["dataset"].isin(twice)]
    ranks = STATISTICS["ranks"](records, Experiment.of(kept.experiment.document, datasets=rest))
    ranks = ranks.set_index("method")["average_rank"].sort_values()
    assert list(ranks.index[:3]) == ["self_tuning", "extra_trees", "svr"]
    first, trees, svr = (f"{rank:.2f}" for rank in ranks[:3])
    assert f"ours stays first ({first} of 35), and extra trees ({trees}) are just before SVR ({svr})" in PAGE


def test_an_interval_of_three_hold_outs():
    assert f"a 95 percent interval is {stats.t.ppf(0.975, 2):.1f} standard errors to each side" in PAGE
    assert Kept("contest_fresh_200", ROOT).experiment.seeds == Kept("contest_confirm_200", ROOT).experiment.seeds == 3
