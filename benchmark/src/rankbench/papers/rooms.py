"""The rooms: every folder here that has a ``room.py``, which lists what the room offers.

No list is in an ``__init__``, which is part of the source digest of all modules of its package: an edit of a list runs
nothing again.
"""

import importlib
from pathlib import Path

LEDGER = ("diez", "svmcompare", "shashua_levin", "ranksvr", "herbrich", "today")  # their order there; others follow
_NAMES = sorted(file.parent.name for file in Path(__file__).parent.glob("*/room.py"))
_NAMES.sort(key=lambda name: LEDGER.index(name) if name in LEDGER else len(LEDGER))
ROOMS = tuple(importlib.import_module(f"{__package__}.{name}.room").ROOM for name in _NAMES)
