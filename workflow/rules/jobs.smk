# From a table to the records of runs: splits, compilation, and the fits; beside them, studies.


localrules:
    split_table,


# Always ten seeds, whether they are asked for or not: one seed more draws none of the others again.
rule split_table:
    input:
        "resources/tables/{dataset}.npz",
    output:
        expand("resources/splits/{{experiment}}/{{dataset}}/{{condition}}/{{tens}}{digit}.npz", digit=range(10)),
    log:
        "results/{experiment}/logs/split_table/{dataset}/{condition}/{tens}0.log",
    conda:
        "../envs/rankbench.yaml"
    params:
        arguments=lambda wildcards: plan.split_arguments(protocol_of(wildcards), wildcards.dataset, wildcards.condition),
        source=lambda wildcards: plan.split_digest(protocol_of(wildcards), wildcards.dataset, wildcards.condition),
    script:
        "../scripts/split_table.py"


# One for all methods, of whatever experiment, that run the same code. The digest in its name is that of what is compiled; it keeps
# this file out of the way of jobs that need not run again (`ancient` would too, but makes Snakemake 9 forget jobs that
# must run: its issue 4166).
rule warm_up:
    output:
        "resources/warm_up/{digest}.txt",
    log:
        "results/logs/warm_up/{digest}.log",
    conda:
        "../envs/rankbench.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 1500,
        runtime=lambda wildcards, attempt: attempt * 5,
    params:
        task=lambda wildcards: WARM_UPS[wildcards.digest],
    script:
        "../scripts/warm_up.py"


# One run is one job, unless `seeds_per_job` asks for blocks: then there is a rule for each block of seeds. The files of a
# run and the parameters of its job are the same whatever the block.
for block in blocks(EXPERIMENTS, YAMLS):

    rule:
        name:
            block.rule
        input:
            table="resources/tables/{dataset}.npz",
            splits=block.splits,
            warm_up=block.warm_up,
            limits=block.raised_limits,
        output:
            records=block.files("json"),
            scores=block.files("npz"),
        log:
            block.file("logs", "log"),
        benchmark:
            block.file("benchmarks", "tsv")
        wildcard_constraints:
            experiment="|".join(block.experiments),
        group:
            "fits"  # on a cluster; a profile could not name the rules of blocks
        conda:
            "../envs/rankbench.yaml"
        resources:
            mem_mb=block.megabytes,
            runtime=block.minutes,
            limit_megabytes=lambda wildcards, limits=block.limits: limits(wildcards)["megabytes"],
            limit_seconds=lambda wildcards, limits=block.limits: str(limits(wildcards)["seconds"]),
        params:
            task=block.task,
        script:
            "../scripts/run_job.py"


rule run_study:
    input:
        tables=lambda wildcards: [table for table, _ in study_files(wildcards).values()],
        splits=lambda wildcards: [path for _, splits in study_files(wildcards).values() for path in splits],
    output:
        frame="results/{experiment}/statistics/{study}.csv",
        record="results/{experiment}/studies/{study}.json",
    log:
        "results/{experiment}/logs/run_study/{study}.log",
    benchmark:
        "results/{experiment}/benchmarks/run_study/{study}.tsv"
    wildcard_constraints:
        study="|".join(components.names_in("rankbench.studies")),
    conda:
        "../envs/rankbench.yaml"
    # Seconds that a verdict stands on are taken while nothing else runs.
    threads: lambda wildcards: workflow.cores or 1 if plan.is_timed(wildcards.study) else 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 2000,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        experiment=lambda wildcards: plan.study_experiment(protocol_of(wildcards), wildcards.study),
        files=lambda wildcards: study_files(wildcards),
        arguments=lambda wildcards: plan.study_arguments(protocol_of(wildcards), wildcards.study),
        source=lambda wildcards: plan.study_digest(protocol_of(wildcards), wildcards.study),
    script:
        "../scripts/run_study.py"
