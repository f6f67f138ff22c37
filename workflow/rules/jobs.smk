# From a table to the records of a job: splits, compilation, and the block of seeds of one data set, condition and method.


JOB = "results/{experiment}/jobs/{dataset}/{condition}/{method}/{block}"


def split_sizes(wildcards):
    experiment = EXPERIMENTS[wildcards.experiment]
    return {
        **experiment["datasets"][wildcards.dataset],
        "n_folds": experiment["tuning"]["folds"],
        "seeds": list(range(experiment["seeds"])),
    }


def method_task(experiment, method):
    """What a job of one method is asked to do, whatever its data; the digest reruns it when its sources change."""
    chosen = EXPERIMENTS[experiment]
    uses = chosen["methods"][method]
    return {
        "experiment": experiment,
        "method": method,
        "uses": uses["uses"],
        "params": uses["params"],
        "grid": uses["grid"],
        "preprocess": chosen["preprocess"],
        "metric": chosen["tuning"]["metric"],
        "metrics": chosen["metrics"],
        "limits": chosen["limits"],
        "source_digest": source_digest("rankbench.experiments.job", f"rankmargin.methods.{uses['uses']}"),
    }


def job_task(wildcards):
    return {
        **method_task(wildcards.experiment, wildcards.method),
        "dataset": wildcards.dataset,
        "condition": wildcards.condition,
        "seeds": protocol.seeds_of(EXPERIMENTS[wildcards.experiment], wildcards.block),
    }


rule split_table:
    input:
        "resources/tables/{dataset}.npz",
    output:
        "resources/splits/{experiment}/{dataset}/{condition}.npz",
    log:
        "results/{experiment}/logs/split_table/{dataset}/{condition}.log",
    params:
        sizes=split_sizes,
    script:
        "../scripts/split_table.py"


rule warm_up:
    output:
        "resources/warm_up.txt",
    log:
        "results/logs/warm_up.log",
    params:
        tasks=[method_task(name, method) for name in EXPERIMENTS for method in EXPERIMENTS[name]["methods"]],
    script:
        "../scripts/warm_up.py"


rule run_job:
    input:
        table="resources/tables/{dataset}.npz",
        splits="resources/splits/{experiment}/{dataset}/{condition}.npz",
        warm_up=ancient("resources/warm_up.txt"),
    output:
        records=f"{JOB}.jsonl",
        scores=f"{JOB}.npz",
    log:
        "results/{experiment}/logs/run_job/{dataset}/{condition}/{method}/{block}.log",
    benchmark:
        "results/{experiment}/benchmarks/run_job/{dataset}/{condition}/{method}/{block}.tsv"
    resources:
        mem_mb=lambda wildcards: EXPERIMENTS[wildcards.experiment]["limits"]["megabytes"],
    params:
        task=job_task,
    script:
        "../scripts/run_job.py"
