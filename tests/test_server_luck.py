"""Parts that people add to the luck of a match: who may, when, and what becomes of them."""

import asyncio
import re
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
import websockets
from msgspec.structs import replace

from kwartet.client import Attendance, Client
from kwartet.core.errors import GameError
from kwartet.core.fairness import Noted, commitment, seed_of, verify
from kwartet.games import find
from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server.archive import PARTS_WAIT
from tests.planting import at_random, plant
from tests.serving import Guest, Json, Server, on_a_loop, visiting
from tests.timing import ANN, world


async def begun(guest: Guest, table: str) -> Json:
    """The table as soon as its match runs."""
    return await guest.until(table, lambda shown: shown["state"] == "running")


async def record_of(guest: Guest, table: str) -> Json:
    """The record of a match that is given up now."""
    assert (await guest.do(table, "resign"))["type"] == "accepted"
    record: Json = await guest.get(f"/api/tables/{table}/record")
    return record


@on_a_loop
async def test_a_match_begins_with_the_part_that_was_promised(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        opened = await ann.open("kwatro", "me", "bot", promise=True, order="lot")
        assert (opened["state"], opened["match"]) == ("preparing", None)
        assert "shuffle" in opened["may"]
        assert (await ann.do(opened["id"], "shuffle", part="amber otter 41"))["type"] == "accepted"
        shown = await ann.look(opened["id"])
        assert (shown["state"], "shuffle" in shown["may"]) == ("running", False)
        record = await record_of(ann, opened["id"])
        assert record["parts"] == ["amber otter 41", None]
        secret = bytes.fromhex(record["secret"])
        assert commitment(secret) == record["commitment"] == opened["commitment"]
        assert seed_of(secret, record["parts"]).hex() == record["seed"]
        noted = Noted(opened["commitment"], "amber otter 41", opened["mine"][0])
        assert verify(record, find, noted).problem is None
        assert "not in the record" in str(verify(record, find, Noted(part="other")).problem)
        assert "another seat" in str(
            verify(record, find, Noted(part="amber otter 41", seat=1)).problem
        )


@on_a_loop
async def test_who_promises_nothing_is_not_waited_for(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        alone = await ann.open("kwatro", "me", "bot")
        assert alone["state"] == "running"
        assert (await record_of(ann, alone["id"]))["parts"] == [None, None]
        table = (await ann.open("kwatro", "me", "open"))["id"]
        await bob.do(table, "sit", promise=True)
        assert (await bob.look(table))["state"] == "preparing"
        await bob.do(table, "shuffle", part="b")
        await begun(ann, table)
        record = await record_of(ann, table)
        assert record["parts"] == [None, "b"]
        assert (
            verify(record, find).claims()[2].startswith("The seed is made of the server's secret")
        )


@on_a_loop
async def test_a_part_is_given_once_and_goes_with_its_person(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        table = (await ann.open("kwatro", "me", "open", promise=True))["id"]
        for _ in range(2):  # the same again changes nothing
            assert (await ann.do(table, "shuffle", part="a"))["type"] == "accepted"
        assert (await ann.do(table, "shuffle", part="c"))["code"] == "part-given"
        await bob.do(table, "sit", promise=True)
        await bob.do(table, "leave")
        assert (await bob.do(table, "shuffle", part="b"))["code"] == "not-seated"
        eve = await visit.guest("Eve")
        await eve.do(table, "sit", promise=True)
        assert (await eve.do(table, "shuffle", part="é ☂"))["type"] == "accepted"
        await begun(ann, table)
        assert (await ann.do(table, "shuffle", part="a"))["code"] == "started"
        assert (await record_of(ann, table))["parts"] == ["a", "é ☂"]


@on_a_loop
async def test_who_leaves_takes_the_part_along(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        table = (await ann.open("kwatro", "me", "open", "open", options={"players": 3}))["id"]
        await bob.do(table, "sit", promise=True)
        await bob.do(table, "shuffle", part="first")
        await bob.do(table, "leave")
        await bob.do(table, "sit", promise=True)
        assert "shuffle" in (await bob.look(table))["may"]
        await bob.do(table, "shuffle", part="second")
        await ann.do(table, "start")
        await begun(ann, table)
        await bob.do(table, "resign")
        assert (await record_of(ann, table))["parts"] == [None, "second", None]


@on_a_loop
async def test_people_at_one_device_add_one_part(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        opened = await ann.open("kwatro", "me", "me", promise=True)
        await ann.do(opened["id"], "shuffle", part="ours")
        await begun(ann, opened["id"])
        await ann.do(opened["id"], "resign")
        record = await ann.get(f"/api/tables/{opened['id']}/record")
        assert record["parts"] == ["ours", None]


@on_a_loop
async def test_a_part_that_does_not_come_is_waited_for_a_short_while(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        began = time.monotonic()
        table = (await ann.open("kwatro", "me", "bot", promise=True))["id"]
        await begun(ann, table)
        assert time.monotonic() - began >= PARTS_WAIT
        record = await record_of(ann, table)
        assert record["parts"] == [None, None]
        assert "The server alone chose the seed" in " ".join(verify(record, find).claims())


@on_a_loop
async def test_a_part_is_waited_for_no_longer_though_timers_come_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = asyncio.BaseEventLoop.call_later

    def early(loop: Any, delay: float, *values: Any, **named: Any) -> asyncio.TimerHandle:
        """As uvloop does, by up to a millisecond."""
        return later(loop, delay - 0.2, *values, **named)

    monkeypatch.setattr(asyncio.BaseEventLoop, "call_later", early)
    async with world(f"sqlite:///{tmp_path}/house.db") as house:
        wish = m.CreateTable("connect_four", seats=[m.SeatWish("me")] * 2, promise=True)
        table = await house.processes[0].hall.opening.create(ANN, wish)
        assert table.story.awaits_parts
        await asyncio.sleep(PARTS_WAIT + 0.5)
        assert table.story.state == "running"


@on_a_loop
async def test_a_table_that_waits_goes_on_after_a_crash_though_nobody_looks(
    tmp_path: Path,
) -> None:
    server = Server(tmp_path / "data").start()
    try:
        async with visiting(server) as visit:
            ann = await visit.guest("Ann")
            await ann.open("connect_four", "me", "bot", promise=True)
            server.kill()
            server.start()

            async def runs() -> bool:
                (mine,) = (await ann.get("/api/tables?mine"))["tables"]
                return bool(mine["state"] == "running")

            while not await runs():
                await asyncio.sleep(0.1)
    finally:
        server.kill()


@on_a_loop
async def test_a_rematch_waits_for_those_who_added_a_part_before(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        table = (await ann.open("kwatro", "me", "open", promise=True, order="lot"))["id"]
        await ann.do(table, "shuffle", part="a")
        await bob.do(table, "sit")
        await begun(ann, table)
        first = await record_of(ann, table)
        await ann.do(table, "offer", kind="rematch")
        again = (await bob.do(table, "reply", accept=True))["table"]
        shown = await ann.look(again)
        assert shown["state"] == "preparing"
        assert {"shuffle"} <= set(shown["may"])
        seat = shown["mine"][0]
        await ann.do(again, "shuffle", part="a2")
        await begun(ann, again)
        second = await record_of(ann, again)
        assert second["parts"][seat] == "a2"
        assert second["secret"] != first["secret"]


@on_a_loop
async def test_a_match_that_goes_on_with_the_same_luck_takes_no_parts(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        opened = await ann.open("kwatro", "me", "bot", promise=True)
        await ann.do(opened["id"], "shuffle", part="a")
        await begun(ann, opened["id"])
        first = await record_of(ann, opened["id"])
        for chance in ("same", "anew"):
            seats = [{"kind": "me"}, {"kind": "open"}]
            on = await ann.post(
                f"/api/tables/{opened['id']}/branch",
                ply=9,
                seats=seats,
                chance=chance,
                promise=True,
            )
            answer = await ann.do(on["id"], "shuffle", part="x")
            assert answer.get("code") == ("no-parts" if chance == "same" else None)
            await ann.do(on["id"], "start", level="novice")
            await begun(ann, on["id"])
            record = await record_of(ann, on["id"])
            assert (record["seed"] == first["seed"]) == (chance == "same")
            verdict = verify(record, find, on["commitment"])
            assert (verdict.problem, verdict.same) == (None, chance == "same")
            assert record.get("parts") == (None if chance == "same" else ["x", None])


@on_a_loop
async def test_neither_secret_nor_parts_are_told_while_a_match_runs(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        table = (await ann.open("kwatro", "me", "open", promise=True, listed=True))["id"]
        seen, part = [], "nobody may read this"
        live = await bob.watch(table)
        await ann.do(table, "shuffle", part=part)
        await bob.do(table, "sit", promise=True)
        await bob.do(table, "shuffle", part="b" * 64)
        await live.until(lambda shown: shown["state"] == "running")
        for path in ("", "/record", "/sheet", "/replay", "/picture?ply=0", "/review"):
            for guest in (ann, bob, await visit.stranger()):
                response = await guest.http.get(f"{server.url}/api/tables/{table}{path}")
                seen.append(response.text)
        seen += [str(live.table), (await bob.http.get(f"{server.url}/api/lobby")).text]
        record = await record_of(ann, table)
        for secret in (record["secret"], record["seed"], part, "b" * 64):
            assert all(secret not in text for text in seen)
            assert secret not in server.log


@on_a_loop
async def test_tables_from_before_go_on_with_the_seed_they_had(sqlite_server: Server) -> None:
    database = f"sqlite:///{sqlite_server.data}/kwartet.db"
    table = await plant(database, at_random("kwatro", 3), "played", "ann", "bob")
    async with visiting(sqlite_server) as visit:
        eve = await visit.guest("Eve")
        record = await eve.get(f"/api/tables/{table}/record")
        assert not {"secret", "parts"} & record.keys()
        verdict = verify(record, find, (await eve.look(table))["commitment"])
        assert (verdict.problem, verdict.parts) == (None, None)
        assert "The server alone chose the seed" in " ".join(verdict.claims())


@on_a_loop
async def test_a_record_with_parts_comes_in_whole_and_a_forged_one_does_not(
    server: Server,
) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        opened = await ann.open("kwatro", "me", "bot", promise=True, order="lot")
        await ann.do(opened["id"], "shuffle", part="amber")
        await begun(ann, opened["id"])
        record = await record_of(ann, opened["id"])
        for text in (m.encode(record).decode(), await ann.get(f"/api/tables/{opened['id']}/sheet")):
            brought = await ann.post("/api/records", text=text)
            told = await ann.get(f"/api/tables/{brought['id']}/record")
            for name in ("secret", "parts", "seed", "commitment", "lot"):
                assert told[name] == record[name]
        for change in (
            {"parts": [None, None]},
            {"parts": ["amber"]},
            {"parts": ["amber", 7]},
            {"secret": "00" * 32},
            {"secret": None},
            {"seed": "00" * 32},
        ):
            forged = m.encode(record | change).decode()
            assert (await ann.post("/api/records", text=forged))["code"] == "bad-record", change


@on_a_loop
async def test_the_client_adds_its_part_and_checks_it(server: Server) -> None:
    async with Client(server.url) as ann, Client(server.url) as bob:
        opened = await ann.create("kwatro", seats=["me", "open"], listed=False, part="amber")
        async with ann.attend(opened.id) as hers, bob.attend(opened.id) as his:
            await his.send(m.Sit())
            async for now in hers:
                if now.state == "running":
                    break
            await hers.send(m.Resign())
        record = await ann.record(opened.id)
        assert record["parts"] == [client.noted[opened.id].part for client in (ann, bob)]
        assert re.fullmatch("amber [0-9a-f]{32}", record["parts"][0])
        for client in (ann, bob):
            verdict = await client.check(opened.id)
            assert verdict.problem is None
            assert (verdict.promised, verdict.own_part, verdict.parts) == ("noted", True, 2)
        bob.noted[opened.id] = Noted(opened.commitment, "another", 1)
        assert "not in the record" in str((await bob.check(opened.id)).problem)


@pytest.mark.parametrize("answers", ["takes", "refuses"])
@on_a_loop
async def test_a_dishonest_server_gets_one_part_however_it_asks(
    server: Server, answers: str
) -> None:
    """It asks again with another seat each time, as if it had taken the part, or had not."""
    asked: list[str] = []
    async with Client(server.url) as ann:
        opened = await ann.create("kwatro", seats=["me", "open"], listed=False, part="amber")
        sent, true = ann.noted[opened.id].part, ann.noted.pop(opened.id)

        async def dishonest(socket: websockets.ServerConnection) -> None:
            for version in range(1, 7):
                mine, may = [version % 2], [*opened.may, "shuffle"]
                told = replace(opened, version=version, mine=mine, may=may)
                await socket.send(m.encode(told).decode())
                command = msgspec.json.decode(await socket.recv())
                asked.append(command["part"])
                key = command["id"]
                no = m.Refused(id=key, code="bad-request", sentence="No.")
                yes = m.Accepted(id=key, ply=0, version=version)
                await socket.send(m.encode(yes if answers == "takes" else no).decode())
                await asyncio.sleep(0.05)  # the client has heard it
            await socket.send(m.encode(replace(opened, version=7, state="over")).decode())

        async with websockets.serve(dishonest, "127.0.0.1", 0) as there:
            port = next(iter(there.sockets)).getsockname()[1]
            address = f"ws://127.0.0.1:{port}/api/tables/{opened.id}/live"
            async with Attendance(address, {}, noted=ann.noted) as table:
                async for _ in table:
                    pass
        assert (len(asked), len(set(asked))) == (6, 1)
        noted = ann.noted[opened.id]
        assert (noted.part, noted.seat, noted.taken) == (asked[0], 0, answers == "takes")
        async with ann.attend(opened.id) as table:
            await table.send(m.Start(level="novice"))
            async for now in table:
                if now.state == "running":
                    break
            await table.send(m.Resign())
        problem = str((await ann.check(opened.id)).problem)  # its record has another part there
        assert ("the server refused it" in problem) == (answers == "refuses")
        assert "not in the record" in problem
        ann.noted[opened.id] = true
        assert ((await ann.check(opened.id)).problem, true.part) == (None, sent)


@on_a_loop
async def test_a_typed_part_too_long_for_random_letters_opens_no_table(server: Server) -> None:
    async with Client(server.url) as ann:
        for part in ("x" * 32, "tab\there"):
            with pytest.raises(GameError, match="letters"):
                await ann.create("kwatro", seats=["me", "open"], part=part)
        assert ann.noted == {}


@on_a_loop
async def test_a_match_against_a_bot_starts_with_one_request_more(server: Server) -> None:
    async with Client(server.url) as ann:
        began = time.monotonic()
        opened = await ann.create("connect_four", seats=["me", "novice"])
        assert time.monotonic() - began < PARTS_WAIT / 2
        assert opened.state == "running"
        assert ann.noted[opened.id].seat == 0


@pytest.mark.parametrize("part", ["", "x" * 65, "tab\there", "\ud800"])
def test_what_nobody_may_add_is_no_part(part: str) -> None:
    from kwartet.core.fairness import is_part

    assert not is_part(part)


def test_the_log_keeps_parts_as_they_were_given() -> None:
    body = e.Body([e.Parted(1, "é ☂")])
    assert e.decode(e.encode(body)).events == body.events
