# From the sheet of data sets to tables: the raw files are fetched and their digests checked, then a reader makes numbers of them.


# On a cluster these rules run where Snakemake runs: compute nodes often have no network, and a table is read in a second.
localrules:
    fetch_dataset,
    build_table,


rule fetch_dataset:
    output:
        files=directory("resources/raw/{dataset}/files"),
        source=SOURCE,
    log:
        "results/logs/data/{dataset}.fetch.log",
    wildcard_constraints:
        dataset=FETCHED,
    priority: FIRST
    retries: 2
    conda:
        "../envs/rankbench.yaml"
    params:
        **asked(lambda wildcards: PLAN.source(wildcards.dataset)),
        sheet=SHEET,
    script:
        "../scripts/fetch_dataset.py"


rule build_table:
    input:
        files=rules.fetch_dataset.output.files,
        source=rules.fetch_dataset.output.source,
    output:
        table=TABLE,
        note=note_of(TABLE),
    log:
        "results/logs/data/{dataset}.table.log",
    wildcard_constraints:
        dataset=FETCHED,
    priority: FIRST
    conda:
        "../envs/rankbench.yaml"
    params:
        **asked(lambda wildcards: PLAN.table(wildcards.dataset)),
        sheet=SHEET,
    script:
        "../scripts/build_table.py"
