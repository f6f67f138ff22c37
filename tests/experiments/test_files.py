"""Files appear whole or not at all."""

import pytest

from rankbench.experiments.files import aside, write_text


def test_a_write_that_fails_leaves_what_was_there(tmp_path):
    write_text(tmp_path / "a.txt", "before")
    with pytest.raises(OSError, match="disk"), aside(tmp_path / "a.txt") as beside:
        beside.write_text("half")
        raise OSError("disk full")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a.txt", "before")]
