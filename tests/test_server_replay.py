"""Matches that are over, position by position; at what runs nobody looks back."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from kwartet.core.match import Match
from kwartet.core.verbs import CHANCE
from tests.planting import at_random, database, plant
from tests.serving import Guest, Json, Server, on_a_loop, visiting
from tests.test_server_secrets import known


def positions(match: Match, seat: int | None) -> list[Json]:
    """What a seat saw, as it looks after having been sent."""
    past = match.beginning()
    views = [past.view(seat)]
    for move in match.moves:
        past.follow([move])
        views.append(past.view(seat))
    return [sent(view) for view in views]


def sent(told: Any) -> Any:
    """What becomes of it on the way."""
    return msgspec.json.decode(msgspec.json.encode(told))


async def whole(guest: Guest, table: str, seat: int | None = None) -> list[Json]:
    """The views of a match, asked for piece by piece."""
    views: list[Json] = []
    eyes = "" if seat is None else f"&seat={seat}"
    while True:
        told = await guest.get(f"/api/tables/{table}/replay?since={len(views)}{eyes}")
        assert len(told["steps"]) <= 64
        assert [step["ply"] for step in told["steps"]] == [
            *range(len(views), len(views) + len(told["steps"]))
        ]
        views += [step["view"] for step in told["steps"]]
        if len(views) > told["total"]:
            return views


@pytest.mark.parametrize("game", ["carat", "carnac", "catan_dice", "kwatro", "connect_four"])
@on_a_loop
async def test_a_replay_shows_every_position_with_the_eyes_of_whom_one_asks_for(
    sqlite_server: Server, game: str
) -> None:
    match = at_random(game)
    table = await plant(database(sqlite_server), match, "played", "ann")
    async with visiting(sqlite_server) as visit:
        ann, stranger = await known(visit, "ann"), await visit.stranger()
        assert await whole(ann, table) == positions(match, 0)
        assert await whole(stranger, table) == positions(match, None)
        last = match.seats - 1
        assert await whole(stranger, table, last) == positions(match, last)
        told = await stranger.get(f"/api/tables/{table}/replay?seat={last}&since=2&until=3")
        assert [step["ply"] for step in told["steps"]] == [2, 3]
        assert (told["total"], told["seat"]) == (match.ply, last)
        assert told["log"] == match.log(last)
        assert told["actors"] == actors(match)
        assert "kwartet" not in stranger.http.cookies


def actors(match: Match) -> list[int | None]:
    past, found = match.beginning(), []
    for move in match.moves:
        found.append(None if past.actor == CHANCE else past.actor)
        past.follow([move])
    return found


@on_a_loop
async def test_a_position_has_what_its_seat_saw_and_could_do(sqlite_server: Server) -> None:
    match = at_random("kwatro", moves=20)
    table = await plant(database(sqlite_server), match, "resigned", "ann", "bob")
    async with visiting(sqlite_server) as visit:
        eve = await visit.stranger()
        for ply, actor in enumerate(actors(match)):
            told = await eve.get(f"/api/tables/{table}/position?ply={ply}")
            if actor is None:
                assert told["code"] == "unknown-ply"
                continue
            past = match.beginning()
            past.follow(match.moves[:ply])
            assert (told["ply"], told["seat"], told["legal"]) == (ply, actor, past.legal())
            assert told["view"] == positions(match, actor)[ply]


@on_a_loop
async def test_previews_and_reasons_are_told_of_any_decision_of_a_match_that_is_over(
    sqlite_server: Server,
) -> None:
    match = at_random("kwatro", moves=20)
    table = await plant(database(sqlite_server), match, "resigned", "ann", "bob")
    async with visiting(sqlite_server) as visit:
        eve = await visit.guest("Eve")
        for ply, actor in list(enumerate(actors(match)))[:16]:
            asked = f"/api/tables/{table}/preview?piece=RT4&ply={ply}"
            if actor is None:
                assert (await eve.get(asked))["code"] == "unknown-ply"
                continue
            past = match.beginning()
            past.follow(match.moves[:ply])
            card = past.view(actor)["hands"][actor][0]
            told = await eve.get(f"/api/tables/{table}/preview?piece={card}&ply={ply}")
            assert told == sent(past.preview(card, seat=actor))
            move = match.moves[ply].replace(" ", "%20")
            assert await eve.get(f"/api/tables/{table}/why?move={move}&ply={ply}") is None
            far = f"{card}@40,40"
            why = await eve.get(f"/api/tables/{table}/why?move={far}&ply={ply}")
            assert why == sent(past.why(far))


@on_a_loop
async def test_nobody_looks_back_at_a_match_that_runs(sqlite_server: Server) -> None:
    table = await plant(database(sqlite_server), at_random("kwatro", moves=9), None, "ann", "bob")
    async with visiting(sqlite_server) as visit:
        waiting = (await (await visit.guest("Ann")).open("carnac", "me", "open"))["id"]
        for guest in (await known(visit, "ann"), await visit.stranger()):
            for end in ("replay", "replay?seat=1", "position?ply=9"):
                for one in (table, waiting):
                    assert (await guest.get(f"/api/tables/{one}/{end}"))["code"] == "not-over"


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("replay?since=999", "unknown-ply"),
        ("replay?since=-1", "bad-request"),
        ("replay?until=x", "bad-request"),
        ("replay?seat=2", "unknown-seat"),
        ("replay?seat=0x1", "bad-request"),
        ("position?ply=999", "unknown-ply"),
        ("position?ply=1e3", "bad-request"),
        ("preview?piece=a1&ply=999", "unknown-ply"),
        ("why?move=a1ww&ply=999", "unknown-ply"),
    ],
)
@on_a_loop
async def test_what_is_not_there_is_answered_with_a_sentence(
    sqlite_server: Server, asked: str, code: str
) -> None:
    table = await plant(database(sqlite_server), at_random("carnac", moves=6), "dropped", "ann")
    async with visiting(sqlite_server) as visit:
        eve = await visit.guest()
        told = await eve.get(f"/api/tables/{table}/{asked}")
        assert told["code"] == code
        assert told["sentence"].endswith(".")
        until = await eve.get(f"/api/tables/{table}/replay?since=3&until=1")
        assert until["steps"] == []


@on_a_loop
async def test_looking_back_is_rationed_and_nothing_else_with_it(tmp_path: Path) -> None:
    server = Server(tmp_path / "strict", "--identity-rate", "10", "--address-rate", "1000").start()
    try:
        table = await plant(database(server), at_random("connect_four"))
        async with visiting(server) as visit:
            for end, enough in (("replay", 30), ("review", 15)):
                eve = await visit.guest()
                codes: list[str | None] = []
                while "too-many" not in codes:
                    codes.append((await eve.get(f"/api/tables/{table}/{end}")).get("code"))
                assert codes[:enough] == [None] * enough
                assert "code" not in await eve.get("/api/me")
    finally:
        assert server.stop() == 0
        assert not server.faults
