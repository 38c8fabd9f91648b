"""Pictures under way: who has to wait, who is refused, and what becomes of them at the end."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from kwartet.core.errors import GameError
from kwartet.core.scene import Look
from kwartet.server import messages as m
from kwartet.server.conduct.scene import Person
from kwartet.server.gallery import picture_of
from kwartet.server.painting import FILMS, STILLS, Form, Job, Painter
from tests.houses import answered, house_of
from tests.planting import at_random, plant
from tests.serving import Server, eventually, on_a_loop, visiting

LONG = at_random("kwatro", players=4)  # takes many seconds to film


def wanted(form: Form, size: int) -> Job:
    """The match at its end or as a film, so large."""
    options, moves = json.dumps(LONG.options), tuple(LONG.moves)
    look = Look(names=tuple("abcd"), longest=size)
    return Job(form, LONG.game.key, LONG.game.package, options, LONG.version, moves, look)


@asynccontextmanager
async def painting() -> AsyncIterator[Painter]:
    painter = Painter()
    try:
        yield painter
    finally:
        await painter.stop()


async def code_of(painter: Painter, job: Job, who: str) -> str:
    """What the picture is refused with."""
    with pytest.raises(GameError) as refused:
        await painter.paint(job, who)
    return refused.value.code


@on_a_loop
async def test_one_waits_for_a_few_pictures_at_a_time() -> None:
    async with painting() as painter:
        first = [
            asyncio.create_task(painter.paint(wanted("svg", 200 + number), "ann"))
            for number in range(STILLS.each)
        ]
        await asyncio.sleep(0)
        assert await code_of(painter, wanted("svg", 300), "ann") == "too-many"
        others = await painter.paint(wanted("svg", 300), "bob")
        assert others not in await asyncio.gather(*first)
        assert await painter.paint(wanted("svg", 300), "ann") == others
        assert await painter.paint(wanted("svg", 301), "ann") != others


@on_a_loop
async def test_films_have_a_queue_of_their_own_and_end_with_the_painter() -> None:
    async with painting() as painter:
        films = [
            asyncio.create_task(painter.paint(wanted("gif", 700 + number), f"guest {number}"))
            for number in range(FILMS.all)
        ]
        await asyncio.sleep(0)
        assert await code_of(painter, wanted("gif", 600), "guest 0") == "too-many"
        assert await code_of(painter, wanted("gif", 600), "eve") == "busy"
        assert await painter.paint(wanted("svg", 200), "guest 0")
        await painter.stop()
        ends = await asyncio.gather(*films, return_exceptions=True)
        assert [end.code for end in ends if isinstance(end, GameError)] == ["busy"] * len(films)
        assert await code_of(painter, wanted("gif", 600), "eve") == "busy"


@on_a_loop
async def test_a_film_under_way_is_refused_when_the_server_stops(tmp_path: Path) -> None:
    table = await plant(f"sqlite:///{tmp_path}/kwartet.db", LONG)
    server = Server(tmp_path).start()
    async with visiting(server) as visit:
        eve = await visit.stranger()
        asked = asyncio.create_task(eve.http.get(f"{server.url}/api/tables/{table}/film.gif"))
        await asyncio.sleep(1)
        assert not asked.done()
        assert await asyncio.to_thread(server.stop) == 0
        refused = await asked
        assert (refused.status_code, refused.json()["code"]) == (503, "busy")
        assert not server.faults


@on_a_loop
async def test_a_picture_of_a_match_that_ends_meanwhile_does_not_last(tmp_path: Path) -> None:
    ann, bob = Person("ann", "Ann"), Person("bob", "Bob")
    async with house_of(tmp_path, 0) as house:
        await eventually(lambda: answered(house.hall.readiness.is_ready("connect_four")))
        table = await house.hall.opening.create(ann, m.CreateTable("connect_four", order="fixed"))
        await table.handle(bob, m.Sit())
        early = asyncio.create_task(picture_of(house, table, "svg", {}, "eve"))
        await asyncio.sleep(0)
        await table.handle(ann, m.Resign())
        assert not early.done()
        assert table.story.state == "over"
        assert not (await early).lasts
        assert (await picture_of(house, table, "svg", {}, "eve")).lasts
