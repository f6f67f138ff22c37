"""Archives that mean harm: members that point out of the folder."""

import zipfile

import pytest

from rankbench.datasets.fetch import _extract


def packed(path, **members):
    """Write a zip archive; return its path."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_a_member_is_written_where_it_is_asked_for_and_nowhere_else(tmp_path):
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    archive = packed(folder / "set.zip", **{"../../a.csv": b"1,2\n", "/tmp/b.csv": b"3"})
    _extract(archive, "a.csv", folder / "data")
    files = sorted(file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*") if file.is_file())
    assert files == ["a/b/data", "a/b/set.zip"]
    with pytest.raises(ValueError, match="expected one file"):
        _extract(packed(folder / "two.zip", **{"../a.csv": b"1", "a.csv": b"2"}), "a.csv", folder / "other")
