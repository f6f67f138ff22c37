# snakemake --cores 2                            Table 1 of Diez et al., some minutes, no network
# snakemake --cores 2 --config experiments=all   everything: two hours, and four downloads
#
# So that `snakemake` can be started in this folder; the workflow has the layout of the catalog of Snakemake workflows.
# A plain `include:` would not make its default target ours.
workflow.include("workflow/Snakefile", overwrite_default_target=True)
