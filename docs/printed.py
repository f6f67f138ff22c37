"""Tables of the printed numbers beside ours: printed, ours, and the difference with its standard error.

The printed numbers are in the rooms of the papers, ours in what is kept of the last full run
(`rankbench.report.artefact`).
"""

from pathlib import Path

import numpy as np
import pandas as pd
from cells import apart, change, difference, grouped, markdown
from scipy import stats

from rankbench.papers.diez.claims import beside
from rankbench.papers.ranksvr.printed import PRINTED_AS
from rankbench.papers.svmcompare.printed import beside as beside_points
from rankbench.records.frames import read_frame
from rankbench.registry import PUBLISHED

ROOT = Path(__file__).parents[1]
FRAMES = ROOT / "resources/reproduced/frames"
DATA = {"squared_linf": "squared max-norm", "squared_l1": "squared 1-norm", "squared_l2": "squared 2-norm"}
DATA |= {"sushi": "sushi"}
SIZES = {"fig4": "training pairs", "fig5": "share of equality pairs"}
SAMPLERS = {"random": "Random", "close_pair": "ClosePair", "p_close_pair": "PClosePair", "sample_mst": "SampleMST"}
TABLE1 = {"svor5": "SVOR_5", "herbrich5": "Herbrich_5", "svm_multi_sp": "SVM_multi^SP"}


def diez_table1():
    """Return the 36 means of Table 1; both are over 20 hold-outs."""
    both = _cells_of_table1()
    error = np.sqrt((both["ours_sd"] ** 2 + both["sd_swapped_pct"] ** 2) / both["n_runs"])
    return _by_method(both, "ours_mean", "mean_swapped_pct", error, difference)


def diez_table1_sd():
    """Return the 36 standard deviations of Table 1, with the errors that those of normal values have."""
    both = _cells_of_table1()
    error = np.sqrt((both["ours_sd"] ** 2 + both["sd_swapped_pct"] ** 2) / (2 * (both["n_runs"] - 1)))
    return _by_method(both, "ours_sd", "sd_swapped_pct", error, apart)


def _cells_of_table1():
    printed, ours = (
        pd.read_csv(PUBLISHED["diez_table1.csv"]),
        pd.read_csv(FRAMES / "diez_table1/statistics/summary.csv"),
    )
    cells = beside(ours, printed).assign(dataset=lambda both: both["dataset_printed"])
    both = cells.assign(ours_mean=100 * cells["mean"], ours_sd=100 * cells["sd"])
    if len(both) != len(printed):
        raise ValueError(f"the kept run must hold the {len(printed)} cells of Table 1, got {len(both)}")
    order = pd.MultiIndex.from_frame(printed[["dataset", "method"]])
    return both.set_index(["dataset", "method"]).loc[order].reset_index()


def _by_method(both, ours, printed, error, form):
    cells = [form(*cell, digits=2) for cell in zip(both[ours], both[printed], error)]
    both = both.assign(cell=cells, method=both["method"].map(TABLE1))
    wide = both.pivot(index="dataset", columns="method", values="cell")[list(TABLE1.values())]
    return markdown(wide.loc[both["dataset"].unique()].reset_index())


def diez_overall():
    """Return the counts and tests over the 12 data sets; the errors are the sd of the real reruns of D02 to D08."""
    ours = pd.read_csv(FRAMES / "diez_table1/statistics/overall.csv").set_index("opponent")
    plain = pd.read_csv(FRAMES / "diez_sensitivity/statistics/overall.csv").query("condition == 'standard_onehot'")
    draws = pd.read_csv(FRAMES / "diez_second_draw/statistics/draws.csv")
    reruns = pd.concat([ours.reset_index(), draws, plain]).set_index("opponent")
    rows = []
    for printed in pd.read_csv(PUBLISHED["diez_overall.csv"]).to_dict("records"):
        opponent = printed["opponent"]
        for name, (key, digits) in COUNTS.items():
            column = OURS_AS.get(key, key)
            found = ours.loc[opponent, column]
            by = change(found - printed[key], reruns.loc[opponent, column].std(), digits)
            rows.append((f"against {TABLE1[opponent]}", name, f"{printed[key]:.4g}", f"{found:.4g}", by))
    return grouped(pd.DataFrame(rows, columns=["against", "SVM_multi^SP", "printed", "ours", "difference"]), "against")


COUNTS = {  # what the table says -> column of the printed numbers, digits of the difference
    "wins over 12 sets": ("wins", 1),
    "ties": ("ties", 1),
    "losses": ("losses", 1),
    "significant wins (paired t, 0.05)": ("significant_wins", 1),
    "significant losses": ("significant_losses", 1),
    "marked at 0.05 but not at 0.01": ("n_sig_0.05", 1),
    "marked at 0.01": ("n_sig_0.01", 1),
    "p of the one-sided paired t-test over the 12 means": ("ttest_p_published", 3),
}
OURS_AS = {"ttest_p_published": "p_one_sided"}


def diez_disjoint():
    """Return the tests on training sets that share no row, from the kept full run."""
    tests = pd.read_csv(FRAMES / "diez_disjoint/statistics/per_dataset.csv")
    points = [f"{100 * value:.2f}" for value in tests.mean_difference]
    rows = zip(tests.dataset, tests.method.map(TABLE1), points, tests.t, tests.t_p, tests.holm_p)
    told = [(a, b, c, f"{t:.1f}", f"{p:.2g}", f"{holm:.2g}") for a, b, c, t, p, holm in rows]
    names = ["data set", "against", "lower by, points", "t", "p", "p, adjusted by Holm"]
    return markdown(pd.DataFrame(told, columns=names))


READINGS = {
    "standardised_validation": "chosen on training points",
    "standardised_best_on_test": "chosen on the test part",
}


def ranksvr_ratios():
    """Return the errors of Table 2 divided by that of SVR: the units of the paper's targets are not known."""
    errors = pd.read_csv(PUBLISHED["ranksvr_table2.csv"]).pivot(index="dataset", columns="method", values="mae")
    ratios = pd.read_csv(FRAMES / "ranksvr_table2/statistics/ratios.csv")
    ratios["error"] = (ratios["high"] - ratios["low"]) / 2 / stats.t.ppf(0.975, ratios["n_pairs"] - 1)
    printed = errors.div(errors["SVR"], axis=0)
    return _by_reading(ratios.rename(columns={"ratio": "ours"}), printed, SAMPLERS, 2)


def ranksvr_table2():
    """Return the errors of Table 2 in the units of our files: printed, and ours with parameters chosen honestly."""
    printed = pd.read_csv(PUBLISHED["ranksvr_table2.csv"]).pivot(index="dataset", columns="method", values="mae")
    records = read_frame(FRAMES / "ranksvr_table2/records.parquet")[0].query("condition == @HONEST")
    ours = records.groupby(["dataset", "method"])["absolute_error"].mean().unstack()
    names = {"svr": "SVR"} | SAMPLERS
    rows = []
    for dataset, name in PRINTED_AS.items():
        cells = [f"{printed.loc[name, label]:.3g} / {ours.loc[dataset, one]:.3g}" for one, label in names.items()]
        rows.append((dataset.replace("_", " "), *cells))
    return markdown(pd.DataFrame(rows, columns=["data set", *names.values()]))


HONEST = "standardised_validation"


def _by_reading(cells, printed, methods, digits):
    """Return a table for each data set, with a column for each of `READINGS`."""
    cells, rows = cells.set_index(["dataset", "method", "condition"]), []
    for dataset, name in PRINTED_AS.items():
        for method, label in methods.items():
            ours = [cells.loc[(dataset, method, reading)] for reading in READINGS]
            told = [apart(one["ours"], printed.loc[name, label], one["error"], digits) for one in ours]
            rows.append((dataset.replace("_", " "), label, *told))
    return grouped(pd.DataFrame(rows, columns=["data set", "method", *READINGS.values()]), "data set")


def svmcompare(figure, metric, factor, digits):
    """Return the printed cells of a figure beside ours, with the standard error of a mean over the same four sets."""
    summary = pd.read_csv(FRAMES / f"svmcompare_{figure}/statistics/summary.csv")
    both = beside_points(summary, pd.read_csv(PUBLISHED[f"svmcompare_{figure}.csv"]), metric)
    both = both[both["mean_printed"].notna() & (both["method"] != "truth")]
    error = np.sqrt((both["sd"] ** 2 + both["sd_printed"] ** 2) / both["n_runs"])
    values = zip(factor * both["mean"], factor * both["mean_printed"], factor * error)
    both["cell"] = [apart(*cell, digits) for cell in values]
    wide = both.pivot(index=["dataset", "x"], columns="method", values="cell")[both["method"].unique()]
    wide = wide.loc[[name for name in DATA if name in wide.index.levels[0]]].reset_index()
    wide["dataset"] = wide["dataset"].map(DATA)
    return grouped(wide.rename(columns={"x": SIZES[figure]}), "dataset")


def svmcompare_fig6():
    """Return the printed areas of the eight years, and ours of the one period that we have.

    The standard error is that of one more year beside the mean of the printed years.
    """
    printed = pd.read_csv(PUBLISHED["svmcompare_fig6.csv"])
    folder = FRAMES / "svmcompare_fig6/statistics"
    ours = pd.read_csv(folder / "summary.csv").set_index("method")["mean"].to_dict()
    ours["baseline"] = pd.read_csv(folder / "comparison_baseline.csv")["auc"].item()
    years = printed.pivot(index="model", columns="year", values="auc").loc[printed["model"].unique()]
    mean, error = years.mean(axis=1), years.std(axis=1) * np.sqrt(1 + 1 / years.shape[1])
    cells = [apart(ours[model], mean[model], error[model], 3) for model in years.index]
    return markdown(pd.DataFrame({"model": years.index, "mean of the printed years / ours, 2010": cells}))


def program(cells, below):
    """Return the errors with the threshold of the authors' program, a mean and its sd over four sets, bold if equal."""
    rows = []
    for cell in cells.to_dict("records"):
        data, _, size = cell["Pairs"].rpartition(", ")
        both = []
        for name in ("rank", "rank2"):
            printed, ours = (cell[f"{name} {whose}"].strip("*") for whose in ("printed", "ours"))
            equal = cell[f"{name} ours"].startswith("**")
            both.append(f"{EQUAL if equal else ''}{printed} / {ours}{EQUAL if equal else ''}")
        rows.append((data, size, *both))
    table = grouped(pd.DataFrame(rows, columns=["data", "pairs", "rank", "rank2"]), "data").replace(EQUAL, "**")
    return f"{table}\n\n{below}"


EQUAL = "\ufffc"  # no character of a table, so that it is not escaped


def ranksvr_table3():
    """Return the printed seconds of the samplers beside our milliseconds."""
    printed = pd.read_csv(PUBLISHED["ranksvr_table3.csv"]).set_index(["dataset", "method"])["seconds"]
    ours = pd.read_csv(FRAMES / "ranksvr_theory/statistics/sampling_as_printed.csv")
    ours = 1000 * ours.pivot_table(index="dataset", columns="sampler", values="seconds", aggfunc="sum", sort=False)
    ours["close_pair"] = ours["close_pair_as_printed"]
    rows = []
    for dataset in ours.index:
        theirs = printed[PRINTED_AS[dataset]]
        cells = [f"{theirs[label]:.4g} / {ours.loc[dataset, name]:.4g}" for name, label in SAMPLERS.items()]
        rows.append((dataset.replace("_", " "), *cells))
    return markdown(pd.DataFrame(rows, columns=["data set", *SAMPLERS.values()]))


SUBSTITUTES = {  # (data, method) in print -> our data and methods; the paper does not say which margin policy is meant
    ("eachmovie", "prank"): ("films", ["prank"]),
    ("eachmovie", "fixed_margin_svm"): ("films", ["fixed_margin"]),
    ("vehicle_type", "large_margin_ranking"): ("vehicles", ["fixed_margin", "sum_of_margins"]),
    ("vehicle_type", "pairwise_multiclass_svm"): ("vehicles", ["multiclass_svm"]),
    ("vehicle_type", "prank"): ("vehicles", ["prank", "kernel_prank"]),
}
METRICS = {
    "mean_abs_rank_error": ("mean_absolute_error", 1, 3, "error, ranks"),
    "test_error_pct": ("zero_one", 100, 1, "wrong ranks, percent"),
}


def shashua_levin():
    """Return the printed numbers beside ours on the substitutes; errors are over the users, or over the runs."""
    films, vehicles = (read_frame(FRAMES / f"shashua_levin_{name}/records.parquet")[0] for name in ("fig2", "vehicle"))
    films = films.groupby(["method", "dataset"], as_index=False)["mean_absolute_error"].mean()
    frames = {"films": films.set_index("method"), "vehicles": vehicles.set_index("method")}
    rows = []
    for cell in pd.read_csv(PUBLISHED["shashua_levin.csv"]).itertuples():
        data, methods = SUBSTITUTES[cell.experiment, cell.method]
        metric, factor, digits, name = METRICS[cell.metric]
        for method in methods:
            ours = factor * frames[data].loc[method, metric]
            both = difference(ours.mean(), cell.value, ours.std() / np.sqrt(len(ours)), digits)
            names = [part.replace("_", " ") for part in dict.fromkeys((cell.method, method))]
            rows.append((f"{data}: {name}", " / ".join(names), both))
    columns = ["data and metric", "method in print / ours", "printed / ours (difference ± standard error)"]
    return markdown(pd.DataFrame(rows, columns=columns))


TABLES = {
    "diez_table1": diez_table1,
    "diez_table1_sd": diez_table1_sd,
    "diez_overall": diez_overall,
    "diez_disjoint": diez_disjoint,
    "shashua_levin": shashua_levin,
    "ranksvr_table2": ranksvr_table2,
    "ranksvr_ratios": ranksvr_ratios,
    "ranksvr_table3": ranksvr_table3,
    "svmcompare_fig4": lambda: svmcompare("fig4", "zero_one", 100, 1),
    "svmcompare_fig5": lambda: svmcompare("fig5", "comparison_auc", 1, 3),
    "svmcompare_fig6": svmcompare_fig6,
}
