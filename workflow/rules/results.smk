# From records to what a reader opens: frames, statistics, tables and figures.


# Seconds each: on a cluster too they run where Snakemake runs.
localrules:
    collect_records,
    compute_statistic,
    write_table,
    draw_figure,


# A statistic like the others to what reads it, but not computed from records.
ruleorder: run_study > compute_statistic


rule collect_records:
    input:
        records=run_files("json"),
        scores=run_files("npz"),
    output:
        records="results/{experiment}/records.parquet",
        scores="results/{experiment}/test_scores.parquet",
    log:
        "results/{experiment}/logs/collect_records.log",
    params:
        experiment=protocol_of,
        digests=lambda wildcards: plan.digests(wildcards.experiment, protocol_of(wildcards)),
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
    params:
        experiment=protocol_of,
        source=source_digest("rankbench.statistics"),
    script:
        "../scripts/compute_statistic.py"


rule write_table:
    input:
        unpack(lambda wildcards: plan.frames_of(wildcards.experiment, protocol_of(wildcards), "table", wildcards.table)),
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
        titles=titles_of,
        source=lambda wildcards: source_digest(f"rankbench.tables.{wildcards.table}"),
    script:
        "../scripts/write_table.py"


rule draw_figure:
    input:
        unpack(
            lambda wildcards: plan.frames_of(wildcards.experiment, protocol_of(wildcards), "figure", wildcards.figure)
        ),
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
        titles=titles_of,
        source=lambda wildcards: source_digest(f"rankbench.figures.{wildcards.figure}"),
    script:
        "../scripts/draw_figure.py"
