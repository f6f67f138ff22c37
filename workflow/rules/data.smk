# From the sheet of data sets to tables: the raw files are fetched and their digests checked, then a reader makes numbers of them.


# On a cluster these rules run where Snakemake runs: compute nodes often have no network, and a table is read in a second.
localrules:
    fetch_dataset,
    build_table,


rule fetch_dataset:
    input:
        outdated=when_outdated(outdated_files, "resources/raw/{dataset}", "resources/tables/{dataset}.json"),
    output:
        files=directory("resources/raw/{dataset}/files"),
        source="resources/raw/{dataset}/source.json",
    log:
        "results/logs/data/{dataset}.fetch.log",
    retries: 2
    conda:
        "../envs/rankbench.yaml"
    params:
        sheet="config/datasets.tsv",
        pins=lambda wildcards: DATASETS[wildcards.dataset].pins,
        # Grows with each attempt that fails, so that the next run tries again.
        attempts=lambda wildcards: attempts(f"resources/raw/{wildcards.dataset}"),
    script:
        "../scripts/fetch_dataset.py"


rule build_table:
    input:
        files=rules.fetch_dataset.output.files,
        source=rules.fetch_dataset.output.source,
        outdated=when_outdated(outdated_table, "resources/tables/{dataset}.json"),
    output:
        table="resources/tables/{dataset}.npz",
        digests="resources/tables/{dataset}.json",
    log:
        "results/logs/data/{dataset}.table.log",
    conda:
        "../envs/rankbench.yaml"
    params:
        sheet="config/datasets.tsv",
        layout=lambda wildcards: DATASETS[wildcards.dataset].layout,
        sources=lambda wildcards: reading_digest(DATASETS[wildcards.dataset]),
    script:
        "../scripts/build_table.py"
