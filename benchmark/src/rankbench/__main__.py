"""``python -m rankbench`` is the command ``rankbench``."""

import sys

from rankbench.command.stop import stop


def main(arguments=None):
    """Do what the command line asks for; return the exit code."""
    stop.heed()
    from rankbench.command.doors import run  # takes longer to import, so signals are heeded before

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
