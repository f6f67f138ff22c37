from snakemake.utils import min_version

min_version("9.0")


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/terminal.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/jobs.smk"
include: "workflow/rules/results.smk"


rule all:
    input:
        RESULTS,
        claims="results/claims.csv",
        report="results/report.html",
