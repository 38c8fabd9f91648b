"""Who sits where, and how a match begins."""

import asyncio
import json
from typing import Any

import pytest

from tests.serving import Json, Server, door, on_a_loop, pair, visiting


def kinds(table: Json) -> list[str]:
    return [seat["kind"] for seat in table["seats"]]


def players(table: Json) -> list[str | None]:
    return [seat["player"] for seat in table["seats"]]


@on_a_loop
async def test_a_table_waits_for_people_and_starts_when_it_is_full(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, bob, eve = await visit.guests("Ann", "Bob", "Eve")
        table = await ann.open("connect_four", "me", "open")
        assert (table["state"], kinds(table)) == ("open", ["person", "open"])
        assert (table["match"], table["mine"], table["creator"]) == (None, [0], ann.id)
        assert set(table["may"]) == {"chat", "mute", "leave", "start", "drop", "shuffle"}
        assert "sit" in (await bob.look(table["id"]))["may"]
        answer = await bob.do(table["id"], "sit", id="s")
        assert (answer["type"], answer["id"]) == ("accepted", "s")
        begun = await bob.look(table["id"])
        assert (begun["state"], begun["mine"], players(begun)) == ("running", [1], [ann.id, bob.id])
        assert begun["seats"][1]["name"] == "Bob"
        assert (await ann.look(table["id"]))["match"]["legal"] == list("abcdefg")
        assert begun["match"]["legal"] == []
        seen = await eve.look(table["id"])
        assert (seen["mine"], seen["may"], seen["match"]["legal"]) == ([], ["chat"], [])


@on_a_loop
async def test_an_invitation_lets_only_who_has_it_sit_down(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, eve = await visit.guests("Ann", "Bob", "Eve")
        table = await ann.open("connect_four", "me", "invite")
        invite = table["invite"]
        assert len(invite) >= 16
        assert (await eve.look(table["id"]))["invite"] is None
        for wrong in (None, "", "x", invite[:-1], invite + "x", "ü" * 16, "\0"):
            refused = await eve.do(table["id"], "sit", seat=1, invite=wrong)
            assert refused["code"] == "not-invited", wrong
            refused = await eve.do(table["id"], "sit", invite=wrong)
            assert refused["code"] == "no-seat", wrong
        assert (await bob.do(table["id"], "sit", invite=invite))["type"] == "accepted"
        begun = await ann.look(table["id"])
        assert (begun["state"], players(begun)) == ("running", [ann.id, bob.id])
        assert (await eve.do(table["id"], "sit", invite=invite))["code"] == "started"
        assert (await eve.do(table["id"], "play", ply=0, move="a"))["code"] == "not-seated"


@on_a_loop
async def test_one_invitation_is_for_every_seat_that_is_kept(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, eve = await visit.guests("Ann", "Bob", "Eve")
        table = await ann.open("carat", "me", "invite", "invite", "bot")
        key, invite = table["id"], table["invite"]
        assert (await bob.do(key, "sit", invite=invite))["type"] == "accepted"
        shown = await bob.look(key)
        assert (shown["invite"], shown["host"]) == (invite, "Ann")  # who sits there may invite
        watching = await eve.look(f"{key}?invite={invite}")
        assert invite not in str(watching)
        assert (watching["host"], "sit" in watching["may"]) == ("Ann", True)
        assert (await eve.do(key, "sit", invite=invite))["type"] == "accepted"
        begun = await ann.look(key)
        assert (begun["state"], begun["invite"]) == ("running", None)


@on_a_loop
async def test_sitting_down_is_offered_exactly_where_it_would_succeed(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        stranger = await visit.stranger()
        kept = await ann.open("connect_four", "me", "invite")
        free = await ann.open("connect_four", "me", "open")
        for guest in (bob, stranger):
            for table, invite, may in (
                (kept, None, False),
                (kept, kept["invite"], True),
                (kept, kept["invite"][:-1], False),
                (kept, "", False),
                (free, None, True),
                (free, "x" * 500, True),
            ):
                query = "" if invite is None else f"?invite={invite}"
                assert ("sit" in (await guest.look(table["id"] + query))["may"]) == may
                socket = await guest.socket(f"/api/tables/{table['id']}/live{query}")
                assert ("sit" in json.loads(await socket.recv())["may"]) == may
        assert "sit" not in (await ann.look(kept["id"]))["may"]


@on_a_loop
async def test_who_has_no_name_may_bring_one_when_sitting_down(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        for way in ("post", "socket"):
            table = await ann.open("carat", "me", "invite", "invite", "bot")
            key, invite = table["id"], table["invite"]
            bob, eve = await visit.guest(), await visit.guest("Eve")
            sit = await door(way, bob, key)
            assert (await sit("sit", invite=invite, name=" \t"))["code"] == "bad-name"
            assert (await sit("sit", invite="no", name="Bob"))["code"] == "no-seat"
            assert not (await bob.get("/api/me"))["named"]
            first = await sit("sit", invite=invite, name=" Bob \n", id="s")
            assert first["type"] == "accepted"
            assert await sit("sit", invite=invite, name=" Bob \n", id="s") == first
            assert (await bob.get("/api/me"))["name"] == "Bob"
            assert (await sit("chat", text="hello"))["type"] == "accepted"
            await eve.do(key, "sit", invite=invite, name="Adam")  # who has a name keeps it
            shown = await ann.look(key)
            assert [seat["name"] for seat in shown["seats"]] == ["Ann", "Bob", "Eve", None]
            assert [line["name"] for line in shown["chat"]] == ["Bob"]


@pytest.mark.parametrize(
    ("kind", "wished", "is_listed"),
    [
        ("open", None, True),
        ("invite", None, False),
        ("bot", None, False),
        ("open", False, False),
        ("invite", True, True),
    ],
)
@on_a_loop
async def test_a_table_is_listed_if_a_seat_is_open_to_all(
    server: Server, kind: str, wished: bool | None, is_listed: bool
) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        table = await ann.open("connect_four", "me", kind, listed=wished)
        assert table["listed"] == is_listed
        await ann.do(table["id"], "start")  # so that no other test finds it


@on_a_loop
async def test_people_at_one_device_have_names_that_differ(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")

        async def names(*wished: str | None) -> list[str | None]:
            seats = [{"kind": "me"} | ({"name": name} if name else {}) for name in wished]
            wish: Json = {"options": {"players": len(seats)}, "order": "fixed", "seats": seats}
            table = await ann.post("/api/tables", game="catan_dice", **wish)
            return [seat["name"] for seat in table["seats"]]

        assert await names(None, "Ben") == ["Ann", "Ben"]
        assert await names(None, None, None) == ["Ann", "Ann 2", "Ann 3"]
        assert await names("ann 2", None, " ANN ") == ["ann 2", "Ann", "ANN 3"]
        assert await names("x" * 24, "X" * 24) == ["x" * 24, "X" * 22 + " 2"]
        seats = [{"kind": "me"}, {"kind": "me", "name": " \u200b"}]
        wish: Json = {"game": "catan_dice", "options": {"players": 2}, "seats": seats}
        assert (await ann.post("/api/tables", **wish))["code"] == "bad-name"


@on_a_loop
async def test_who_gets_up_makes_room_for_another(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, eve = await visit.guests("Ann", "Bob", "Eve")
        table = (await ann.open("catan_dice", "me", "open", "invite", options={"players": 3}))["id"]
        await bob.do(table, "sit")
        assert (await bob.do(table, "leave"))["type"] == "accepted"
        assert kinds(await ann.look(table)) == ["person", "open", "invite"]
        assert (await ann.do(table, "leave"))["type"] == "accepted"
        assert (await bob.do(table, "sit", seat=0))["type"] == "accepted"
        assert players(await eve.look(table)) == [bob.id, None, None]
        assert (await eve.do(table, "leave"))["code"] == "not-seated"


@pytest.mark.parametrize("way", ["socket", "post"])
@on_a_loop
async def test_the_creator_starts_with_bots_in_the_free_seats(server: Server, way: str) -> None:
    async with visiting(server) as visit:
        (ann,) = await visit.guests("Ann")
        table = (await ann.open("catan_dice", "me", "open", "invite", options={"players": 3}))["id"]
        do = await door(way, ann, table)
        assert (await do("start", level="novice"))["type"] == "accepted"
        begun = await ann.look(table)
        assert (begun["state"], kinds(begun)) == ("running", ["person", "bot", "bot"])
        assert [seat["level"] for seat in begun["seats"]] == [None, "novice", "novice"]
        assert players(begun) == [ann.id, "bot:novice", "bot:novice"]


@on_a_loop
async def test_a_table_with_only_bots_besides_oneself_begins_at_once(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest()
        table = await ann.open("connect_four", "bot", "me")
        assert table["state"] == "running"
        shown = await ann.until(table["id"], lambda shown: shown["match"]["legal"])
        assert len(shown["match"]["log"]) == 1  # the bot has begun
        assert (await ann.open("catan_dice"))["state"] == "running"  # alone


@on_a_loop
async def test_friends_at_one_device_share_an_identity_and_take_turns(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        seats = [{"kind": "me"}, {"kind": "me", "name": "Ben"}]
        table = await ann.post("/api/tables", game="kwatro", seats=seats, order="fixed")
        assert (table["state"], table["mine"]) == ("running", [0, 1])
        assert [seat["name"] for seat in table["seats"]] == ["Ann", "Ben"]
        assert table["match"]["view"]["seat"] == 0
        assert isinstance(table["match"]["view"]["hands"][1], int)
        first = table["match"]["view"]["hands"][0]
        await ann.do(table["id"], "play", ply=len(table["match"]["log"]), move="pass")
        then = await ann.look(table["id"])
        assert then["match"]["view"]["seat"] == 1
        assert isinstance(then["match"]["view"]["hands"][0], int)
        assert then["match"]["legal"]
        assert all(f'"*{card}"' not in str(then["match"]["log"]) for card in first)


@on_a_loop
async def test_a_friend_s_name_is_as_clean_as_any(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        seats = [{"kind": "me"}, {"kind": "me", "name": " B\0e\u202en\n"}]
        table = await ann.post("/api/tables", game="connect_four", seats=seats)
        assert sorted(seat["name"] for seat in table["seats"]) == ["Ann", "B e n"]
        blank = [{"kind": "me"}, {"kind": "me", "name": "\0"}]
        refused = await ann.post("/api/tables", game="connect_four", seats=blank)
        assert refused["code"] == "bad-name"


@on_a_loop
async def test_seats_go_by_lot_unless_the_creator_fixes_them(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        fixed = [await ann.open("connect_four", "me", "bot") for _ in range(8)]
        assert {tuple(table["mine"]) for table in fixed} == {(0,)}
        lots = [await ann.open("connect_four", "me", "bot", order="lot") for _ in range(24)]
        assert {tuple(table["mine"]) for table in lots} == {(0,), (1,)}


@on_a_loop
async def test_of_many_who_want_the_last_seat_one_gets_it(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, *others = await visit.guests("Ann", *("Bob" + str(n) for n in range(12)))
        table = (await ann.open("connect_four", "me", "open"))["id"]
        doors = [
            await door(way, guest, table)
            for guest, way in zip(others, ["socket", "post"] * 6, strict=True)
        ]
        answers = await asyncio.gather(*(do("sit") for do in doors))
        assert sum(answer["type"] == "accepted" for answer in answers) == 1
        assert {a["code"] for a in answers if a["type"] == "refused"} <= {"started", "no-seat"}
        winner = others[[a["type"] for a in answers].index("accepted")]
        assert players(await ann.look(table)) == [ann.id, winner.id]


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"game": "chess"}, "unknown-game"),
        ({"game": "kwatro", "options": {"players": 9}}, "bad-option"),
        ({"game": "kwatro", "options": {"colour": 1}}, "bad-option"),
        ({"game": "kwatro", "seats": [{"kind": "me"}]}, "bad-request"),
        ({"game": "connect_four", "seats": [{"kind": "bot"}] * 2}, "bad-request"),
        ({"game": "connect_four", "seats": [{"kind": "boss"}, {"kind": "me"}]}, "bad-request"),
        ({"game": "catan_dice", "rated": True}, "not-ratable"),
        ({"game": "connect_four", "rated": True, "seats": [{"kind": "me"}] * 2}, "not-ratable"),
        ({"game": "connect_four", "clock": {"kind": "move", "seconds": 9}}, "bad-request"),
        ({"game": "connect_four", "clock": {"kind": "sand", "seconds": 90}}, "bad-request"),
        ({"game": "connect_four", "cheat": True}, "bad-request"),
        ({}, "bad-request"),
    ],
)
@on_a_loop
async def test_a_table_that_cannot_be_is_refused(
    server: Server, wish: dict[str, Any], code: str
) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest()
        refused = await ann.post("/api/tables", **wish)
        assert refused["code"] == code
        assert refused["sentence"].endswith(".")
        assert (await ann.get("/api/lobby"))["mine"] == []


@on_a_loop
async def test_a_rated_match_cannot_be_filled_with_twins(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest()
        wish: Json = {"rated": True, "options": {"players": 3}}
        untimed = await ann.ask("POST", "/api/tables", {"game": "catan_dice"} | wish)
        assert untimed["code"] == "not-ratable"
        wish["clock"] = {"kind": "move", "seconds": 86400}
        table = (await ann.open("catan_dice", "me", "open", "open", **wish))["id"]
        assert (await ann.do(table, "start"))["code"] == "not-ratable"
        table = (await ann.open("catan_dice", "me", "bot", "open", **wish))["id"]
        assert (await ann.do(table, "start", level="novice"))["code"] == "not-ratable"
        assert (await ann.do(table, "start", level="casual"))["type"] == "accepted"


@on_a_loop
async def test_everybody_sees_who_is_here(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, bob, table = await pair(visit)
        seen = await ann.watch(table)
        assert [seat["connected"] for seat in seen.table["seats"]] == [True, False]
        other = await bob.watch(table)
        await seen.until(lambda table: table["seats"][1]["connected"])
        await other.close()
        await seen.until(lambda table: not table["seats"][1]["connected"])
