"""Playing again: the table for it is opened when all have agreed, whoever heard it last."""

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from kwartet.server.conduct.offers import is_rematch_agreed, rematched
from kwartet.server.rewriting import clear_rematch
from kwartet.store import StoreError

if TYPE_CHECKING:
    from kwartet.server.table import Table

REMATCH_WAIT: Final = 1.0  # seconds until one is tried again that the store could not take


async def rematch_if_agreed(table: "Table") -> None:
    """Open the table where all have agreed to play again, if it is not open yet."""
    if is_rematch_agreed(table.story):
        key = await table.hall.opening.rematch(table.story)
        await table.change(lambda scene: rematched(scene, key))
        if table.story.rewritten:  # perhaps only heard of when the table was opened already
            await clear_rematch(table.hall.store, table.story.id, key)
            await table.hall.log_rewritten(key)


async def rematch_soon(table: "Table") -> None:
    """Open it as soon as the store is there again."""
    while is_rematch_agreed(table.story):
        await asyncio.sleep(REMATCH_WAIT)
        with contextlib.suppress(StoreError):
            await rematch_if_agreed(table)
