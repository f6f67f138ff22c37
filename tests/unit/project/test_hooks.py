"""Our own hook of `.pre-commit-config.yaml`: sizes that only fall."""

import subprocess

import sizes

HEADER = "area\tmost\tunit\tfiles\n"


def test_an_area_that_grew_is_refused_and_one_that_shrank_lowers_its_number(tmp_path, capsys):
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / "tests").mkdir()
    (tmp_path / "a.py").write_text(
        '"""Text.\n\nMore."""\n# why\n\nx = [\n    1,\n    2,\n]\n\n\ndef f():\n    """Text."""\n    return 1\n'
    )
    (tmp_path / "b.smk").write_text("# why\n\nrule a:\n    # why\n    input: 1\n")
    (tmp_path / "c.md").write_text("one two\n\nthree\n")
    (tmp_path / "tests/sizes.tsv").write_text(f"{HEADER}code\t4\tlines\t*.py **/*.smk\nwords\t9\twords\t*.md\n")
    told = "code has 5 lines, 1 more than tests/sizes.tsv allows: take as many out, or raise its number in a commit "
    assert sizes.main(tmp_path) == f"{told}whose subject names the feature"
    assert capsys.readouterr().out.splitlines() == [
        "code            5 of      4 lines",
        "words           3 of      9 words",
    ]
    assert (
        tmp_path / "tests/sizes.tsv"
    ).read_text() == f"{HEADER}code\t4\tlines\t*.py **/*.smk\nwords\t3\twords\t*.md\n"
    (tmp_path / ".gitignore").write_text("b.smk\n")
    assert sizes.main(tmp_path) == "" and "code\t3\t" in (tmp_path / "tests/sizes.tsv").read_text()
