"""The rooms: one for each of the five papers, in the order of the ledger and the report, and one for today's methods.

A room holds everything that belongs to its paper. Its ``room.py`` lists what it offers.
"""

from .diez.room import ROOM as DIEZ
from .herbrich.room import ROOM as HERBRICH
from .ranksvr.room import ROOM as RANKSVR
from .shashua_levin.room import ROOM as SHASHUA_LEVIN
from .svmcompare.room import ROOM as SVMCOMPARE
from .today.room import ROOM as TODAY

ROOMS = (DIEZ, HERBRICH, SHASHUA_LEVIN, SVMCOMPARE, RANKSVR, TODAY)
