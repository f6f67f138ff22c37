"""``python -m rankbench.report``: make the report of the checkout in the current folder again."""

import argparse
import sys
from pathlib import Path

from . import write_claims, write_report

if __name__ == "__main__":
    argparse.ArgumentParser("python -m rankbench.report", description="Make results/report.html again.").parse_args()
    try:
        write_claims(Path.cwd())
        print(f"report: {write_report(Path.cwd())}")
    except ValueError as error:
        sys.exit(str(error))
