"""Count lines of code and words, and refuse what has grown beyond its number in sizes.tsv; ``make lint`` does so.

Of Python a line is a statement, or the head of one, however it is broken, without docstrings and comments; of
Snakemake's language a line that is neither blank nor a comment. An area that got smaller lowers its number.
"""

import ast
import csv
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SIZES = "tests/sizes.tsv"
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def lines(text, file):
    """Return the number of lines of code."""
    if file.suffix != ".py":
        return sum(bool(line.strip()) and not line.strip().startswith("#") for line in text.splitlines())
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node):
            node.body = node.body[1:]
    return sum(map(bool, ast.unparse(tree).splitlines()))


def words(text, _):
    """Return the number of words."""
    return len(text.split())


def counted(unit, patterns, root):
    """Return the lines or words of the files of an area that git knows, or would add."""
    wanted = [f":(glob){pattern}" for pattern in patterns.split()]
    command = ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *wanted]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\0")
    files = [Path(root, name) for name in listed if name and Path(root, name).is_file()]
    return sum({"lines": lines, "words": words}[unit](file.read_text(encoding="utf-8"), file) for file in files)


def main(root=ROOT):
    """Print the size of each area, write the numbers of those that got smaller, and return what has grown."""
    with Path(root, SIZES).open(encoding="utf-8", newline="") as file:
        areas = list(csv.DictReader(file, delimiter="\t"))
    grown = []
    for area in areas:
        now, most = counted(area["unit"], area["files"], root), int(area["most"])
        print(f"{area['area']:<10} {now:>6} of {most:>6} {area['unit']}")
        area["most"] = min(now, most)
        if now > most:
            told = f"{area['area']} has {now} {area['unit']}, {now - most} more than {SIZES} allows"
            grown.append(f"{told}: take as many out, or raise its number in a commit whose subject names the feature")
    with Path(root, SIZES).open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, areas[0], delimiter="\t", lineterminator="\n")
        table.writeheader()
        table.writerows(areas)
    return "\n".join(grown)


if __name__ == "__main__":
    sys.exit(main() or 0)
