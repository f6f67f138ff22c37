"""Our own hooks of `.pre-commit-config.yaml`: sizes that only fall, and subjects of commits that are short."""

import subprocess

import pytest
import sizes

HEADER = "area\tmost\tunit\tfiles\n"


@pytest.fixture
def repository(tmp_path):
    """A repository with one commit, and a function that runs git in it."""

    def git(*arguments):
        who = ["-c", "user.name=A", "-c", "user.email=a@b.example", "-c", "core.hooksPath=/dev/null"]
        return subprocess.run(["git", "-C", tmp_path, *who, *arguments], check=True, capture_output=True, text=True)

    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "-m", "A first one, whose subject may be as long as anybody likes " * 2)
    return tmp_path, git


def test_an_area_that_grew_is_refused_and_one_that_shrank_lowers_its_number(repository, capsys):
    root, _ = repository
    (root / "tests").mkdir()
    (root / "a.py").write_text(
        '"""Text.\n\nMore."""\n# why\n\nx = [\n    1,\n    2,\n]\n\n\ndef f():\n    """Text."""\n    return 1\n'
    )
    (root / "b.smk").write_text("# why\n\nrule a:\n    # why\n    input: 1\n")
    (root / "c.md").write_text("one two\n\nthree\n")
    (root / "tests/sizes.tsv").write_text(f"{HEADER}code\t4\tlines\t*.py **/*.smk\nwords\t9\twords\t*.md\n")
    told = "code has 5 lines, 1 more than tests/sizes.tsv allows: take as many out, or raise its number in a commit "
    assert sizes.main(root) == f"{told}whose subject names the feature"
    assert capsys.readouterr().out.splitlines() == [
        "code            5 of      4 lines",
        "words           3 of      9 words",
    ]
    assert (root / "tests/sizes.tsv").read_text() == f"{HEADER}code\t4\tlines\t*.py **/*.smk\nwords\t3\twords\t*.md\n"
    (root / ".gitignore").write_text("b.smk\n")
    assert sizes.main(root) == "" and "code\t3\t" in (root / "tests/sizes.tsv").read_text()
