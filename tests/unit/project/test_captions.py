"""The captions of Snakemake's own report (``snakemake --report``) find what they name."""

from types import SimpleNamespace

import pytest
from checkout import ROOT
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from rankbench.experiments.protocol import load_asked
from rankbench.experiments.stamps import Plan
from rankbench.registry import FIGURES, TABLES

CAPTIONS = Environment(loader=FileSystemLoader(ROOT / "workflow/report"), undefined=StrictUndefined)


@pytest.mark.parametrize("name", ["diez_table1", "svmcompare_fig2"])
def test_tables_and_figures_have_the_title_of_their_experiment(name):
    experiments, sheet = load_asked([name], ROOT)
    experiment, plan = experiments[name], Plan(experiments, sheet)
    made = [("table", TABLES, one) for one in experiment.outputs["tables"]]
    made += [("figure", FIGURES, one) for one in experiment.outputs["figures"]]
    assert made
    for kind, known, one in made:
        params = SimpleNamespace(task=plan.output(name, known[one], "write_table").task)
        job = SimpleNamespace(wildcards=SimpleNamespace(experiment=name, **{kind: one}), params=params)
        text = CAPTIONS.get_template(f"{kind}.rst").render(snakemake=job)
        assert f"{one} of experiment {name}: {experiment.title}." in text
        assert ("20 hold-outs" in text) == (kind == "table" and name == "diez_table1")


def test_the_other_captions_render():
    job = SimpleNamespace(config={"experiments": ["smoke"]})
    for file in sorted((ROOT / "workflow/report").glob("*.rst")):
        if file.stem not in ("table", "figure"):
            assert CAPTIONS.get_template(file.name).render(snakemake=job)
