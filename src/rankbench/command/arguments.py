"""What the command line may say."""

import argparse
import difflib
import math
import os
import re
import sys
from contextlib import suppress
from pathlib import Path

LISTS = ("experiments", "methods", "datasets")
AGAIN = ("timeout", "memory", "failed", "all")
SEPARATED = "spaces, or by commas where a name holds a space"
EPILOGUE = """Run it in a checkout of the benchmark or in any folder that has its own config/; `compare` needs neither.
`rankbench COMMAND --help` says more. To resume a run that was stopped or that failed, give the same command again."""


def parse(arguments=None):
    """Return what the command line says; an unknown command is refused with the one that was meant."""
    parser, commands = _parser()
    options, rest = parser.parse_known_args(arguments)
    if options.command is None:
        parser.print_help()
        parser.exit(2)
    if rest:
        _refuse(rest[0], commands[options.command], [*sys.argv[1:]] if arguments is None else arguments)
    return options


def _refuse(word, command, words):
    """Refuse a word that is left over: one argument too many, or an option that is not known or comes too late."""
    late = "--" in words and word in words[words.index("--") :]
    if command.required and (late or not word.startswith("-")):
        accepted = " and ".join(f"one {name}" for name in command.required)
        be = "is" if len(command.required) == 1 else "are"
        command.error(f"{accepted} {be} accepted, got also {word!r}; options come before --")
    command.error(f"unknown {word!r}; {_meant(word.partition('=')[0], command.options)}")


def _meant(word, accepted):
    close = difflib.get_close_matches(str(word), accepted, 1)
    return (f"did you mean {close[0]}? " if close else "") + f"accepted: {', '.join(accepted)}"


class Parser(argparse.ArgumentParser):
    """A parser that refuses in one line and says what was probably meant."""

    def __init__(self, *arguments, **more):
        super().__init__(*arguments, formatter_class=_help, allow_abbrev=False, **more)

    @property
    def options(self):
        """The options that it accepts."""
        return [word for word in self._option_string_actions if word.startswith("--")]

    @property
    def required(self):
        """The names of the arguments that it needs, one word each."""
        return [action.metavar for action in self._get_positional_actions() if action.nargs is None and action.metavar]

    def error(self, message):
        """Refuse the command line."""
        if one := re.fullmatch(r"argument (?:\S+/)?(--\S+): expected one argument", message):
            message += f"; a value that begins with - is written behind =, such as {one[1]}=-x"
        self.exit(2, f"{self.prog}: {message} ({self.prog} --help says more)\n")

    def _check_value(self, action, value):
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(None, f"unknown {value!r}; {_meant(value, [*action.choices])}")


def _help(prog):
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=28)


def _parser():
    """Return the parser of the command line, and name -> that of each command."""
    listed = "\n".join(f"  {name:<10} {what[0].lower()}{what[1:]}" for name, (what, _) in COMMANDS.items())
    about = f"The benchmark of methods that learn to order.\n\ncommands:\n{listed}"
    parser = Parser("rankbench", usage="rankbench COMMAND ...", description=about, epilog=EPILOGUE)
    parser.add_argument("--version", action="version", version=_version())
    below = parser.add_subparsers(dest="command", prog="rankbench", help=argparse.SUPPRESS)
    for name, (what, fill) in COMMANDS.items():
        fill(below.add_parser(name, description=f"{what}."))
    return parser, below.choices


def _version():
    from importlib.metadata import version

    return f"rankbench of rankmargin {version('rankmargin')}"


def _experiments(parser, what):
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help=what, type=str)


def _cores_and_retry(parser):
    parser.add_argument("--cores", type=cores, default=cores("all"), metavar="N", help="jobs at a time (default all)")
    again = "retry runs that ended with one of these: timeout, memory, failed, or all"
    parser.add_argument("--retry", default=(), type=statuses, metavar="STATUS,...", help=again)


def statuses(text):
    """Return the statuses that a text names, separated by commas or blanks."""
    named = text.replace(",", " ").split()
    if strange := {*named} - {*AGAIN}:
        raise argparse.ArgumentTypeError(f"must be some of {', '.join(AGAIN)}, got {min(strange)}")
    return named


def share(text):
    """Return a relative difference."""
    with suppress(ValueError):
        if 0 <= float(text) < math.inf:
            return float(text)
    raise argparse.ArgumentTypeError(f"must be a number >= 0, got {text!r}")


def cores(text):
    """Return the number of cores that a text asks for."""
    if text in ("", "all"):
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number > 0, or all, got {text!r}")
    return int(text)


def _reproduce(parser):
    _experiments(parser, "experiments (default: those of config/config.yaml)")
    _cores_and_retry(parser)
    parser.add_argument("-n", "--dry-run", action="store_true", help="only list the jobs that would run, and why")


def _compare(parser):
    parser.add_argument("file", metavar="FILE", help="csv, tsv, SVMlight (also .gz), parquet or Excel file")
    parser.add_argument("target", nargs="?", default="", metavar="TARGET", help="column to order by: higher is better")
    parser.add_argument("--result", dest="target", default=argparse.SUPPRESS, help="another word for TARGET")
    parser.add_argument(
        "--header", type=cores, default=1, metavar="LINE", help="line of the names of the columns (default 1)"
    )
    for name, metavar, what in (
        ("groups", "COLUMN", "only rows with the same value in this column are compared"),
        ("drop", "COLUMNS", f"columns to leave out, separated by {SEPARATED}"),
        ("nominal", "COLUMNS", f"columns whose numbers are codes for names, separated by {SEPARATED}"),
        ("weight", "COLUMN", "weights of the rows: a weight of 2 is a row that is there twice"),
        (
            "items",
            "COLUMNS",
            "the two columns of names whose results TARGET holds, or two endings of the columns of two items",
        ),
        ("order", "GRADES", f"grades of the target, the worst first, separated by {SEPARATED}"),
        ("decimal", "MARK", "decimal mark of the numbers of a text file: point or comma"),
        ("missing", "WORDS", f"words that mean an empty cell, separated by {SEPARATED}"),
        ("sep", "MARK", "what separates the cells of a text file: one character, or tab"),
        ("sheet", "NAME", "sheet of an Excel file"),
        ("budget", "MINUTES", "minutes that the comparison may take (default 10)"),
        ("folder", "FOLDER", "folder of the comparison (default compare/<file>_<target>)"),
    ):
        parser.add_argument(f"--{name}", default="", metavar=metavar, help=what)
    _cores_and_retry(parser)
    parser.add_argument("--rivals", action="store_true", help="compare with LightGBM, XGBoost, CatBoost and mord too")
    parser.add_argument("--prepare", action="store_true", help="only write the folder")


def _contest(parser):
    parser.add_argument("--add", required=True, metavar="MODULE:CLASS", help="an estimator that can be imported here")
    space = "yaml with a list or {low:, high:, scale: log} for each parameter; without it only its defaults run"
    parser.add_argument("--space", default="", metavar="FILE", help=space)
    parser.add_argument(
        "--tables", default="known", metavar="PART", help="known, fresh, fresh_1000 or confirm (default known)"
    )
    _cores_and_retry(parser)


def _list(parser):
    what = f"{', '.join(LISTS)} (default: experiments), or names of experiments, to list what each of them lacks"
    parser.add_argument("what", nargs="*", metavar="WHAT", help=what)


def _artefact(parser):
    below = parser.add_subparsers(dest="what", metavar="WHAT", title="what", required=True)
    pack = below.add_parser("pack", help="keep the evidence of each experiment that a run has whole, and the verdicts")
    records = below.add_parser("records", help="keep the records of experiments that the site shows")
    for part in (pack, records):
        part.add_argument("run", nargs="?", type=Path, default=Path(), metavar="RUN", help="its checkout (default: .)")
    below.add_parser("judge", help="judge the kept frames again after the rules have changed")
    below.add_parser("check", help="judge the kept frames again and compare the results with what is kept")
    below.add_parser("sources", help="name the experiments whose kept runs were made by other sources")
    seconds = below.add_parser("seconds", help="keep the seconds of a run, to predict the time of later runs")
    timeline = Path("results/logs/timeline.csv")
    seconds.add_argument("timeline", nargs="?", type=Path, default=timeline, help=f"default: {timeline}")


def _diff(parser):
    parser.add_argument("one", metavar="A", type=Path, help="folder results, or that of one experiment, or a file")
    parser.add_argument("other", metavar="B", type=Path, help="another one")
    parser.add_argument("--within", type=share, default=0.0, help="relative difference that is allowed (default 0)")


COMMANDS = {  # name -> what it does, and the function that adds its arguments
    "reproduce": ("Run the experiments that are not done yet, and write the report", _reproduce),
    "compare": ("Find the methods that order your own table best", _compare),
    "contest": ("Rank your own estimator among the methods of the contest", _contest),
    "report": ("Write the report and the verdicts again, of complete or partial results", lambda parser: None),
    "list": ("List the experiments: what is done, what is missing, and how long the rest takes", _list),
    "why": (
        "Say which rule made a file, from which inputs, at which commit, and how to make it again",
        lambda parser: parser.add_argument("file", metavar="FILE", help="a file below results/ or resources/"),
    ),
    "check": (
        "Check the configuration, without running anything",
        lambda parser: _experiments(parser, "experiments (default: all below config/experiments)"),
    ),
    "diff": ("Compare the records and scores of two runs, bit by bit", _diff),
    "keys": ("Write the tables of config/README.md from the classes that check the keys", lambda parser: None),
    "artefact": ("Keep the evidence of a run in resources/, or check what is kept", _artefact),
}
