"""A match as shapes over the wire: for each watcher, ply and language, checked and bounded."""

import json

import pytest

import kwartet
from kwartet import picture
from kwartet.core.errors import GameError
from kwartet.server import messages as m
from kwartet.server.drawing import draw
from tests.serving import Guest, Json, Server, on_a_loop, visiting


async def drawn(guest: Guest, table: str, **query: object) -> Json:
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    found: Json = await guest.get(f"/api/tables/{table}/picture?{asked}")
    return found


def names(picture: Json) -> list[str]:
    return [shape["name"] for shape in picture["shapes"] if shape.get("name")]


@on_a_loop
async def test_a_table_is_drawn_after_each_of_its_moves(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        table = (await ann.open("connect_four", "me", "open"))["id"]
        assert (await drawn(ann, table, ply=0))["code"] == "not-started"
        await bob.do(table, "sit")
        for ply, (guest, column) in enumerate(zip((ann, bob, ann), "ddc", strict=True)):
            await guest.do(table, "play", ply=ply, move=column)
        eve = await visit.stranger()
        now = await drawn(eve, table, ply=3)
        assert now["movers"] == [0, 1, 0]
        assert names(now)[3] == "Column d, from below: red, yellow"
        assert [shape["moves"] for shape in now["shapes"] if shape.get("moves")] == [
            [c] for c in "abcdefg"
        ]
        assert names(await drawn(ann, table, ply=1))[3] == "Column d, from below: red"
        dutch = await drawn(ann, table, ply=0, language="nl")
        assert names(dutch)[3] == "Kolom d, leeg"
        assert [side["name"] for side in dutch["sides"]] == ["rood", "geel"]
        assert (await drawn(ann, table, ply=4))["code"] == "stale-ply"
        assert (await drawn(ann, table, ply="-1"))["code"] == "bad-request"
        await ann.do(table, "resign")
        assert names(await drawn(eve, table, ply=3)) == names(now)


@on_a_loop
async def test_a_seat_is_drawn_its_own_cards_and_nobody_else_s(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        table = (await ann.open("kwatro", "me", "open"))["id"]
        await bob.do(table, "sit")
        shown = [(await guest.look(table))["match"]["view"] for guest in (ann, bob)]
        for seat, guest in enumerate((ann, bob)):
            told = names(await drawn(guest, table, ply=shown[0]["ply"]))
            assert set(shown[seat]["hands"][seat]) <= set(told)
        everybodys = await drawn(ann, table, ply=shown[0]["ply"], open=1)
        assert everybodys == await drawn(await visit.stranger(), table, ply=shown[0]["ply"])
        seen = json.dumps(await drawn(await visit.stranger(), table, ply=shown[0]["ply"]))
        open_cards = {card["card"] for card in shown[0]["field"]}
        for card in {*shown[0]["hands"][0], *shown[1]["hands"][1]} - open_cards - {"J"}:
            assert card not in seen


@pytest.mark.parametrize("key", [*kwartet.GAMES])
def test_pictures_of_whole_matches_fit_the_wire(key: str) -> None:
    match = kwartet.new(key, seed=2)
    while match.actor is not None:
        match.play(match.legal()[-1])
        told = m.encode(draw(match, [0] * match.ply, match.actor, "en"))
        assert len(told) < 200_000


def test_a_picture_that_is_too_large_or_malformed_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = kwartet.new("connect_four")
    for shapes in (
        [picture.Disc(0, 0, 1, "red")] * 5001,
        [picture.Disc(0, 0, 1, "red; x: url(//elsewhere)")],
        [picture.Disc(1e9, 0, 1, "red")],
        [picture.Label(0, 0, "x" * 501, 1)],
        [picture.Disc(0, 0, float("nan"), "red")],
        [picture.Path("M0 0L1 1Z;", "red")],
        [picture.Path("M0 0L1 1Z", "url(#a)")],
        [picture.Path("M0 0L1 1Z", scale=float("inf"))],
    ):
        made = picture.Picture(1, 1, shapes)
        monkeypatch.setattr(match.game.pictures, "draw", lambda _, made=made: made)
        with pytest.raises(GameError, match="cannot be sent") as refused:
            draw(match, [], None, "en")
        assert refused.value.code == "no-picture"
