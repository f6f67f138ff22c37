"""Tables of the pages, made from committed files (`pages.py` writes them into the pages).

The printed numbers are in the rooms of the papers, ours of Table 1 in tests/golden, where a test holds them to a run,
what is kept of the last full run in resources/reproduced (`rankbench.artefact`), and the records of the contest with
other methods in resources/today (`rankbench.papers.today.kept`).
"""

import html
import json
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from rankbench.artefact import scoreboard
from rankbench.board import spoken
from rankbench.experiments.frames import read_frame
from rankbench.ledger import stated
from rankbench.papers.ranksvr.printed import PRINTED_AS
from rankbench.papers.today.answers import answers, costs, extremes, is_kept, ranks_by_metric, rules
from rankbench.papers.today.contest import RIVALS, averages_of, losses_of, questions, searches_of
from rankbench.papers.today.kept import CONTEST, NAMES, Kept
from rankbench.registry import PUBLISHED

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests/golden/diez_table1.csv"
VERDICTS = ROOT / "resources/reproduced/claims.csv"
FRAMES = VERDICTS.parent / "frames"
DATA = {"linf": "squared max-norm", "l1": "squared 1-norm", "l2": "squared 2-norm"}
SIZES = {"n_train_pairs": "training pairs", "rho": "share of equality pairs"}
SAMPLERS = {"random": "Random", "close_pair": "ClosePair", "p_close_pair": "PClosePair", "sample_mst": "SampleMST"}
TABLE1 = {"svor5": "SVOR_5", "herbrich5": "Herbrich_5", "svm_multi_sp": "SVM_multi^SP"}


def markdown(frame):
    """Return a frame as a table of MyST; numbers are aligned to the right."""
    right = [pd.api.types.is_numeric_dtype(frame[column]) for column in frame]
    lines = [list(frame), ["---:" if number else "---" for number in right]]
    lines += [["" if pd.isna(value) else escaped(value) for value in row] for row in frame.itertuples(index=False)]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def escaped(value):
    return html.escape(str(value), quote=False).replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")


def pivoted(frame, index, columns, values, digits):
    """Return one line for each value of ``index`` and one column for each value of ``columns``, in their order."""
    order = list(dict.fromkeys(frame[columns]))
    wide = frame.pivot(index=index, columns=columns, values=values)[order].round(digits)
    keys = frame[index].drop_duplicates()
    return wide.loc[keys.itertuples(index=False, name=None) if keys.shape[1] > 1 else keys.iloc[:, 0]].reset_index()


def difference(ours, printed, error, digits):
    """Return ours, printed and their difference with its standard error, as a cell."""
    both, change = f"{printed:.{digits}f} / {ours:.{digits}f}", f"({ours - printed:+.{digits}f} ± {error:.{digits}f})"
    return " ".join(part.replace(" ", "\u00a0") for part in (both, change))  # a narrow column breaks between the two


def diez_table1():
    printed, ours = pd.read_csv(PUBLISHED["diez_table1.csv"]), pd.read_csv(GOLDEN)
    both = printed.merge(ours, on=["dataset", "method"], validate="one_to_one")
    if len(both) != len(printed):
        raise ValueError(f"{GOLDEN} must hold the {len(printed)} cells of Table 1, got {len(both)}")
    error = np.sqrt((both.ours_sd**2 + both.sd_swapped_pct**2) / both.n_runs)  # both means are over 20 hold-outs
    cells = zip(both.ours_mean, both.mean_swapped_pct, error)
    both["cell"] = [difference(*cell, digits=2) for cell in cells]
    both["method"] = both.method.map(TABLE1)
    wide = both.pivot(index="dataset", columns="method", values="cell")[list(TABLE1.values())]
    return markdown(wide.loc[list(dict.fromkeys(printed.dataset))].reset_index())


def diez_overall():
    """Return the counts and tests over the 12 data sets, as printed and from the kept full run."""
    ours = pd.read_csv(FRAMES / "diez_table1/statistics/overall.csv").set_index("opponent")
    printed = pd.read_csv(PUBLISHED["diez_overall.csv"]).set_index("opponent")
    rows = []
    for opponent in printed.index:
        said, found, name = printed.loc[opponent], ours.loc[opponent], f"SVM_multi^SP against {TABLE1[opponent]}"
        rows.append((f"{name}: wins / ties / losses over 12 sets", *(_counts(row) for row in (said, found))))
        rows.append(("… of these wins significant (paired t, 0.05)", said.significant_wins, found.significant_wins))
        rows.append(("… significant losses", said.significant_losses, found.significant_losses))
        p = [f"p = {value:.4g}" for value in (said.ttest_p_published, found.p_one_sided)]
        rows.append(("… one-sided paired t over the 12 means", *p))
    return markdown(pd.DataFrame(rows, columns=["statement of the paper", "printed", "ours"], dtype=object))


def diez_disjoint():
    """Return the tests on training sets that share no row, from the kept full run."""
    tests = pd.read_csv(FRAMES / "diez_disjoint/statistics/per_dataset.csv")
    points = [f"{100 * value:.2f}" for value in tests.mean_difference]
    rows = zip(tests.dataset, tests.method.map(TABLE1), points, tests.t, tests.t_p, tests.holm_p)
    told = [(a, b, c, f"{t:.1f}", f"{p:.2g}", f"{holm:.2g}") for a, b, c, t, p, holm in rows]
    names = ["data set", "against", "SVM_multi^SP lower by, points", "t", "p", "p, adjusted by Holm"]
    return markdown(pd.DataFrame(told, columns=names))


def _counts(row):
    return f"{row.wins} / {row.ties} / {row.losses}"


def ranksvr_ratios():
    """Return the errors of Table 2 divided by that of SVR: the units of the paper's targets are not known."""
    errors = pd.read_csv(PUBLISHED["ranksvr_table2.csv"]).pivot(index="dataset", columns="method", values="mae")
    ratios = pd.read_csv(FRAMES / "ranksvr_table2/statistics/ratios.csv")
    ratios["error"] = (ratios["high"] - ratios["low"]) / 2 / stats.t.ppf(0.975, ratios["n_pairs"] - 1)
    rows = []
    for (dataset, method), part in ratios.groupby(["dataset", "method"], sort=False):
        printed = errors.loc[PRINTED_AS[dataset], SAMPLERS[method]] / errors.loc[PRINTED_AS[dataset], "SVR"]
        by_condition = part.set_index("condition")
        cells = [
            difference(by_condition.loc[name, "ratio"], printed, by_condition.loc[name, "error"], 2)
            for name in ("standardised_validation", "standardised_best_on_test")
        ]
        rows.append((dataset.replace("_", " "), SAMPLERS[method], *cells))
    columns = ["data set", "sampler", "chosen on training points", "chosen on the test part"]
    return markdown(pd.DataFrame(rows, columns=columns))


def ranksvr(file, values, digits):
    return markdown(pivoted(pd.read_csv(PUBLISHED[file]), ["dataset"], "method", values, digits))


def svmcompare(file, figure, size, printed, metric, factor, digits):
    """Return the printed cells of a figure beside ours, with the standard error of a mean over the same four sets."""
    cells = pd.read_csv(PUBLISHED[file]).rename(columns={f"mean_{printed}": "printed", f"sd_{printed}": "printed_sd"})
    ours = pd.read_csv(FRAMES / f"{figure}/statistics/summary.csv").query("metric == @metric")
    number = ours["condition"].str.extract(r"(\d+)$")[0].astype(int)
    ours = ours.assign(key=number / (100 if size == "rho" else 1))
    cells["dataset"] = cells["function"].where(cells["function"] == "sushi", "squared_" + cells["function"])
    both = cells.merge(ours, left_on=["dataset", "model", size], right_on=["dataset", "method", "key"], how="left")
    error = np.sqrt(((factor * both["sd"]) ** 2 + both["printed_sd"] ** 2) / both["n_runs"])
    values = zip(factor * both["mean"], both["printed"], error)
    both["cell"] = [
        f"{said:.{digits}f} / not computed" if np.isnan(ours) else difference(ours, said, se, digits)
        for ours, said, se in values
    ]
    keys = both[["function", size]].drop_duplicates()
    wide = both.pivot(index=["function", size], columns="model", values="cell")[list(dict.fromkeys(both["model"]))]
    wide = wide.loc[keys.itertuples(index=False, name=None)].reset_index()
    wide["function"] = wide["function"].replace(DATA)
    return markdown(wide.rename(columns={"function": "data"} | SIZES))


def svmcompare_fig6():
    """Return the printed areas of the eight years, and ours of the one period that we have.

    The standard error is that of one more year beside the mean of the printed years.
    """
    printed = pd.read_csv(PUBLISHED["svmcompare_fig6.csv"])
    folder = FRAMES / "svmcompare_fig6/statistics"
    ours = pd.read_csv(folder / "summary.csv").set_index("method")["mean"].to_dict()
    ours["baseline"] = pd.read_csv(folder / "comparison_baseline.csv")["auc"].item()
    rows = []
    for model, part in printed.groupby("model", sort=False):
        error = part["auc"].std() * np.sqrt(1 + 1 / len(part))
        years = [f"{area:.3f}" for area in part["auc"]]
        rows.append((model, *years, difference(ours[model], part["auc"].mean(), error, 3)))
    columns = ["model", *map(str, printed["year"].unique()), "mean of the years / ours, 2010"]
    return markdown(pd.DataFrame(rows, columns=columns))


def ranksvr_table3():
    """Return the printed seconds of the samplers beside ours, and both as multiples of those of ClosePair."""
    printed = pd.read_csv(PUBLISHED["ranksvr_table3.csv"]).set_index(["dataset", "method"])["seconds"]
    ours = pd.read_csv(FRAMES / "ranksvr_theory/statistics/sampling_as_printed.csv")
    rows = []
    for dataset in ours["dataset"].unique():
        part = ours[ours["dataset"] == dataset].pivot(index="seed", columns="sampler", values="seconds")
        part["close_pair"] = part["close_pair_as_printed"]
        total, error = part.sum(), np.sqrt(len(part)) * part.std()  # the paper's seconds are of six draws as well
        relative = error / total
        theirs = printed[PRINTED_AS[dataset]]
        for name, label in SAMPLERS.items():
            ours_ms = f"{1000 * total[name]:.2f} ± {1000 * error[name]:.2f}"
            share = total[name] / total["close_pair"]
            share_error = share * np.hypot(relative[name], relative["close_pair"])
            ratio = difference(share, theirs[label] / theirs["ClosePair"], share_error, 4)
            ratio = "1" if name == "close_pair" else ratio
            seconds = (theirs[label], ours_ms, f"{theirs[label] / total[name]:,.0f}")
            rows.append((dataset.replace("_", " "), label, *seconds, ratio))
    columns = ["data set", "sampler", "printed, s", "ours, ms", "printed by ours", "as multiples of ClosePair's"]
    return markdown(pd.DataFrame(rows, columns=columns))


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


def claims(paper):
    """Return the statements of a paper, with the verdict and what it rests on if a full run is kept."""
    claims = stated().query("paper == @paper")
    told = pd.DataFrame({"id": claims["claim_id"], "statement": claims["claim"], "where": claims["where"]})
    if VERDICTS.exists():
        rows = pd.read_csv(VERDICTS, keep_default_na=False).set_index("claim_id").loc[claims["claim_id"]]
        told["verdict"] = [f"{spoken(row)}; {row['basis']}" for _, row in rows.iterrows()]
        for name, column in (("printed", "published"), ("ours", "ours"), ("effect", "effect")):
            told[name] = rows[column].to_numpy()
        told["number: ours and printed"] = rows["difference"].to_numpy()
        told["thresholds"], told["evidence"], told["why"] = (
            rows[name].to_numpy() for name in ("thresholds", "evidence", "why")
        )
    return markdown(told)


def kept(show):
    """Return the text of ``show()`` about the kept full run, or how to keep one."""
    return show() if VERDICTS.exists() else "No full run is kept in the repository: `make artefact` keeps one."


def run():
    """Return what made each experiment of the kept run: runs, commits, machines and versions."""
    told = json.loads(VERDICTS.with_name("run.json").read_text(encoding="utf-8"))
    rows = [(name, one["runs"], one["ok"], *map(_listed, made_of(one))) for name, one in told["experiments"].items()]
    runs = markdown(pd.DataFrame(rows, columns=["experiment", "runs", "ok", "commits", "machines", "versions"]))
    if not (packed := told.get("packed_by")):
        return runs
    versions = ", ".join(f"{name} {number}" for name, number in packed["versions"].items())
    return (
        "The records of this run did not keep machine and versions. Those of the process that packed it: "
        f"{packed['machine']}; {versions}.\n\n{runs}"
    )


def made_of(one):
    """Return commits, machines and versions of an experiment, each as a list of texts."""
    versions = [f"{package} {' and '.join(numbers)}" for package, numbers in one["versions"].items()]
    return one["commits"], one["machines"], versions


def _listed(parts):
    return ", ".join(parts) or "not known"


def made_table(name):
    """Return a table of the kept full run, as it was written there."""
    file = VERDICTS.parent / f"tables/{name}.md"
    return (
        file.read_text(encoding="utf-8")
        if file.exists()
        else "The kept run does not contain the experiment of this table."
    )


def answered(name):
    """Return the questions of a part of the contest, answered by its kept records."""
    rivals = () if name == "contest_known_200" else RIVALS["contest_fresh_200"]
    return questions(averages_of(name, ROOT), Kept(name, ROOT).experiment, rivals)


def contest(name, show):
    """Return the text of ``show()`` about a part of the contest, or that nothing of it is kept yet."""
    return show() if is_kept(name, ROOT) else "No records of this part are kept yet."


SHOWN = {  # what the page shows of a part of the contest; the last three only of kind values
    "by_dataset": lambda name: Kept(name, ROOT).by_dataset(),
    "losses": lambda name: losses_of(Kept(name, ROOT)),
    "searches": lambda name: searches_of(Kept(name, ROOT)),
    "metrics": lambda name: ranks_by_metric(name, ROOT),
    "questions": answered,
    "rules": lambda name: rules(name, ROOT),
    "costs": lambda name: costs(name, ROOT),
    "extremes": lambda name: extremes(name, ROOT),
}
TABLES = {
    "diez_table1": diez_table1,
    "diez_overall": lambda: kept(diez_overall),
    "diez_disjoint": lambda: kept(diez_disjoint),
    "shashua_levin": lambda: kept(shashua_levin),
    "ranksvr_table2": lambda: ranksvr("ranksvr_table2.csv", "mae", 4),
    "ranksvr_ratios": lambda: kept(ranksvr_ratios),
    "ranksvr_table3": lambda: kept(ranksvr_table3),
    "svmcompare_fig4": lambda: svmcompare(
        "svmcompare_fig4.csv", "svmcompare_fig4", "n_train_pairs", "error_pct", "zero_one", 100, 1
    ),
    "svmcompare_fig5": lambda: svmcompare(
        "svmcompare_fig5.csv", "svmcompare_fig5", "rho", "auc", "comparison_auc", 1, 3
    ),
    "svmcompare_fig6": lambda: kept(svmcompare_fig6),
    "scoreboard": lambda: kept(lambda: scoreboard(ROOT)),
    "run": lambda: kept(run),
    "riddles": lambda: made_table("diez_riddles/riddles"),
    "draws": lambda: made_table("diez_second_draw/draws"),
    "program": lambda: made_table("svmcompare_fig4_program/printed_errors"),
    **{name: lambda name=name: Kept(name, ROOT).ranking() for name in NAMES},
    **{f"{name}_by_dataset": lambda name=name: markdown(Kept(name, ROOT).by_dataset()) for name in NAMES},
    **{name: lambda name=name: contest(name, lambda: Kept(name, ROOT).ranking()) for name in CONTEST},
    **{
        f"{name}_{show}": lambda name=name, made=made: contest(name, lambda: markdown(made(name)))
        for show, made in SHOWN.items()
        for name in CONTEST
    },
    "contest_answers": lambda: answers(ROOT),
    **{f"{name}_edges": lambda name=name: markdown(Kept(name, ROOT).edges()) for name in NAMES},
    **{f"{name}_by_size": lambda name=name: markdown(Kept(name, ROOT).by_size()) for name in NAMES},
    **{
        f"{paper}_claims": lambda paper=paper: claims(paper)
        for paper in ("diez", "herbrich", "shashua_levin", "svmcompare", "ranksvr")
    },
}


def claim(name):
    """Return the verdict on a claim and what we found, of the full run that is kept."""
    if name not in set(stated()["claim_id"]):
        raise ValueError(f"claim must be the name of a claim, got {name!r}")
    row = pd.read_csv(VERDICTS, keep_default_na=False).set_index("claim_id").loc[name]
    return f"{name} {spoken(row)}: {escaped(row['ours'] or row['why'])}"
