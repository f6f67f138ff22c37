# For `snakemake` in this folder; the workflow itself has the layout of the catalog of Snakemake workflows.
# A plain `include:` would not take over its first target.
workflow.include("workflow/Snakefile", overwrite_default_target=True)
