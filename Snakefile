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
        [path for name, experiment in EXPERIMENTS.items() for path in plan.result_files(name, experiment)],
