"""One function per command: it imports the module that does the work, and calls it."""

import importlib
import os
import sys
from itertools import chain
from pathlib import Path

from .arguments import LISTS, parse
from .stop import stop

HERE = Path()


def run(arguments=None):
    """Do what the command line asks for; return the exit code: 0, 1 if something is wrong or broke, or 2 if the
    command or a table cannot be used."""
    options = parse(arguments)
    try:
        if options.command not in ("compare", "diff", "keys"):
            needs_config()
        return DOORS[options.command](options) or 0
    except BrokenPipeError:  # as in `rankbench list | head`: the reader has stopped
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ModuleNotFoundError as error:
        if (error.name or "rank").startswith("rank"):  # a bug here, not a missing package
            raise
        from rankmargin.extras import packages_of

        what = packages_of("benchmark")
        message = f"{error.name} is not installed; this installs what commands need: pip install {what}"
    except (ValueError, OSError) as error:
        message = error
    print(f"rankbench {options.command}: {message}", file=sys.stderr)
    return 1


def reproduce(options):
    """Run experiments in this folder."""
    from rankbench.check import check
    from rankbench.experiments.places import hold

    names = listed(options.experiments)
    hold().close()  # refused at once if another run is going on; Snakemake holds the lock during the run
    check(names)
    more = [f"experiments=[{','.join(names)}]"] if names else []
    return snakemake("--cores", options.cores, *settings(options, *more), *(["--dry-run"] if options.dry_run else []))


def compare(options):
    """Compare methods on the user's own table, in a folder of its own."""
    from rankbench.compare import prepare
    from rankbench.compare.names import TableError, one_line

    try:
        folder = prepare.prepare(options)
    except (TableError, OSError) as error:
        print(f"rankbench compare: {one_line(error)}", file=sys.stderr)
        return 2
    print(f"folder    {folder}", flush=True)
    if options.prepare:
        return 0
    code = snakemake("--directory", folder, "--cores", options.cores, *settings(options))
    if not code:  # else the summary of the run has said why, and a report may be of an earlier run
        prepare.print_answer(folder)
    return code


def contest(options):
    """Run the protocol of the contest for one more estimator, and print its place among the kept records."""
    from rankbench.datasets.fetch import absolute
    from rankbench.registry import ROOMS

    here = os.getcwd()  # the estimator may be in a module of this folder; the jobs need it too
    sys.path.insert(0, here)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))
    (name,) = [f"{room.package}.{room.contest}" for room in ROOMS if room.contest]
    entry = importlib.import_module(name)
    os.environ |= absolute(os.environ)  # the run works in another folder
    folder = entry.prepare(options, HERE)
    print(f"folder    {folder}", flush=True)
    code = snakemake("--directory", folder, "--cores", options.cores, *settings(options))
    if not code:
        entry.tell(options, folder, HERE)
    return code


def report(_options):
    """Write the report of this folder again."""
    from rankbench.report import write_claims, write_report

    write_claims(Path.cwd())
    print(f"report: {write_report(Path.cwd())}")


def check_all(options):
    """Check the configuration."""
    from rankbench.check import check
    from rankbench.labels import counted

    experiments, datasets = check(listed(options.experiments))
    print(f"{counted(len(experiments), 'experiment')} and {counted(len(datasets), 'data set')}: no errors")


def list_(options):
    """Say what there is."""
    from rankbench.checked import meant
    from rankbench.experiments.protocol import files_of
    from rankbench.summary import summarise

    from . import listing

    words = listed(options.what) or ["experiments"]
    if names := [word for word in words if word not in LISTS]:
        if len(names) < len(words):
            raise ValueError(f"list takes {', '.join(LISTS)}, or names of experiments, got both: {' '.join(words)}")
        if unknown := [name for name in names if name not in files_of(HERE)]:
            raise ValueError(f"unknown {unknown[0]!r}; {meant(unknown[0], [*LISTS, *files_of(HERE)])}")
        return 0 if summarise(names) else 1
    for word in words:
        getattr(listing, f"list_{word}")()
    return 0


def why(options):
    """Say where a file comes from."""
    from . import why

    why.why(options.file)


def keys(_options):
    """Write the tables of keys."""
    from rankbench.keys import write_tables

    write_tables()


def diff(options):
    """Compare two runs."""
    from rankbench.compare_records import compare

    return 0 if compare(options.one, options.other, options.within) else 1


def artefact(options):
    """Keep evidence or check it."""
    from rankbench import artefact
    from rankbench.timing.keep import keep

    if options.what == "pack":
        for name, why in artefact.pack(options.run, HERE).items():
            print(f"{name}: not kept: {why}")
        artefact.tell(HERE)
    elif options.what == "judge":
        artefact.judge(HERE)
        artefact.tell(HERE)
    elif options.what == "check":
        lines = [*artefact.claim_faults(), *artefact.draw_faults(HERE), *artefact.check(HERE)]
        print("\n".join(lines) or "the kept frames give the same verdicts, texts and numbers as those that are kept")
        return 1 if lines else 0
    elif options.what == "sources":
        wrong = artefact.check_sources(HERE)
        stay = artefact.dated([*wrong], HERE)
        print("\n".join(artefact.told_sources(wrong, stay)) or "all kept runs were made by the present sources")
        return 1 if wrong.keys() - stay else 0
    elif options.what == "records":
        artefact.keep_records(options.run, HERE)
    else:
        keep(options.timeline)
    return 0


DOORS = {
    "reproduce": reproduce,
    "compare": compare,
    "contest": contest,
    "report": report,
    "list": list_,
    "why": why,
    "check": check_all,
    "keys": keys,
    "diff": diff,
    "artefact": artefact,
}


def snakemake(*arguments):
    """Run the workflow in this folder or another, on this machine; return its exit code."""
    from rankbench.home import WORKFLOW

    if profile := os.environ.get("SNAKEMAKE_PROFILE"):  # Ctrl-C would leave its jobs on the cluster
        raise ValueError(
            f"SNAKEMAKE_PROFILE={profile} is for snakemake itself (docs/cluster.md): rankbench runs on this machine. "
            "Unset it, or run snakemake"
        )
    command = [sys.executable, "-m", "snakemake", "--snakefile", WORKFLOW / "Snakefile", *arguments]
    return stop.run([*map(str, command)])


def settings(options, *more):
    """Return the arguments that override the configuration: which runs are tried again, and some more."""
    values = [*more, *([f"retry=[{','.join(options.retry)}]"] if options.retry else [])]
    return ["--config", *values] if values else []


def listed(words):
    """Return names of experiments that are separated by commas or given one by one; ``all`` gives an empty list.

    >>> listed(["a,b", "c"]), listed(["all"])
    (['a', 'b', 'c'], [])
    """
    names = chain.from_iterable(word.split(",") for word in words)
    return [name for name in dict.fromkeys(names) if name not in ("", "all")]


def needs_config():
    """Refuse a folder that describes no experiments."""
    from rankbench.experiments.protocol import CONFIG

    if not Path(CONFIG).exists():
        raise ValueError(
            f"there is no {CONFIG} in {Path.cwd()}: go to a checkout of the benchmark or to a folder with a config/ "
            "of its own (`rankbench compare FILE TARGET` needs none)"
        )
