# From records to the files for the reader: frames, statistics, tables, figures, verdicts and the report.


# These take seconds, so that they run where Snakemake runs, also on a cluster.
localrules:
    collect_records,
    compute_statistic,
    write_table,
    draw_figure,
    judge_claims,
    write_report,


rule collect_records:
    input:
        records=lambda wildcards: asked(wildcards).run_files("json"),
        scores=lambda wildcards: asked(wildcards).run_files("npz"),
    output:
        records="results/{experiment}/records.parquet",
        scores="results/{experiment}/test_scores.parquet",
    log:
        "results/{experiment}/logs/collect_records.log",
    conda:
        "../envs/rankbench.yaml"
    params:
        experiment=document,
        digests=lambda wildcards: asked(wildcards).digests,
        source=source_digest("rankbench.experiments.collect"),
    script:
        "../scripts/collect_records.py"


rule compute_statistic:
    input:
        "results/{experiment}/records.parquet",
    output:
        "results/{experiment}/statistics/{statistic}.csv",
    log:
        "results/{experiment}/logs/compute_statistic/{statistic}.log",
    wildcard_constraints:
        statistic="|".join(components.constant_of("rankbench.statistics", "STATISTICS")),
    conda:
        "../envs/rankbench.yaml"
    params:
        experiment=document,
        source=source_digest("rankbench.statistics", EXPERIMENT),
    script:
        "../scripts/compute_statistic.py"


rule write_table:
    input:
        unpack(lambda wildcards: asked(wildcards).frames_of("table", wildcards.table)),
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
    wildcard_constraints:
        table="|".join(components.outputs_in("rankbench.tables")),
    conda:
        "../envs/rankbench.yaml"
    params:
        experiment=document,
        titles=titles_of,
        source=lambda wildcards: source_digest(f"rankbench.tables.{wildcards.table}", EXPERIMENT),
    script:
        "../scripts/write_table.py"


rule draw_figure:
    input:
        unpack(lambda wildcards: asked(wildcards).frames_of("figure", wildcards.figure)),
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
    wildcard_constraints:
        figure="|".join(components.outputs_in("rankbench.figures")),
    conda:
        "../envs/rankbench.yaml"
    params:
        experiment=document,
        titles=titles_of,
        source=lambda wildcards: source_digest(f"rankbench.figures.{wildcards.figure}", EXPERIMENT),
    script:
        "../scripts/draw_figure.py"


# Judges every claim whose frames exist, including those of experiments that were run earlier.
rule judge_claims:
    input:
        frames=[path for experiment in EXPERIMENTS.values() for path in experiment.frame_files],
    output:
        report("results/claims.csv", caption="../report/claims.rst", category="claims"),
        "results/claims.md",
    log:
        "results/logs/judge_claims.log",
    conda:
        "../envs/rankbench.yaml"
    params:
        experiments=list(EXPERIMENTS),
        source=source_digest(
            "rankbench.ledger", *(f"rankbench.claims.{name}" for name in components.names_in("rankbench.claims"))
        ),
    script:
        "../scripts/judge_claims.py"


rule write_report:
    input:
        results=RESULTS,
        claims="results/claims.csv",
        protocols=[experiment.file for experiment in EXPERIMENTS.values()],
        page=sorted(map(str, source_of("rankbench.report").parent.glob("[cp]*.*[!y]"))),
    output:
        report("results/report.html", caption="../report/report.rst", category="report"),
    log:
        "results/logs/write_report.log",
    conda:
        "../envs/rankbench.yaml"
    params:
        source=source_digest("rankbench.report"),
    script:
        "../scripts/write_report.py"
