"""Configurations that cannot run are refused before any job, with a message that names file and key."""

import copy
from types import SimpleNamespace

import pytest
import shipped
from checkout import ROOT

from rankbench.experiments import protocol
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
PARTS = ("datasets", "conditions", "methods")
PIPELINE = ["sklearn.preprocessing.StandardScaler", "sklearn.svm.SVR"]


def check(experiment, sheet=SHEET):
    """Check an experiment as a run does; the file is called ``e.yaml``."""
    return protocol.described(experiment, protocol.Known(sheet), "e.yaml")


def changed(path, value, of=EXPERIMENT):
    """Return a copy of an experiment with one key set."""
    experiment = copy.deepcopy(of)
    *way, last = path.split(".")
    inner = experiment
    for key in way:
        inner = inner[key]
    inner[last] = value
    return experiment


def test_the_experiments_of_the_checkout_pass():
    for experiment, sheet in ((EXPERIMENT, SHEET), (TOLD_PAIRS, SHEET), (PAIRS, PAIRS_SHEET)):
        check(experiment, sheet)
    files = protocol.files_of(ROOT)
    for name, experiment in shipped.experiments().items():
        assert experiment.seeds_per_job == protocol.read_yaml(files[name]).get("seeds_per_job", 1)
    asked = protocol.load_experiments({**CONFIG, "experiments": ["smoke"], "seeds_per_job": 7}, shipped.sheet(), ROOT)
    assert asked["smoke"].seeds_per_job == 7, "the command line wins"


TOLD_PAIRS = changed("methods.told", {**TOLD, "n_pairs": 5})
for sizes in TOLD_PAIRS["datasets"].values():
    sizes |= {"n_pool": 2, "n_train": min(sizes["n_train"], 20), "n_test": 5}

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
PAIRS_SHEET = {"norm": SimpleNamespace(**OF_PAIRS, rows=30), "diabetes": SHEET["diabetes"]}

LEVELS, GRID, PARAMS = "studies.level_curves", "methods.svor5.grid", "methods.svor5.params"
RANGE = {"low": 1, "high": 10, "scale": "log"}


FAULTS = [
    ("seeds", 0, "seeds: Input should be greater than or equal to 1, got 0"),
    ("seeds", 2.5, "seeds: Input should be a valid integer, got 2.5"),
    ("seeds", 2.0, "seeds: Input should be a valid integer, got 2.0"),
    ("seeds", 10**9, "seeds: Input should be less than or equal to 1000000, got 1000000000"),
    ("datasets.servo.n_train", 1, "datasets.servo.n_train: Input should be greater than or equal to 2, got 1"),
    ("datasets.servo.n_test", 4.0, "n_test: Input should be a valid integer or Input should be 'rest', got 4.0"),
    ("datasets.servoo", {"n_train": 5, "n_test": 5}, "datasets: unknown name 'servoo'; did you mean 'servo'?"),
    ("datasets", {}, "datasets: Dictionary should have at least 1 item after validation, not 0, got {}"),
    ("tuning.shares", [0.5], "tuning: must have exactly one of folds and shares, got both"),
    ("tuning.folds", 1, "tuning.folds: Input should be greater than or equal to 2, got 1"),
    ("tuning.metric", "swapped", "tuning.metric: unknown name 'swapped'; did you mean 'swapped_pairs'?"),
    ("metrics", ["get_scorer"], "metrics: unknown name 'get_scorer'"),
    ("metrics", ["zero_one", "zero_one"], "metrics: An entry occurs twice, got ['zero_one', 'zero_one']"),
    ("preprocess.scaling", "robust", "preprocess.scaling: Input should be 'standard', 'standard_sample', "),
    (
        "preprocess.nominal",
        "onehott",
        "preprocess.nominal: Input should be 'onehot', 'ordinal'",
    ),
    ("methods.svor5.uses", "SVORR", "methods.svor5.uses: unknown name 'SVORR'; did you mean 'SVOR'?"),
    ("methods.svor5.uses", "../up", "methods.svor5.uses: "),
    (f"{GRID}.C", [0.1, 0], f"{GRID}.C.1: Input should be greater than 0, got 0"),
    (f"{GRID}.C", [0.1, "1e-3"], f"{GRID}.C.1: Input should be a valid number, got '1e-3'"),
    (f"{GRID}.C", [0.1, "1.2.3"], f"{GRID}.C.1: Input should be a valid number, got '1.2.3'"),
    (f"{GRID}.C", [], f"{GRID}.C: List should have at least 1 item after validation, not 0, got []"),
    (f"{GRID}.C", [1, 1], f"{GRID}.C: An entry occurs twice, got [1, 1]"),
    (f"{GRID}.C", RANGE | {"first": 2}, f"{GRID}.C: a range needs tuning.budget"),
    (f"{GRID}.C", RANGE | {"low": 0}, f"{GRID}.C.low: Input should be greater than 0, got 0"),
    (f"{GRID}.C", RANGE | {"high": 1}, f"{GRID}.C: Range needs low < high, and low > 0 on a log scale, got {{"),
    (f"{GRID}.degree", RANGE | {"high": 2.5}, f"{GRID}.degree.high: Input should be a valid integer, got 2.5"),
    (f"{GRID}.n_bins", RANGE | {"low": 0, "whole": True}, f"{GRID}.n_bins: Range needs low < high, and low > 0"),
    (f"{GRID}.C", RANGE | {"first": 0}, f"{GRID}.C: Range needs a first from low to high, got"),
    (f"{GRID}.C", RANGE | {"first": 11}, f"{GRID}.C: Range needs a first from low to high, got"),
    (f"{GRID}.C", RANGE | {"high": 3.2, "whole": True}, f"{GRID}.C: Range of whole numbers needs whole ends"),
    (f"{GRID}.C", RANGE | {"first": 1.5, "whole": True}, f"{GRID}.C: Range of whole numbers needs whole ends"),
    (f"{GRID}.C", RANGE | {"by": "columns", "whole": True}, "ends and first, and no by"),
    (f"{GRID}.C", {"low": 1, "high": 10}, f"{GRID}.C.scale: Field required"),
    (f"{GRID}.C", RANGE | {"scale": "ln"}, f"{GRID}.C.scale: Input should be 'linear' or 'log', got 'ln'"),
    (f"{GRID}.C", {"low": 1, "hi": 10, "scale": "log"}, f"{GRID}.C.hi: unknown key; did you mean 'high'?"),
    (f"{PARAMS}.kernel", "rfb", f"{PARAMS}.kernel: Input should be 'linear', 'rbf' or 'poly', got 'rfb'"),
    (f"{PARAMS}.gamma", 1, f"{PARAMS}.gamma: is also in the grid of SVOR_5"),
    (f"{PARAMS}.n_bin", 5, f"{PARAMS}.n_bin: unknown key of SVOR; did you mean 'n_bins'?"),
    ("tuning.budget", {"settings": 60}, "tuning.budget.seconds: Field required"),
    ("tuning.budget", {"settings": 0, "seconds": 1}, "tuning.budget.settings: Input should be greater than or"),
    ("limits.seconds", 0, "limits.seconds: Input should be greater than 0, got 0"),
    (f"{LEVELS}.datasets", ["servoo"], f"{LEVELS}.datasets: unknown name 'servoo'; did you mean"),
    ("reference_method", "svor", "reference_method: unknown name 'svor'; did you mean 'svor5'?"),
    ("published", "table1.csv", "published: unknown name 'table1.csv'; did you mean 'diez_table1.csv'?"),
    ("outputs.tables", ["table"], "outputs.tables: unknown name 'table'; did you mean 'table1'?"),
    ("outputs.figures", ["dots"], "outputs.figures: unknown name 'dots'; "),
    ("outputs.statistics", ["rank"], "outputs.statistics: unknown name 'rank'; did you mean 'ranks'?"),
    ("paper", "dietz", "paper: unknown name 'dietz'; did you mean 'diez'?"),
    (f"{PARAMS}.tol", float("inf"), f"{PARAMS}.tol: Input should be a finite number, got inf"),
    ("disjoint_training", 1, "disjoint_training: Input should be a valid boolean, got 1"),
    ("methods.svor5\n", {"uses": "svor"}, "methods: String should match pattern '^(?:[a-z][a-z0-9_]*)$', got"),
    (
        "conditions",
        {key: {} for key in "abcdef"},
        "conditions: table1 of outputs.tables needs exactly one, got a",
    ),
    ("metrics", ["kendall_tau"], "metrics: table1 of outputs.tables needs swapped_pairs, got kendall_tau"),
    ("metrics", ["name\n"], "metrics: table1 of outputs.tables needs swapped_pairs, got name"),
    (
        "datasets.diabetes",
        {"split": "published", "n_train": 20},
        "n_train: is not for split: published of",
    ),
    ("datasets.diabetes", {"split": "drawn"}, "datasets.diabetes.split: Input should be 'groups', 'published' or"),
    ("datasets.nowhere", {"n_train": 20, "n_test": 20, "split": "groups"}, "datasets: unknown name 'nowhere'"),
    ("datasets.diabetes.equality", 5, "datasets.diabetes.equality: is not for split: hold_out of diabetes"),
    ("datasets.servo.params", {"margin": 1}, "datasets.servo.params.margin: unknown key of SVOR"),
    ("conditions.default.params", {"C": 1}, "conditions.default.params.C: is also in the grid of "),
    ("studies", {"two_rank_equalities": {"size": 9, "samples": 5}}, f"{LEVELS}: missing key; level_curves of outp"),
    ("methods.told", TOLD, "datasets.servo.n_pool: missing key; the sampler of methods.told needs a pool"),
    ("methods.svor5", OURS | {"uses": "sklearn.svm.SVX"}, "methods.svor5.uses: sklearn.svm.SVX cannot be imported"),
    ("methods.svor5", OURS | {"grid": {"gama": [1]}}, "unknown key of sklearn.svm.SVR; did you mean 'gamma'?"),
    ("methods.svor5", OURS | {"uses": PIPELINE, "grid": {"svr_C": [1]}}, "did you mean 'svr__C'?"),
    ("methods.svor5", OURS | {"uses": ["sklearn.svm.SVR", "svr"]}, "methods.svor5.uses"),
    ("methods.svor5", OURS | {"uses": "rankmargin.RankSearchCV"}, "the last step of a pipeline, [sklearn"),
    ("methods.svor5", {"uses": "SVOR", "label": "S", "params": {}}, "methods.svor5.grid: Field required"),
    ("methods.svor5.lable", "S", "methods.svor5.lable: unknown key; did you mean 'label'?"),
    *((key, {}, f"{key}: unknown key") for key in ("rows", "name", "file")),
    ("metrics", ["swapped_pairs", "comparison_auc"], "metrics: comparison_auc judges comparisons, but "),
    ("tuning.metric", "comparison_auc", "tuning.metric: comparison_auc judges comparisons, but "),
    *((part, {name: {}}, f"{part}: String should match") for part in PARTS for name in ("a b", "../up", "Zür", "")),
]
OF_TOLD_PAIRS = [
    ("methods.told.params", {"C": 1, "pairs": 3}, "methods.told.params.pairs: unknown key"),
    ("conditions.default", {"tuning": {"chosen_on": "luck"}}, "chosen_on: Input should be 'validation' or 'test'"),
    ("conditions.default", {"wrong_pairs": 2}, "wrong_pairs: Input should be less than or equal to 1, got 2"),
]
OF_COMPARISONS = [
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
        "methods.compare.datasets",
        ["norms"],
        "methods.compare.datasets: unknown name 'norms'; did you mean 'norm'? accepted: norm",
    ),
    ("methods.compare.uses", "SVOR", "methods.compare.uses: SVOR learns from rows, but norm has pairs"),
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
]


@pytest.mark.parametrize(
    ("of", "sheet", "path", "value", "message"),
    [
        *((EXPERIMENT, SHEET, *fault) for fault in FAULTS),
        *((TOLD_PAIRS, SHEET, *fault) for fault in OF_TOLD_PAIRS),
        *((PAIRS, PAIRS_SHEET, *fault) for fault in OF_COMPARISONS),
    ],
)
def test_a_value_out_of_range_is_named(of, sheet, path, value, message):
    with pytest.raises(ProtocolError) as error:
        check(changed(path, value, of), sheet)
    lines = str(error.value).splitlines()
    assert any(line.startswith("e.yaml: ") and message in line for line in lines) and max(map(len, lines)) < 500


def test_a_range_with_a_budget_passes_and_every_missing_key_is_named():
    experiment = changed(f"{GRID}.C", RANGE | {"first": 2})
    experiment["tuning"]["budget"] = {"settings": 5, "seconds": 1}
    experiment["methods"]["svor5"]["grid"]["max_iter"] = RANGE | {"whole": True, "first": 10}
    check(experiment)
    needed = {key for key in EXPERIMENT if key in ("title", "seeds", "metrics", "tuning", "outputs")}
    with pytest.raises(ProtocolError) as error:
        check({key: value for key, value in EXPERIMENT.items() if key not in needed})
    assert {line.split(": ")[1] for line in str(error.value).splitlines()} == needed


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"experiments": []}, "experiments: Input should be a valid string or List should have at least 1 item"),
        ({"experiments": ["smoke", "smoke"]}, "An entry occurs twice, got ['smoke', 'smoke']"),
        ({"experiment": ["smoke"]}, "experiment: unknown key; did you mean 'experiments'?"),
        ({"seeds_per_job": 0}, "seeds_per_job: Input should be greater than or equal to 1, got 0"),
        ({3: 4}, "3: Keys should be strings, got 4"),
        ({"retry": ["slow"]}, "retry.0: Input should be 'timeout', 'memory', 'failed' or 'all', got 'slow'"),
        ({"data": {}}, "data.mirrors: Field required"),
        ({"data": {"mirror": []}}, "data.mirror: unknown key; did you mean 'mirrors'?"),
        ({"data": {"mirrors": [""]}}, "data.mirrors.0: String should have at least 1 character, got ''"),
        ({"experiments": "smok"}, "experiments: unknown name 'smok'; did you mean 'smoke'?"),
        ({"experiments": ["smok"]}, "experiments: unknown name 'smok'; did you mean 'smoke'?"),
    ],
)
def test_a_wrong_configuration_is_named(change, message):
    with pytest.raises(ProtocolError) as error:
        protocol.load_experiments({**CONFIG, **change}, SHEET, ROOT)
    line = next(line for line in str(error.value).splitlines() if message in line)
    assert line.startswith("config/config.yaml, the command line or an overlay: ")


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "e.yaml, line 1: key 'a' occurs twice"),
        ("a: {b: 1, b: 1}\n", "e.yaml, line 1: key 'b' occurs twice"),
        ("a: [1\n", "e.yaml, line 2: did not find expected ',' or ']'"),
        ("a: 1\nb: .nan\n", "e.yaml, line 2: .nan is not a decimal number"),
        ("a: [1, -.inf]\n", "e.yaml, line 1: -.inf is not a decimal number"),
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


def test_a_number_has_no_need_of_a_point(tmp_path):
    (tmp_path / "e.yaml").write_text("[1e-3, 1.5E3, -2e+4]")
    assert protocol.read_yaml(tmp_path / "e.yaml") == [0.001, 1500.0, -20000.0]


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ProtocolError, match=r"none.yaml: there is no such file"):
        protocol.read_yaml(tmp_path / "none.yaml")


def test_a_method_that_is_told_pairs_passes():
    told = {"n_pairs": 3, "wrong_pairs": 0.5, "tuning": {"chosen_on": "test"}, "preprocess": {"target": "standardised"}}
    check(changed("datasets.servo.n_pool", "rest", changed("conditions.default", told, TOLD_PAIRS)))


def test_the_rows_of_a_data_set_are_those_of_the_sheet():
    """No yaml says it: without it the intervals of learning curves were up to eight times too wide."""
    for name, experiment in shipped.experiments().items():
        known = {dataset: shipped.sheet()[dataset].rows for dataset in experiment.datasets}
        assert experiment.rows == {dataset: n for dataset, n in known.items() if n}, name


def test_what_a_method_is_not_for_asks_nothing_of_it():
    """A pool that only the sampler of another data set needs, and parameters of a data set that it does not see."""
    experiment = changed("methods.told.datasets", ["servo"], TOLD_PAIRS)
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
