"""Lists stay short by themselves."""

import asyncio
from pathlib import Path

from kwartet.server import messages as m
from kwartet.server.bans import Bans
from kwartet.server.conduct.scene import Person
from kwartet.server.hall import Hall
from kwartet.server.identity import Identities, Visitor
from kwartet.server.listing import LISTED_AT_MOST, Listing
from kwartet.server.news import News, Session
from tests.serving import Server, on_a_loop, visiting
from tests.storing import execute
from tests.test_server_changes import hall_of

ANN = Person("ann", "Ann")
DAY = 86400


def pass_time(folder: Path, seconds: float) -> None:
    """Let everything in the database have happened so much earlier."""
    url = f"sqlite:///{folder}/kwartet.db"
    execute(
        url, f"UPDATE tables SET changed = changed - {seconds}, attended = attended - {seconds}"
    )
    execute(url, f"UPDATE entries SET at = at - {seconds}")


async def listed(hall: Hall) -> list[str]:
    hall.lobby.changed(None)
    return [table.id for table in (await hall.lobby.listed()).open]


@on_a_loop
async def test_an_open_table_leaves_the_lobby_and_comes_back_with_its_people(
    tmp_path: Path,
) -> None:
    async with hall_of(tmp_path, "connect_four") as hall:
        identities = Identities(hall.store, "s" * 40)
        news = News(hall.store, identities, Bans(hall.store))
        wish = m.CreateTable("connect_four", listed=True)
        days = m.CreateTable("connect_four", listed=True, clock=m.Clock("move", 2 * DAY))
        live = (await hall.opening.create(ANN, wish)).story.id
        slow = (await hall.opening.create(ANN, days)).story.id
        listing = Listing(hall, news)
        assert set(await listed(hall)) == {live, slow}
        await asyncio.to_thread(pass_time, tmp_path, 1000)
        await listing.look()
        assert await listed(hall) == [slow]

        async def end(error: Exception) -> None:
            raise AssertionError

        session = Session(Visitor("ann", "device"), "127.0.0.1", ANN, end)
        news.open(session)
        await listing.look()
        assert set(await listed(hall)) == {live, slow}
        news.close(session)
        await asyncio.to_thread(pass_time, tmp_path, 1000)
        await listing.look()
        assert await listed(hall) == [slow]


@on_a_loop
async def test_a_match_that_nobody_goes_on_with_is_put_away(tmp_path: Path) -> None:
    async with hall_of(tmp_path, "connect_four") as hall:
        news = News(hall.store, Identities(hall.store, "s" * 40), Bans(hall.store))
        mine = [m.SeatWish("me", name="Ann"), m.SeatWish("me", name="Bob")]
        table = await hall.opening.create(ANN, m.CreateTable("connect_four", seats=mine))
        key = table.story.id
        listing = Listing(hall, news)
        for days, state in ((80, "running"), (11, "over")):
            hall.tables.clear()
            await asyncio.to_thread(pass_time, tmp_path, days * DAY)
            await listing.put_away()
            found = await hall.store.table(key)
            assert found is not None
            assert found.state == state
        assert (await hall.table(key)).story.is_dropped


@on_a_loop
async def test_nobody_fills_the_lobby_alone(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        for _ in range(LISTED_AT_MOST):
            table = await ann.open("connect_four", "me", "open", listed=True)
        wish = {"game": "connect_four", "listed": True}
        assert (await ann.post("/api/tables", **wish))["code"] == "too-many-tables"
        await ann.open("connect_four", "me", "open", listed=False)
        await ann.ask("DELETE", f"/api/tables/{table['id']}")
        await ann.open("connect_four", "me", "open", listed=True)
