"""Servers that are killed, that share a database, or lose it."""

import asyncio
import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed

from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server.story import Story
from kwartet.store import StoreError
from tests.commands import kwartet_command
from tests.postgres import fresh_schema, running_postgres
from tests.serving import (
    PLENTY,
    Guest,
    Json,
    Server,
    Visit,
    eventually,
    made,
    on_a_loop,
    pair,
    strict,
    visiting,
)
from tests.test_server_steps import ANN, BOB, hall_of, opened


@contextmanager
def serving(*servers: Server) -> Iterator[None]:
    """These servers, started side by side and ended."""
    try:
        for server in servers:
            server.start(wait=False)
        yield
    finally:
        for server in servers:
            if server.is_running:
                server.kill()
    for server in servers:
        assert not server.faults


class Memory:
    """What the server has acknowledged."""

    def __init__(self) -> None:
        self.acknowledged: dict[str, dict[int, str]] = {}
        self.last: dict[str, tuple[Guest, Json, Json]] = {}

    async def play(self, guest: Guest, table: str, seed: int) -> None:
        """Play against oneself until the server is gone."""
        luck = random.Random(seed)
        try:
            while True:
                shown = await guest.look(table)
                if not shown["match"]["legal"]:
                    await asyncio.sleep(0.01)
                    continue
                move = luck.choice(shown["match"]["legal"])
                ply = shown["match"]["view"]["ply"]
                wish = {"ply": ply, "move": move, "id": f"{luck.random()}"}
                answer = await guest.do(table, "play", **wish)
                assert answer["type"] == "accepted", answer
                self.acknowledged.setdefault(table, {})[wish["ply"]] = move
                self.last[table] = (guest, wish, answer)
        except httpx.TransportError:
            return


@on_a_loop
async def test_a_server_killed_under_load_has_lost_nothing_it_acknowledged(tmp_path: Path) -> None:
    server = Server(tmp_path, *PLENTY)
    with serving(server):
        async with visiting(server) as visit:
            guests = await visit.guests("Ann", "Bob", "Eve")
            await check_preparing(guests[0])
            tables = []
            for guest in guests * 2:
                opened = await guest.open("carnac", "me", "me", options={"board": "small"})
                tables.append((guest, opened["id"]))
            bots = [await guest.open("connect_four", "me", "bot") for guest in guests]
            tables += zip(guests, (table["id"] for table in bots), strict=True)
            thinking = await _thinking(guests[1])
            memory = Memory()
            playing = [
                asyncio.create_task(memory.play(guest, table, number))
                for number, (guest, table) in enumerate(tables)
            ]
            await eventually(lambda: _has(memory, 40))
            await asyncio.to_thread(server.kill)
            await asyncio.gather(*playing)
            await asyncio.to_thread(server.start)
            await eventually(lambda: _has_gone_on(guests[1], thinking))
            for _, table in tables:
                await check_kept(memory, table)
            live = await guests[0].watch(tables[0][1])
            await asyncio.to_thread(server.stop)
            with pytest.raises(ConnectionClosed):
                await live.until(lambda _: False)


async def check_preparing(guest: Guest) -> None:
    """A table opened before its rules are ready says so, and goes on by itself."""
    opened = await guest.open("connect_four", "bot", "me")
    if opened["state"] == "preparing":  # else the machine is quick
        assert opened["preparing"]["what"] == "rules"
        refused = await guest.do(opened["id"], "play", ply=0, move="a")
        assert refused["code"] in ("not-started", "preparing")
    live = await guest.watch(opened["id"])
    await live.until(lambda table: table["match"] and table["match"]["legal"])
    assert live.table["preparing"] is None
    games = await guest.get("/api/games")
    while any(game["preparing"] for game in games):
        await asyncio.sleep(0.1)
        games = await guest.get("/api/games")


async def _thinking(guest: Guest) -> str:
    """A table where a bot has just begun to think for long."""
    seats = [{"kind": "bot", "level": "master"}, {"kind": "me"}]
    table: Json = await guest.post("/api/tables", game="carnac", order="fixed", seats=seats)
    return str(table["id"])


async def _has_gone_on(guest: Guest, table: str) -> bool:
    """Whether the bot has played, without a look at the table, which would wake it."""
    mine = (await guest.get("/api/lobby"))["mine"]
    return any(found["id"] == table and found["actor"] == 1 for found in mine)


async def _has(memory: Memory, moves: int) -> bool:
    return sum(map(len, memory.acknowledged.values())) >= moves


async def check_kept(memory: Memory, table: str) -> None:
    guest, wish, answer = memory.last[table]
    shown = await guest.look(table)
    log = shown["match"]["log"]
    played = memory.acknowledged[table]
    assert {ply: log[ply] for ply in played} == played
    assert await guest.do(table, "play", **wish) == answer  # answered again, not played again
    assert (await guest.look(table))["match"]["log"][: len(log)] == log


@on_a_loop
async def test_a_second_server_on_the_same_file_is_refused(
    sqlite_server: Server, tmp_path: Path
) -> None:
    arguments = ("serve", "--no-open", "--port", "0", "--data", str(sqlite_server.data))
    second = await asyncio.to_thread(kwartet_command, *arguments)
    assert second.returncode != 0
    assert "Another server works on" in second.stderr
    assert "Traceback" not in second.stdout + second.stderr
    async with visiting(sqlite_server) as visit:
        assert (await (await visit.guest()).get("/readyz"))["status"] == "ok"


# Two processes, one database


async def both(visit: Visit, second: Server) -> tuple[Guest, Guest, str]:
    """Ann at the first server, Bob at the second, at one table."""
    ann, bob, table = await pair(visit)
    return ann, await visit.elsewhere(bob, second), table


@on_a_loop
async def test_two_servers_on_one_database_are_one(tmp_path: Path) -> None:
    with running_postgres() as url:
        await asyncio.to_thread(made, url)
        first, second = (
            Server(tmp_path / name, *PLENTY, "--database", url, KWARTET_SECRET="shared" * 6)
            for name in ("one", "two")
        )
        with serving(first, second):
            for server in (first, second):
                await asyncio.to_thread(server.wait_until_ready)
            async with visiting(first) as visit:
                await check_two_play(visit, second)
                await check_a_race(visit, second)
                await check_bots_are_seen(visit, second)
                await check_home_pages_know(visit, second)
                await check_one_may_die(visit, first, second)
                with psycopg.connect(url, autocommit=True) as connection:
                    connection.execute("ALTER ROLE postgres NOLOGIN")
                    connection.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE application_name = 'kwartet'"
                    )
                    await check_database_is_gone(second)
                    connection.execute("ALTER ROLE postgres LOGIN")
                await eventually(lambda: _is_ready(second))


async def check_two_play(visit: Visit, second: Server) -> None:
    """Moves, words and presence are seen at once on the other side."""
    ann, bob, table = await both(visit, second)
    a, b = await ann.watch(table), await bob.watch(table)
    for live in (a, b):
        await live.until(lambda shown: all(seat["connected"] for seat in shown["seats"]))
    for ply in range(6):
        live, other = (a, b) if ply % 2 == 0 else (b, a)
        assert (await live.do("play", ply=ply, move="ab"[ply % 2]))["ply"] == ply + 1
        while other.ply != ply + 1:
            await asyncio.wait_for(other.hear(), 10)
    await b.do("chat", text="hello")
    await a.until(lambda _: a.chat == ["hello"])
    await b.do("offer", kind="takeback")
    await a.until(lambda shown: shown["offer"])
    await a.do("reply", accept=True)
    await b.until(lambda _: b.log == list("ababa"))
    await a.close()
    await b.until(lambda shown: not shown["seats"][0]["connected"])


async def check_a_race(visit: Visit, second: Server) -> None:
    """Of those who want the same ply through both, one gets it, and both know which."""
    ann, _, table = await both(visit, second)
    twin = await visit.elsewhere(ann, second)
    wishes = [(guest, move) for move in "abcd" for guest in (ann, twin)]
    answers = await asyncio.gather(
        *(guest.do(table, "play", ply=0, move=move, id=move) for guest, move in wishes)
    )
    accepted = {answer["id"] for answer in answers if answer["type"] == "accepted"}
    refused = {answer["code"] for answer in answers if answer["type"] == "refused"}
    assert (len(accepted), refused) == (1, {"stale-ply"})
    await eventually(lambda: _has_log(twin, table, [*accepted]))
    await eventually(lambda: _has_log(ann, table, [*accepted]))


async def _has_log(guest: Guest, table: str, log: list[str]) -> bool:
    return bool((await guest.look(table))["match"]["log"] == log)


async def check_bots_are_seen(visit: Visit, second: Server) -> None:
    """What a bot of one process plays is seen at the other."""
    ann = await visit.guest("Ann")
    table = (await ann.open("connect_four", "me", "bot"))["id"]
    there = await (await visit.elsewhere(ann, second)).watch(table)
    await ann.do(table, "play", ply=0, move="d")
    await there.until(lambda _: there.ply == 2)
    assert (await there.play("a"))["type"] == "accepted"
    await there.until(lambda _: there.ply == 4)
    await eventually(lambda: _has_log(ann, table, there.log))


async def check_home_pages_know(visit: Visit, second: Server) -> None:
    """Home pages at the other process are told what concerns them, and no more."""
    ann, carl = await visit.guest("Ann"), await visit.guest("Carl", second)
    there = await visit.elsewhere(ann, second)
    pages = {guest: await guest.socket("/api/live") for guest in (there, carl)}
    for page in pages.values():
        assert json.loads(await page.recv())["type"] == "lobby"
    hidden = (await ann.open("connect_four", "me", "open"))["id"]
    while True:
        message = json.loads(await pages[there].recv())
        if hidden in [table["id"] for table in message["mine"]]:
            break
    listed = (await ann.open("connect_four", "me", "open", listed=True))["id"]
    told = json.loads(await pages[carl].recv())
    assert [table["id"] for table in told["open"]] == [listed]
    assert told["mine"] == []


async def check_one_may_die(visit: Visit, first: Server, second: Server) -> None:
    """The other goes on with everybody's tables."""
    ann, bob, table = await both(visit, second)
    await ann.do(table, "play", ply=0, move="a", id="x")
    await asyncio.to_thread(first.kill)
    there = await visit.elsewhere(ann, second)
    assert (await there.do(table, "play", ply=0, move="a", id="x"))["ply"] == 1
    assert (await bob.do(table, "play", ply=1, move="b"))["ply"] == 2


async def _is_ready(server: Server) -> bool:
    response = await asyncio.to_thread(lambda: httpx.get(f"{server.url}/readyz", timeout=60))
    return response.status_code == 200


async def check_database_is_gone(server: Server) -> None:
    response = await asyncio.to_thread(lambda: httpx.get(f"{server.url}/readyz", timeout=60))
    assert response.status_code == 503
    assert strict(response.content, m.Refused).code == "store-unavailable"
    alive = await asyncio.to_thread(lambda: httpx.get(f"{server.url}/healthz"))
    assert alive.json()["status"] == "ok"


@on_a_loop
async def test_what_another_process_could_not_announce_is_told_all_the_same(
    tmp_path: Path, postgres: str
) -> None:
    url = await asyncio.to_thread(made, fresh_schema(postgres))
    server = Server(tmp_path, *PLENTY, "--database", url)
    with serving(server):
        async with visiting(server) as visit:
            ann, _, table = await pair(visit)
            live = await ann.watch(table)
            number = (await live.until(lambda told: told["match"]))["version"] + 1
            said = e.encode(e.Body([e.Said("bob", "Bob", "Still here?")]))
            with psycopg.connect(url, autocommit=True) as other:  # which ends after its COMMIT
                other.execute(
                    "INSERT INTO entries (table_id, number, at, body) "
                    "SELECT id, %s, changed, %s FROM tables WHERE id = %s",
                    (number, said, table),
                )
            await live.until(lambda told: told["version"] == number)
            assert (await ann.look(table))["chat"][-1]["text"] == "Still here?"


@on_a_loop
async def test_a_rematch_that_the_store_could_not_take_is_opened_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kwartet.server.rematching.REMATCH_WAIT", 0.01)
    async with hall_of(tmp_path) as hall:
        table = await opened(hall)
        await table.handle(BOB, m.Resign())
        known = hall.opening.rematch
        tries = 0

        async def away(story: Story) -> str:
            nonlocal tries
            tries += 1
            if tries < 3:
                raise StoreError("store-unavailable", "It is away.")
            return await known(story)

        monkeypatch.setattr(hall.opening, "rematch", away)
        await table.handle(ANN, m.Offer(kind="rematch"))
        agreed = await table.handle(BOB, m.Reply(accept=True))
        assert agreed.table is None
        while table.story.rematch is None:
            await asyncio.sleep(0.01)
        assert tries >= 3
