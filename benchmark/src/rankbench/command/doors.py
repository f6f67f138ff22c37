"""One function per command. Its docstring is its help, and it imports the module that does the work."""

import argparse
import importlib
import math
import os
import sys
from pathlib import Path

from .stop import stop

HERE = Path()
NEEDS_NO_CONFIG = ("compare", "diff")
SEPARATED = "separated by spaces, or by commas where a name holds a space"
EPILOGUE = """Run it in a checkout of the benchmark or in any folder that has its own config/; compare needs neither.
`rankbench COMMAND --help` says more. To resume a run that was stopped or that failed, give the same command again."""
DOORS, ARGUMENTS = {}, {}  # name of a command -> its function, and its arguments


def cores(text):
    """Return the number of cores that a text asks for."""
    if text in ("", "all"):
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return line(text)


def line(text):
    """Return a whole number above 0."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number > 0, got {text!r}")
    return int(text)


def minutes(text):
    """Return a number of minutes > 0; 10 where none is given."""
    given = float(text or 10)
    if not 0 < given < math.inf:
        raise ValueError("must be a finite number > 0")
    return given


def argument(*names, **options):
    """Return what argparse takes for an argument; an option without a default is an empty text."""
    return names, {"default": "", **options} if names[0].startswith("--") and "action" not in options else options


def command(*arguments):
    """Make a function a command with these arguments."""

    def enter(function):
        name = function.__name__.rstrip("_")
        DOORS[name], ARGUMENTS[name] = function, arguments
        return function

    return enter


EXPERIMENTS = argument(
    "experiments", nargs="*", metavar="EXPERIMENT", help="names, or all (default: those of config/config.yaml)"
)
CORES = argument("--cores", type=cores, default=cores("all"), metavar="N", help="jobs at a time (default all)")
RETRY = argument("--retry", metavar="STATUS,...", help="retry runs that ended so: timeout, memory, failed, or all")
READING = (
    argument("file", metavar="FILE", help="csv, tsv or SVMlight (also .gz), parquet or Excel file"),
    argument("target", nargs="?", default="", metavar="TARGET", help="column to order by: higher is better"),
    argument("--result", dest="target", default=argparse.SUPPRESS, metavar="COLUMN", help="another word for TARGET"),
    argument("--groups", metavar="COLUMN", help="only rows with the same value in this column are compared"),
    argument("--weight", metavar="COLUMN", help="weights of the rows: a weight of 2 is a row that is there twice"),
    argument("--items", metavar="A,B", help="the columns of the two names whose results TARGET holds, or two endings"),
    argument("--drop", metavar="COLUMNS", help=f"columns to leave out, {SEPARATED}"),
    argument("--nominal", metavar="COLUMNS", help=f"columns whose cells are names, {SEPARATED}"),
    argument("--order", metavar="GRADES", help=f"grades of the target, the worst first, {SEPARATED}"),
    argument("--missing", metavar="WORDS", help=f"words that mean an empty cell, {SEPARATED}"),
    argument("--decimal", choices=("point", "comma"), help="decimal mark of the numbers of the file"),
    argument("--sep", metavar="MARK", help="what separates the cells of a text file: one character, or tab"),
    argument("--sheet", metavar="NAME", help="sheet of an Excel file"),
    argument("--header", type=line, default=1, metavar="LINE", help="line of the names of the columns (default 1)"),
)
RUN = argument("run", nargs="?", type=Path, default=Path(), metavar="RUN", help="checkout of the run")


class Parser(argparse.ArgumentParser):
    """A parser that refuses in one line."""

    def error(self, message):
        """Refuse the command line."""
        self.exit(2, f"{self.prog}: {message} ({self.prog} --help says more)\n")


def parse(arguments=None):
    """Return what the command line says."""
    from importlib.metadata import version

    listed = "\n".join(f"  {name:<10} {function.__doc__.splitlines()[0]}" for name, function in DOORS.items())
    raw = {"formatter_class": argparse.RawDescriptionHelpFormatter}
    parser = Parser("rankbench", usage="rankbench COMMAND ...", description=listed, epilog=EPILOGUE, **raw)
    parser.add_argument("--version", action="version", version=f"rankbench of rankmargin {version('rankmargin')}")
    below = parser.add_subparsers(dest="command", prog="rankbench", help=argparse.SUPPRESS)
    for name, function in DOORS.items():
        one = below.add_parser(name, description=function.__doc__, **raw)
        for names, options in ARGUMENTS[name]:
            one.add_argument(*names, **options)
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        parser.exit(2)
    return options


def run(arguments=None):
    """Do what the command line asks for; return the exit code: 0, or 1 if something is wrong or broke."""
    options = parse(arguments)
    try:
        if options.command not in NEEDS_NO_CONFIG:
            needs_config()
        return DOORS[options.command](options) or 0
    except (ValueError, OSError) as error:
        print(f"rankbench {options.command}: {error}", file=sys.stderr)
        return 1


@command(EXPERIMENTS, CORES, RETRY, argument("-n", "--dry-run", action="store_true", help="only list the jobs"))
def reproduce(options):
    """Run the experiments that are not done yet, and write the report."""
    asked = ",".join(options.experiments)
    more = [f"experiments={asked}"] if asked else []
    return snakemake("--cores", options.cores, *settings(options, *more), *(["--dry-run"] if options.dry_run else []))


@command(
    *READING,
    argument("--budget", type=minutes, metavar="MINUTES", help="minutes it may take (default 10)"),
    argument("--folder", metavar="FOLDER", help="folder of the comparison (default compare/<file>_<target>)"),
    CORES,
    RETRY,
    argument("--rivals", action="store_true", help="compare with LightGBM, XGBoost, CatBoost and mord too"),
    argument("--prepare", action="store_true", help="only write the folder"),
)
def compare(options):
    """Find the methods that order your own table best."""
    from rankbench.compare import plan

    folder = plan.prepare(options)
    print(f"folder    {folder}", flush=True)
    if options.prepare:
        return 0
    code = snakemake("--directory", folder, "--cores", options.cores, *settings(options))
    if not code:  # else the summary of the run has said why, and a report may be of an earlier run
        plan.print_answer(folder)
    return code


@command(
    *READING,
    argument("--name", metavar="NAME", help="name of the data set (default: that of the file)"),
    argument("--title", metavar="TEXT", help="its name in tables and figures (default: NAME)"),
)
def add(options):
    """Make your own table a data set of this folder, for experiments of your own."""
    from rankbench.compare import plan

    name = plan.add(options)
    print(f"an experiment can use it: datasets: {{{name}: {{split: groups, n_train: ..., n_test: ...}}}}")


@command(
    argument("--add", required=True, metavar="MODULE:CLASS", help="an estimator that can be imported here"),
    argument("--space", metavar="FILE", help="yaml with a list or a range for each parameter (default: its defaults)"),
    argument(
        "--tables",
        default="known",
        metavar="PART",
        help="known, fresh, fresh_1000, confirm; known_grades or fresh_grades (default known)",
    ),
    CORES,
    RETRY,
)
def contest(options):
    """Rank your own estimator among the methods of the contest."""
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


@command()
def report(_options):
    """Write the report and the verdicts again, of complete or partial results."""
    from rankbench.report import write_report

    print(f"report: {write_report(Path.cwd())}")


@command(argument("what", nargs="*", metavar="WHAT", help="names of experiments, to list what each of them lacks"))
def list_(options):
    """List the experiments: what can run here, and what is done."""
    from . import listing

    return listing.list_(options.what)


@command(argument("file", metavar="FILE", help="a file below results/ or resources/"))
def why(options):
    """Say from which inputs a file was made, and at which commit."""
    from . import listing

    listing.why(options.file)


@command(EXPERIMENTS)
def tidy(options):
    """Remove what is not what the experiments ask for now: damaged, exchanged, or made for another task."""
    from rankbench.experiments.places import hold
    from rankbench.experiments.protocol import load_asked
    from rankbench.experiments.stamps import Plan, conclusions_refused, grouped

    with hold():
        plan = Plan(*load_asked(options.experiments))
        refused = [*plan.refused(), *conclusions_refused()]
        plan.remove(note for note, _ in refused)
    print("\n".join(f"removed   {line}" for line in grouped(refused)) or "nothing to remove")


@command(EXPERIMENTS)
def check(options):
    """Check the configuration, its overlays and the experiments, by default all, without running anything."""
    from rankbench.configuration.labels import counted
    from rankbench.datasets.own import load_datasets
    from rankbench.experiments.protocol import files_of, load_experiments, read_config, read_yaml

    sheet, config = load_datasets(), read_config()
    for overlay in sorted(HERE.glob("config/*.yaml")):
        load_experiments({**config, **(read_yaml(overlay) or {})}, sheet)
    experiments = load_experiments({**config, "experiments": ",".join(options.experiments) or [*files_of()]}, sheet)
    print(f"{counted(len(experiments), 'experiment')} and {counted(len(sheet), 'data set')}: no errors")


@command(
    argument("one", metavar="A", type=Path, help="folder results, or that of one experiment"),
    argument("other", metavar="B", type=Path, help="another one"),
    argument("--within", type=float, default=0.0, help="relative difference that is allowed (default 0)"),
)
def diff(options):
    """Compare the records and scores of two runs, bit by bit."""
    from rankbench.records.diff import compare

    return 0 if compare(options.one, options.other, options.within) else 1


@command(argument("what", choices=("pack", "records", "judge", "check", "sources"), metavar="WHAT"), RUN)
def artefact(options):
    """Keep the evidence of a run in resources/, or check what is kept.

    pack     keep the evidence of each experiment that a run has whole, and the verdicts
    records  keep the records of experiments that the site shows
    judge    judge the kept frames again after the rules have changed
    check    judge the kept frames again and compare the results with what is kept
    sources  name the experiments whose kept runs were made by other sources
    """
    from rankbench.report import artefact

    what, run = options.what, options.run
    if what in ("pack", "judge"):
        for name, why in (artefact.pack(run, HERE) if what == "pack" else artefact.judge(HERE) or {}).items():
            print(f"{name}: not kept: {why}")
        print(artefact.scoreboard(HERE))
    elif what == "check":
        lines = [*artefact.draw_faults(HERE), *artefact.check(HERE)]
        print("\n".join(lines) or "the kept frames give the same verdicts, texts and numbers as those that are kept")
        return 1 if lines else 0
    elif what == "sources":
        wrong = artefact.check_sources(HERE)
        stay = artefact.dated([*wrong], HERE)
        print("\n".join(artefact.told_sources(wrong, stay)) or "all kept runs were made by the present sources")
        return 1 if wrong.keys() - stay else 0
    else:
        artefact.keep_records(run, HERE)
    return 0


def snakemake(*arguments):
    """Run the workflow in this folder or another, on this machine; return its exit code."""
    from rankbench.experiments.places import unwritable
    from rankbench.records.home import WORKFLOW

    if profile := os.environ.get("SNAKEMAKE_PROFILE"):  # Ctrl-C would leave its jobs on the cluster
        raise ValueError(
            f"SNAKEMAKE_PROFILE={profile} is for snakemake itself (docs/cluster.md): rankbench runs on this machine. "
            "Unset it, or run snakemake"
        )
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    if faults := [*unwritable([cache], 1)]:
        raise ValueError(f"{faults[0]}; it is Snakemake's cache: set XDG_CACHE_HOME to another folder")
    # its profile is named, because Snakemake would take that of a project in this folder
    own = "--snakefile", WORKFLOW / "Snakefile", "--workflow-profile", WORKFLOW / "profiles/default"
    return stop.run([sys.executable, "-m", "snakemake", *map(str, (*own, *arguments))])


def settings(options, *more):
    """Return the arguments that override the configuration: which runs are tried again, and some more."""
    values = [*more, *([f"retry=[{','.join(options.retry.replace(',', ' ').split())}]"] if options.retry else [])]
    return ["--config", *values] if values else []


def needs_config():
    """Refuse a folder that describes no experiments."""
    from rankbench.experiments.protocol import CONFIG

    if not Path(CONFIG).exists():
        raise ValueError(
            f"there is no {CONFIG} in {Path.cwd()}: go to a checkout of the benchmark or to a folder with a config/ "
            "of its own (`rankbench compare FILE TARGET` needs none)"
        )
