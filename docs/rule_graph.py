"""Draw the graph of the workflow's rules, docs/design/rules.svg: python docs/rule_graph.py (needs Graphviz's dot)."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs/design/rules.svg"
COMMAND = ["-m", "snakemake", "--rulegraph", "dot", "--forceall", "--config", "experiments=[diez_table1]"]


def graph():
    """Return the graph of Table 1, one job for each run, as Snakemake writes it in the language of dot."""
    command = [sys.executable, *COMMAND, "seeds_per_job=1"]
    text = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return re.sub(r'color = "[^"]*"', 'color = "#1f4e79"', text[text.index("digraph") :])


def edges_of_dot(text):
    """Return (rule, rule) for every edge of a graph in the language of dot."""
    names = dict(re.findall(r'(\d+)\[label = "(\w+)"', text))
    return {(names[a], names[b]) for a, b in re.findall(r"(\d+) -> (\d+)", text)}


def edges_of_svg(text):
    """Return (rule, rule) for every edge of a picture that dot has drawn."""
    names = dict(re.findall(r"<title>(\d+)</title>.*?<text[^>]*>(\w+)</text>", text, re.DOTALL))
    return {(names[a], names[b]) for a, b in re.findall(r"<title>(\d+)&#45;&gt;(\d+)</title>", text)}


if __name__ == "__main__":
    drawn = subprocess.run(["dot", "-Tsvg"], input=graph(), capture_output=True, text=True, check=True).stdout
    PICTURE.write_text(drawn, encoding="utf-8")
