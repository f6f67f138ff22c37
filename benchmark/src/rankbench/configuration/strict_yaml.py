"""The YAML of protocols: surprising readings of YAML are refused, with file and line."""

import re
from itertools import takewhile

import yaml

INT, FLOAT = "tag:yaml.org,2002:int", "tag:yaml.org,2002:float"
DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9]*)?([.][0-9]*)?([eE][-+]?[0-9]+)?")


class ProtocolError(ValueError):
    """A configuration that cannot be run; the message has one line per fault, each with its file and key."""


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # by libyaml, if PyYAML has it: a third of the time
    """Strict YAML: if YAML 1.1 would read something in a surprising way, it is an error with its line."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                self._refuse(f"key {key!r} occurs twice", node.start_mark)
        return super().construct_mapping(node, deep)

    def construct_number(self, node):
        """Return a number; refuse ``1:30`` and ``010``, which are 90 and 8 in YAML 1.1, and .inf and .nan, which no
        protocol needs."""
        if not DECIMAL.fullmatch(node.value):
            self._refuse(f"{node.value} is not a decimal number: quote it, or write it in digits", node.start_mark)
        return int(node.value) if node.tag == INT else float(node.value)

    def _refuse(self, problem, mark):
        raise yaml.constructor.ConstructorError(None, None, problem, mark)


for _tag in (INT, FLOAT):
    _Loader.add_constructor(_tag, _Loader.construct_number)
# 1e-3 is a number, as in YAML 1.2
_Loader.add_implicit_resolver(FLOAT, re.compile(r"[-+]?[0-9]+([.][0-9]*)?[eE][-+]?[0-9]+$"), "-+0123456789")


def read_yaml(path):
    """Read a YAML file; a syntax error or a repeated key raises a ProtocolError with file and line."""
    try:
        return yaml.load(path.read_text(encoding="utf-8"), _Loader)
    except FileNotFoundError:
        raise ProtocolError(f"{path}: there is no such file") from None
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}, line {mark.line + 1}" if mark else f"{path}"
        raise ProtocolError(f"{where}: {getattr(error, 'problem', None) or error}") from None


def comment(file):
    """Return the lines of the comment at the top of a yaml file."""
    lines = takewhile(lambda line: line.startswith("#"), file.read_text(encoding="utf-8").splitlines())
    return [line.removeprefix("#").removeprefix(" ").rstrip() for line in lines]
