"""What is kept of a person is given to them, and forgotten when they wish it."""

import asyncio
import builtins
import json
import secrets
import sqlite3
import time
import types
import typing
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
import psycopg
from psycopg import sql

from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server.app import make_app
from kwartet.server.archive import row_of
from kwartet.server.conduct.scene import Person
from kwartet.server.house import House
from kwartet.server.planning import plan
from kwartet.server.rewriting import Change, changed, pseudonym
from kwartet.server.settings import Settings
from kwartet.server.story import begin
from kwartet.server.webpush import new_key
from kwartet.store import Entry, Player, open_store
from tests.push_service import Browser
from tests.serving import Guest, Json, Server, Visit, eventually, on_a_loop, visiting


def content(server: Server) -> bytes:
    """Everything the database holds, as bytes."""
    url = server.database
    if url.startswith("sqlite"):
        file = Path(url.removeprefix("sqlite:///"))
        parts = [file, *(file.with_name(f"{file.name}-{end}") for end in ("wal", "journal"))]
        return b"".join(part.read_bytes() for part in parts if part.exists())
    dump = b""
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        ).fetchall()
        for (table,) in found:
            query = sql.SQL("SELECT * FROM {}").format(sql.Identifier(table))
            for row in connection.execute(query):
                dump += b"\n".join(x if isinstance(x, bytes) else str(x).encode() for x in row)
    return dump


async def lived(visit: Visit) -> tuple[Guest, Guest, dict[str, str]]:
    """Somebody who has done all that one can do, a friend, and the tables where it was."""
    ann, bob = await visit.guests(f"Ann-{secrets.token_hex(6)}", "Bob")
    tables = {}
    clock = {"kind": "live", "seconds": 600}
    opened = await ann.open("connect_four", "me", "open", rated=True, clock=clock, promise=True)
    tables["over"] = opened["id"]
    await ann.do(tables["over"], "shuffle", part="amber otter 41")
    await bob.do(tables["over"], "sit")
    await ann.do(tables["over"], "chat", text=f"I am {ann.name}")
    await bob.do(tables["over"], "chat", text="Hello you")
    await ann.do(tables["over"], "play", ply=0, move="a", id="first")
    await bob.do(tables["over"], "resign")
    await ann.do(tables["over"], "offer", kind="rematch")
    tables["again"] = (await bob.do(tables["over"], "reply", accept=True))["table"]
    tables["running"] = (await bob.open("connect_four", "me", "open", listed=True))["id"]
    await ann.do(tables["running"], "sit")
    tables["open"] = (await ann.open("connect_four", "me", "open", promise=True))["id"]
    tables["watched"] = (await bob.open("connect_four", "me", "open"))["id"]
    await ann.do(tables["watched"], "chat", text="Only watching")
    await bob.do(tables["watched"], "mute", player=ann.id)
    tables["alone"] = (await ann.open("connect_four", "me", "bot"))["id"]
    record = await ann.get(f"/api/tables/{tables['over']}/record")
    brought = await ann.post("/api/records", text=json.dumps(record))
    tables["brought"] = brought["id"]
    await ann.post("/api/me/tokens", name="my bot")
    await ann.post("/api/me/link")
    browser = Browser(f"https://push.example.org/{secrets.token_hex(8)}")
    await ann.ask("POST", "/api/me/push", browser.subscription)
    await ann.post("/api/me/blocks", player=bob.id)
    await bob.post("/api/me/blocks", player=ann.id)
    await ann.post("/api/reports", reason="spam", player=bob.id, words="too much")
    await bob.post("/api/reports", reason="insult", table=tables["over"], line=1)
    return ann, bob, tables


@on_a_loop
async def test_everything_that_is_kept_of_a_person_is_told_to_them(own_server: Server) -> None:
    async with visiting(own_server) as visit:
        ann, bob, tables = await lived(visit)
        told = await ann.get("/api/me/export")
        assert told["me"]["name"] == ann.name
        assert [device["here"] for device in told["devices"]] == [True]
        assert [token["name"] for token in told["tokens"]] == ["my bot"]
        assert [one["service"] for one in told["notifications"]] == ["push.example.org"]
        assert told["blocked"] == [bob.id]
        assert [result["outcome"] for result in told["results"]] == ["won"]
        kept = {table["table"]: table for table in told["tables"]}
        assert set(kept) == set(tables.values())
        assert [line["text"] for line in kept[tables["over"]]["chat"]] == [f"I am {ann.name}"]
        assert [line["text"] for line in kept[tables["watched"]]["chat"]] == ["Only watching"]
        assert kept[tables["over"]]["record"]["moves"][0].startswith("a")
        assert kept[tables["running"]]["record"] is None  # its seed is a secret
        assert "Hello you" not in str(told)
        assert "kwt_" not in str(told)


@on_a_loop
async def test_an_export_leaves_out_what_cannot_be_read_and_names_it(tmp_path: Path) -> None:
    server = Server(tmp_path / "data").start()
    try:
        async with visiting(server) as visit:
            ann = await visit.guest("Ann")
            good, bad = [(await ann.open("connect_four", "me", "open"))["id"] for _ in range(2)]
            with sqlite3.connect(server.data / "kwartet.db") as database:
                change = "UPDATE entries SET body = ? WHERE table_id = ?"
                database.execute(change, (f'{{"by": "{ann.id}", "strange": 1'.encode(), bad))
            told = await ann.get("/api/me/export")
            assert [table["table"] for table in told["tables"]] == [good]
            assert told["unreadable"] == [bad]
    finally:
        server.kill()


@on_a_loop
async def test_exports_are_few_from_one_address(tmp_path: Path) -> None:
    server = Server(tmp_path / "data").start()
    try:
        async with visiting(server) as visit:
            answers = [await (await visit.stranger()).get("/api/me/export") for _ in range(12)]
        assert [answer.get("code") for answer in answers[10:]] == ["too-many"] * 2
        assert [answer["tables"] for answer in answers[:10]] == [[]] * 10
    finally:
        server.kill()


@on_a_loop
async def test_who_deletes_themselves_is_nowhere_in_the_database(own_server: Server) -> None:
    async with visiting(own_server) as visit:
        ann, bob, tables = await lived(visit)
        live, watching = await ann.watch(tables["running"]), await bob.watch(tables["running"])
        cookie = ann.cookie
        traces = [ann.id.encode(), ann.name.encode()]
        assert all(trace in content(own_server) for trace in traces)
        assert (await ann.ask("DELETE", "/api/me", {"name": "somebody"}))["code"] == "bad-name"
        assert await ann.ask("DELETE", "/api/me", {"name": ann.name}) is None
        await watching.until(lambda table: table["state"] == "over")
        assert watching.table["result"]["winners"] == [0]
        await asyncio.wait_for(live.socket.wait_closed(), 5)

        async def is_clean() -> bool:
            now = await asyncio.to_thread(content, own_server)
            return not any(trace in now for trace in traces)

        await asyncio.wait_for(eventually(is_clean), 60)
        await others_see(bob, tables)
        old = await visit.stranger(cookies={"kwartet": cookie})
        assert (await old.get("/api/me"))["id"] != ann.id
        assert (await bob.get(f"/api/players/{ann.id}"))["code"] == "unknown-player"
    own_server.stop()
    own_server.start()
    async with visiting(own_server) as visit:
        again = await visit.stranger(cookies={"kwartet": bob.cookie})
        await others_see(again, tables)


async def others_see(bob: Guest, tables: dict[str, str]) -> None:
    """What is left of a match with somebody who is forgotten."""
    over = await bob.look(tables["over"])
    assert [seat["name"] for seat in over["seats"]] == ["Deleted player", "Bob"]
    assert [line["text"] for line in over["chat"]] == ["Hello you"]
    assert over["seats"][0]["player"].startswith("gone:")
    record: Json = await bob.get(f"/api/tables/{tables['over']}/record")
    assert record["players"] == ["Deleted player", "Bob"]
    assert (await bob.look(tables["brought"]))["seats"][0]["name"] == "Deleted player"
    me = await bob.get("/api/me")
    past = (await bob.get(f"/api/players/{me['id']}/history"))["matches"]
    assert {seat["name"] for match in past for seat in match["seats"]} == {"Deleted player", "Bob"}
    nobody = await bob.get(f"/api/players/{over['seats'][0]['player']}")
    assert nobody["code"] == "unknown-player"
    leaders = await bob.get("/api/ratings/connect_four")
    assert not any(leader["player"].startswith("gone:") for leader in leaders)
    assert (await bob.get("/api/me/blocks")) == []


NAMELESS = {  # texts of the log that never tell who somebody is
    e.Created: {"game", "seed", "secret", "invite", "options"},
    e.SeatPlan: {"level", "invite"},
    e.Origin: {"table", "moves"},
    e.Parted: {"part"},
    e.Filled: {"level"},
    e.HandedOver: {"level"},
    e.Started: {"moves"},
    e.Played: {"moves"},
    e.Rematched: {"table"},
}
ANN = "annannannannanna"


def full(kind: Any) -> Any:
    """Something of this kind in which every text that is not nameless is Ann's id."""
    parts = [part for part in get_args(kind) if part is not type(None)]
    match get_origin(kind) or kind:
        case typing.Literal:
            return parts[0]
        case types.UnionType:
            return [full(part) for part in parts] if len(parts) > 2 else full(parts[0])
        case builtins.list:
            inner = full(parts[0])
            return inner if isinstance(inner, list) else [inner]
        case builtins.dict:
            return {}
        case builtins.str:
            return ANN
        case builtins.int | builtins.float | builtins.bool:
            return kind(1)
    fields = msgspec.structs.fields(kind)
    filled = {field.name: full(field.type) for field in fields}
    nameless: Any = {"options": {}, "moves": []}
    return kind(**filled | {name: nameless.get(name, "") for name in NAMELESS.get(kind, ())})


def test_no_text_of_any_event_is_missed() -> None:
    body = full(e.Body)
    assert {type(event) for event in body.events} == set(e.AnyEvent.__args__)
    assert e.encode(body).count(ANN.encode()) > 10
    rewritten = changed(body, Change(ANN, pseudonym(), "Deleted player", is_silenced=True))
    for event in rewritten.events:
        assert ANN.encode() not in msgspec.json.encode(event), event
    assert ANN.encode() not in e.encode(rewritten)


@on_a_loop
async def test_who_cannot_be_forgotten_now_keeps_nobody_else_waiting(tmp_path: Path) -> None:
    """Beside a log that cannot be read, all others are written anew, and others' too."""
    store = await open_store(f"sqlite:///{tmp_path}/kwartet.db")
    ann, bob = Person(ANN, "Ann"), Person("bobbobbobbobbobb", "Bob")
    for key, person in (("a", ann), ("b", ann), ("c", bob)):
        body = e.Body([plan(person, m.CreateTable(game="kwatro", promise=True))], person.id)
        story = begin(key, 1, now := time.time(), body)
        text = e.encode(body)
        if key == "a":  # as a later program would write it
            text = text.replace(b'"version":2', b'"version":99')
        await store.append(Entry(key, 1, now, text), row_of(story))
    app = make_app(Settings(bot_processes=1, push_key=new_key()), "s" * 40, store)
    async with app.router.lifespan_context(app):
        house: House = app.state.house
        for person in (ann, bob):
            await house.erasing.forget(person.id)

        async def only_ann_waits() -> bool:
            named = [key async for key in store.erasures.tables_with(ann.id)]
            return await store.erasures.pending() == [ann.id] and named == ["a"]

        await asyncio.wait_for(eventually(only_ann_waits), 20)


@on_a_loop
async def test_who_is_forgotten_during_a_backup_keeps_no_writer_waiting(tmp_path: Path) -> None:
    store = await open_store(f"sqlite:///{tmp_path}/kwartet.db")
    await store.people.introduce(Player("ann", "Ann", 1.0), None)
    reader = sqlite3.connect(tmp_path / "kwartet.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM players").fetchone()
    await store.erasures.begin("ann")
    finishing = asyncio.create_task(store.erasures.finish("ann"))
    for number in range(20):
        began = time.monotonic()
        await store.people.introduce(Player(f"bob{number}", "Bob", 1.0), None)
        assert time.monotonic() - began < 2
        await asyncio.sleep(0.05)
    assert not finishing.done()
    reader.close()
    await asyncio.wait_for(finishing, 30)
    assert (tmp_path / "kwartet.db-wal").stat().st_size == 0
    await store.close()
