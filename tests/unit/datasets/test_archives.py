"""Archives that mean harm: members that point out of the folder, a few kilobytes that unpack to gigabytes."""

import io
import tarfile
import zipfile

import pytest

from rankbench.datasets import lines
from rankbench.datasets.fetch import _extract
from rankbench.datasets.readers.partitions import _members


@pytest.fixture(autouse=True)
def _less_is_most(monkeypatch):
    """Let 1 MB be the most that may come out of an archive, so that nobody has to make gigabytes."""
    monkeypatch.setattr(lines.unpacked, "__defaults__", (1 << 20,))
    monkeypatch.setattr("rankbench.datasets.readers.partitions.MOST", 1 << 20)


def packed(path, **members):
    """Write a zip archive; return its path."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_a_member_is_written_where_it_is_asked_for_and_nowhere_else(tmp_path):
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    _extract(packed(folder / "set.zip", **{"../../a.csv": b"1,2\n", "/tmp/b.csv": b"3"}), "a.csv", folder / "data")
    assert [file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*") if file.is_file()] == ["a/b/data"]


@pytest.mark.parametrize("harm", ["two", "bomb", "encrypted", "damaged"])
def test_an_archive_is_refused_with_a_reason(tmp_path, harm):
    members = {"a.csv": bytes(1 << 21) if harm == "bomb" else b"1,2\n" * 99}
    members |= {"../a.csv": b"x"} if harm == "two" else {}
    path = packed(tmp_path / "set.zip", **members)
    content = bytearray(path.read_bytes())
    if harm == "encrypted":
        content[6] |= 1
        content[content.index(b"PK\x01\x02") + 8] |= 1
    if harm == "damaged":
        content[40] ^= 255
    path.write_bytes(bytes(content))
    said = {"two": "expected one file", "bomb": "at most 1048576 bytes when unpacked"}.get(
        harm, "expected a zip archive"
    )
    with pytest.raises(ValueError, match=said):
        _extract(path, "a.csv", tmp_path / "data")
    assert list(tmp_path.iterdir()) == []


def test_a_tar_archive_that_unpacks_to_too_much_is_refused(tmp_path):
    with tarfile.open(tmp_path / "set.tar.xz", "w:xz") as archive:
        for name in ("train_SET.0", "test_SET.0"):
            info = tarfile.TarInfo(name)
            info.size = 1 << 19
            archive.addfile(info, io.BytesIO(bytes(info.size)))
        info.name = "test_SET.1"
        archive.addfile(info, io.BytesIO(bytes(info.size)))
    with pytest.raises(ValueError, match="when unpacked, got more"):
        list(_members(tmp_path / "set.tar.xz"))
