# So that `snakemake` can be started in this folder; the workflow has the layout of the catalog of Snakemake workflows.
# A plain `include:` would not make its default target ours.
workflow.include("workflow/Snakefile", overwrite_default_target=True)
