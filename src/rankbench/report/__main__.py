"""``python -m rankbench.report``: rebuild the report of the checkout in the current folder."""

import sys
from pathlib import Path

from . import write_report

if __name__ == "__main__":
    try:
        print(f"report: {write_report(Path.cwd())}")
    except ValueError as error:
        sys.exit(str(error))
