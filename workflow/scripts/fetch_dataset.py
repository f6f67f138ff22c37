"""Fetch one data set into its folder of raw bytes, or write there why it is not available."""

import sys
from pathlib import Path

from rankbench.datasets.build import KEPT
from rankbench.datasets.fetch import FetchError, fetch, keep_absence, mirrors_from
from rankbench.datasets.sheet import load_sheet

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

row = load_sheet(Path(snakemake.params.sheet))[snakemake.wildcards.dataset]
folder = Path(snakemake.output.source).parent
try:
    kept = fetch(row, mirrors_from(snakemake.config["data"]["mirrors"]), folder)
    told = [f"{place} sha256 {digest}" for place, digest in kept.items()] or ["made here"]
    print(f"{KEPT}{row.name}: {'; '.join(told)}", file=sys.stderr)
except FetchError as error:
    keep_absence(row, folder, str(error))
    print(error, file=sys.stderr)
