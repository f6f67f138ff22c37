"""The raw data in the repository: they have the registered bytes, their terms are stated, all may be redistributed."""

import pytest
import shipped

from rankbench.datasets.fetch import PACKED, fetch
from rankbench.records.home import DATA

MAY_NOT_BE_PASSED_ON = {"movielens-100k", "sushi", "ohsumed-letor3", "chess"}  # folders of the sheet
NEED_NO_MIRROR = ["diez_table1", "diez_theory", "diez_sensitivity", "shashua_levin_vehicle"]
NEED_NO_MIRROR += ["ordinal_uco", "ordinal_uco_linear", "ranksvr_table3", "ranksvr_fig5"]


@pytest.fixture(scope="module")
def there():
    """Files of the repository under their names in the sheet."""
    files = (path.relative_to(DATA).as_posix() for path in DATA.rglob("*") if path.is_file())
    return {name if name.endswith(f".tar{PACKED}") else name.removesuffix(PACKED) for name in files} - {"README.md"}


@pytest.fixture(scope="module")
def committed(there):
    """The rows whose files lie in the repository."""
    return [row for row in shipped.sheet().values() if row.file and there.issuperset(row.file)]


def test_every_file_has_the_registered_bytes(committed, there, tmp_path):
    """No other source is asked, and each file belongs to a row of the sheet."""
    for row in committed:
        assert tuple(fetch(row, [str(DATA)], tmp_path / row.name).values()) == row.sha256
        assert row.table_sha256, "the values of a committed file are registered too"
    assert there == {file for row in committed for file in row.file}


def test_what_may_not_be_passed_on_is_not_there(there):
    assert not {file.partition("/")[0] for file in there} & MAY_NOT_BE_PASSED_ON


@pytest.mark.parametrize("name", NEED_NO_MIRROR)
def test_the_main_experiments_need_nothing_else(name, committed):
    needed = [shipped.sheet()[key] for key in shipped.experiments()[name].all_datasets]
    assert {row.name for row in needed if row.file} <= {row.name for row in committed}


def test_each_is_named_with_its_terms_and_whom_to_cite(committed):
    lines = (DATA / "README.md").read_text(encoding="utf-8").splitlines()
    for row in committed:
        files = ", ".join(f"`{file}`" for file in row.file)
        (line,) = (line for line in lines if line.startswith(f"| {files} |"))
        assert row.title in line and line.endswith(f"| {row.licence} | {row.reference} |")
