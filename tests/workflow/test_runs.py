"""Snakemake as a user runs it: the planned jobs, what is refused, and what a finished run has left."""

import pytest
from checkout import job_counts

pytestmark = pytest.mark.workflow


def test_what_table_1_plans(checkout):
    code, text = checkout.snakemake("-n", "--config", "experiments=[diez_table1]", "seeds_per_job=20")
    counts = job_counts(text)
    assert code == 0
    assert (counts["fetch_dataset"], counts["build_table"], counts["split_table"]) == (12, 12, 24)
    assert (counts["warm_up"], counts["collect_records"]) == (3, 1)
    assert {key: n for key, n in counts.items() if key.startswith("run_")} == {"run_diez_table1_0_19": 36}


def test_a_refused_command_line_is_the_last_word(checkout):
    """What is refused, and in which words: test_arguments and test_make."""
    code, text = checkout.make("reproduce", "EXPERIMENTS=smoke,smok")
    *_, said, of_make = text.splitlines()
    assert code != 0 and "Traceback" not in text and "make: ***" in of_make
    assert said.startswith("config/config.yaml, the") and "unknown name 'smok'; did you mean 'smoke'?" in said
