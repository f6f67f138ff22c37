"""The rules that make runs: their number, the names of their files, and the parameters of their jobs."""

from dataclasses import replace

import pytest

from rankbench.experiments.blocks import blocks


@pytest.mark.parametrize(
    ("seeds", "size", "names"),
    [
        (3, 2, ["run_small_0_1", "run_small_2_2"]),
        (20, 20, ["run_small_0_19"]),
        (2, 50, ["run_small_0_1"]),
        (3, 1, ["run_job"]),
    ],
)
def test_blocks_cover_every_seed_once(small, seeds, size, names):
    rules = blocks({"small": replace(small, seeds=seeds, seeds_per_job=size)})
    assert [rule.rule for rule in rules] == names
    files = [file for rule in rules for file in rule.files]
    folder = "{dataset}/{condition}/{method}"
    single = [f"results/{{experiment}}/jobs/{folder}/{{seed}}.npz"]
    assert files == (single if size == 1 else [f"results/small/jobs/{folder}/{seed}.npz" for seed in range(seeds)])
    last = {"{seed}" if size == 1 else f"{block[0]}-{block[-1]}" for block in (rule.seeds or "x" for rule in rules)}
    assert {rule.log.split("/")[-1] for rule in rules} == {f"{part}.log" for part in last}


@pytest.mark.parametrize(("n", "minutes"), [(1, 5), (20, 5), (21, 10), (100, 25)])
def test_a_block_asks_for_five_minutes_for_20_runs(small, n, minutes):
    (rule,) = blocks({"small": replace(small, seeds=n, seeds_per_job=n)})
    assert (rule.minutes(None, attempt=1), rule.minutes(None, attempt=3)) == (minutes, 3 * minutes)
