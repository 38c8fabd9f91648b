"""The store: tables, players and results, the same on every database it knows."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from kwartet.store import (
    Conflict,
    Entry,
    Player,
    Result,
    ReviewMark,
    ReviewRow,
    Skill,
    StoreError,
    back_up,
    find_database,
    open_store,
)
from tests.storing import RESULTS, entry, execute, on_a_loop, one_up, row

# Tables


@on_a_loop
async def test_entries_come_back_as_they_were_written(database: str) -> None:
    store = await open_store(database)
    written = [entry(number, body=bytes([number, 0, 255])) for number in (1, 2, 3)]
    for one in written:
        await store.append(one, row(changed=one.at, summary=one.body))
    assert await store.entries("t") == written
    assert await store.entries("t", after=2) == written[2:]
    assert await store.entries("unknown") == []
    await store.close()
    store = await open_store(database, upgrade=False)
    assert await store.entries("t") == written
    assert await store.table("t") == row(changed=3.0, summary=written[-1].body)
    assert await store.table("unknown") is None
    await store.close()


@on_a_loop
async def test_of_fifty_who_write_the_same_entry_one_does(database: str) -> None:
    store = await open_store(database)

    async def write(name: int) -> bool:
        try:
            await store.append(entry(body=b"%d" % name), row(summary=b"%d" % name))
        except Conflict:
            return False
        return True

    won = await asyncio.gather(*(write(name) for name in range(50)))
    assert won.count(True) == 1
    winner = b"%d" % won.index(True)
    assert await store.entries("t") == [entry(body=winner)]
    assert await store.table("t") == row(summary=winner)
    await store.close()


@on_a_loop
async def test_a_conflict_changes_nothing_and_spoils_no_other(database: str) -> None:
    store = await open_store(database)
    await store.append(entry(), row())
    outcomes = await asyncio.gather(
        store.append(entry(), row(state="over", players=("eve",)), RESULTS, one_up),
        store.append(entry(table="u"), row("u")),
        store.append(entry(3), row(state="over")),  # there is no second yet
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [Conflict, type(None), Conflict]
    assert await store.table("t") == row()
    assert await store.table("u") == row("u")
    assert await store.ratings("ann") == {}
    await store.close()


@on_a_loop
async def test_writers_who_wait_together_share_a_commit(database: str) -> None:
    store = await open_store(database)
    before = store.commits
    await asyncio.gather(*(store.append(entry(table=f"{n}"), row(f"{n}")) for n in range(200)))
    assert 1 <= store.commits - before <= 20
    assert len(await store.tables(limit=500)) == 200
    await store.close()


@on_a_loop
async def test_only_the_guilty_of_those_who_share_a_commit_fails(database: str) -> None:
    store = await open_store(database)

    def broken(_: list[Skill | None]) -> list[Skill]:
        raise ZeroDivisionError

    outcomes = await asyncio.gather(
        *(store.append(entry(table=f"{n}"), row(f"{n}")) for n in range(20)),
        store.append(entry(table="bad"), row("bad"), RESULTS, broken),
        store.append(entry(table="worse"), row("worse", state="odd")),  # type: ignore[arg-type]
        return_exceptions=True,
    )
    assert outcomes[:20] == [None] * 20
    assert isinstance(outcomes[20], ZeroDivisionError)
    assert isinstance(outcomes[21], StoreError)
    assert outcomes[21].code == "store-failed"
    assert len(await store.tables()) == 20
    assert await store.entries("bad") == await store.entries("worse") == []
    await store.close()


@on_a_loop
async def test_steps_of_many_tables_are_written_as_each_would_be_alone(database: str) -> None:
    store = await open_store(database)
    tables = [f"t{number}" for number in range(40)]
    for number in (1, 2):
        await asyncio.gather(*(store.append(entry(number, t), row(t)) for t in tables))
    execute(
        database,
        "INSERT INTO entries SELECT table_id, 3, 3.0, body FROM entries "
        "WHERE table_id = 't3' AND number = 1",
    )  # another process was quicker
    execute(database, "DELETE FROM entries WHERE table_id = 't5' AND number = 2")
    after = {
        t: row(
            t,
            3.0,
            deadline=float(n) if n % 3 else None,
            bot_due=n % 2 == 0,
            summary=b"s" * n,
            players=("ann", "bob") if n % 7 == 0 else ("ann", None),
        )
        for n, t in enumerate(tables)
    }
    calls = [store.append(entry(3, t, body=t.encode()), after[t]) for t in tables]
    outcomes = dict(zip(tables, await asyncio.gather(*calls, return_exceptions=True), strict=True))
    assert {t for t, outcome in outcomes.items() if outcome is not None} == {"t3", "t5"}
    assert isinstance(outcomes["t3"], Conflict)
    assert isinstance(outcomes["t5"], Conflict)
    for t in tables:
        if outcomes[t] is None:
            assert (await store.entries(t, 2)) == [entry(3, t, body=t.encode())]
            assert await store.table(t) == after[t]
        else:
            assert await store.table(t) == row(t)
    assert {t.id for t in await store.tables(player="bob")} == {
        t for t in tables if "bob" in after[t].players
    }
    await store.close()


@on_a_loop
async def test_tables_are_found_by_what_is_asked_newest_first(database: str) -> None:
    store = await open_store(database)
    rows = [
        row("a", 5.0, state="open", players=("ann", None)),
        row("b", 4.0, state="open", listed=False, players=("bob", "ann")),
        row("c", 4.0, game="carat", players=("bob", None, "ann")),
        row("d", 3.0, state="over", players=()),
    ]
    for one in rows:
        await store.append(entry(table=one.id), one)

    async def found(**wanted: Any) -> str:
        return "".join(one.id for one in await store.tables(**wanted))

    assert await store.tables() == [rows[0], rows[2], rows[1], rows[3]]
    assert await found(state="open") == "ab"
    assert await found(state="open", listed=True) == "a"
    assert await found(game="carat") == "c"
    assert await found(player="bob") == "cb"
    assert await found(limit=2) == "ac"
    assert await found(before=4.0, before_id="c") == "bd"
    assert await found(before=4.0) == "d"
    await store.append(entry(2, "a"), row("a", 6.0, players=("bob", "eve")))
    assert await found(player="ann") == "cb"
    assert await found(player="eve") == "a"
    await store.close()


@on_a_loop
async def test_tables_that_wait_for_a_clock_or_a_bot_are_named(database: str) -> None:
    store = await open_store(database)
    for one in (
        row("late", 1.0, deadline=10.0),
        row("later", 1.0, deadline=5.0, bot_due=True),
        row("soon", 3.0, deadline=11.0, bot_due=True),
        row("over", 1.0, deadline=1.0, bot_due=True, state="over"),
        row("open", 1.0, state="open"),
    ):
        await store.append(entry(table=one.id), one)
    assert await store.due(10.0) == ["later", "late"]
    assert list(await store.bots_due(2.0)) == ["later"]
    assert list(await store.bots_due(3.0)) == ["later", "soon"]
    await store.close()


@on_a_loop
async def test_tables_that_never_started_can_be_removed_for_good(database: str) -> None:
    store = await open_store(database)
    for one in (row("old", 1.0, state="open"), row("new", 9.0, state="open"), row("on", 1.0)):
        await store.append(entry(table=one.id), one)
    await store.add_secret(b"1", "ann", "link", "", 0.0, expires=4.0)
    await store.add_secret(b"2", "ann", "token", "", 0.0)
    assert await store.prune(5.0) == 1
    assert {one.id for one in await store.tables()} == {"new", "on"}
    assert await store.entries("old") == []
    assert (await store.secret(b"1"), (await store.secret(b"2")) is None) == (None, False)
    with pytest.raises(Conflict):
        await store.append(entry(2, "old"), row("old"))
    assert await store.table("old") is None
    await store.close()


# Reviews


def found(done: int, *, table: str = "t", care: str = "normal", digest: str = "d") -> ReviewRow:
    return ReviewRow(table, care, digest, float(done), done, 9, b"{}\n" * done)


def mark(review: ReviewRow) -> ReviewMark:
    return ReviewMark(review.care, review.digest, review.done)


@on_a_loop
async def test_a_review_is_kept_once_for_each_care_and_never_shrinks(database: str) -> None:
    store = await open_store(database)
    await store.append(entry(), row(state="over"))
    for review in (found(2), found(5), found(3), found(1, care="quick")):
        await store.save_review(review)
    assert await store.reviews("t") == [mark(found(5)), mark(found(1, care="quick"))]
    assert await store.review("t", "normal") == found(5)
    await store.save_review(found(1, digest="other"))  # the old findings are of no use
    assert await store.reviews("t") == [
        mark(found(1, digest="other")),
        mark(found(1, care="quick")),
    ]
    assert await store.review("t", "normal") == found(1, digest="other")
    assert await store.reviews("none") == []
    assert await store.review("t", "thorough") is None
    with pytest.raises(Conflict):
        await store.save_review(found(1, table="none"))
    await store.close()


@on_a_loop
async def test_a_review_goes_with_its_table(database: str) -> None:
    store = await open_store(database)
    await store.append(entry(), row(state="open"))
    await store.save_review(found(2))
    assert await store.prune(5.0) == 1
    assert await store.reviews("t") == []
    await store.close()


@on_a_loop
async def test_reviews_are_in_a_backup(database: str, tmp_path: Path) -> None:
    store = await open_store(database)
    await store.append(entry(), row(state="over"))
    await store.save_review(found(4))
    await store.close()
    back_up(find_database(database), tmp_path / "copy", report=lambda done, total: None)
    copy = await open_store(f"sqlite:///{tmp_path}/copy")
    assert await copy.review("t", "normal") == found(4)
    await copy.close()


# Players


@on_a_loop
async def test_players_are_added_and_renamed(database: str) -> None:
    store = await open_store(database)
    assert await store.player("p") is None
    await store.people.introduce(Player("p", "Päivi 🦊", 1.0), None)
    await store.people.introduce(Player("q", "Quinn", 2.0), None)
    await store.people.rename("p", "Pia")
    await store.people.introduce(Player("p", "Guest 1", 3.0), None)
    assert await store.player("p") == Player("p", "Pia", 1.0)
    many = ["p", "q", *map(str, range(1200))]
    assert await store.players(many) == {
        "p": Player("p", "Pia", 1.0),
        "q": Player("q", "Quinn", 2.0),
    }
    assert await store.players([]) == {}
    await store.close()


@on_a_loop
async def test_a_one_time_secret_is_taken_once(database: str) -> None:
    stores = [await open_store(database) for _ in range(2)]
    secret = await stores[0].add_secret(b"hash", "ann", "link", "phone", 1.0, expires=2.0)
    assert await stores[1].secret(b"hash") == secret
    taken = await asyncio.gather(*(stores[n % 2].take_secret(b"hash", "link") for n in range(20)))
    assert [one for one in taken if one is not None] == [secret]
    assert await stores[0].secret(b"hash") is None
    for store in stores:
        await store.close()


@on_a_loop
async def test_secrets_are_listed_and_dropped_by_their_owner(database: str) -> None:
    store = await open_store(database)
    old = await store.add_secret(b"\x01" * 32, "ann", "token", "old", 1.0)
    new = await store.add_secret(b"\x02" * 32, "ann", "token", "new", 2.0)
    await store.add_secret(b"\x03" * 32, "ann", "link", "link", 3.0)
    assert await store.secrets("ann", "token") == [new, old]
    assert not await store.people.drop_token("eve", old.id)
    assert await store.people.drop_token("ann", old.id)
    assert not await store.people.drop_token("ann", old.id)
    assert await store.secrets("ann", "token") == [new]
    await store.close()


# Ratings and results


@on_a_loop
async def test_results_are_rated_once_with_the_table_s_end(database: str) -> None:
    store = await open_store(database)
    seen: list[list[Skill | None]] = []

    def rate(before: list[Skill | None]) -> list[Skill]:
        seen.append(before)
        return one_up(before)

    await store.append(entry(), row(state="over"), RESULTS, rate)
    with pytest.raises(Conflict):
        await store.append(entry(), row(state="over"), RESULTS, rate)
    await store.append(entry(table="u"), row("u", state="over"), RESULTS[::-1], rate)
    assert seen == [[None, None], [(1.0, 8.0), (1.0, 8.0)]]
    rating = (await store.ratings("ann"))["carnac"]
    assert (rating.mu, rating.sigma, rating.matches) == (2.0, 4.0, 2)
    assert await store.ratings_of(["ann", "eve"], "carnac") == {"ann": rating}
    assert await store.ratings_of(["ann"], "carat") == {}
    assert [one.player for one in await store.leaders("carnac", 1)] == ["ann"]
    with pytest.raises(ValueError, match="themselves"):
        await store.append(
            entry(table="v"), row("v"), [RESULTS[0], Result(1, "bob", 1, 1, "lost")], one_up
        )
    assert await store.table("v") is None
    await store.close()


@on_a_loop
async def test_matches_that_end_at_once_all_count(database: str) -> None:
    stores = [await open_store(database) for _ in range(2)]

    async def end(number: int) -> None:
        key, results = f"{number}", RESULTS[:: 1 if number % 3 else -1]
        await stores[number % 2].append(entry(table=key), row(key, state="over"), results, one_up)

    await asyncio.gather(*map(end, range(30)))
    for player in ("ann", "bob"):
        rating = (await stores[0].ratings(player))["carnac"]
        assert (rating.mu, rating.matches) == (30.0, 30)
    for store in stores:
        await store.close()


@on_a_loop
async def test_history_tells_all_results_newest_first(database: str) -> None:
    store = await open_store(database)
    await store.append(Entry("t", 1, 1.0, b""), row("t"), RESULTS, one_up)
    await store.append(Entry("u", 1, 2.0, b""), row("u", game="carat"), RESULTS)
    await store.append(Entry("v", 1, 3.0, b""), row("v"), [Result(0, "eve", 1, 0, "alone")])
    carat, carnac = await store.history("ann")
    assert (carat.table, carat.game, carat.at, carat.skill) == ("u", "carat", 2.0, None)
    assert (carnac.seat, carnac.score, carnac.rank, carnac.skill) == (1, 7, 1, (1.0, 8.0))
    assert carat.results == carnac.results == RESULTS
    assert (carat.outcome, (await store.history("bob"))[0].outcome) == ("lost", "won")
    assert await store.counts("bob") == {"carat": {"won": 1}, "carnac": {"won": 1}}
    assert await store.counts("nobody") == {}
    assert await store.history("ann", game="carnac") == [carnac]
    assert await store.history("ann", before=2.0) == [carnac]
    assert await store.history("ann", limit=1) == [carat]
    await store.close()


@on_a_loop
async def test_best_scores_are_those_reached_alone(database: str) -> None:
    store = await open_store(database)
    for at, score in enumerate((90, 101, 95)):
        key = f"{at}"
        await store.append(
            Entry(key, 1, float(at), b""),
            row(key, game="catan_dice"),
            [Result(0, "ann", score, 0, "alone")],
        )
    await store.append(
        entry(), row(game="catan_dice"), [Result(0, "ann", 120, 0, "won"), RESULTS[1]]
    )
    for at, (player, game) in enumerate((("bob", "catan_dice"), ("ann", "other"))):
        key = f"not {at}"
        alone = [Result(0, player, 130, 0, "alone")]
        await store.append(Entry(key, 1, 9.0, b""), row(key, game=game), alone)
    assert [best.score for best in await store.bests("ann", "catan_dice", 2)] == [101, 95]
    listed = [(best.table, best.at, best.score) for best in await store.bests("ann", "catan_dice")]
    assert listed == [("1", 1.0, 101), ("2", 2.0, 95), ("0", 0.0, 90)]
    await store.close()


@on_a_loop
async def test_what_is_claimed_is_one_process_s_until_its_time_is_over(database: str) -> None:
    first = await open_store(database)
    other = await open_store(database)  # as another process would
    assert await first.claim("a turn", 60.0)
    assert not await other.claim("a turn", 60.0)
    assert await other.claim("another", 60.0)
    assert await first.claim("a turn", 0.2)  # its own, which it may claim for less
    await asyncio.sleep(0.5)
    assert await other.claim("a turn", 60.0)
    assert not await first.claim("a turn", 60.0)
    await first.close()
    await other.close()
