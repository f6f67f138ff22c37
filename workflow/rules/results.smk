# From records to the files for the reader: frames, statistics, tables, figures, verdicts and the report.


# These take seconds, so that they run where Snakemake runs, also on a cluster.
localrules:
    look,
    collect_records,
    compute_statistic,
    write_table,
    draw_figure,
    write_report,


rule collect_records:
    input:
        records=lambda wildcards: map(note_of, experiment_of(wildcards).run_files),
        scores=lambda wildcards: experiment_of(wildcards).run_files,
    output:
        records=RECORDS,
        scores=SCORES,
        notes=[note_of(RECORDS), note_of(SCORES)],
    log:
        "results/{experiment}/logs/collect_records.log",
    priority: FIRST
    conda:
        "../envs/rankbench.yaml"
    params:
        **asked(lambda wildcards: PLAN.records(experiment_of(wildcards).name)),
    script:
        "../scripts/collect_records.py"


rule compute_statistic:
    input:
        lambda wildcards: f"results/{wildcards.experiment}/{STATISTICS[wildcards.statistic].reads}.parquet",
    output:
        frame=STATISTIC,
        note=note_of(STATISTIC),
    log:
        "results/{experiment}/logs/compute_statistic/{statistic}.log",
    wildcard_constraints:
        statistic="|".join(STATISTICS),
    conda:
        "../envs/rankbench.yaml"
    params:
        **asked(lambda wildcards: PLAN.statistic(experiment_of(wildcards).name, wildcards.statistic)),
    script:
        "../scripts/compute_statistic.py"


rule write_table:
    input:
        unpack(lambda wildcards: experiment_of(wildcards).frames_of(TABLES[wildcards.table])),
    output:
        note_of(SHOWN),
        multiext(SHOWN.removesuffix(".html"), ".html", ".csv", ".md", ".tex"),
    log:
        "results/{experiment}/logs/write_table/{table}.log",
    wildcard_constraints:
        table="|".join(TABLES),
    conda:
        "../envs/rankbench.yaml"
    params:
        **asked(lambda wildcards: PLAN.output(experiment_of(wildcards).name, TABLES[wildcards.table])),
    script:
        "../scripts/show_output.py"


use rule write_table as draw_figure with:
    input:
        unpack(lambda wildcards: experiment_of(wildcards).frames_of(FIGURES[wildcards.figure])),
    output:
        note_of(DRAWN),
        multiext(DRAWN.removesuffix(".svg"), ".svg", ".pdf", ".png"),
    log:
        "results/{experiment}/logs/draw_figure/{figure}.log",
    wildcard_constraints:
        figure="|".join(FIGURES),
    params:
        **asked(lambda wildcards: PLAN.output(experiment_of(wildcards).name, FIGURES[wildcards.figure])),


# Something to do, so that there is a summary, where Snakemake has forgotten that a file was made for another task.
rule look:
    output:
        touch(LOOKED),


# It also judges every claim whose frames exist, including those of experiments that were run earlier.
rule write_report:
    input:
        results=RESULT_FILES,
        page=sorted(map(str, source_of("rankbench.report").parent.glob("[cp]*.*[!y]"))),
        program=str(source_of("rankbench.compare").with_name("program.py.jinja")),
    output:
        CLAIMS,
        note_of(CLAIMS),
        REPORT,
        note_of(REPORT),
    log:
        "results/logs/write_report.log",
    conda:
        "../envs/rankbench.yaml"
    params:
        task=stamps.of_report(),
        others=digests(sorted({*map(str, stamps.read_there())} - {*RESULT_FILES})),
    script:
        "../scripts/write_report.py"
