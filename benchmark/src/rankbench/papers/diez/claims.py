"""The claims D01 to D17 of Díez, del Coz and Bahamonde."""

import numpy as np
import pandas as pd
from scipy import stats

from rankbench.claims.evidence import Interval, interval, share, slope, slope_of_runs, some
from rankbench.claims.rules import again, alike, always, each, mostly, on_seconds, table, together
from rankbench.claims.verdict import BY_CONSTRUCTION, EXACT, HOLDS, Claim, Lacking, Measured, add
from rankbench.papers.diez.printed import with_difference
from rankbench.statistics.intervals import half_width

OURS, TABLE, THEORY = "svm_multi_sp", "diez_table1", "diez_theory"
MARKS, DRAWS = (0.05, 0.01), 4000
IN_N, IN_R = 1.2, 1.05  # slopes: more than 1 in n because of the logarithm


def beside(frame, published):
    """Return our cells of Table 1, or their tests, with the printed ones, whose data sets have other names."""
    ours = frame.assign(key=frame["dataset"].str.replace("_", ""))
    printed = published.assign(key=published["dataset"].str.lower())
    return ours.merge(printed, on=["key", "method"], suffixes=("", "_printed"))


def _cells(summary, published):
    cells = with_difference(some(beside(summary, published), "a printed cell"))
    return Measured(figure=(cells["difference"], cells["standard_error"], np.inf))


def _compared(*opponents):
    """Return the names of what D02 to D10 compare: the same two means on the same 12 data sets."""
    return frozenset(f"{OURS} and {opponent}" for opponent in opponents)


def _bootstrap(cells):
    """Return t values and mean differences (DRAWS, n_cells) of our hold-outs drawn anew."""
    t = cells["t"].to_numpy() + np.random.default_rng(0).standard_normal((DRAWS, len(cells)))
    return t, t * cells["standard_error"].to_numpy()


def _marks(t, n):
    """Return, from paired t values, 2 where the direct method is better at level 0.01, 1 at 0.05, else 0."""
    critical = [stats.t.ppf(1 - level / 2, np.asarray(n) - 1) for level in MARKS]
    return sum((np.asarray(t) > value).astype(int) for value in critical)


def _over_sets(row):
    """Return the interval of the mean difference over the data sets, in points, from a row of the statistic overall."""
    mean, n = 100 * row["mean_difference"], int(row["n_datasets"])
    half = half_width(abs(mean / row["t"]), n) if row["t"] else np.nan
    return Interval(mean, mean - half, mean + half, n)


def _against(opponent, what):
    """Return the measure of what is stated of an opponent: our draw, real reruns on other draws, and a bootstrap."""

    def measure(overall, per_dataset, draws, protocols, published, *others):
        plain = protocols[protocols["condition"] == "standard_onehot"]
        chosen = [some(one[one["opponent"] == opponent], opponent) for one in (overall, draws, plain, published)]
        (ours, *real, printed), cells = (
            chosen,
            some(per_dataset[per_dataset["method"] == opponent].dropna(subset="t"), opponent),
        )
        real, ours, printed = pd.concat([ours, *real]), ours.iloc[0], printed.iloc[0]
        if len(cells) < 2:
            raise Lacking(f"a test over data sets needs at least two of them, got {len(cells)}")
        t, by = _bootstrap(cells)
        found = what(
            ours, real, printed, cells, t, by, *(some(one[one["method"] == opponent], opponent) for one in others)
        )
        return Measured(**{**vars(found), "compared": _compared(opponent)})

    return measure


def _wins(ours, real, printed, cells, t, by):
    said, theirs = ("{wins}/{ties}/{losses} wins/ties/losses".format(**one) for one in (ours, printed))
    figure = printed["wins"], real["wins"], (by > 0).sum(axis=1), "g"
    return Measured({"": interval((real["wins"] - real["losses"]).to_numpy())}, said, theirs, figure=figure)


def _significant(ours, real, printed, cells, t, by, disjoint):
    """By the paper's test; tests that count the overlap of hold-outs stand beside it."""
    fits = cells[cells["mean_difference"] > 0].dropna(subset="corrected_p")
    fair = [*(fits["corrected_p"] < 0.05), *((disjoint["holm_p"] < 0.05) & (disjoint["mean_difference"] > 0))]
    again = (t > stats.t.ppf(0.975, cells["n_pairs"].to_numpy() - 1)).sum(axis=1)
    shares = interval((real["significant_wins"] / real["wins"].clip(lower=1) - 0.5).to_numpy())
    overlap = Measured(
        {"": share(sum(fair), len(fair)).plus(-0.5)}, f"{sum(fair)} of {len(fair)} tests are significant"
    )
    return Measured(
        {"share of the wins minus one half": shares},
        "{significant_wins} of {wins} wins are significant".format(**ours),
        "{significant_wins} of {wins} wins".format(**printed),
        figure=(printed["significant_wins"], real["significant_wins"], again, "g"),
        beside={"tests that count the overlap of hold-outs": overlap},
    )


def _across(ours, real, printed, cells, t, by):
    p = stats.ttest_1samp(by, 0.0, axis=1, alternative="greater").pvalue
    figure = printed["ttest_p_published"], real["p_one_sided"], p, ".2g"
    return Measured({"": _over_sets(ours)}, f"p = {ours['p_one_sided']:.2g}", f"p = {figure[0]}", figure=figure)


def _losses(per_dataset):
    """Without a loss there is nothing to test: the claim is then true, and not counted."""
    losses = per_dataset[per_dataset["mean_difference"] < 0]
    if losses.empty:
        return Measured(said="no losses", aside="nothing to test: no losses", settled=HOLDS)
    return Measured(losses["t_p"] < 0.05, "not significant {counts}", compared=_compared("svor5", "herbrich5"))


def _protocols(overall):
    some(overall[overall["opponent"] == "herbrich5"], "thinned pairs")
    names = zip(overall["condition"], overall["opponent"], overall.to_dict("records"))
    return Measured({f"{condition} {opponent}": _over_sets(row) for condition, opponent, row in names})


def _pattern(per_dataset, published):
    """No rerun gives all marks again, so the printed table is judged like a rerun of our own protocol."""
    cells = some(beside(per_dataset, published[published["method"] != OURS]).dropna(subset="t"), "a cell")
    marks, n = _marks(cells["t"], cells["n_pairs"]), cells["n_pairs"].to_numpy()
    theirs = np.select([cells["significance"] <= 0.01, cells["significance"] <= 0.05], [2, 1], 0)
    same, repeated = int((marks == theirs).sum()), (_marks(_bootstrap(cells)[0], n) == marks).sum(axis=1)
    return Measured(
        said=f"{same} of {len(cells)} cells have the printed mark",
        figure=(same, (), repeated, "g"),
        compared=_compared("svor5", "herbrich5"),
    )


def _oracle(growth):
    trials, *times = (some(growth[growth["part"] == part], part) for part in ("trial", "n", "r"))
    exact = 1.0 - 2.0 * bool((trials["differing"] > 0).any())
    slopes = [
        slope_of_runs(rows, part, "seconds", "run").minus.plus(limit)
        for rows, part, limit in zip(times, ("n", "r"), (IN_N, IN_R))
    ]
    cells = {
        "exact": Interval(exact, exact, exact, len(trials)),
        **dict(zip((f"{IN_N:g} minus the slope in n", f"{IN_R:g} minus the slope in r"), slopes)),
    }
    return Measured(
        cells,
        f"{(trials['differing'] == 0).sum()} of {len(trials)} small problems exact; slopes "
        f"{IN_N - slopes[0].mean:.2f} in n and {IN_R - slopes[1].mean:.2f} in r",
    )


def _sizes(growth):
    slopes = {
        name: slope(growth["n"], growth[column])
        for name, column in (("pairs", "pair_bytes"), ("a plane", "direct_bytes"))
    }
    said = (
        f"bytes by formula: slopes {slopes['pairs'].mean:.2f} and {slopes['a plane'].mean:.2f}; no memory was measured"
    )
    return Measured({"pairs": slopes["pairs"].plus(-2), "a plane": slopes["a plane"].plus(-1)}, said)


def _threshold_rows(growth):
    return Measured(
        {"rows": slope(growth["n"], growth["threshold_rows"]).plus(-2)},
        f"{growth['threshold_rows'].max():,} rows at n = {growth['n'].max()}",
    )


def _planes(growth):
    slopes = {
        f"1 minus the slope at tol {tol:g}": slope(rows["n"], rows["planes"]).minus.plus(1)
        for tol, rows in growth.groupby("tol")
    }
    return Measured(
        slopes,
        f"{growth['planes'].min():.0f} to {growth['planes'].max():.0f} planes for n = {growth['n'].min()} "
        f"to {growth['n'].max()}",
    )


def _two_counts(trials):
    errors = trials[["loss_error", "psi_error"]].max(axis=1)
    return Measured(errors, f"largest error {errors.max():.1g}; equal {{counts}}")


def _area(trials):
    untied, tied = (some(trials[trials["tied"] == ties], f"ties {ties}")["auc_error"] for ties in (False, True))
    said = (
        f"equal {{counts}}; without ties they differ by at most {untied.max():.1g}, with ties "
        f"across the classes by up to {tied.max():.2g}"
    )
    return Measured([*untied, *tied, trials["strict_error"].max()], said)


def _slack(trials):
    over, ratio = trials["deviation"] - trials["slack_sum"], (trials["deviation"] / trials["slack_sum"]).max()
    return Measured(
        over / (1 + trials["deviation"]),
        f"bounded {{counts}}; the deviation reaches {100 * ratio:.0f} percent of the sum",
    )


RERUNS, DISJOINT = ("diez_second_draw/draws", "diez_sensitivity/overall"), ("diez_disjoint/per_dataset",)
RUNS = (f"{TABLE}/overall", f"{TABLE}/per_dataset", *RERUNS, "published/diez_overall")
COUNT_VECTORS, GROWTH = (f"{THEORY}/count_vectors",), (f"{THEORY}/problem_growth",)
WINS = "The direct method wins on more data sets than it loses, over real reruns on other hold-outs."
MOST = (
    "Most wins are significant by the paired t-test over hold-outs, which we take for the paper's T-test; real reruns."
)
OVER = (
    "One-sided paired t-test at 0.05 over the means of the data sets, which gives the printed p from the printed means."
)
for opponent, names in {"svor5": ("D02", "D03", "D07"), "herbrich5": ("D04", "D05", "D08")}.items():
    sets = {"least": 1.0}, again, "wins minus losses"
    share_of_wins = {"least": 0.1}, again, "share of significant wins minus one half", 2
    means = {"least": 0.5, "level": 0.1}, again, "", 2, " points"
    tests, others = RUNS + DISJOINT, RERUNS + DISJOINT
    add(
        Claim(names[0], RUNS, _against(opponent, _wins), each, WINS, "", *sets, reruns=RERUNS),
        Claim(names[1], tests, _against(opponent, _significant), each, MOST, "", *share_of_wins, reruns=others),
        Claim(names[2], RUNS, _against(opponent, _across), each, OVER, "", *means, reruns=RERUNS),
    )
add(
    Claim(
        "D01",
        (f"{TABLE}/summary", "published/diez_table1"),
        _cells,
        None,
        "Our means and the printed ones, both with a standard error.",
        "36 cells",
        number=table,
    ),
    Claim(
        "D06",
        (f"{TABLE}/per_dataset",),
        _losses,
        always,
        "Paired t-tests at 0.05 where the direct method has the higher mean.",
        "0 of 6 losses",
    ),
    Claim(
        "D09",
        ("diez_sensitivity/overall",),
        _protocols,
        mostly,
        "Every combination of scaling, coding and bin rule that the text allows; one-sided "
        "tests over data sets at 0.05.",
        "p = 0.020 and 0.011 under one protocol",
        {"least": 0.5, "level": 0.1},
        decimals=2,
        unit=" points",
    ),
    Claim(
        "D10",
        (f"{TABLE}/per_dataset", "published/diez_table1"),
        _pattern,
        None,
        "The printed table is judged like a bootstrap rerun of ours.",
        "marks at 0.05 and 0.01 on 24 cells",
        number=again,
    ),
    Claim(
        "D11",
        (f"{THEORY}/oracle_growth",),
        _oracle,
        on_seconds(together),
        f"Algorithm 2 is exact, and its log-log slopes are at most {IN_N:g} in n and {IN_R:g} in r, over runs.",
        "max(O(n log n), O(n r))",
        {"least": 0.1},
        decimals=2,
        basis=EXACT,
    ),
    Claim(
        "D12",
        COUNT_VECTORS,
        _two_counts,
        always,
        "Equations 15 to 17 and 19 against the sums over all pairs.",
        "equality",
        {"same": 1e-9},
        word="equal",
        basis=EXACT,
    ),
    Claim(
        "D13",
        COUNT_VECTORS,
        _area,
        always,
        "Against 1 - AUC of scikit-learn: eq. (1) counts a tie as an error, AUC as half of one.",
        "equivalent",
        {"same": 1e-9},
        word="equal",
        basis=EXACT,
    ),
    Claim(
        "D14",
        GROWTH,
        _sizes,
        alike,
        "The bytes are formulas in n, so their slopes are no evidence.",
        "n^2 and n",
        {"margin": 0.4},
        decimals=2,
        aside=BY_CONSTRUCTION,
    ),
    Claim(
        "D15",
        GROWTH,
        _threshold_rows,
        alike,
        "The rows of implicit ordinal regression with r = n are n (n - 1) by definition.",
        "O(n^2)",
        {"margin": 0.1},
        word="slope minus 2",
        decimals=3,
        basis=EXACT,
        aside=BY_CONSTRUCTION,
    ),
    Claim(
        "D16",
        GROWTH,
        _planes,
        each,
        "Planes that Algorithm 1 added grow more slowly than n, at each tolerance.",
        "polynomially many",
        {"least": 0.5},
        decimals=2,
        basis=EXACT,
    ),
    Claim(
        "D17",
        (f"{THEORY}/slack_bound",),
        _slack,
        always,
        "Implicit ordinal regression on random training data with three values of C.",
        "upper bound",
        {"same": 1e-9},
        word="bounded",
        basis=EXACT,
    ),
)
