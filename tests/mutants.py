"""Mutate the code that computes numbers and verdicts, and see whether the tests notice it.

    python tests/mutants.py [HOW MANY, 40] [SEED, 0] [PART OF A PATH, such as claims]

Cosmic-ray makes the mutants; each has one changed operator, comparison, number or constant. A random sample is tried,
each mutant in a copy of the project with the tests of its module. The changed lines of the survivors are printed.
"""

import random
import subprocess
import sys
import tempfile
from difflib import unified_diff
from pathlib import Path
from shutil import copytree, ignore_patterns

from cosmic_ray import plugins
from cosmic_ray.ast import Visitor, get_ast
from cosmic_ray.mutating import mutate_code

ROOT = Path(__file__).parents[1]
EXPERIMENTS, LIBRARY = "benchmark/src/rankbench/experiments", "src/rankmargin"
UNIT = "tests/unit/library"


def crossed(*names):
    """Return the tests of properties of the library with these names."""
    return [f"tests/property/library/test_{name}.py" for name in names]


TESTS = {
    "benchmark/src/rankbench/statistics/*.py": ["tests/unit/statistics", "tests/property/statistics"],
    "benchmark/src/rankbench/papers/*/claims*.py": ["tests/papers/test_artefact.py", "tests/papers/test_claims.py"],
    "benchmark/src/rankbench/claims/[ev]*.py": ["tests/unit/claims/test_evidence.py", "tests/papers/test_artefact.py"],
    "benchmark/src/rankbench/claims/rules.py": ["tests/unit/claims/test_rules.py"],
    f"{EXPERIMENTS}/split.py": ["tests/unit/experiments/test_split.py", "tests/unit/experiments/test_groups.py"],
    f"{EXPERIMENTS}/tune.py": ["tests/unit/experiments/test_tune.py", "tests/unit/experiments/test_collect.py"],
    f"{EXPERIMENTS}/job.py": ["tests/unit/experiments/test_job.py", "tests/unit/experiments/test_probes.py"],
    f"{LIBRARY}/certificates/*.py": [f"{UNIT}/test_kernels.py", *crossed("landmarks", "smoothed_newton", "solvers")],
    f"{LIBRARY}/comparisons/*.py": [
        *(f"{UNIT}/test_{name}.py" for name in ("bradley_terry", "ratings", "messages")),
        *crossed("comparisons_as_citizens", "metrics_crossed", "ratings_by_likelihood"),
    ],
    f"{LIBRARY}/estimators/*.py": crossed("estimators", "fits_crossed", "grades", "ranksvr", "path", "search"),
    f"{LIBRARY}/estimators/spatial/*.py": crossed("sampling"),
    f"{LIBRARY}/export/*.py": crossed("onnx", "lean_models"),
    f"{LIBRARY}/inspection/*.py": crossed("inspection"),
    f"{LIBRARY}/metrics/*.py": [f"{UNIT}/test_*metrics*.py", *crossed("metrics_crossed")],
    f"{LIBRARY}/oracles/*.py": crossed("pair_weights", "row_losses"),
    f"{LIBRARY}/problem/*.py": [f"{UNIT}/test_kernels.py", *crossed("open_*", "lean_models", "solvers")],
    f"{LIBRARY}/problem/rows/*.py": [f"{UNIT}/test_ro*.py", *crossed("rows_crossed", "row_losses")],
    f"{LIBRARY}/search/*.py": crossed("search", "searches_crossed", "members_crossed", "metric", "table"),
    f"{LIBRARY}/solvers/*.py": crossed("solvers", "*_newton", "row_losses"),
}
SWAPS = (
    "Add_Sub",
    "Sub_Add",
    "Mul_Div",
    "Div_Mul",
    "Pow_Mul",
    "FloorDiv_Div",
    "Mod_FloorDiv",
    "BitOr_BitAnd",
    "BitAnd_BitOr",
)
COMPARISONS = ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Lt_Gt", "Gt_Lt", "Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is")
OPERATORS = [
    *(f"ReplaceBinaryOperator_{swap}" for swap in SWAPS),
    *(f"ReplaceComparisonOperator_{swap}" for swap in COMPARISONS),
    *(
        "AddNot",
        "ReplaceTrueWithFalse",
        "ReplaceFalseWithTrue",
        "ReplaceAndWithOr",
        "ReplaceOrWithAnd",
        "NumberReplacer",
    ),
    *("ReplaceUnaryOperator_Delete_USub", "ReplaceUnaryOperator_Delete_Not", "ZeroIterationForLoop"),
]


def positions():
    """Yield (file, operator, which of its occurrences, the tests that are nearest to the file) of every mutant."""
    for pattern, tests in TESTS.items():
        for file in sorted(ROOT.glob(pattern)):
            tree = get_ast(file.read_text(encoding="utf-8"))
            for name in OPERATORS:
                counted = Counter(plugins.get_operator(f"core/{name}")())
                counted.walk(tree)
                yield from (
                    (file.relative_to(ROOT), counted.operator, number, tests) for number in range(counted.found)
                )


class Counter(Visitor):
    """Counts the places where an operator can change something."""

    def __init__(self, operator):
        self.operator, self.found = operator, 0

    def visit(self, node):
        self.found += len(list(self.operator.mutation_positions(node)))
        return node


def killed(copy, tests):
    """Return whether one of the tests fails in a copy of the project."""
    named = [str(file) for pattern in tests for file in copy.glob(pattern)]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *named]
    environment = {"PYTHONPATH": "src:benchmark/src", "PATH": "/usr/bin:/bin", "NUMBA_CACHE_DIR": str(copy / "numba")}
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=600, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def main(how_many=40, seed=0, where=""):
    everything = [position for position in positions() if where in str(position[0])]
    chosen = random.Random(seed).sample(everything, min(how_many, len(everything)))
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "project")
        for name in (
            "src",
            "benchmark",
            "tests",
            "config",
            "workflow",
            "docs",
            "resources/data",
            "resources/reproduced",
        ):
            copytree(ROOT / name, copy / name, ignore=ignore_patterns("__pycache__", "_build"))
        for name in ("pyproject.toml", "README.md"):
            (copy / name).write_bytes((ROOT / name).read_bytes())
        for tests in {tuple(tests) for *_, tests in chosen}:
            if killed(copy, tests):
                sys.exit(f"{' '.join(tests)} fail without any mutant")
        for number, (file, operator, occurrence, tests) in enumerate(chosen, 1):
            original = (copy / file).read_text(encoding="utf-8")
            mutated = mutate_code(original, operator, occurrence)
            (copy / file).write_text(mutated, encoding="utf-8")
            dead = killed(copy, tests)
            (copy / file).write_text(original, encoding="utf-8")
            if not dead:
                survivors += 1
                print(
                    *unified_diff(original.splitlines(), mutated.splitlines(), str(file), "mutant", "", "", 0, ""),
                    sep="\n",
                )
            print(f"{number} of {len(chosen)} tried, {survivors} survived", flush=True)
    print(f"{len(chosen) - survivors} of {len(chosen)} killed, a sample of {len(everything)} mutants with seed {seed}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]), *sys.argv[3:])
