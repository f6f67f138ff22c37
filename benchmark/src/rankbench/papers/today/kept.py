"""The contest of our methods with current ones: the kept records of the last run, and what they say.

The experiments `CONTEST` are not part of ``all``: they take hours and need the extra ``rivals``. Their records are
kept in ``resources/today`` (``rankbench artefact records``), with the protocol and the commit that made them. The
tables and figures of the pages are computed from these records (``make pages``).
"""

import json
from copy import copy
from dataclasses import replace
from datetime import date
from functools import cached_property
from pathlib import Path

import pandas as pd

from rankbench.configuration.labels import error_of, method_labels, sign_of
from rankbench.datasets.sheet import load_sheet
from rankbench.experiments.experiment import Experiment
from rankbench.records.files import write_text
from rankbench.records.frames import read_frame, read_statistic, write_frame
from rankbench.registry import STATISTICS
from rankbench.report.origin import origin
from rankbench.statistics.common import on_common_datasets
from rankbench.statistics.runs import compared_runs
from rankbench.statistics.significance import DECIMALS
from rankbench.tables.cells import number

KEPT = Path("resources/today")
AVERAGES, SCORES = "averages", "scores"  # folders in it
# whose averages are kept too, unless ours alone ran again
VALUES = ("contest_known_200", "contest_fresh_200", "contest_fresh_1000", "contest_confirm_200")
GRADES = ("contest_known_grades_200", "contest_fresh_grades_200")
COMPARISONS = ("contest_known_comparisons_200", "contest_fresh_comparisons_200")
CURVES = "contest_fresh_curves"
CONTEST = (*VALUES, CURVES, *GRADES, "contest_fresh_groups_200", *COMPARISONS)
RUN = ["dataset", "condition", "method", "seed"]
COLUMNS = [*RUN, "status", "reason", "n_train", "n_test", "params"]
COSTS = ["tune_seconds", "fit_seconds", "predict_seconds", "peak_megabytes"]
CONCORDANCE, CONSTANT = "concordance_index", 0.5  # the metric of numbers, and that of the constant answer
SEARCHED = ["n_settings", "n_failed", "n_drawn", "edges", "source_digest"]


def pack(run, root):
    """Keep the records of those experiments of `CONTEST` that a run has, and the ranks that each run gives to its rows;
    what is kept of others stays.

    Parameters
    ----------
    run, root : Path
        The checkout whose ``results/`` are kept, and the checkout in which they are kept.

    Returns
    -------
    dict of str to int
        Name -> number of runs of what `finished` returns.

    Raises
    ------
    ValueError
        If the run has none of these experiments.
    """
    found = [name for name in CONTEST if (run / f"results/{name}/records.parquet").exists()]
    if not found:
        raise ValueError(f"{run / 'results'} must have the records of one of {', '.join(CONTEST)}, got none of them")
    counts, about = {}, root / KEPT / "run.json"
    told = json.loads(about.read_text(encoding="utf-8")) if about.exists() else {"experiments": {}}
    for name in found:
        records, made = read_frame(run / f"results/{name}/records.parquet")
        records, made["protocol"] = finished(records, made["protocol"])
        if records.empty:
            print(f"{name}: no table has a whole hold-out; what is kept of it stays")
            continue
        for part, path, read in (
            ("test_scores.parquet", SCORES, _ranks),
            ("statistics/averages.csv", AVERAGES, read_statistic),
        ):
            (root / KEPT / path).mkdir(parents=True, exist_ok=True)
            if (file := run / f"results/{name}/{part}").exists():
                whole = read(file)
                whole = whole[whole["dataset"].isin(made["protocol"]["datasets"]) & whole["seed"].isin(records["seed"])]
                write_frame(root / KEPT / path / f"{name}.parquet", whole.reset_index(drop=True))
        columns = [*COLUMNS, *made["protocol"]["metrics"], *COSTS, *SEARCHED]
        write_frame(root / KEPT / f"{name}.parquet", records[columns], **made)
        counts[name] = len(records)
        told["experiments"][name] = origin(name, run) | {
            "runs": len(records),
            "ok": int((records["status"] == "ok").sum()),
        }
        told["packed"] = date.today().isoformat()
        write_text(about, json.dumps(told, indent=1, ensure_ascii=False) + "\n")
    return counts


def _ranks(file):
    """Return the test scores of a file as ranks in each run, without the targets, which are data of others."""
    scores = read_frame(file)[0].drop(columns="y")
    return scores.assign(score=scores.groupby(RUN, observed=True)["score"].rank())


def finished(records, protocol):
    """Return the records of the whole hold-outs of whole tables, and the protocol with these alone.

    A table is whole if no run of its first hold-out is missing. A later hold-out is kept if no run of it is missing on
    any of these tables, because all of them are to have the same number: a part of the contest can be broken off at any
    moment, and what has been finished by then counts.
    """
    missing = records[records["status"] == "missing"]
    without_first = set(missing.loc[missing["seed"] == 0, "dataset"])
    datasets = {name: sizes for name, sizes in protocol["datasets"].items() if name not in without_first}
    seeds = min(missing.loc[missing["dataset"].isin(datasets), "seed"], default=protocol["seeds"])
    kept = records["dataset"].isin(datasets) & (records["seed"] < seeds)
    return records[kept], {**protocol, "datasets": datasets, "seeds": int(seeds)}


class Kept:
    """The kept records of one experiment, judged by its first metric, by which the parameters were chosen.

    Parameters
    ----------
    name : str
        One of `CONTEST`.
    root : Path
        The checkout.
    """

    def __init__(self, name, root):
        self.name, self.root = name, root
        self.records, made = read_frame(root / KEPT / f"{name}.parquet")
        sheet = load_sheet(root / "config/datasets.tsv")
        self.experiment = Experiment.of(made["protocol"], metrics=made["protocol"]["metrics"][:1]).with_rows(sheet)
        self.titles = {dataset: sheet[dataset].title for dataset in self.experiment.datasets}

    @property
    def counted(self):
        """The records in which a failed run has the concordance of the constant answer, as the protocol says; by
        another metric, whose constant answer differs from table to table, the records as they are."""
        records, metric = self.records, self.experiment.metrics[0]
        if metric != CONCORDANCE:
            return records
        failed = ~records["status"].isin(["ok", "missing"])
        counted = {"status": records["status"].mask(failed, "ok"), metric: records[metric].mask(failed, CONSTANT)}
        return records.assign(**counted)

    @cached_property
    def averages(self):
        """The frame of the statistic ``averages``, which is kept of `VALUES` alone."""
        return read_frame(self.root / KEPT / AVERAGES / f"{self.name}.parquet")[0]

    def joined(self, records, label):
        """Return these and the records of one more method, which is called ``entry``, on the tables that it has."""
        document, rows = self.experiment.document, self.experiment.rows
        datasets = {name: of for name, of in document["datasets"].items() if name in set(records["dataset"])}
        methods = {**document["methods"], "entry": {"label": label}}
        both = copy(self)
        both.experiment = replace(Experiment.of(document, datasets=datasets, methods=methods), rows=rows)
        added = records.assign(method="entry")
        both.records = pd.concat([self.records, added[[name for name in self.records if name in added]]])
        both.records = both.records[both.records["dataset"].isin(datasets)].reset_index(drop=True)
        return both

    def frames(self, *names):
        """Return name -> statistic."""
        return {name: STATISTICS[name](self.counted, self.experiment) for name in names}

    def ranking(self):
        """Return a table of texts, one row per method, the best average rank first.

        All numbers are over the tables on which all ranked methods are compared. The gap is the mean over them of how
        many percent lower the lowest error of the table is than that of the method; the seconds are the median over
        them of the median of search and final fit.
        """
        metric, cells = self.experiment.metrics[0], on_common_datasets(self.frames("best")["best"])
        means = cells.pivot(index="dataset", columns="method", values="mean")
        signed, errors = sign_of(metric) * means, error_of(metric, means)
        above = signed.sub(signed.min(axis=1), axis=0).round(DECIMALS)
        gaps = (100 * above / errors).where(above > 0, 0.0)
        numbers = {
            "Average error": errors.mean().map("{:.4f}".format),
            "Gap to the best, percent": gaps.mean().map("{:.1f}".format),
            "Seconds": cells.groupby("method")["seconds"].median().map("{:.2g}".format),
        }
        ranks = self.average_ranks
        told = {"Average rank": [number(rank, ".2f", "not ranked") for rank in ranks], **numbers}
        table = pd.DataFrame(told, index=ranks.index).fillna("").rename(index=method_labels(self.experiment))
        return table.rename_axis("Method").reset_index()

    @property
    def average_ranks(self):
        """The average rank of each method, the best first; nan for one that is not compared."""
        return self.frames("ranks")["ranks"].set_index("method")["average_rank"]

    def errors(self):
        """Return the errors of the compared runs: one row per data set, condition and hold-out, a column per method."""
        runs, metric = compared_runs(self.counted, self.experiment), self.experiment.metrics[0]
        runs["value"] = error_of(metric, runs["value"])
        wide = runs.pivot(index=["dataset", "condition", "seed"], columns="method", values="value")
        order = [name for name in self.experiment.datasets if name in wide.index.get_level_values("dataset")]
        return wide.reindex(columns=list(self.experiment.methods)).reindex(order, level="dataset")
