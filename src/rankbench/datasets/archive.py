"""Sets of several files, kept as one zip archive."""

import zipfile
from collections.abc import Sequence
from pathlib import Path


def read_members(path: Path, names: Sequence[str]) -> dict[str, bytes]:
    """Return name -> bytes of files of an archive, in whatever folders they lie there.

    Raises
    ------
    ValueError
        When `path` is no zip archive or a name is not there exactly once.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            found = {name: [m for m in archive.namelist() if m.rpartition("/")[2] == name] for name in names}
            for name, members in found.items():
                if len(members) != 1:
                    raise ValueError(f"{path}: expected one file {name} in the archive, found {members}")
            return {name: archive.read(members[0]) for name, members in found.items()}
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"{path}: expected a zip archive: {error}") from error
