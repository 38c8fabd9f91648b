"""Every command and every refusal, over a socket and by POST."""

import asyncio

import pytest

from kwartet.server.errors import status_of
from tests.serving import PATHS, Guest, Json, Server, Visit, door, on_a_loop, pair, visiting

Case = tuple[str, str, str, Json, str]

# scene, who, command, its fields, the refusal's code
REFUSALS: list[Case] = [
    ("open", "ann", "play", {"ply": 0, "move": "a"}, "not-started"),
    ("open", "ann", "offer", {"kind": "draw"}, "not-started"),
    ("open", "ann", "reply", {"accept": True}, "not-started"),
    ("open", "ann", "resign", {}, "not-started"),
    ("open", "ann", "handover", {"seat": 0}, "not-started"),
    ("open", "ann", "return", {}, "not-started"),
    ("open", "ann", "hint", {}, "not-started"),
    ("open", "ann", "offer", {"kind": "rematch"}, "not-over"),
    ("open", "ann", "sit", {}, "seated"),
    ("open", "ann", "shuffle", {"part": "bell\u0007"}, "bad-request"),
    ("open", "bob", "shuffle", {"part": "amber"}, "not-seated"),
    ("open", "ann", "mute", {"player": "ann"}, "bad-request"),
    ("open", "bob", "sit", {"seat": 0}, "seat-taken"),
    ("open", "bob", "sit", {"seat": 1}, "not-invited"),
    ("open", "bob", "sit", {"seat": 2}, "unknown-seat"),
    ("open", "bob", "sit", {}, "no-seat"),
    ("open", "bob", "leave", {}, "not-seated"),
    ("open", "bob", "start", {}, "not-yours"),
    ("open", "bob", "mute", {"player": "ann"}, "not-yours"),
    ("running", "ann", "play", {"ply": 9, "move": "a"}, "stale-ply"),
    ("running", "ann", "play", {"ply": 2, "move": "h"}, "bad-notation"),
    ("running", "ann", "play", {"ply": 2, "move": "*a"}, "illegal-move"),
    ("running", "bob", "play", {"ply": 2, "move": "a"}, "not-your-turn"),
    ("running", "eve", "play", {"ply": 2, "move": "a"}, "not-seated"),
    ("running", "eve", "sit", {}, "started"),
    ("running", "ann", "leave", {}, "started"),
    ("running", "ann", "start", {}, "started"),
    ("running", "ann", "shuffle", {"part": "amber"}, "started"),
    ("running", "eve", "shuffle", {"part": "amber"}, "not-seated"),
    ("running", "eve", "offer", {"kind": "draw"}, "not-seated"),
    ("running", "ann", "offer", {"kind": "takeback"}, "no-takeback"),
    ("running", "ann", "reply", {"accept": True}, "no-offer"),
    ("running", "eve", "resign", {}, "not-seated"),
    ("running", "ann", "resign", {"seat": 1}, "not-yours"),
    ("running", "ann", "handover", {"seat": 1}, "not-away"),
    ("running", "ann", "handover", {"seat": 7}, "unknown-seat"),
    ("running", "eve", "handover", {"seat": 1}, "not-seated"),
    ("running", "ann", "return", {}, "no-stand-in"),
    ("running", "ann", "hint", {}, "no-hints"),
    ("running", "ann", "solve", {}, "not-judged"),
    ("running", "eve", "solve", {}, "not-seated"),
    ("running", "ann", "offer", {"kind": "rematch"}, "not-over"),
    ("running", "ann", "chat", {"text": " \n\u0000"}, "bad-request"),
    ("running", "eve", "chat", {"text": "hello"}, "muted"),
    ("over", "ann", "play", {"ply": 2, "move": "a"}, "game-over"),
    ("over", "ann", "sit", {}, "started"),
    ("over", "ann", "start", {}, "started"),
    ("over", "ann", "shuffle", {"part": "amber"}, "started"),
    ("over", "ann", "leave", {}, "started"),
    ("over", "ann", "offer", {"kind": "draw"}, "game-over"),
    ("over", "ann", "reply", {"accept": False}, "game-over"),
    ("over", "ann", "resign", {}, "game-over"),
    ("over", "ann", "handover", {"seat": 1}, "game-over"),
    ("over", "ann", "return", {}, "game-over"),
    ("over", "ann", "hint", {}, "game-over"),
    ("over", "eve", "offer", {"kind": "rematch"}, "not-seated"),
]

# scene, who, command, its fields, none of which has the right form
MALFORMED: list[tuple[str, Json]] = [
    ("play", {}),
    ("play", {"ply": -1, "move": "a"}),
    ("play", {"ply": "2", "move": "a"}),
    ("play", {"ply": 2.5, "move": "a"}),
    ("play", {"ply": 2, "move": "a" * 201}),
    ("play", {"ply": 2, "move": ["a"]}),
    ("play", {"ply": 2, "move": "a", "seat": 0}),
    ("sit", {"seat": 8}),
    ("sit", {"invite": "x" * 65}),
    ("sit", {"promise": 1}),
    ("shuffle", {}),
    ("shuffle", {"part": ""}),
    ("shuffle", {"part": "x" * 65}),
    ("shuffle", {"part": 7}),
    ("start", {"level": "god"}),
    ("offer", {"kind": "peace"}),
    ("reply", {"accept": "yes"}),
    ("resign", {"seat": -1}),
    ("handover", {}),
    ("chat", {"text": ""}),
    ("chat", {"text": "x" * 301}),
    ("mute", {"player": "x" * 65}),
    ("leave", {"id": "x" * 65}),
    ("return", {"extra": None}),
    ("hint", {"level": "master"}),
    ("solve", {"game": "chess"}),
]


async def stage(visit: Visit, scene: str) -> tuple[dict[str, Guest], str]:
    """People at a table: open with an invitation, running at ply 2, or over."""
    if scene == "open":
        ann, bob = await visit.guests("Ann", "Bob")
        return {"ann": ann, "bob": bob}, (await ann.open("connect_four", "me", "invite"))["id"]
    ann, bob, table = await pair(visit, takeback=False, hints=False)
    eve = await visit.guest("Eve")
    for ply, who in enumerate((ann, bob)):
        await who.do(table, "play", ply=ply, move="a")
    await ann.do(table, "mute", player=eve.id)
    await bob.watch(table)  # so that Bob is not away
    if scene == "over":
        await bob.do(table, "resign")
    return {"ann": ann, "bob": bob, "eve": eve}, table


def still(table: Json) -> Json:
    """What of a table only commands change."""
    return {key: value for key, value in table.items() if key not in ("now", "seats", "watchers")}


@pytest.mark.parametrize("way", ["socket", "post"])
@pytest.mark.parametrize("scene", ["open", "running", "over"])
@on_a_loop
async def test_what_may_not_be_is_refused_and_changes_nothing(
    server: Server, scene: str, way: str
) -> None:
    async with visiting(server) as visit:
        people, table = await stage(visit, scene)
        doors = {name: await door(way, guest, table) for name, guest in people.items()}
        before = still(await people["ann"].look(table))
        for _, who, kind, fields, code in (case for case in REFUSALS if case[0] == scene):
            if "player" in fields:
                fields = {"player": people["ann"].id}
            answer = await doors[who](kind, **fields)
            assert (answer["type"], answer.get("code")) == ("refused", code), (who, kind, fields)
            assert answer["sentence"].endswith(".")
        assert still(await people["ann"].look(table)) == before


@pytest.mark.parametrize("way", ["socket", "post"])
@on_a_loop
async def test_what_has_the_wrong_form_is_refused_and_changes_nothing(
    server: Server, way: str
) -> None:
    async with visiting(server) as visit:
        people, table = await stage(visit, "running")
        ann = people["ann"]
        before = still(await ann.look(table))
        live = await ann.watch(table)
        for kind, fields in MALFORMED:
            if way == "post":
                answer = await ann.do(table, kind, **fields)
            else:
                await live.send(kind, **fields)
                while (answer := await live.hear())["type"] == "table":
                    pass
            assert (answer["type"], answer["code"]) == ("refused", "bad-request"), (kind, fields)
        assert still(await ann.look(table)) == before


def test_every_command_is_among_those_refused() -> None:
    assert {case[2] for case in REFUSALS} == set(PATHS)
    assert {kind for kind, _ in MALFORMED} == set(PATHS)


@on_a_loop
async def test_a_refusal_s_status_says_what_kind_it_is(server: Server) -> None:
    async with visiting(server) as visit:
        people, table = await stage(visit, "running")
        statuses: dict[str, int] = {}
        for scene, who, kind, fields, code in REFUSALS:
            if scene == "running":
                path = f"{server.url}/api/tables/{table}/{PATHS[kind]}"
                response = await people[who].http.post(path, json=fields)
                statuses[code] = response.status_code
                assert response.status_code == status_of(code), response.text
        assert statuses["stale-ply"] == statuses["not-your-turn"] == 409
        assert statuses["not-seated"] == statuses["muted"] == 403
        assert statuses["illegal-move"] == 422
        assert statuses["bad-request"] == 400


@pytest.mark.parametrize("way", ["socket", "post"])
@on_a_loop
async def test_offers_are_made_answered_and_withdrawn(server: Server, way: str) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit)
        a, b = await door(way, ann, table), await door(way, bob, table)
        assert (await b("offer", kind="takeback"))["code"] == "nothing-to-undo"
        await a("play", ply=0, move="d")
        assert (await a("offer", kind="takeback"))["type"] == "accepted"
        assert (await bob.look(table))["offer"] == {"kind": "takeback", "seat": 0, "agreed": [0]}
        assert "reply" in (await bob.look(table))["may"]
        assert (await b("offer", kind="draw"))["code"] == "offer-open"
        assert (await a("reply", accept=True))["code"] == "no-offer"
        assert (await b("reply", accept=False))["type"] == "accepted"
        assert (await a("offer", kind="draw"))["type"] == "accepted"
        assert (await a("reply", accept=False))["type"] == "accepted"  # withdrawn
        assert (await bob.look(table))["offer"] is None
        await a("offer", kind="draw")
        assert (await b("play", ply=1, move="d"))["type"] == "accepted"  # no answer is a no
        shown = await ann.look(table)
        assert (shown["offer"], shown["state"]) == (None, "running")


@pytest.mark.parametrize("way", ["socket", "post"])
@on_a_loop
async def test_chat_is_heard_by_all_and_the_creator_may_mute(server: Server, way: str) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit)
        eve = await visit.guest("Eve")
        ear = await ann.watch(table)
        say = await door(way, eve, table)
        assert (await say("chat", text="  hello\tthere \u0007"))["type"] == "accepted"
        await ear.until(lambda _: ear.chat)
        (line,) = ear.table["chat"]
        assert (line["text"], line["name"], line["player"]) == ("hello there", "Eve", eve.id)
        assert (await bob.do(table, "mute", player=eve.id))["code"] == "not-yours"
        mute = await door(way, ann, table)
        assert (await mute("mute", player=eve.id))["type"] == "accepted"
        assert (await say("chat", text="again"))["code"] == "muted"
        assert (await ann.look(table))["muted"] == [eve.id]
        assert (await eve.look(table))["muted"] == []
        assert "chat" not in (await eve.look(table))["may"]
        assert (await mute("mute", player=eve.id, muted=False))["type"] == "accepted"
        assert (await say("chat", text="again"))["type"] == "accepted"
        assert [said["text"] for said in (await bob.look(table))["chat"]] == [
            "hello there",
            "again",
        ]


@on_a_loop
async def test_who_talks_without_end_is_slowed_down(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit)
        answers = [await ann.do(table, "chat", text=str(n)) for n in range(12)]
        accepted = [answer["type"] == "accepted" for answer in answers]
        assert accepted[:8] == [True] * 8
        assert answers[-1]["code"] == "too-many"
        assert (await bob.do(table, "chat", text="me too"))["type"] == "accepted"
        assert (await ann.do(table, "play", ply=0, move="a"))["type"] == "accepted"


@pytest.mark.parametrize("way", ["socket", "post"])
@on_a_loop
async def test_a_bot_plays_for_who_is_away_until_they_return(server: Server, way: str) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit)
        a, b = await ann.watch(table), await bob.watch(table)
        await b.close()
        await a.until(lambda shown: "handover" in shown["may"])
        do = await door(way, ann, table)
        await do("play", ply=0, move="d")
        assert (await do("handover", seat=1, level="novice"))["type"] == "accepted"
        shown = await ann.until(table, lambda shown: shown["match"]["view"]["ply"] == 2)
        seat = shown["seats"][1]
        assert (seat["stand_in"], seat["level"], seat["player"]) == (True, "novice", bob.id)
        assert (await do("handover", seat=1))["code"] == "stand-in"
        assert "return" in (await bob.look(table))["may"]
        assert (await bob.do(table, "play", ply=2, move="a"))["code"] == "stand-in"
        back = await door(way, bob, table)
        assert (await back("return"))["type"] == "accepted"
        await do("play", ply=2, move="d")
        shown = await bob.look(table)
        assert (shown["match"]["legal"], shown["seats"][1]["stand_in"]) == (list("abcdefg"), False)
        assert (await back("play", ply=3, move="d"))["type"] == "accepted"


@pytest.mark.parametrize("way", ["socket", "post"])
@on_a_loop
async def test_hints_are_up_to_three_legal_moves_of_who_acts(server: Server, way: str) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit, "carnac", options={"board": "small"})
        a, b = await door(way, ann, table), await door(way, bob, table)
        legal = (await ann.look(table))["match"]["legal"]
        assert (await b("hint"))["code"] == "not-your-turn"
        answer = await a("hint")
        assert answer["type"] == "accepted"
        moves = [hint["move"] for hint in answer["hints"]]
        assert len(moves) == len(set(moves)) == 3
        assert set(moves) <= set(legal)
        assert {"gain", "answer", "by", "usual", "follow"} == set(answer["hints"][0]["reason"])
        assert (await ann.look(table))["match"]["log"] == []


@pytest.mark.parametrize("way", ["socket", "post"])
@on_a_loop
async def test_a_hint_asked_again_by_its_id_is_the_same_though_the_match_went_on(
    server: Server, way: str
) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await pair(visit, hints=True)
        a = await door(way, ann, table)
        first, twin = await asyncio.gather(a("hint", id="h"), ann.do(table, "hint", id="h"))
        assert (first["hints"], first["ply"]) == (twin["hints"], 0)
        await ann.do(table, "play", ply=0, move="a", id="p")
        assert await a("hint", id="h") == first
        assert (await a("hint"))["code"] == "not-your-turn"
        assert (await a("hint", id="p"))["code"] == "id-used"
        assert (await a("play", ply=0, move="a", id="h"))["code"] == "id-used"
        assert (await bob.do(table, "hint", id="h"))["ply"] == 1  # another's ids are another's


@pytest.mark.parametrize("way", ["socket", "post"])
@on_a_loop
async def test_what_is_advised_at_a_position_is_worked_out_once(server: Server, way: str) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        table = (await ann.open("carnac", "me", "bot", hints=True))["id"]
        ask = await door(way, ann, table)
        answers = [(await ask("hint"))["hints"] for _ in range(4)]
        assert answers == [answers[0]] * 4  # a search of its own would have luck of its own
