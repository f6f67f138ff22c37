# From a table to the records of runs: splits, compilation and fits. Studies are here too.


localrules:
    split_table,


# A job always draws ten splits, even if fewer are needed, so that a larger number of seeds draws none of the earlier ones again.
SPLITS = [SPLIT.replace("{seed}", f"{{tens}}{digit}") for digit in range(10)]


rule split_table:
    input:
        table=TABLE,
    output:
        splits=SPLITS,
        notes=[note_of(split) for split in SPLITS],
    log:
        "results/{experiment}/logs/split_table/{dataset}/{condition}/{tens}0.log",
    priority: FIRST
    conda:
        "../envs/rankbench.yaml"
    params:
        **asked(lambda wildcards: PLAN.splits(experiment_of(wildcards).name, wildcards.dataset, wildcards.condition)),
    script:
        "../scripts/split_table.py"


# One job for all methods, of any experiment, that run the same code. The file name holds the digest of what is compiled, so
# that a change of the code makes a new file and triggers only the jobs that need it. (`ancient` would do so too, but then
# Snakemake 9 forgets jobs that must run: its issue 4166.)
rule warm_up:
    output:
        WARM_UP,
    log:
        "results/logs/warm_up/{digest}.log",
    priority: FIRST
    conda:
        "../envs/rankbench.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 1500,
        runtime=lambda wildcards, attempt: attempt * 5,
    params:
        script=stamps.script("warm_up"),
        task=lambda wildcards: WARM_UPS[wildcards.digest],
    script:
        "../scripts/warm_up.py"


# Each run is a job of its own, unless `seeds_per_job` is larger than 1: then there is one rule per block of seeds. The files
# of a run and the parameters of its job do not depend on the block.
for block in BLOCKS:

    rule:
        name:
            block.rule
        input:
            table=TABLE,
            splits=block.splits,
            warm_up=block.warm_up,
        output:
            records=[note_of(file) for file in block.files],
            scores=block.files,
        log:
            block.log,
        wildcard_constraints:
            experiment="|".join(block.experiments),
        priority: block.work
        group:
            "fits"  # for a cluster: a profile cannot name the rules of blocks
        conda:
            "../envs/rankbench.yaml"
        resources:
            mem_mb=block.megabytes,
            runtime=block.minutes,
            limit_megabytes=lambda wildcards, limits=block.limits: limits(wildcards)["megabytes"],
            limit_seconds=lambda wildcards, limits=block.limits: str(limits(wildcards)["seconds"]),
        params:
            **asked(lambda wildcards, cell=block.cell: PLAN.runs(*cell(wildcards))),
        script:
            "../scripts/run_job.py"


rule run_study:
    input:
        tables=lambda wildcards: [table for table, _ in study_files(wildcards).values()],
        splits=lambda wildcards: [path for _, splits in study_files(wildcards).values() for path in splits],
    output:
        frame=STATISTIC,
        note=note_of(STATISTIC),
    log:
        "results/{experiment}/logs/run_study/{statistic}.log",
    wildcard_constraints:
        statistic="|".join(STUDIES),
    priority: FIRST - 1  # often the longest
    conda:
        "../envs/rankbench.yaml"
    # A study whose seconds decide a verdict is timed while nothing else runs.
    threads: lambda wildcards: workflow.cores or 1 if STUDIES[wildcards.statistic].timed else 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 2000,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        **asked(lambda wildcards: PLAN.study(experiment_of(wildcards).name, wildcards.statistic)),
        files=lambda wildcards: study_files(wildcards),
    script:
        "../scripts/run_study.py"
