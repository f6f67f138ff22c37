"""Judge a run of today by the rules of an earlier commit: ``python -m rankbench.earlier COMMIT [RUN]``.

The claims of that commit judge the results of the checkout RUN, and ``resources/reproduced/earlier.csv`` keeps the
verdicts. Where these differ from the verdicts of today, the rules have changed, not the records. A claim that cannot
read the frames of today is not judged.
"""

import argparse
import io
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import pandas as pd

from rankbench.artefact import KEPT
from rankbench.claims.verdict import NOT_JUDGED

JUDGE = """
import inspect
import sys
from pathlib import Path
import pandas as pd
from rankbench.ledger import Frames, judge, registered
root, rows = Path.cwd(), []
root = root / "results" if "results" in inspect.signature(Frames).parameters else root
for claim_id, claim in registered().items():
    try:
        found = judge(claim, Frames(root))
        rows.append((claim_id, found.verdict, found.ours or found.why))
    except Exception as error:
        rows.append((claim_id, "not_judged", f"its frames have another form now: {error}"))
pd.DataFrame(rows, columns=["claim_id", "verdict", "ours"]).to_csv(sys.stdout, index=False)
"""


def judged_by(commit, run, root):
    """Return the verdicts of the claims of a commit on the results of a run.

    Parameters
    ----------
    commit : str
    run, root : Path
        The checkout with ``results/``, and the checkout whose history has the commit.

    Returns
    -------
    DataFrame
        ``claim_id verdict ours``
    """
    asked = ["git", "archive", commit, "src", "resources/published", "workflow", "config"]
    packed = subprocess.run(asked, cwd=root, capture_output=True, check=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        (Path(folder) / "results").symlink_to((run / "results").resolve())
        command = [sys.executable, "-c", JUDGE]
        told = subprocess.run(
            command, cwd=folder, env={"PYTHONPATH": f"{folder}/src"}, capture_output=True, check=True, text=True
        )
    return pd.read_csv(io.StringIO(told.stdout), keep_default_na=False)


def changes(root):
    """Return the claims whose verdict by the earlier rules differs from the kept one.

    Returns
    -------
    DataFrame
        ``claim_id earlier now reason``; the reason comes from ``reasons.csv`` and is ``""`` if it gives none.
    """
    kept = [
        pd.read_csv(root / KEPT / f"{name}.csv", keep_default_na=False) for name in ("earlier", "claims", "reasons")
    ]
    earlier, now, reasons = (frame.set_index("claim_id") for frame in kept)
    both = now[["verdict"]].rename(columns={"verdict": "now"}).join(earlier["verdict"].rename("earlier"))
    both = both[(both["now"] != both["earlier"]) & ~both.isin([NOT_JUDGED]).any(axis=1) & both["earlier"].notna()]
    return both.join(reasons["reason"]).fillna("")[["earlier", "now", "reason"]].reset_index()


def main(arguments=None):
    """Judge the run, keep the verdicts, and print what changed."""
    parser = argparse.ArgumentParser("python -m rankbench.earlier", description=__doc__.splitlines()[0])
    parser.add_argument("commit")
    parser.add_argument("run", nargs="?", type=Path, default=Path.cwd(), help="checkout whose results/ are judged")
    asked, root = parser.parse_args(arguments), Path.cwd()
    judged_by(asked.commit, asked.run, root).to_csv(root / KEPT / "earlier.csv", index=False, lineterminator="\n")
    found = changes(root)
    print(found.to_string(index=False))
    if silent := list(found.loc[found["reason"] == "", "claim_id"]):
        print(f"{KEPT / 'reasons.csv'} gives no reason for: {', '.join(silent)}")


if __name__ == "__main__":
    main()
