"""A full run without Snakemake: the jobs that it would plan, as the objects that it gives its schedulers."""

from dataclasses import dataclass, field
from types import SimpleNamespace

from rankbench.experiments.blocks import blocks
from rankbench.experiments.experiment import digest_of_task
from rankbench.experiments.protocol import load_asked
from rankbench.registry import FIGURES, TABLES
from rankbench.timing.expected import Expected


@dataclass(eq=False)
class Planned:
    """A job of Snakemake."""

    rule: SimpleNamespace
    wildcards_dict: dict
    priority: float
    needs: list = field(default_factory=list)


class Plan:
    """All jobs of some experiments when nothing has been made, with the methods of Snakemake's graph of jobs."""

    def __init__(self, names=(), file=None):
        self.experiments, _ = load_asked(names)
        rules = blocks(self.experiments)
        self.expected = Expected(self.experiments, rules, **({"file": file} if file else {}))
        self.made = {}
        for block in rules:
            for experiment in block.experiments.values():
                self._runs(experiment, block)
        for experiment in self.experiments.values():
            self._results(experiment)
        everything = [job for job in self.made.values() if job.rule.name in ("write_table", "draw_figure", *FRAMES)]
        report = self._job("write_report", {}, [self._job("judge_claims", {}, everything)])
        self._job("all", {}, [report])

    def needrun_jobs(self):
        return list(self.made.values())

    def job_dependencies(self, job):
        return job.needs

    def jobid(self, job):
        return id(job)

    def jobs(self):
        return self.expected.jobs(self)

    def _job(self, rule, wildcards, needs):
        key = rule, *wildcards.values()
        if key not in self.made:
            priority = self.expected.priority(rule, wildcards) if rule in LONG or rule in self.expected.blocks else 0
            self.made[key] = Planned(SimpleNamespace(name=rule), wildcards, priority, needs)
        return self.made[key]

    def _table(self, dataset):
        fetched = self._job("fetch_dataset", {"dataset": dataset}, [])
        return self._job("build_table", {"dataset": dataset}, [fetched])

    def _splits(self, experiment, dataset, condition, seeds):
        files = [file.split("/")[2:] for file in experiment.split_files(dataset, condition, seeds)]
        tens = {(*where, seed.partition(".")[0][:-1]) for *where, seed in files}
        names = "experiment", "dataset", "condition", "tens"
        return [self._job("split_table", dict(zip(names, one)), [self._table(dataset)]) for one in sorted(tens)]

    def _runs(self, experiment, block):
        for dataset, condition, method in experiment.cells:
            cell = {"dataset": dataset, "condition": condition, "method": method}
            warm_up = self._job("warm_up", {"digest": digest_of_task(experiment.warm_up(method))}, [])
            for seeds in [block.seeds] if block.seeds else [[seed] for seed in range(experiment.seeds)]:
                one = {} if block.seeds else {"experiment": experiment.name}
                of_seed = {} if block.seeds else {"seed": str(seeds[0])}
                needs = [self._table(dataset), warm_up, *self._splits(experiment, dataset, condition, seeds)]
                self._job(block.rule, {**one, **cell, **of_seed}, needs)

    def _results(self, experiment):
        name, frames = experiment.name, {}
        if experiment.methods:
            rules = {rule for rule, block in self.expected.blocks.items() if name in block.experiments}
            runs = [
                job
                for job in self.made.values()
                if job.rule.name in rules and job.wildcards_dict.get("experiment", name) == name
            ]
            records = self._job("collect_records", {"experiment": name}, runs)
            for statistic in experiment.outputs["statistics"]:
                wildcards = {"experiment": name, "statistic": statistic}
                frames[statistic] = self._job("compute_statistic", wildcards, [records])
        for study in experiment.studies:
            needs = []
            for dataset, (_, splits) in experiment.study_files(study).items():
                needs.append(self._table(dataset))
                if splits:
                    condition = next(iter(experiment.conditions))
                    needs += self._splits(experiment, dataset, condition, range(experiment.seeds))
            frames[study] = self._job("run_study", {"experiment": name, "study": study}, needs)
        for kind, rule in (("table", "write_table"), ("figure", "draw_figure")):
            for output in experiment.outputs[f"{kind}s"]:
                needs = [frames[need] for need in experiment.frames_of(OUTPUTS[kind][output]) if need in frames]
                self._job(rule, {"experiment": name, kind: output}, needs)


OUTPUTS = {"table": TABLES, "figure": FIGURES}
LONG = ("fetch_dataset", "build_table", "split_table", "warm_up", "run_study")
FRAMES = ("collect_records", "compute_statistic", "run_study")
