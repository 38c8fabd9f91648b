"""Somebody gets another name, also at the tables where they sit.

The account is renamed first; the tables follow, one after the other, each by an entry of its
log. An entry says which name it takes the place of. So it does nothing at a seat that says
something else: one that was hidden or forgotten meanwhile, or a friend's at the same device.
"""

from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from kwartet.core.errors import GameError
from kwartet.server import events as e
from kwartet.server.archive import playing
from kwartet.server.conduct.scene import NOTHING, Decision, Person, Scene
from kwartet.server.rewriting import Change, rewrite_person
from kwartet.store import StoreError

if TYPE_CHECKING:
    from kwartet.server.hall import Hall
    from kwartet.server.house import House

RENAMES: Final = 20  # of one person at a table; after that it keeps the last name
ALL_RENAMES: Final = 200

log = structlog.get_logger()


async def rename(house: "House", person: Person, name: str) -> Person:
    """Give the person another name, here and soon at their tables; GameError if it cannot be."""
    before = await house.identities.rename(person, name)
    await house.news.about(person.id)
    house.hall.spawn(tell_tables(house.hall, person.id, before))
    return await house.identities.person(person.id)


async def tell_tables(hall: "Hall", player: str, before: str) -> None:
    """Let the tables where the player sits under the name of before say what they are called."""
    for key in await playing(hall.store, player):
        try:
            await _tell(hall, key, player, before)
        except StoreError:
            raise
        except GameError as error:  # one that cannot be read or is gone
            log.info("a table keeps a name", problem=error.code)


async def _tell(hall: "Hall", key: str, player: str, before: str) -> None:
    """Tell one table, again if the name has changed once more meanwhile."""
    is_told = False
    while (name := await _name(hall, player)) not in (None, before):
        assert name is not None
        if is_told and await hall.store.people.is_hidden(before):  # while it was told
            await rewrite_person(hall.store, key, Change(player, player, name))
            await hall.log_rewritten(key)
            return
        table = await hall.table(key)
        await table.change(partial(renamed, player=player, before=before, name=name))
        before, is_told = name, True


async def _name(hall: "Hall", player: str) -> str | None:
    """What the player is called now, whatever was known of them; None if they are gone."""
    account = await hall.store.people.account(player)
    return account.player.name if account.player else None


def renamed(scene: Scene, player: str, before: str, name: str) -> Decision:
    """The player's seat gets the name, unless the match is over or that was done too often."""
    story = scene.story
    number = story.seat_called(player, before)
    others = {
        (story.seats[other].name or "").casefold()
        for other in story.seats_of(player)
        if other != number
    }
    is_enough = story.renames.count(player) >= RENAMES or len(story.renames) >= ALL_RENAMES
    if story.state == "over" or number is None or name.casefold() in others or is_enough:
        return NOTHING
    return Decision([e.Renamed(player, before, name)])
