"""The HTTP API: each operation with what it takes and gives, in one list.

Routes, checks and the OpenAPI description all come from `OPERATIONS`, to which each module
gives those of its subject.
"""

from typing import Final

from kwartet.server.api import (
    commands,
    games,
    health,
    looking_back,
    people,
    pictures,
    players,
    records,
    tables,
)

OPERATIONS: Final = (
    *games.OPERATIONS,
    *people.OPERATIONS,
    *players.OPERATIONS,
    *tables.OPERATIONS,
    *looking_back.OPERATIONS,
    *pictures.OPERATIONS,
    *records.OPERATIONS,
    *commands.OPERATIONS,
    *health.OPERATIONS,
)
