"""The studies of Diez et al. at small sizes."""

from rankbench.papers.diez.studies import count_vectors, oracle_growth, problem_growth, slack_bound


def test_the_oracle_is_exact_on_small_problems():
    frame = oracle_growth({}, {}, sizes=[50, 100, 200], ranks=[2, 4, 8], trials=20, runs=2)
    assert (frame.loc[frame["part"] == "trial", "differing"] == 0).all() and len(frame) == 32
    assert (frame.loc[frame["part"] != "trial", "seconds"] > 0).all()


def test_count_vectors_give_the_sums_over_pairs():
    frame = count_vectors({}, {}, trials=30)
    assert frame[["loss_error", "psi_error", "strict_error"]].max().max() < 1e-12
    assert frame.loc[~frame["tied"], "auc_error"].max() < 1e-12
    assert 0 < frame["tied"].sum() < 30 and frame.loc[frame["tied"], "auc_error"].max() > 0


def test_problems_grow_as_they_are_counted():
    arguments = {"C": 50, "gamma": 0.1, "tolerances": [0.1]}
    frame = problem_growth({}, {}, sizes=[20, 40, 60], **arguments)
    assert frame["n_pairs"].tolist() == [n * (n - 1) // 2 for n in (20, 40, 60)]
    assert frame["threshold_rows"].tolist() == [n * (n - 1) for n in (20, 40, 60)]
    assert (frame["planes"] > 0).all() and frame["direct_bytes"].tolist() == [320, 640, 960]


def test_slack_is_an_upper_bound():
    frame = slack_bound({}, {}, trials=3)
    assert len(frame) == 9 and (frame["slack_sum"] >= frame["deviation"] - 1e-9).all()
