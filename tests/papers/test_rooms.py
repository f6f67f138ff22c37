"""A room holds what belongs to one paper: its page names what is there, and the core does not know it."""

import re
from pathlib import Path

import pandas as pd
import pytest
import shipped
from checkout import ROOT

from rankbench.experiments.protocol import files_of, read_yaml
from rankbench.registry import OF_DATA, PAPERS, ROOMS, STATED, _by_name
from rankbench.room import CLAIMS

CORE = ROOT / "benchmark/src/rankbench"


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_the_page_of_a_room_names_its_figures_tables_readers_methods_and_protocols(room):
    page = (CORE / "papers" / room.name / "README.md").read_text(encoding="utf-8")
    methods = (CORE / "papers" / room.name / "methods").glob("[a-z]*.py")
    assert not [file.name for file in methods if f"methods/{file.name}" not in page]
    for kind in ("figures", "tables", "readers"):
        for component in getattr(room, kind):
            assert (component.name if component.file else f"{kind}/{component.name}.py") in page, component
    names = [file.stem for file in (ROOT / "config/experiments" / room.name).glob("*.yaml")]
    patterns = [name.replace("*", ".*") for name in re.findall(r"`(\S+)\.yaml`", page)]
    assert names and not [name for name in names if not any(re.fullmatch(one, name) for one in patterns)]


def test_an_experiment_about_a_paper_lies_in_the_folder_of_the_paper():
    for name, file in files_of(ROOT).items():
        paper = read_yaml(file).get("paper", "")
        assert file.parent.name == paper or file.parent.name in ("experiments", "today", "not_run_here"), name


def test_the_printed_numbers_of_a_room_are_all_listed():
    for room in ROOMS:
        assert {*room.published, *([CLAIMS] if room.claims else [])} == {
            file.name for file in room.folder.glob("*.csv")
        }
        assert room.name in ("today", *pd.concat([pd.read_csv(file) for file in STATED])["paper"])


def test_a_name_that_two_rooms_use_is_refused():
    with pytest.raises(ValueError, match="published: b has the same name as a"):
        _by_name("published", [("table.csv", Path("a")), ("table.csv", Path("b"))])


@pytest.fixture(scope="module")
def names():
    """The names of papers, authors, experiments and data sets."""
    names = {paper.name for paper in PAPERS} | {*re.findall(r"\b[A-Z]\w+", " ".join(paper.authors for paper in PAPERS))}
    names |= {"Diez", *files_of(ROOT), *shipped.sheet()}
    return names - {"smoke"}


def named_in(text, names):
    """Return what the core may not name: these names, and figures and tables of papers."""
    for reader in {reader.name for reader in OF_DATA.readers} & names:  # a set that is its own format
        names, text = names - {reader}, text.replace(reader, "")
    words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.findall(rf"(?<![A-Za-z])(?:{words})(?![A-Za-z])|(?:Figure|Table|Theorem) \d", text)


def test_the_core_names_no_paper_data_set_or_figure(names):
    of_one_set = CORE / "datasets/readers/sklearn_diabetes.py"
    files = [file for ending in ("py", "html", "js", "css", "yaml") for file in CORE.rglob(f"*.{ending}")]
    core = [file for file in files if CORE / "papers" not in file.parents and file != of_one_set]
    assert len(core) > 100
    assert {
        str(file.relative_to(CORE)): named for file in core if (named := named_in(file.read_text("utf-8"), names))
    } == {}
    text = "as del Coz, or Herbrich_5, in Table 1; papers.diez, diez_table1 and servo; service, observed, today"
    assert named_in(text, names) == ["Coz", "Herbrich", "Table 1", "diez", "diez_table1", "servo"]
