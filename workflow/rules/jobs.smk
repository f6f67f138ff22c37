# From a table to the records of a job: splits, compilation, and the block of seeds of one data set, condition and
# method; beside them, studies.


localrules:
    split_table,


rule split_table:
    input:
        "resources/tables/{dataset}.npz",
    output:
        "resources/splits/{experiment}/{dataset}/{condition}.npz",
    log:
        "results/{experiment}/logs/split_table/{dataset}/{condition}.log",
    params:
        arguments=lambda wildcards: plan.split_arguments(protocol_of(wildcards), wildcards.dataset, wildcards.condition),
        source=lambda wildcards: plan.split_digest(protocol_of(wildcards), wildcards.dataset, wildcards.condition),
    script:
        "../scripts/split_table.py"


# The digest in its name keeps this file out of the way of other methods, and of jobs that need not run again
# (`ancient` would do the latter, but makes Snakemake 9 forget jobs that must run: its issue 4166).
rule warm_up:
    output:
        "resources/warm_up/{experiment}/{method}/{digest}.txt",
    log:
        "results/{experiment}/logs/warm_up/{method}/{digest}.log",
    params:
        task=lambda wildcards: plan.method_task(wildcards.experiment, protocol_of(wildcards), wildcards.method),
    script:
        "../scripts/warm_up.py"


rule run_job:
    input:
        table="resources/tables/{dataset}.npz",
        splits=splits_of,
        warm_up=warm_up_of,
    output:
        records="results/{experiment}/jobs/{dataset}/{condition}/{method}/{block}.jsonl",
        scores="results/{experiment}/jobs/{dataset}/{condition}/{method}/{block}.npz",
    log:
        "results/{experiment}/logs/run_job/{dataset}/{condition}/{method}/{block}.log",
    benchmark:
        "results/{experiment}/benchmarks/run_job/{dataset}/{condition}/{method}/{block}.tsv"
    resources:
        mem_mb=lambda wildcards: protocol_of(wildcards)["limits"]["megabytes"],
    params:
        task=job_of,
    script:
        "../scripts/run_job.py"


rule run_study:
    input:
        lambda wildcards: [path for files in studied(wildcards) for path in files.values()],
    output:
        "results/{experiment}/statistics/{study}.csv",
    log:
        "results/{experiment}/logs/run_study/{study}.log",
    wildcard_constraints:
        study="|".join(components.names_in("rankbench.studies")),
    params:
        experiment=lambda wildcards: plan.study_experiment(protocol_of(wildcards), wildcards.study),
        tables=lambda wildcards: studied(wildcards)[0],
        splits=lambda wildcards: studied(wildcards)[1],
        arguments=lambda wildcards: plan.study_arguments(protocol_of(wildcards), wildcards.study),
        source=lambda wildcards: plan.study_digest(protocol_of(wildcards), wildcards.study),
    script:
        "../scripts/run_study.py"
