"""Refuse subjects of commits that are too long: of the message in a file, or of all commits that had to be short.

python tests/subjects.py [FILE]; a hook of git calls it before a commit, and ``make lint`` for all.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST = 72
LAST_FREE = "a36d7e71"  # the last commit whose subject could be longer


def too_long(subject, cure, whose="the subject"):
    """Return one line about a subject that is too long, else nothing."""
    if len(subject) > MOST:
        yield f"{whose} has {len(subject)} characters, at most {MOST}: {cure}: {subject}"


def of_file(file):
    """Yield what is wrong with a message that is not committed yet."""
    text = [line for line in Path(file).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    yield from too_long("".join(text[:1]), "say the rest in the body")


def of_log(root=ROOT, since=LAST_FREE):
    """Yield what is wrong with each commit after the last free one."""
    command = ["git", "-C", root, "log", "--format=%h %s", f"{since}..HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        yield f"the log must reach back to {since}, got {done.stderr.strip()}: fetch it (git fetch --unshallow)"
    for line in done.stdout.splitlines():
        commit, _, subject = line.partition(" ")
        yield from too_long(subject, "write it anew (git rebase -i)", f"the subject of {commit}")


if __name__ == "__main__":
    sys.exit("\n".join(of_file(sys.argv[1]) if sys.argv[1:] else of_log()) or 0)
