"""Keep the evidence of a full run in ``resources/reproduced``, so that its verdicts can be checked without a new run
(``rankbench artefact``).

``claims.csv``: the verdicts, as the run judged them. ``frames/``: the statistics and the columns of records that the
verdicts need. ``tables/``: tables that the documentation shows. ``run.json``: commits, machines, versions and number of
runs of each experiment, according to its records. ``pack`` replaces what is kept of each experiment that a run has
whole; what is kept of the others stays. The pages say what is missing, and ``make pages`` writes their tables.
"""

import gzip
import importlib
import inspect
import io
import json
import shutil
import tempfile
from datetime import date
from pathlib import Path

import pandas as pd

from rankbench.claims.board import board, spoken
from rankbench.claims.ledger import Frames, judge_all, registered
from rankbench.configuration.labels import counted
from rankbench.experiments.protocol import load_asked
from rankbench.records.files import read_bytes, write_bytes, write_text
from rankbench.records.frames import read_frame, write_frame
from rankbench.registry import ROOMS, STUDIES

from .origin import gaps, origin, outdated, several

KEPT = Path("resources/reproduced")
COLUMNS = ("dataset", "condition", "method", "seed", "status", "n_train", "n_test", "n_pairs", "params")
SECOND = "fit_seconds"
LARGE = 50_000  # bytes; larger statistics are kept compressed


def needs():
    """Return the names of the frames that are kept, such as ``{experiment}/overall``."""
    needed = [need for claim in registered().values() for need in claim.needs]
    return [need for need in dict.fromkeys(needed) if not need.startswith("published/")]


def pack(run, root):
    """Keep what verdicts rest on, of each experiment that a run has whole and of one commit; what is kept of others
    stays.

    Parameters
    ----------
    run, root : Path
        The checkout whose ``results/`` are packed, and the checkout in which they are kept.

    Returns
    -------
    dict of str to str
        Experiment -> why it is not kept.

    Raises
    ------
    ValueError
        If the run has no such experiment, or has all and what is kept of them gives other verdicts than the run. The
        old evidence stays then.
    """
    experiments, sheet = load_asked(("all",), root)
    lacks = gaps(experiments, sheet, run)
    origins = {name: origin(name, run) for name in experiments if name not in lacks}
    lacks |= {name: line for name, one in origins.items() if (line := several({name: one}))}
    whole = {name: origins[name] for name in experiments if name not in lacks}
    if not whole:
        lines = "\n  ".join(f"{name}: {why}" for name, why in lacks.items())
        raise ValueError(f"not kept, because no experiment is complete and of one commit:\n  {lines}")
    told = _told(root) if (root / KEPT / "run.json").exists() else {"experiments": {}}
    both = told["experiments"] | whole
    both = {name: both[name] for name in experiments if name in both}
    with tempfile.TemporaryDirectory() as apart:
        new = Path(apart) / KEPT
        for folder in ("frames", "tables"):
            (new / folder).mkdir(parents=True)
            for name in both.keys() - whole.keys():
                if (root / KEPT / folder / name).exists():
                    shutil.copytree(root / KEPT / folder / name, new / folder / name)
        _keep_frames(run / "results", new / "frames", whole)
        _keep_tables(run / "results", new / "tables", whole)
        told = {"packed": date.today().isoformat(), "experiments": both}
        write_text(new / "run.json", json.dumps(told, indent=1, ensure_ascii=False) + "\n")
        if lacks:
            judge(Path(apart))
        else:
            write_bytes(new / "claims.csv", read_bytes(run / "results/claims.csv"))
            if lines := check(Path(apart)):
                raise ValueError("\n".join(["what is kept does not give the verdicts of the run:", *lines]))
        for folder in ("frames", "tables"):
            shutil.rmtree(root / KEPT / folder, ignore_errors=True)
        shutil.copytree(new, root / KEPT, dirs_exist_ok=True)
    return lacks


def _told(root):
    """Return what ``run.json`` says."""
    return json.loads((root / KEPT / "run.json").read_text(encoding="utf-8"))


def _keep_frames(results, folder, experiments):
    """Keep the frames that claims need: of records the columns that they read, large statistics compressed."""
    frames = Frames(results)
    for need in needs():
        source, (owner, name) = frames.path(need), need.split("/")
        if owner not in experiments or not source.exists():
            continue
        target = folder / source.relative_to(results)
        target.parent.mkdir(parents=True, exist_ok=True)
        if name == "records":
            frame, made = read_frame(source)
            write_frame(target, _judged_columns(frame, owner, made), commit=made["commit"])
        elif source.stat().st_size > LARGE:
            write_bytes(target.with_name(f"{target.name}.gz"), gzip.compress(read_bytes(source), mtime=0))
        else:
            write_bytes(target, read_bytes(source))


def _keep_tables(results, folder, experiments):
    """Keep the tables that the pages show."""
    for table in (table for room in ROOMS for table in room.kept_tables):
        if table.split("/")[0] in experiments and (results / table).exists():
            target = folder / table.replace("/tables/", "/")
            target.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(target, read_bytes(results / table))


def judge(root):
    """Judge the kept frames and keep the verdicts."""
    write_text(root / KEPT / "claims.csv", judge_all(root / KEPT / "frames").to_csv(index=False))


def _ledger(root):
    """Return the kept verdicts, all values as text."""
    return pd.read_csv(root / KEPT / "claims.csv", dtype=str, keep_default_na=False)


def _judged_columns(frame, owner, made):
    """Return the columns of the records that claims read: those that identify a run, its metrics, its parameters.

    Times need much space: only those of the experiments that a room names are kept.
    """
    wanted = (*COLUMNS, *made["protocol"]["metrics"], *(SECOND for room in ROOMS if owner in room.kept_seconds))
    return frame[[name for name in wanted if name in frame]]


def scoreboard(root):
    """Return Markdown that says which runs gave the verdicts, and counts them."""
    kept = _told(root)
    origins = kept["experiments"]
    totals = [sum(one[key] for one in origins.values()) for key in ("runs", "ok")]
    runs = f"{totals[0]:,} runs, {totals[0] - totals[1]:,} without a result"
    absent = [name for name in load_asked(("all",), root)[0] if name not in origins]
    missing = f"Not among them: {', '.join(absent)}.\n\n" if absent else ""
    (first, *others) = {commit for one in origins.values() for commit in one["commits"]}
    made = f"the {'run' if absent else 'full run'} on commit {first}"
    made = f"runs of several commits ({several(origins)})" if others else made
    return f"From {made}, {kept['packed']}, {runs}:\n\n{missing}{board(_ledger(root))}"


def check(root):
    """Judge the kept frames again.

    Returns
    -------
    list of str
        One line for each claim whose kept verdict, texts or numbers are not those that the kept frames give.
    """
    again = judge_all(root / KEPT / "frames").to_csv(index=False)
    now = pd.read_csv(io.StringIO(again), dtype=str, keep_default_na=False).set_index("claim_id")
    ledger = _ledger(root).set_index("claim_id")
    lines = [f"claims: {len(ledger)} kept, {len(now)} judged"] if list(ledger.index) != list(now.index) else []
    if list(ledger) != list(now):
        lines.append(f"claims.csv: its columns are {', '.join(ledger)}, and the current rules give {', '.join(now)}")
    for name in now.index.intersection(ledger.index):
        lines += _differences(name, ledger.loc[name], now.loc[name])
    return lines


def draw_faults(root):
    """Yield one line for each kept set of records that has other draws than the experiment that a claim names."""
    frames = Frames(root / KEPT / "frames")
    experiments, _ = load_asked([*_told(root)["experiments"]], root)
    for need in needs():
        owner, name = need.split("/")
        study = STUDIES.get(name)
        own = study and {"seeds", "shown"} & {*inspect.signature(study.load()).parameters}  # it chooses among the draws
        on_draws = name == "records" or (study and "seeds" in study.reads and not own)
        if owner in experiments and on_draws and frames.path(need).exists():
            kept, asked = {*frames[need]["seed"]}, {*range(experiments[owner].seeds)}
            if kept != asked:
                by = ", ".join(claim.claim_id for claim in registered().values() if need in claim.needs)
                yield f"{by}: {need} has {counted(len(kept), 'draw')}, and the experiment {counted(len(asked), 'draw')}"


def check_sources(root):
    """Return experiment -> its methods and studies that other sources than the present ones have made, or packages of
    other versions; a package that is not installed is one."""
    wrong = {}
    for file in sorted((root / "resources").glob("*/run.json")):
        origins = json.loads(file.read_text(encoding="utf-8"))["experiments"]
        wrong |= outdated(load_asked(origins, root)[0], origins)
    return wrong


def dated(names, root):
    """Return those of some experiments that are not made again when sources change: a clock ends their searches.

    Their records belong to the machine and the day that made them: where and when a setting takes longer, a search
    tries fewer. Their page says which machine, day and commits these are.
    """
    experiments, _ = load_asked(names, root)
    return {name for name in names if experiments[name].tuning.budget}


def told_sources(wrong, of_their_day):
    """Yield one line for each experiment of `check_sources`; some are those of `dated`."""
    for name, old in wrong.items():
        stays = "; it stays, because a clock ended its searches; its page names the machine and the day"
        more = stays if name in of_their_day else ""
        yield f"{name}: other sources made {len(old)} of its methods and studies, such as {old[0]}{more}"


def _differences(name, before, now):
    """Yield a line if what is kept of a claim is not what the kept frames give."""
    columns = [column for column in now.index.intersection(before.index) if before[column] != now[column]]
    if spoken(before) != spoken(now):
        verdict_now = f"{spoken(now)}: {now['ours'] or now['why']}"
        yield f"{name}: the kept verdict is {spoken(before)}, but the kept frames give {verdict_now}"
    elif columns:
        first = columns[0]
        yield f"{name}: {', '.join(columns)}: kept is {before[first]!r}, but the kept frames give {now[first]!r}"


def keep_records(run, root):
    """Let each room keep the records that its pages show, and print how many."""
    for room in ROOMS:
        if room.keeper:
            for name, n_runs in importlib.import_module(f"{room.package}.{room.keeper}").pack(run, root).items():
                print(f"{name}: {n_runs:,} runs")
