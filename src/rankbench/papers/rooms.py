"""The list of the rooms: one for each paper, in the order of the ledger (``claims.csv``), and one for today's methods.

The ``room.py`` of a room lists what it offers. No list is in an ``__init__``, which is part of the source digest of all
modules of its package: an edit of a list runs nothing again.
"""

from .diez.room import ROOM as DIEZ
from .herbrich.room import ROOM as HERBRICH
from .ranksvr.room import ROOM as RANKSVR
from .shashua_levin.room import ROOM as SHASHUA_LEVIN
from .svmcompare.room import ROOM as SVMCOMPARE
from .today.room import ROOM as TODAY

ROOMS = (DIEZ, SVMCOMPARE, SHASHUA_LEVIN, RANKSVR, HERBRICH, TODAY)
