# From records to what a reader opens: frames, statistics, tables and figures.


def ended_jobs(name):
    """The jobs of an experiment; in the partial pass, those that left their records."""
    for dataset, condition, method, block in protocol.jobs(EXPERIMENTS[name]):
        path = JOB.format(experiment=name, dataset=dataset, condition=condition, method=method, block=block)
        if not PARTIAL or Path(f"{path}.jsonl").exists():
            yield path, (dataset, condition, method), protocol.seeds_of(EXPERIMENTS[name], block)


def job_files(ending):
    return lambda wildcards: [path + ending for path, _, _ in ended_jobs(wildcards.experiment)]


def frames(kind):
    """Input function: the statistics that a table or figure reads, and the printed numbers."""

    def files(wildcards):
        needs = constant_of(f"rankbench.{kind}s.{wildcards[kind]}", "NEEDS")
        paths = {need: f"results/{wildcards.experiment}/statistics/{need}.csv" for need in needs}
        if "published" in EXPERIMENTS[wildcards.experiment]:
            paths["published"] = "resources/published/" + EXPERIMENTS[wildcards.experiment]["published"]
        return paths

    return files


def protocol_of(wildcards):
    return EXPERIMENTS[wildcards.experiment]


def titles(wildcards):
    return {name: DATASETS[name].title for name in EXPERIMENTS[wildcards.experiment]["datasets"]}


def all_results(wildcards):
    for name, experiment in EXPERIMENTS.items():
        outputs = experiment["outputs"]
        yield f"results/{name}/records.parquet"
        yield from (f"results/{name}/statistics/{statistic}.csv" for statistic in outputs["statistics"])
        yield from (f"results/{name}/tables/{table}.csv" for table in outputs["tables"])
        yield from (f"results/{name}/figures/{figure}.svg" for figure in outputs["figures"])


rule collect_records:
    input:
        records=job_files(".jsonl"),
        scores=job_files(".npz"),
    output:
        records="results/{experiment}/records.parquet",
        scores="results/{experiment}/test_scores.parquet",
    log:
        "results/{experiment}/logs/collect_records.log",
    params:
        experiment=protocol_of,
        jobs=lambda wildcards: [(identity, seeds) for _, identity, seeds in ended_jobs(wildcards.experiment)],
    script:
        "../scripts/collect_records.py"


rule compute_statistic:
    input:
        "results/{experiment}/records.parquet",
    output:
        "results/{experiment}/statistics/{statistic}.csv",
    log:
        "results/{experiment}/logs/compute_statistic/{statistic}.log",
    params:
        experiment=protocol_of,
        source=source_digest("rankbench.statistics"),
    script:
        "../scripts/compute_statistic.py"


rule write_table:
    input:
        unpack(frames("table")),
    output:
        report(
            "results/{experiment}/tables/{table}.html",
            caption="../report/table.rst",
            category="{experiment}",
            labels={"result": "{table}", "kind": "table"},
        ),
        multiext("results/{experiment}/tables/{table}", ".csv", ".md", ".tex"),
    log:
        "results/{experiment}/logs/write_table/{table}.log",
    params:
        experiment=protocol_of,
        titles=titles,
        source=lambda wildcards: source_digest(f"rankbench.tables.{wildcards.table}"),
    script:
        "../scripts/write_table.py"


rule draw_figure:
    input:
        unpack(frames("figure")),
    output:
        report(
            "results/{experiment}/figures/{figure}.svg",
            caption="../report/figure.rst",
            category="{experiment}",
            labels={"result": "{figure}", "kind": "figure"},
        ),
        multiext("results/{experiment}/figures/{figure}", ".pdf", ".png"),
    log:
        "results/{experiment}/logs/draw_figure/{figure}.log",
    params:
        experiment=protocol_of,
        titles=titles,
        source=lambda wildcards: source_digest(f"rankbench.figures.{wildcards.figure}"),
    script:
        "../scripts/draw_figure.py"
