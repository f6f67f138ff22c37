"""Configurations that cannot run are refused before any job, with a message that names file and key."""

import copy
import re
import shutil
from types import SimpleNamespace

import pytest
from checkout import ROOT

from rankbench.configuration.model import Protocol
from rankbench.datasets.sheet import load_sheet
from rankbench.experiments import protocol
from rankbench.experiments.experiment import Experiment
from rankbench.experiments.protocol import ProtocolError

CONFIG = protocol.read_yaml(ROOT / "config/config.yaml")
EXPERIMENT = protocol.read_yaml(ROOT / "config/experiments/diez/diez_table1.yaml")
CURVES = {"datasets": ["boston"], "box": 1, "steps": 3, "truth": "l1"}
EXPERIMENT["studies"] = {"level_curves": {**CURVES, "shown": [0]}, "recovery": CURVES}
EXPERIMENT["outputs"]["figures"] += ["level_curves"]
ROWS = {"kind": "rows", "columns": (), "target": "y", "kept_whole": ""}
SHEET = {name: SimpleNamespace(**ROWS, rows=10000) for name in EXPERIMENT["datasets"]} | {
    "diabetes": SimpleNamespace(**ROWS, rows=43),
    "servo": SimpleNamespace(**ROWS, rows=167),
}


TOLD = {"uses": "RankSVR", "label": "Told", "params": {"C": 1}, "grid": {}, "sampler": "random"}
OURS = {"uses": "sklearn.svm.SVR", "label": "L", "params": {}, "grid": {}}
PIPELINE = ["sklearn.preprocessing.StandardScaler", "sklearn.svm.SVR"]


def check(experiment):
    """Check an experiment as a run does; the file is called ``e.yaml``."""
    protocol.check_keys(experiment, Protocol, "e.yaml")
    protocol.check_experiment(Experiment.of(experiment), SHEET, "e.yaml")


def changed(path, value):
    """Return a copy of the experiment with one key set."""
    experiment = copy.deepcopy(EXPERIMENT)
    *way, last = path.split(".")
    inner = experiment
    for key in way:
        inner = inner[key]
    inner[last] = value
    return experiment


def paths(document, prefix=""):
    """Yield the dotted path of every key of a nested mapping."""
    for key, value in document.items():
        yield f"{prefix}{key}"
        if isinstance(value, dict):
            yield from paths(value, f"{prefix}{key}.")


def test_the_experiments_of_the_checkout_pass():
    check(EXPERIMENT)
    files = protocol.files_of(ROOT)
    names = [*files]
    loaded = protocol.load_experiments({**CONFIG, "experiments": names}, load_sheet(ROOT / "config/datasets.tsv"), ROOT)
    for name in names:
        own = protocol.read_yaml(files[name]).get("seeds_per_job", 1)
        assert loaded[name].seeds_per_job == own
    asked = {**CONFIG, "experiments": names, "seeds_per_job": 7}
    loaded = protocol.load_experiments(asked, load_sheet(ROOT / "config/datasets.tsv"), ROOT)
    assert {experiment.seeds_per_job for experiment in loaded.values()} == {7}, "the command line wins"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("seeds", 0, "seeds: must be an integer >= 1 and <= 1000000, got 0"),
        ("seeds", 2.5, "seeds: must be an integer >= 1 and <= 1000000, got 2.5"),
        ("datasets.servo.n_train", 1, "datasets.servo.n_train: must be an integer >= 2, got 1"),
        ("datasets.servo.n_test", 68, "datasets.servo: n_train + n_test = 168, but the table has 167 rows"),
        ("datasets.diabetes.n_train", 4, "datasets.diabetes.n_train: must be >= tuning.folds, got 4"),
        ("datasets.servoo", {"n_train": 5, "n_test": 5}, "datasets: unknown name 'servoo'; did you mean 'servo'?"),
        ("datasets", {}, "datasets: must be a mapping, not empty, got {}"),
        ("tuning.shares", [0.5], "tuning: must have exactly one of folds and shares, got both"),
        ("tuning.folds", 1, "tuning.folds: must be an integer >= 2 and <= 127, got 1"),
        ("tuning.metric", "swapped", "tuning.metric: unknown name 'swapped'; did you mean 'swapped_pairs'?"),
        ("metrics", ["get_scorer"], "metrics: unknown name 'get_scorer'"),
        ("metrics", ["swapped_pairs", "swapped_pairs"], "metrics: must be a list, not empty, without repetition, got"),
        ("preprocess.scaling", "robust", "preprocess.scaling: must be one of standard, standard_sample, "),
        ("methods.svor5.uses", "SVORR", "methods.svor5.uses: unknown name 'SVORR'; did you mean 'SVOR'?"),
        ("methods.svor5.grid.C", [0.1, 0], "methods.svor5.grid.C.1: must be a number > 0 or null, got 0"),
        (
            "methods.svor5.grid.C",
            [0.1, "1e-3"],
            "methods.svor5.grid.C.1: must be a number > 0 or null, got '1e-3'; YAML takes 1e-3 for a text: write 0.001",
        ),
        ("methods.svor5.grid.C", [0.1, "1.2.3"], "methods.svor5.grid.C.1: must be a number > 0 or null, got '1.2.3'"),
        (
            "methods.svor5.grid.C",
            [],
            "methods.svor5.grid.C: must be a list, not empty, without repetition or a mapping, got []",
        ),
        (
            "methods.svor5.grid.C",
            [1, 1],
            "methods.svor5.grid.C: must be a list, not empty, without repetition or a mapping, got [1, 1]",
        ),
        (
            "methods.svor5.grid.C",
            {"low": 1, "high": 10, "scale": "log"},
            "methods.svor5.grid.C: a range needs tuning.budget",
        ),
        (
            "methods.svor5.grid.C",
            {"low": 0, "high": 10, "scale": "log"},
            "methods.svor5.grid.C: needs low < high, and low > 0 on a log scale, got 0, 10",
        ),
        (
            "methods.svor5.grid.C",
            {"low": 1, "high": 1, "scale": "linear"},
            "methods.svor5.grid.C: needs low < high, and low > 0 on a log scale, got 1, 1",
        ),
        ("methods.svor5.grid.C", {"low": 1, "high": 10}, "methods.svor5.grid.C.scale: missing key"),
        (
            "methods.svor5.grid.C",
            {"low": 1, "high": 10, "scale": "ln"},
            "methods.svor5.grid.C.scale: must be one of linear, log, got 'ln'",
        ),
        (
            "methods.svor5.grid.C",
            {"low": 1, "hi": 10, "scale": "log"},
            "methods.svor5.grid.C.hi: unknown key; did you mean 'high'?",
        ),
        ("methods.svor5.stops", "n_trees", "methods.svor5.stops: unknown name; "),
        ("tuning.budget", {"settings": 60}, "tuning.budget.seconds: missing key"),
        ("tuning.budget", {"settings": 0, "seconds": 1}, "tuning.budget.settings: must be an integer >= 1"),
        (
            "methods.svor5.params.kernel",
            "rfb",
            "methods.svor5.params.kernel: must be one of linear, rbf, poly, got 'rfb'; did you mean 'rbf'?",
        ),
        ("seeds", 10**9, "seeds: must be an integer >= 1 and <= 1000000, got 1000000000"),
        ("methods.svor5.params.gamma", 1, "methods.svor5.params.gamma: is also in the grid of svor5"),
        ("methods.svor5.params.n_bin", 5, "methods.svor5.params.n_bin: unknown key of SVOR; did you mean 'n_bins'?"),
        ("methods.svor5.params.n_bins", 5.0, "methods.svor5.params.n_bins: must be an integer, got 5.0; write 5"),
        ("methods.svor5.grid.max_iter", [10, 1e6], "methods.svor5.grid.max_iter: must be an integer, got 1000000.0"),
        ("limits.seconds", 0, "limits.seconds: must be a number > 0 and <= 1000000, got 0"),
        (
            "studies.level_curves.datasets",
            ["servoo"],
            "studies.level_curves.datasets: unknown name 'servoo'; did you",
        ),
        ("studies.level_curves.box", 0, "studies.level_curves.box: must be a number > 0"),
        ("reference_method", "svor", "reference_method: unknown name 'svor'; did you mean 'svor5'?"),
        ("published", "table1.csv", "published: unknown name 'table1.csv'; did you mean 'diez_table1.csv'?"),
        ("outputs.tables", ["table"], "outputs.tables: unknown name 'table'; did you mean 'table1'?"),
        ("paper", "dietz", "paper: unknown name 'dietz'; did you mean 'diez'?"),
        ("disjoint_training", 1, "disjoint_training: must be true or false, got 1"),
        (
            "preprocess.nominal",
            "onehott",
            "onehot, ordinal, appearance, native, got 'onehott'; did you mean 'onehot'?",
        ),
        ("outputs.figures", ["dots"], "outputs.figures: unknown name 'dots'; "),
        ("seeds", 2.0, "seeds: must be an integer >= 1 and <= 1000000, got 2.0"),
        ("datasets.boston.n_test", 40.0, "datasets.boston.n_test: must be an integer >= 2 or rest, got 40.0"),
        (
            "methods.svor5\n",
            {"uses": "svor"},
            "methods: must have names in lower case letters, digits and _, got 'svor5",
        ),
        (
            "conditions",
            {f"c{i}": {} for i in range(10)},
            "conditions: table1 of outputs.tables needs exactly one, got c0",
        ),
        ("metrics", ["kendall_tau"], "metrics: table1 of outputs.tables needs swapped_pairs, got kendall_tau"),
        ("metrics", ["name\n"], "metrics: table1 of outputs.tables needs swapped_pairs, got name"),
        ("methods.svor5.uses", "../up", "methods.svor5.uses: "),
        ("outputs.statistics", ["rank"], "outputs.statistics: unknown name 'rank'; did you mean 'ranks'?"),
        (
            "datasets.diabetes",
            {"split": "published", "n_train": 20},
            "datasets.diabetes.n_train: is not for split: published of diabetes",
        ),
        ("datasets.diabetes", {"split": "drawn"}, "datasets.diabetes.split: must be one of groups, published, comp"),
        ("datasets.nowhere", {"n_train": 20, "n_test": 20, "split": "groups"}, "datasets: unknown name 'nowhere'"),
        ("datasets.diabetes.equality", 5, "datasets.diabetes.equality: is not for split: hold_out of diabetes"),
        ("datasets.servo.params", {"margin": 1}, "datasets.servo.params.margin: unknown key of SVOR"),
        ("conditions.default.params", {"C": 1}, "conditions.default.params.C: is also in the grid of svor5"),
        (
            "studies",
            {"two_rank_equalities": {"size": 9, "samples": 5}},
            "studies.level_curves: missing key; level_curves of outputs.figures needs it",
        ),
        ("methods.svor5.grid", {"gamma": [1]}, "methods.svor5.grid.C: missing key; SVOR needs it in params or grid"),
        ("methods.svor5.n_pairs", 5, "methods.svor5.n_pairs: needs a sampler"),
        ("methods.told", TOLD, "methods.told.n_pairs: missing key; set it here or in conditions.default"),
        ("methods.told", TOLD, "datasets.servo.n_pool: missing key; the sampler of methods.told needs a pool"),
        ("methods.svor5", OURS | {"uses": "sklearn.svm.SVX"}, "methods.svor5.uses: sklearn.svm.SVX cannot be imported"),
        (
            "methods.svor5",
            OURS | {"grid": {"gama": [1]}},
            "methods.svor5.grid.gama: unknown key of sklearn.svm.SVR; did you mean 'gamma'?",
        ),
        ("methods.svor5", OURS | {"uses": PIPELINE, "grid": {"svr_C": [1]}}, "did you mean 'svr__C'?"),
        ("methods.svor5", OURS | {"uses": ["sklearn.svm.SVR", "svr"]}, "methods.svor5.uses: "),
        ("methods.svor5", OURS | {"uses": "rankmargin.RankSearchCV"}, "the last step of a pipeline, [sklearn"),
        ("methods.svor5", OURS | {"stops": "epsilon"}, "methods.svor5.stops: sklearn.svm.SVR does not stop early"),
        ("conditions.default.wrong_pairs", 0.5, "conditions.default.wrong_pairs: no method of this condition has a"),
        ("conditions.default.n_pairs", 5, "conditions.default.n_pairs: no method of this condition has a sampler"),
    ],
)
def test_a_value_out_of_range_is_named(path, value, message):
    with pytest.raises(ProtocolError) as error:
        check(changed(path, value))
    assert any(line.startswith("e.yaml: ") and message in line for line in str(error.value).splitlines())


@pytest.mark.parametrize("name", ["my set", "../up", "Zürich", ""])
def test_names_that_would_be_odd_paths_are_refused(name):
    for part in ("datasets", "conditions", "methods"):
        value = next(iter(EXPERIMENT[part].values()))
        with pytest.raises(ProtocolError, match=f"{part}: must have names in lower case letters, digits and _, got"):
            check({**EXPERIMENT, part: {name: value}})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"experiments": []}, "experiments: must be text, not empty or a list, not empty, without repetition, got []"),
        ({"experiments": ["smoke", "smoke"]}, "not empty, without repetition, got ['sm"),
        ({"experiment": ["smoke"]}, "experiment: unknown key; did you mean 'experiments'?"),
        ({"seeds_per_job": 0}, "seeds_per_job: must be an integer >= 1, got 0"),
        ({"data": {}}, "data.mirrors: missing key"),
        ({"data": {"mirror": []}}, "data.mirror: unknown key; did you mean 'mirrors'?"),
        ({"data": {"mirrors": [""]}}, "data.mirrors.0: must be text, not empty, got ''"),
    ],
)
def test_a_wrong_configuration_is_named(change, message):
    with pytest.raises(ProtocolError) as error:
        protocol.load_experiments({**CONFIG, **change}, SHEET, ROOT)
    line = next(line for line in str(error.value).splitlines() if message in line)
    assert line.startswith("command line or overlay: ")


@pytest.mark.parametrize(
    ("asked", "all_", "names"),
    [
        ("smoke", None, ["smoke"]),
        ("b, smoke c", None, ["b", "smoke", "c"]),
        (["b", "smoke", "b"], None, ["b", "smoke"]),
        ("all", ["c", "b"], ["c", "b"]),
        (["b", "all"], ["c", "b"], ["b", "c"]),
        ("all", None, ["b", "c", "smoke"]),
    ],
)
def test_experiments_are_a_list_or_a_text_and_all_is_a_list_or_every_file(asked, all_, names):
    config = {"experiments": asked, **({"all": all_} if all_ else {})}
    assert protocol.names_of(config, ["b", "c", "smoke"]) == names


@pytest.mark.parametrize("asked", ["smok", ["smok"]])
def test_an_unknown_experiment_is_told_with_the_place_that_names_it(tmp_path, asked):
    message = "experiments: unknown name 'smok'; did you mean 'smoke'?"
    asked = {**CONFIG, "experiments": asked}
    with pytest.raises(ProtocolError, match=re.escape(f"command line or overlay: {message}")):
        protocol.load_experiments(asked, SHEET, ROOT)
    shutil.copytree(ROOT / "config", tmp_path / "config")
    (tmp_path / "config/config.yaml").write_text("experiments: [smok]\ndata: {mirrors: []}\n")
    with pytest.raises(ProtocolError, match=re.escape(f"config/config.yaml: {message}")):
        protocol.load_experiments(asked, SHEET, tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "e.yaml, line 1: key 'a' occurs twice"),
        ("a: {b: 1, b: 1}\n", "e.yaml, line 1: key 'b' occurs twice"),
        ("a: [1\n", "e.yaml, line 2: did not find expected ',' or ']'"),
        ("a: 1\nb: .nan\n", "e.yaml, line 2: .nan is not a decimal number"),
        ("a: [1, -.inf]\n", "e.yaml, line 1: -.inf is not a decimal number"),
        ("a: &a {b: 1}\nc: {<<: *a}", "e.yaml, line 2: << is not accepted: write out the keys"),
        ("seeds: 1:30", "e.yaml, line 1: 1:30 is not a decimal number: quote it, or write it in digits"),
        ("seeds: 010", "e.yaml, line 1: 010 is not a decimal number: quote it, or write it in digits"),
        ("seeds: 0x10", "e.yaml, line 1: 0x10 is not a decimal number: quote it, or write it in digits"),
        ("C: 1:30.5", "e.yaml, line 1: 1:30.5 is not a decimal number"),
        ("a: 2020-13-45", "e.yaml: month must be in 1..12"),
        ("a: !!python/object/apply:os.system [id]", "e.yaml, line 1: could not determine a constructor for the tag"),
    ],
)
def test_yaml_that_hides_something_is_refused(tmp_path, text, message):
    (tmp_path / "e.yaml").write_text(text)
    with pytest.raises(ProtocolError) as error:
        protocol.read_yaml(tmp_path / "e.yaml")
    assert message in str(error.value) and "\n" not in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ProtocolError, match=r"none.yaml: there is no such file"):
        protocol.read_yaml(tmp_path / "none.yaml")


def with_pool(method=None, dataset=None, condition=None):
    """Return the experiment with a method that gets pairs, changed at one key."""
    experiment = changed("methods.told", {**TOLD, "n_pairs": 5, **(method or {})})
    for sizes in experiment["datasets"].values():
        sizes["n_pool"] = 2
        sizes["n_train"] = min(sizes["n_train"], 20)
        sizes["n_test"] = 5
    experiment["datasets"]["servo"] |= dataset or {}
    experiment["conditions"]["default"] = condition or {}
    return experiment


def test_a_method_that_is_told_pairs_passes():
    check(with_pool())
    check(with_pool(condition={"n_pairs": 3, "wrong_pairs": 0.5, "tuning": {"chosen_on": "test"}}))
    check(with_pool(dataset={"n_pool": "rest"}, condition={"preprocess": {"target": "standardised"}}))


def test_the_rows_of_a_data_set_are_those_of_the_sheet():
    """No yaml says it: without it the intervals of learning curves were up to eight times too wide."""
    sheet = load_sheet(ROOT / "config/datasets.tsv")
    names = [*protocol.files_of(ROOT)]
    for name, experiment in protocol.load_experiments({**CONFIG, "experiments": names}, sheet, ROOT).items():
        assert experiment.rows == {dataset: n for dataset in experiment.datasets if (n := sheet[dataset].rows)}, name
    for key in ("rows", "name", "file"):
        with pytest.raises(ProtocolError, match=f"{key}: unknown key"):
            check({**EXPERIMENT, key: {}})


@pytest.mark.parametrize(
    ("key", "value"), [("metrics", ["swapped_pairs", "comparison_auc"]), ("tuning.metric", "comparison_auc")]
)
def test_a_metric_of_comparisons_is_not_for_rows(key, value):
    """It failed in each run, when the records were collected."""
    with pytest.raises(ProtocolError, match=rf"e\.yaml: {key}: comparison_auc judges comparisons, but \w+ has rows"):
        check(changed(key, value))


@pytest.mark.parametrize("place", ["preprocess", "conditions.default.preprocess", "methods.svor5.preprocess"])
@pytest.mark.parametrize("metric", ["zero_one", "mean_absolute_error", "rank_inversions"])
@pytest.mark.parametrize("target", ["standardised", "standardised_train"])
def test_a_standardised_target_has_no_ranks(place, metric, target):
    for key, value in (("metrics", ["swapped_pairs", metric]), ("tuning.metric", metric)):
        experiment = changed(key, value)
        at = experiment
        for part in place.split("."):
            at = at.setdefault(part, {})
        check(experiment)
        at["target"] = target
        with pytest.raises(ProtocolError) as error:
            check(experiment)
        assert f"e.yaml: {place}.target: {target} has no ranks for {metric}; accepted: raw" in str(error.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"method": {"sampler": "randon"}}, "methods.told.sampler: unknown name 'randon'; did you mean 'random'?"),
        ({"method": {"uses": "SVOR", "params": {"C": 1}}}, "methods.told.sampler: SVOR takes no pairs"),
        ({"method": {"params": {"C": 1, "pairs": 3}}}, "methods.told.params.pairs: unknown key"),
        ({"dataset": {"n_pool": 160}}, "datasets.servo: n_train + n_test + n_pool = 185, but the table has 167 rows"),
        ({"dataset": {"n_test": "rest", "n_pool": "rest"}}, "only one of n_test and n_pool may be rest"),
        ({"condition": {"tuning": {"chosen_on": "luck"}}}, "conditions.default.tuning.chosen_on: must be one of valid"),
        ({"condition": {"wrong_pairs": 2}}, "conditions.default.wrong_pairs: must be a number >= 0 and <= 1"),
    ],
)
def test_what_is_wrong_with_pairs_is_named(change, message):
    with pytest.raises(ProtocolError) as error:
        check(with_pool(**change))
    assert message in str(error.value)


PAIRS = {
    **{key: EXPERIMENT[key] for key in ("title", "paper", "preprocess", "limits")},
    "datasets": {"norm": {"split": "comparisons", "attributes": ["x1"]}},
    "conditions": {"few": {"equality": 5, "inequality": 5}},
    "seeds": 2,
    "tuning": {"metric": "zero_one"},
    "methods": {"compare": {"uses": "ComparisonSVM", "label": "compare", "params": {}, "grid": {"C": [1]}}},
    "metrics": ["zero_one", "comparison_auc"],
    "reference_method": "compare",
    "outputs": {"statistics": ["summary"], "tables": [], "figures": []},
}
OF_PAIRS = {**ROWS, "kind": "pairs", "columns": ("x1", "r", "y")}
PAIRS_SHEET = {"norm": SimpleNamespace(**OF_PAIRS, rows=40), "diabetes": SHEET["diabetes"]}


def check_pairs(monkeypatch, path=None, value=None):
    """Check the experiment on pairs with one key set."""
    monkeypatch.setitem(globals(), "SHEET", PAIRS_SHEET)
    monkeypatch.setitem(globals(), "EXPERIMENT", PAIRS)
    check(PAIRS if path is None else changed(path, value))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("tuning.folds", 3, "tuning.folds: is not for split: comparisons of norm"),
        ("tuning.first_periods", 3, "tuning.first_periods: must come with shares"),
        (
            "datasets.norm.n_train",
            5,
            "conditions.few.n_train: is not for split: comparisons of norm",
        ),
        ("datasets.norm.split", "published", "tuning: must have exactly one of folds and shares, got none"),
        ("tuning.shares", [0.5], "tuning.shares: is not for split: comparisons of norm"),
        (
            "datasets.norm",
            {"split": "comparisons", "place": 0, "test": {"equality": 5, "inequality": 5}},
            "conditions.few.test: cannot be combined with place: all sets of the authors have the same size",
        ),
        ("datasets.norm.attributes", ["x2"], "datasets.norm.attributes: x2 not in norm; accepted: x1, r"),
        ("methods.compare.attributes", ["y"], "methods.compare.attributes: y not in norm; accepted: x1, r"),
        (
            "methods.compare.datasets",
            ["norms"],
            "methods.compare.datasets: unknown name 'norms'; did you mean 'norm'? accepted: norm",
        ),
        ("methods.compare.uses", "SVOR", "methods.compare.uses: SVOR learns from rows, but norm has pairs"),
        ("conditions.few.equality", 12, "conditions.few: three sets of 51 pairs, but the table has 40 rows"),
        (
            "conditions.few",
            {"equality": 3},
            "conditions.few.inequality: missing key of split: comparisons of norm",
        ),
        (
            "datasets.diabetes",
            {"n_train": 20, "n_test": 10},
            "tuning.folds: missing key of split: hold_out of diabetes",
        ),
    ],
)
def test_faults_of_pairs_are_named(monkeypatch, path, value, message):
    check_pairs(monkeypatch)
    with pytest.raises(ProtocolError) as error:
        check_pairs(monkeypatch, path, value)
    assert message in str(error.value)


def test_what_a_method_is_not_for_asks_nothing_of_it():
    """A pool that only the sampler of another data set needs, and parameters of a data set that it does not see."""
    experiment = with_pool(method={"datasets": ["servo"]})
    del experiment["datasets"]["boston"]["n_pool"]
    check(experiment)
    experiment = changed("datasets.servo.params", {"kernel": "rbf"})
    experiment["methods"]["trees"] = {**OURS, "uses": "sklearn.ensemble.RandomForestRegressor", "datasets": ["boston"]}
    experiment["methods"] = {name: experiment["methods"][name] for name in ("svor5", "trees")}
    experiment["reference_method"] = "svor5"
    check(experiment)
    del experiment["methods"]["trees"]["datasets"]
    with pytest.raises(ProtocolError, match=r"datasets\.servo\.params\.kernel: unknown key of sklearn\.ensemble"):
        check(experiment)


def test_two_files_of_one_name_are_refused(tmp_path):
    for folder in ("diez", "mine"):
        (tmp_path / f"config/experiments/{folder}").mkdir(parents=True)
        (tmp_path / f"config/experiments/{folder}/table.yaml").touch()
    said = r"^config/experiments/mine/table\.yaml: has the same name as config/experiments/diez/table\.yaml; names must"
    with pytest.raises(ProtocolError, match=said):
        protocol.files_of(tmp_path)


@pytest.mark.parametrize(("text", "message"), [("", "must be a mapping"), ("experiment: []\n", "experiments: missing")])
def test_an_empty_configuration_or_one_without_experiments_is_named(tmp_path, text, message):
    (tmp_path / "config").mkdir()
    (tmp_path / "config/config.yaml").write_text(text)
    with pytest.raises(ProtocolError, match=f"config/config.yaml: .*{message}"):
        protocol.load_asked(root=tmp_path)


def test_learning_curves_need_a_size_of_each_condition():
    experiment = changed("outputs.figures", ["learning_curves"])
    with pytest.raises(
        ProtocolError, match=r"conditions\.default\.n_train: missing key; learning_curves of outputs\.fig"
    ):
        check(experiment)
