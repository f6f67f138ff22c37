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
        records=lambda wildcards: experiment_of(wildcards).run_files("json"),
        scores=lambda wildcards: experiment_of(wildcards).run_files("npz"),
        again=again("results/{experiment}/records.json", "results/{experiment}/test_scores.json"),
    output:
        records="results/{experiment}/records.parquet",
        scores="results/{experiment}/test_scores.parquet",
        notes=["results/{experiment}/records.json", "results/{experiment}/test_scores.json"],
    log:
        "results/{experiment}/logs/collect_records.log",
    priority: FIRST
    conda:
        "../envs/rankbench.yaml"
    params:
        code=code("collect_records"),
        task=lambda wildcards: tasks.of_records(experiment_of(wildcards)),
    script:
        "../scripts/collect_records.py"


rule compute_statistic:
    input:
        lambda wildcards: f"results/{wildcards.experiment}/{STATISTICS[wildcards.statistic].reads}.parquet",
        again=again("results/{experiment}/statistics/{statistic}.json"),
    output:
        frame="results/{experiment}/statistics/{statistic}.csv",
        note="results/{experiment}/statistics/{statistic}.json",
    log:
        "results/{experiment}/logs/compute_statistic/{statistic}.log",
    wildcard_constraints:
        statistic="|".join(STATISTICS),
    conda:
        "../envs/rankbench.yaml"
    params:
        code=code("compute_statistic"),
        task=lambda wildcards: tasks.of_statistic(STATISTICS[wildcards.statistic], experiment_of(wildcards)),
    script:
        "../scripts/compute_statistic.py"


rule write_table:
    input:
        unpack(lambda wildcards: experiment_of(wildcards).frames_of(TABLES[wildcards.table])),
        again=again("results/{experiment}/tables/{table}.json"),
    output:
        "results/{experiment}/tables/{table}.json",
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
        table="|".join(TABLES),
    conda:
        "../envs/rankbench.yaml"
    params:
        code=code("write_table"),
        task=lambda wildcards: task_of_output(TABLES[wildcards.table], wildcards),
    script:
        "../scripts/write_table.py"


rule draw_figure:
    input:
        unpack(lambda wildcards: experiment_of(wildcards).frames_of(FIGURES[wildcards.figure])),
        again=again("results/{experiment}/figures/{figure}.json"),
    output:
        "results/{experiment}/figures/{figure}.json",
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
        figure="|".join(FIGURES),
    conda:
        "../envs/rankbench.yaml"
    params:
        code=code("draw_figure"),
        task=lambda wildcards: task_of_output(FIGURES[wildcards.figure], wildcards),
    script:
        "../scripts/draw_figure.py"


# Judges every claim whose frames exist, including those of experiments that were run earlier.
rule judge_claims:
    input:
        frames=[path for experiment in EXPERIMENTS.values() for path in experiment.frame_files],
        printed=sorted(map(str, [*PUBLISHED.values(), *STATED])),
        again=again("results/claims.json"),
    output:
        report("results/claims.csv", caption="../report/claims.rst", category="claims"),
        "results/claims.json",
    log:
        "results/logs/judge_claims.log",
    conda:
        "../envs/rankbench.yaml"
    params:
        code=code("judge_claims"),
        task=tasks.of_claims(),
    script:
        "../scripts/judge_claims.py"


rule write_report:
    input:
        results=RESULTS,
        claims="results/claims.csv",
        config=sorted(map(str, Path("config").rglob("*.yaml"))),
        sheet=[path for path in [SHEET] if Path(path).exists()],  # a folder for a user's own tables has none
        page=sorted(map(str, source_of("rankbench.report").parent.glob("[cp]*.*[!y]"))),
        program=str(source_of("rankbench.compare").with_name("program.py.jinja")),
        again=again("results/report.json"),
    output:
        report("results/report.html", caption="../report/report.rst", category="report"),
        "results/report.json",
    log:
        "results/logs/write_report.log",
    conda:
        "../envs/rankbench.yaml"
    params:
        code=code("write_report"),
        task=tasks.of_report(),
    script:
        "../scripts/write_report.py"
