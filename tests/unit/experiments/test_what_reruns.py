"""After an edit of a source or a key exactly what depends on it runs again, judged by digests and parameters of
jobs."""

import ast
import importlib.metadata
import inspect
import sys
from dataclasses import replace
from functools import cache
from importlib.util import find_spec

import pytest
import shipped

from rankbench import sources
from rankbench.datasets.registered import reading_digest
from rankbench.experiments import experiment as of_experiments
from rankbench.experiments.methods import sources_of
from rankbench.experiments.provenance import version_of
from rankbench.registry import STUDIES

OF_A_TASK = {"datasets", "conditions", "preprocess", "tuning", "methods"}


def digests():
    """Yield (kind, name, part), digest of every table, split, method and study of the project."""
    for name, row in shipped.sheet().items():
        yield ("table", name, ""), reading_digest(row)
    for name, experiment in shipped.experiments().items():
        for dataset in experiment.datasets:
            yield ("split", name, dataset), experiment.split_digest(dataset)
        for method, digest in replace(experiment).digests.items():  # a copy has computed no digest yet
            yield ("method", name, method), digest
        for study in experiment.studies:
            yield ("study", name, study), experiment.study_digest(study)


@cache
def today():
    """Return the digests without any edit."""
    return dict(digests())


@pytest.fixture
def changed_by(monkeypatch):
    """Return what an edit of the source of a module changes, as a set of (kind, name, part)."""

    def edit(module):
        before, content_of = today(), sources.content_of
        edited = content_of(module) + b"EDITED = 1\n"
        monkeypatch.setattr(sources, "content_of", lambda name: edited if name == module else content_of(name))
        sources.source_digest.cache_clear()
        return {key for key, digest in digests() if digest != before[key]}

    yield edit
    sources.source_digest.cache_clear()


def names_of(kind, changed):
    return {(name, part) for of, name, part in changed if of == kind}


def test_sets_of_pairs_stand_on_how_they_are_drawn(changed_by):
    changed = changed_by("rankbench.experiments.comparison_sets")
    wanted = {
        ("split", name, dataset)
        for name, experiment in shipped.experiments().items()
        for dataset, sizes in experiment.datasets.items()
        if sizes.split == "comparisons"
    }
    assert changed == wanted and len(wanted) > 3


def test_an_edit_of_a_list_of_components_makes_no_run_again(changed_by):
    assert changed_by("rankbench.papers.rooms") == changed_by("rankbench.papers.diez.room") == set()
    assert not {kind for kind, *_ in changed_by("rankbench.registry")} & {"method", "split"}


def test_tables_stand_on_what_checks_them(changed_by):
    assert changed_by("rankbench.datasets.build") == {("table", name, "") for name in shipped.sheet()}


def test_a_table_stands_on_every_reader_of_its_sources(changed_by):
    arff = changed_by("rankbench.datasets.readers.arff")
    assert {name for _, name, _ in arff} >= {"bank8", "pyrimidines", "triazines", "cpusmall"}
    assert arff == {
        ("table", name, "")
        for name, row in shipped.sheet().items()
        if row.reader == "arff" or any(url.startswith("arff+") for url in row.urls)
    }


@pytest.mark.parametrize(
    ("module", "studies"),
    [
        (
            "rankmargin.estimators.compare",
            {
                ("svmcompare_fig2", "max_margin_panels"),
                ("svmcompare_fig3", "level_curves"),
                ("svmcompare_fig3", "recovery"),
                ("svmcompare_scaling", "without_scaling"),
                ("svmcompare_fig6", "comparison_baseline"),
                ("svmcompare_fig6_years", "comparison_baseline"),
                ("svmcompare_theory", "comparison_counts"),
                ("svmcompare_theory", "comparison_dual"),
                ("svmcompare_theory", "separable_programs"),
            },
        ),
        (
            "rankmargin.sampling",
            {
                ("ranksvr_fig4", "cost_sweep"),
                ("ranksvr_theory", "close_draws"),
                ("ranksvr_theory", "expansion"),
                ("ranksvr_theory", "norm_seconds"),
                ("ranksvr_theory", "one_dimension_curves"),
                ("ranksvr_theory", "one_dimension_errors"),
                ("ranksvr_theory", "sampler_growth"),
                ("ranksvr_theory", "sampling_as_printed"),
                ("ranksvr_theory", "slope_range"),
                ("ranksvr_theory", "training_seconds"),
            },
        ),
    ],
)
def test_studies_stand_on_what_the_studies_of_their_module_use(changed_by, module, studies):
    assert names_of("study", changed_by(module)) == studies


@pytest.mark.parametrize(
    ("study", "method"), [("cost_sweep", "ranksvr:RankSVR"), ("level_curves", "rank_threshold:RankThreshold")]
)
def test_an_edited_method_runs_its_studies_and_jobs_again(changed_by, study, method):
    module, method = method.split(":")
    changed = changed_by(f"rankmargin.estimators.{module}")
    assert study in {part for _, part in names_of("study", changed)}
    assert names_of("method", changed) >= {
        (name, key)
        for name, experiment in shipped.experiments().items()
        for key, entry in experiment.methods.items()
        if entry.uses == method
    }
    assert not names_of("table", changed) | names_of("split", changed)


FITTED_WITH = ("lightgbm", "xgboost", "mord", "skordinal", "sklearn")


@pytest.mark.parametrize("package", FITTED_WITH)
def test_another_version_of_a_package_makes_the_runs_again_that_fit_with_it(monkeypatch, package):
    before = today()
    monkeypatch.setattr(of_experiments, "version_of", lambda name: "0.0" if name == package else version_of(name))
    changed = {key for key, digest in digests() if digest != before[key]}
    entries = {(name, key): entry for name, one in shipped.experiments().items() for key, entry in one.methods.items()}
    wanted = {run for run, entry in entries.items() if package in sources_of(entry.uses)[1]}
    assert names_of("method", changed) == wanted and wanted
    assert {kind for kind, *_ in changed} <= {"method", "study"}


def test_the_version_of_a_package_is_that_of_its_distribution(monkeypatch, tmp_path):
    for package in ("made_with_version", "made_without"):
        (tmp_path / f"{package}.py").write_text("__version__ = '1.2'" if package == "made_with_version" else "")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "xgboost", raising=False)
    version_of.cache_clear()
    told = {name: version_of(name) for name in ("made_with_version", "made_without", "no_such_package", "xgboost")}
    assert told["made_with_version"] == "1.2" and told["made_without"] == "?" and told["no_such_package"] == "none"
    found = [name for name in ("xgboost", "xgboost-cpu") if find_spec("xgboost") and has_distribution(name)]
    assert told["xgboost"] == (importlib.metadata.version(found[0]) if found else "none")


def has_distribution(name):
    try:
        return bool(importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return False


def test_a_study_is_given_the_keys_that_it_reads():
    fig4 = shipped.experiments()["ranksvr_fig4"]
    given = fig4.studied("cost_sweep").document
    assert [*given["methods"]] == ["sample_mst"] and {"title", "paper", "outputs", "studies"}.isdisjoint(given)
    edited = replace(fig4, title="Another", outputs={}, published="other.csv", reference_method="random")
    assert edited.studied("cost_sweep").document == given
    assert replace(edited, preprocess={}).studied("cost_sweep").document != given
    assert shipped.experiments()["ranksvr_theory"].studied("close_draws").document == {"name": "close_draws"}


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_names_the_keys_that_it_reads(study):
    reads = STUDIES[study].reads
    tree = ast.parse(inspect.getsource(STUDIES[study].load()))
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "experiment"
    }
    assert used <= {*reads, "task"} and ("task" not in used or {*reads} >= OF_A_TASK)
