"""What one may not know reaches nobody: no view, log, refusal or log file holds it."""

import hashlib
import json
import re
import time
from operator import itemgetter
from typing import Any

import pytest
from itsdangerous import Signer
from websockets.asyncio.client import ClientConnection

import kwartet
from kwartet.core.match import Match
from kwartet.server import events as e
from kwartet.server.archive import row_of
from kwartet.server.story import begin
from kwartet.store import Device, Entry, Player, open_store
from tests.following import Follower
from tests.planting import plant
from tests.serving import Guest, Json, Server, Visit, on_a_loop, visiting

SEED = "5eed" * 16
PEOPLE = {"seer": "Ann", "hider": "Bob"}
ABOUT = ("seats", "watchers")  # are told when somebody comes or goes


def sleight(moves: list[str]) -> Match:
    """A match of Kwatro after these moves, chance included."""
    match = kwartet.new("kwatro", seed=bytes.fromhex(SEED), auto_chance=False)
    match.follow(moves)
    return match


def twins() -> list[Match]:
    """Two matches that look the same to seat 0 and to spectators, but seat 1 has other cards.

    Seat 0 is dealt and draws the same cards in both; seat 1 passes and changes cards unseen.
    """
    twin = []
    for hand, change, drawn in (
        (("GT1", "RX3", "YC2", "RT2"), "pass GT1 RX3", ("*BC1", "*BC2")),
        (("J", "BS1", "BS2", "YX4"), "pass BS1 BS2", ("*GX1", "*RC3")),
    ):
        first = ["*RT4", "*RS4", "*BC4", "*BS4", *(f"*{card}" for card in hand), "*YX2"]
        match = sleight(first)
        match.follow(["pass RT4", "*GC3", change, *drawn, "pass RS4 GC3", "*GX3", "*GT4"])
        match.follow(["pass", "BC4@0,1"])
        twin.append(match)
    return twin


async def planted(database: str) -> list[str]:
    """Tables with these matches, written to the database as a server writes them."""
    store = await open_store(database)
    for key, name in PEOPLE.items():
        device = Device(key, key, "browser", time.time(), time.time())
        await store.people.introduce(Player(key, name, 1.0), device)
    keys = []
    for number, match in enumerate(twins()):
        key = f"twin{number}"
        seats = [e.SeatPlan("person", player, name) for player, name in PEOPLE.items()]
        made = e.Created(
            "kwatro", match.game.version, match.options, seats, "seer", SEED, order="fixed"
        )
        moves, actors = match.moves, _actors(match.moves)
        first = actors.index(0)
        events: list[e.AnyEvent] = [made, e.Started([0, 1], moves[:first], 0)]
        for ply in range(first, len(moves)):
            if actors[ply] is not None:
                end = next((p for p in range(ply + 1, len(moves)) if actors[p] is not None), None)
                actor = match.actor if end is None else actors[end]
                events.append(e.Played(actors[ply] or 0, moves[ply:end], actor))
        body = e.Body(events, "seer")
        story = begin(key, 1, time.time(), body)
        await store.append(Entry(key, 1, story.changed, e.encode(body)), row_of(story))
        keys.append(key)
    await store.close()
    return keys


def _actors(moves: list[str]) -> list[int | None]:
    """Who played each move: the two seats pass in turn, and seat 0 plays last."""
    order = iter((0, 1, 0, 1, 0))
    return [None if move.startswith("*") else next(order) for move in moves]


def plain(text: str | bytes, key: str) -> str:
    """A message without what may differ: the table's name, the time, who is here."""
    said = text if isinstance(text, str) else text.decode()
    times = "now|at|changed|created|turn_since|deadline|watchers"
    said = re.sub(rf'("({times})":)[\d.]+', r"\1", said.replace(key, "T"))
    return re.sub(r'"connected":\w+', "", said)


async def everything(table: str, guest: Guest, wishes: list[Json]) -> tuple[list[str], list[str]]:
    """Every byte that reaches the guest about the table, over sockets and by request.

    The second list is what the server tells again when somebody comes or goes, at any moment.
    """
    heard, again = [], []
    path = f"/api/tables/{table}"
    for ply in (0, 3, 12):
        socket = await guest.socket(f"{path}/live?ply={ply}&version={ply}")
        heard.append(await socket.recv())
        await socket.close()
    follower = await guest.socket(f"{path}/live?changes=1")
    await follower.recv()
    socket = await guest.socket(f"{path}/live")
    version = json.loads(await socket.recv())["version"]
    for wish in wishes:
        await socket.send(json.dumps(wish))
        answer, shown = None, []
        while answer is None or version < answer.get("version", 0):  # the table as it is then
            message = json.loads(text := str(await socket.recv()))
            if message["type"] != "table":
                answer = message
                heard.append(text)
            elif message["version"] > version:
                version = message["version"]
                shown.append(text)
            else:
                again.append(text)
        heard += shown
        if shown:
            heard.append(await change_to(version, follower))
    await socket.close()
    await follower.close()
    ply = twins()[0].ply
    asked = [f"/preview?piece={piece}&ply={ply}" for piece in ("BC1", "GX1", "J")]
    asked += [f"/why?move={move}&ply={ply}" for move in ("GT1@1,1", "BC1@0,2", "pass GT1", "done")]
    drawn = [f"/picture?ply={ply}" for ply in range(twins()[0].ply + 2)]
    drawn += [f"/picture.svg?ply={ply}" for ply in range(0, twins()[0].ply + 2, 3)]
    drawn += ["/picture.svg", "/picture.svg?seat=0", "/picture.svg?seat=1", "/film.gif"]
    later = ["/replay", "/replay?seat=1", *(f"/position?ply={ply}" for ply in (9, 11)), "/review"]
    for method, end in (
        *(("GET", end) for end in ("", "/record", "/coach", *asked, *drawn, *later)),
        *(("POST", "/moves"), ("POST", "/sit"), ("POST", "/solve"), ("POST", "/try")),
    ):
        body: Any = {"ply": 11, "move": "GT1@1,0"} if end in ("/moves", "/try") else {}
        how: Json = {"json": body} if method == "POST" else {}
        response = await guest.http.request(method, guest.server.url + path + end, **how)
        heard += [str(response.status_code), response.text]
        assert end not in [*later, "/try"] or json.loads(response.text)["code"] == "not-over"
    socket = await guest.socket(f"{path}/review/live")
    heard.append(str(await socket.recv()))
    assert json.loads(heard[-1])["code"] == "not-over"
    await socket.close()
    for end in ("/api/lobby", "/api/tables?mine", f"/api/players/{guest.id}/history"):
        text = (await guest.http.get(guest.server.url + end)).text
        heard.append(str(sum("twin" in part for part in text.split('"id"'))))
    if not guest.id:
        guest.http.cookies.clear()  # a stranger again
    return [plain(text, table) for text in heard], again


async def change_to(version: int, follower: ClientConnection) -> str:
    """The change that leads to this version, without what tells who is here."""
    while (message := json.loads(await follower.recv()))["version"] < version:
        pass
    assert message["type"] == "change"
    kept = {name: told for name, told in message.items() if name not in ABOUT}
    return json.dumps(kept, separators=(",", ":"))


def wishes(ply: int) -> list[Json]:
    """What somebody might try in order to learn something."""
    tries = [*("GT1@1,1", "J@1,1", "BC1@0,2", "*BC2", "pass GT1", "pass J", "?", "done", "pass")]
    return [
        *({"type": "play", "ply": ply, "move": move, "id": f"a{move}"} for move in tries[:-2]),
        {"type": "play", "ply": ply + 1, "move": "pass", "id": "b"},
        {"type": "offer", "kind": "takeback", "id": "c"},
        {"type": "reply", "accept": True, "id": "d"},
        {"type": "handover", "seat": 1, "id": "e"},
        {"type": "handover", "seat": 9, "id": "f"},
        {"type": "chat", "text": "hm", "id": "g"},
        {"type": "ping", "id": "h"},
        {"type": "nonsense", "id": "i"},
    ]


async def known(visit: Visit, player: str) -> Guest:
    """Somebody who has been here before."""
    secret = (visit.server.data / "secret").read_text()
    signer = Signer(secret, salt="kwartet.identity", digest_method=hashlib.sha256)
    cookie = signer.sign(f"{player}.{player}.{int(time.time()) // 86400}").decode()
    guest = await visit.stranger(cookies={"kwartet": cookie})
    guest.id = player
    return guest


@on_a_loop
async def test_other_hidden_cards_change_no_byte_that_reaches_others(
    sqlite_server: Server,
) -> None:
    tables = await planted(f"sqlite:///{sqlite_server.data}/kwartet.db")
    async with visiting(sqlite_server) as visit:
        ply = twins()[0].ply
        hider = await known(visit, "hider")
        for table in tables:
            await hider.watch(table)  # so that nobody is away
        await check_the_setting(hider, tables)
        seer = await known(visit, "seer")
        for watcher in (seer, await visit.guest(), await visit.stranger()):
            (first, again), (second, more) = [
                await everything(table, watcher, wishes(ply)) for table in tables
            ]
            for one, other in zip(first, second, strict=True):
                assert one == other
            shown = str([text for text in first if '"refused"' not in text] + again + more)
            for word in (SEED, "GT1", "BC1", "GX1", "RC3", "BS1"):
                assert word not in shown, word
    assert SEED not in sqlite_server.log
    assert (sqlite_server.data / "secret").read_text() not in sqlite_server.log


async def check_the_setting(hider: Guest, tables: list[str]) -> None:
    """The tables do differ: whose cards they are sees them."""
    hands = [(await hider.look(table))["match"]["view"]["hands"][1] for table in tables]
    assert {"BC1", "BC2"} <= set(hands[0])
    assert {"GX1", "RC3"} <= set(hands[1])


@on_a_loop
async def test_decisions_are_judged_without_the_cards_that_others_held(
    sqlite_server: Server,
) -> None:
    judged = []
    async with visiting(sqlite_server) as visit:
        for match in twins():
            database = f"sqlite:///{sqlite_server.data}/kwartet.db"
            table = await plant(database, match, "resigned", *PEOPLE)
            follower = await Follower.at(await visit.guest(), table)
            await follower.done()
            own = [one for one in follower.decisions.values() if one["seat"] == 0]
            judged.append(sorted(own, key=itemgetter("ply")))
    assert len(judged[0]) == 3
    assert judged[0] == judged[1]


@pytest.mark.parametrize("game", ["kwatro", "carat"])
@on_a_loop
async def test_running_matches_tell_no_seed_and_nobody_else_s_cards(
    server: Server, game: str
) -> None:
    async with visiting(server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        options = {"players": 2, "colours": ["R", "Y"], "hand": 3} if game == "carat" else {}
        table = (await ann.open(game, "me", "open", options=options))["id"]
        await bob.do(table, "sit")
        eve = await visit.stranger()
        for _ in range(4):
            shown = [await guest.look(table) for guest in (ann, bob)]
            seen = await eve.look(table)
            own = [cards(game, one, seat) for seat, one in enumerate(shown)]
            assert all(own)
            for seat in (0, 1):
                assert not isinstance(seen["match"]["view"]["hands"][seat], list)
                other = shown[1 - seat]["match"]["view"]["hands"][seat]
                assert not isinstance(other, list)
            actor = 0 if shown[0]["match"]["legal"] else 1
            ply, move = shown[0]["match"]["view"]["ply"], shown[actor]["match"]["legal"][0]
            await (ann, bob)[actor].do(table, "play", ply=ply, move=move)
        await ann.do(table, "resign")
        record = await eve.get(f"/api/tables/{table}/record")
        assert len(record["seed"]) == 64
        assert record["seed"] not in server.log


def cards(game: str, table: Json, seat: int) -> list[Any]:
    hand = table["match"]["view"]["hands"][seat]
    assert isinstance(hand, list), (game, hand)
    return hand


@on_a_loop
async def test_the_log_holds_no_cookie_token_link_or_invitation(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        token = await ann.post("/api/me/tokens", name="script")
        link = await ann.post("/api/me/link")
        table = await ann.open("connect_four", "me", "invite")
        bob = await visit.stranger(headers={"authorization": f"Bearer {token['secret']}x"})
        await bob.get("/api/me")
        eve = await visit.guest("Eve")
        await eve.post("/api/me/claim", secret=link["secret"] + "x")
        await eve.look(f"{table['id']}?invite={table['invite']}")
        await eve.socket(f"/api/tables/{table['id']}/live?invite={table['invite']}")
        await eve.do(table["id"], "sit", invite=table["invite"] + "x")
        await eve.do(table["id"], "sit", invite=table["invite"])
        secrets = [ann.cookie, eve.cookie, token["secret"], link["secret"]]
        secrets.append(table["invite"])
        log = server.log
        for secret in secrets:
            assert secret not in log
            assert secret.rpartition(".")[2] not in log
