"""What a process keeps of people in memory is right again after the store was away."""

import asyncio
import time
from pathlib import Path

import pytest
from starlette.datastructures import Headers

from kwartet.core.errors import GameError
from kwartet.server import identity, moderating
from kwartet.server.bans import Bans
from kwartet.server.identity import COOKIE, Identities
from kwartet.server.news import News, Session
from kwartet.store import Store, StoreError, open_store
from tests.storing import execute, on_a_loop

HEADERS = Headers({"user-agent": "Firefox on Linux"})


def url_in(folder: Path) -> str:
    return f"sqlite:///{folder}/kwartet.db"


async def listening(store: Store) -> tuple[Identities, Bans, News]:
    """A process that reads notes when the test says so."""
    identities, bans = Identities(store, "s" * 40), Bans(store)
    await bans.read()
    return identities, bans, News(store, identities, bans)


def is_kept_out(bans: Bans, player: str) -> bool:
    try:
        bans.check_player(player)
    except GameError:
        return True
    return False


@on_a_loop
async def test_a_guest_stays_who_they_are_when_the_store_fails_once(tmp_path: Path) -> None:
    store = await open_store(url_in(tmp_path))
    identities = Identities(store, "s" * 40)
    visitor = identities.newcomer(HEADERS)
    person = await identities.person(visitor.player)
    execute(url_in(tmp_path), "ALTER TABLE devices RENAME TO away")
    with pytest.raises(StoreError):
        await identities.introduce(person)
    execute(url_in(tmp_path), "ALTER TABLE away RENAME TO devices")
    await identities.introduce(person)
    assert await identities.still_good(visitor)
    known = await identities.recognise(HEADERS, {COOKIE: identities.cookie(visitor)})
    assert known is not None
    assert known.player == visitor.player
    await store.close()


@on_a_loop
async def test_of_too_many_newcomers_the_oldest_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "KEPT", 3)
    store = await open_store(url_in(tmp_path))
    identities = Identities(store, "s" * 40)
    visitors = [identities.newcomer(HEADERS) for _ in range(5)]
    for visitor in visitors:
        await identities.introduce(await identities.person(visitor.player))
    good = [await identities.still_good(visitor) for visitor in visitors]
    assert good == [False, False, True, True, True]
    await store.close()


@on_a_loop
async def test_a_note_is_heard_as_soon_as_the_store_is_back(tmp_path: Path) -> None:
    store = await open_store(url_in(tmp_path))
    identities, bans, news = await listening(store)
    ann, bob = [await identities.person(identities.newcomer(HEADERS).player) for _ in "ab"]
    for person in (ann, bob):
        await identities.introduce(person)
    await moderating.ban(store, ann.id, "", None)
    execute(url_in(tmp_path), "ALTER TABLE bans RENAME TO away")
    await store.people.rename(bob.id, "Bob")
    await news.read()
    assert (await identities.person(bob.id)).name == "Bob"  # another note's trouble is none of his
    assert not is_kept_out(bans, ann.id)
    execute(url_in(tmp_path), "ALTER TABLE away RENAME TO bans")
    await news.read()
    assert is_kept_out(bans, ann.id)
    await store.close()


@on_a_loop
async def test_a_note_is_heard_when_the_clock_was_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_store(url_in(tmp_path))
    identities, bans, news = await listening(store)
    ann = await identities.person(identities.newcomer(HEADERS).player)
    await identities.introduce(ann)
    await news.read()
    earlier = time.time() - 1800
    monkeypatch.setattr(time, "time", lambda: earlier)
    await moderating.ban(store, ann.id, "", None)
    await news.read()
    assert is_kept_out(bans, ann.id)
    await store.close()


@on_a_loop
async def test_who_is_banned_is_put_out_everywhere_at_once(tmp_path: Path) -> None:
    """None of their sockets ends before all of them are told to."""
    store = await open_store(url_in(tmp_path))
    identities, _, news = await listening(store)
    visitor = identities.newcomer(HEADERS)
    ann = await identities.person(visitor.player)
    await identities.introduce(ann)
    together = asyncio.Barrier(10)
    refusals: list[str] = []

    async def end(refusal: GameError) -> None:
        refusals.append(refusal.code)
        await together.wait()

    for _ in range(10):
        news.open(Session(visitor, "192.0.2.1", ann, end))
    await moderating.ban(store, ann.id, "", None)
    await asyncio.wait_for(news.read(), 10)
    assert refusals == ["banned"] * 10
    await store.close()
