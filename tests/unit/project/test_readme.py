"""README is short, its links and commands work, and its numbers are those in tests/golden."""

import re

import pandas as pd
from checkout import ROOT

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_example_prints_what_it_says(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    ((code, output),) = re.findall(r"```python\n(.*?)```\n\n((?:    [^\n]*\n)+)", TEXT, re.DOTALL)
    assert len(code.split("\n\n")[1].splitlines()) <= 6 and max(map(len, code.splitlines())) <= 60
    exec(code, {})
    assert capsys.readouterr().out.split() == output.split()


def test_its_cars_are_those_of_the_benchmark():
    """The maker is the first word of the name, the place of origin has its name, and the rows are shuffled."""
    names = ["mpg", "cylinders", "displacement", "horsepower", "weight", "acceleration", "year", "origin", "name"]
    raw = ROOT / "resources/data/auto-mpg/auto-mpg.data.xz"
    known = pd.read_csv(raw, sep=r"\s+", header=None, names=names, na_values="?")
    known = known.assign(origin=known["origin"].map({1: "USA", 2: "Europe", 3: "Japan"}))
    known = known.assign(maker=known.pop("name").str.split().str[0])
    cars = pd.read_csv(ROOT / "docs/start/cars.csv")
    in_order = [frame.sort_values(list(cars), ignore_index=True)[list(cars)] for frame in (cars, known)]
    pd.testing.assert_frame_equal(*in_order, check_dtype=False)
    assert known["horsepower"].isna().sum() == 6 and not cars["year"].is_monotonic_increasing


def test_the_page_of_the_first_ranker_runs_and_prints_what_it_says(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/start/first_ranker.md").read_text(encoding="utf-8")
    names, printed = {}, []
    for code, output in re.findall(r"```python\n(.*?)```\n\n((?:    \S[^\n]*\n)*)", page, re.DOTALL):
        exec(code, names)
        printed.append((output.split(), capsys.readouterr().out.split()))
    assert len(printed) > 5 and all(said == came for said, came in printed)


def test_its_targets_are_those_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:`|    )make ([a-z]+)", TEXT))
    assert {"reproduce", "test", "docs"} <= named
    for file in ("Dockerfile", ".devcontainer/devcontainer.json"):
        found = re.findall(r"""make(?: |", ")(\.?[a-z/]+)""", (ROOT / file).read_text("utf-8"))
        assert found, file
        named |= {*found}
    assert {".venv/installed", ".venv/development", "compare"} <= named
    assert not [name for name in named if f"\n{name}:" not in makefile]


def test_seconds_of_the_guide_are_the_measured_ones():
    benchmarks = (ROOT / "benchmarks/README.md").read_text(encoding="utf-8")
    guide = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs/guide").glob("*.md")}
    (table,) = re.findall(r"\| rows \| `RankSearchCV\(\)` \|.*?\n\n", benchmarks, re.DOTALL)
    took = dict(re.findall(r"^\| ([\d,]+) \| ([\d.]+) \|", table, re.MULTILINE))
    said = "takes {200} seconds at 200 rows, {800} at 800 and {2,000} at 2,000"
    assert re.sub(r"\{(.*?)\}", lambda rows: took[rows[1]], said) in guide["tuning"]
