"""The log: entries of all versions are read, unknown ones refused, and no table grows for ever."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from kwartet.core.errors import GameError
from kwartet.core.records import replay
from kwartet.games import find
from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server import snapshots
from kwartet.server.archive import fresh_match, read_story, row_of
from kwartet.server.conduct import absence, decide, offers, seating, talk
from kwartet.server.conduct.playing import as_events
from kwartet.server.conduct.scene import NOTHING, Person, Scene
from kwartet.server.story import Story, begin
from kwartet.server.table import Table
from kwartet.store import Entry, Snapshot, Store
from tests.serving import on_a_loop
from tests.timing import ANN, BOB, World, world

EARLIER = Path(__file__).parent / "data/earlier"
EVE = Person("eve", "Eve")


def url(folder: Path) -> str:
    return f"sqlite:///{folder}/kwartet.db"


def created(rules: int = 1, game: str = "connect_four", **more: Any) -> e.Created:
    seats = [e.SeatPlan("person", person.id, person.name) for person in (ANN, BOB)]
    return e.Created(game, rules, {}, seats, "ann", "00" * 32, **more)


def started(*entries: e.AnyEvent, **more: Any) -> Story:
    """The story of Ann and Bob, with these events."""
    body = e.Body([created(**more), e.Started([0, 1], [], 0, [0, 0]), *entries], "ann", time=1.0)
    return begin("t", 1, 1.0, body)


async def plant(store: Store, key: str, *bodies: e.Body | bytes) -> None:
    """Write a table's entries; those that are bytes as they are."""
    story: Story | None = None
    for number, body in enumerate(bodies, 1):
        if isinstance(body, e.Body):
            story = story.with_entry(number, 1.0, body) if story else begin(key, 1, 1.0, body)
        assert story
        text = e.encode(body) if isinstance(body, e.Body) else body
        await store.append(Entry(key, number, 1.0, text), row_of(story))


async def refused(work: Any) -> str:
    with pytest.raises(GameError) as raised:
        await work
    return raised.value.code


# Versions -------------------------------------------------------------------------------


def test_an_entry_tells_its_version_and_the_first_ones_need_not() -> None:
    body = e.Body([e.Left(1)], "ann", time=7.0)
    assert json.loads(e.encode(body))["version"] == e.VERSION == 2
    assert e.decode(e.encode(body)).time == 7.0
    first = e.decode(b'{"events":[{"type":"left","seat":1}],"by":"ann"}')
    assert (first.version, first.time, first.events) == (1, None, [e.Left(1)])


@pytest.mark.parametrize(
    "text",
    [
        b'{"events":[{"type":"left","seat":1}],"version":3}',
        b'{"events":[{"type":"exploded"}],"version":2}',
        b'{"events":[{"type":"left","seat":1,"why":"late"}],"version":2}',
        b'{"events":[],"mood":"good"}',
        b'{"events":[{"type":"left","seat":"first"}]}',
        b"[]",
    ],
)
def test_what_is_not_known_is_refused(text: bytes) -> None:
    with pytest.raises(GameError) as raised:
        e.decode(text)
    assert raised.value.code == "unknown-entry"


def test_no_limit_of_a_request_makes_an_entry_unreadable() -> None:
    body = e.Body([created(clock=e.Clock("live", 1, 10**9))], "ann")
    assert e.decode(e.encode(body)).events == body.events


def test_no_type_of_the_wire_is_stored() -> None:
    found: set[type] = set()
    todo: list[Any] = [msgspec.inspect.type_info(kind) for kind in (e.Body, Story)]
    while todo:
        info = todo.pop()
        if isinstance(info, msgspec.inspect.StructType):
            if info.cls not in found:
                found.add(info.cls)
                todo += [each.type for each in info.fields]
        else:
            todo += getattr(info, "types", ())
            todo += [info.item_type] if hasattr(info, "item_type") else []
            todo += getattr(info, "item_types", ())
    assert e.Clock in found
    assert {kind.__module__ for kind in found} == {e.__name__, Story.__module__}


@on_a_loop
async def test_a_table_that_cannot_be_read_is_refused_kindly_and_logged(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        store, hall = here.processes[0].store, here.processes[0].hall
        begun = e.Body([created(), e.Started([0, 1], [], 0)], "ann", time=1.0)
        await plant(store, "good", begun)
        await plant(store, "bad", begun, b'{"events":[{"type":"exploded"}],"version":2}')
        with capture_logs() as logs:
            assert await refused(hall.table("bad")) == "unknown-entry"
        (line,) = logs
        assert (line["log_level"], line["number"]) == ("error", 2)
        assert "exploded" in line["problem"]
        assert (await hall.table("good")).story.state == "running"
        assert len(await store.tables(limit=9)) == 2


@on_a_loop
async def test_a_table_is_in_trouble_when_a_newer_process_writes_to_it(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        table = await here.open(m.Clock("live", 60))
        text = b'{"events":[{"type":"exploded"}],"version":9}'
        number = table.story.version + 1
        newer = Entry(here.key, number, here.wall(), text)
        await here.processes[0].store.append(newer, row_of(table.story))
        assert await refused(table.catch_up()) == "unknown-entry"
        assert json.loads(table.company.message(ANN))["trouble"]["code"] == "unknown-entry"
        code = await refused(table.handle(ANN, m.Play(ply=0, move="a")))
        assert code == "unknown-entry"


# Older rules ----------------------------------------------------------------------------


async def strange(here: World, **more: Any) -> Table:
    """A running table under rules that this program does not replay."""
    begun = e.Body([created(rules=99, **more), e.Started([0, 1], [], 0, [3, 4])], "ann", time=1.0)
    await plant(here.processes[0].store, "strange", begun)
    here.key = "strange"
    return await here.processes[0].hall.table("strange")


@on_a_loop
async def test_a_match_under_rules_that_are_gone_can_be_resigned_and_exported(
    tmp_path: Path,
) -> None:
    async with world(url(tmp_path)) as here:
        table = await strange(here)
        shown = json.loads(table.company.message(ANN))
        assert (shown["trouble"]["code"], shown["match"]) == ("wrong-rules", None)
        assert "resign" in shown["may"]
        assert await refused(table.handle(ANN, m.Play(ply=0, move="a"))) == "wrong-rules"
        await table.handle(ANN, m.Resign())
        record = table.record()
        assert (record["result"]["winners"], record["scores"]) == ([1], [3, 4])


@on_a_loop
async def test_a_match_under_rules_that_are_gone_can_be_put_away(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        table = await strange(here)
        bots = [e.SeatPlan("person", "ann", "Ann"), e.SeatPlan("bot", level="novice")]
        alone = msgspec.structs.replace(created(rules=99), seats=bots)
        begun = e.Body([alone, e.Started([0, 1], [], 0)], "ann", time=1.0)
        await plant(here.processes[0].store, "alone", begun)
        table = await here.processes[0].hall.table("alone")
        assert "drop" in json.loads(table.company.message(ANN))["may"]
        await table.drop(ANN)
        assert table.story.is_dropped


@on_a_loop
async def test_tables_that_cannot_go_on_keep_no_other_clock_from_running_out(
    tmp_path: Path,
) -> None:
    async with world(url(tmp_path)) as here:
        store, clock = here.processes[0].store, e.Clock("live", 10)
        begun = e.Body([created(clock=clock), e.Started([0, 1], [], 0)], "ann", time=1.0)
        broken = b'{"events":[{"type":"exploded"}],"version":2}'
        for number in range(1_010):
            await plant(store, f"broken{number:04}", begun, broken)
        table = await strange(here, clock=clock)
        await here.processes[0].clock.beat()
        await here.processes[0].hall.sweep.look_at_clocks()
        assert table.story.result
        assert table.story.result.reason == "time"
        assert (table.story.result.winners, table.record()["scores"]) == ([1], [3, 4])


@pytest.mark.parametrize("path", sorted(EARLIER.glob("*.jsonl")), ids=lambda path: path.stem)
@on_a_loop
async def test_a_match_under_earlier_rules_is_played_on_ended_and_exported(
    tmp_path: Path, path: Path
) -> None:
    record = json.loads(path.read_text().splitlines()[0])
    game = find(record["game"])
    assert record["rules"] in game.earlier
    async with world(url(tmp_path)) as here:
        number = game.seats(record["options"])
        people = [Person(f"p{seat}", f"P{seat}") for seat in range(number)]
        made = msgspec.structs.replace(
            created(record["rules"], game.key),
            options=record["options"],
            seed=record["seed"],
            order="fixed",
            seats=[e.SeatPlan("person", person.id, person.name) for person in people],
        )
        match = fresh_match(begin("t", 1, 1.0, e.Body([made], "ann", time=1.0)))
        half = record["moves"][: len(record["moves"]) // 2]
        events = as_events(match, half, list(range(number)))
        await plant(here.processes[0].store, "old", e.Body([made, *events], "ann", time=1.0))
        table = await here.processes[0].hall.table("old")
        actor, move = table.story.actor, record["moves"][table.story.ply]
        assert actor is not None
        await table.handle(people[actor], m.Play(ply=table.story.ply, move=move))
        for person in people:
            if table.story.state != "over":
                await table.handle(person, m.Resign())
        told = table.record()
        assert (told["rules"], told["moves"]) == (
            record["rules"],
            record["moves"][: len(told["moves"])],
        )
        assert replay(told, find).moves == told["moves"]


# Bounds ---------------------------------------------------------------------------------


def scene(story: Story) -> Scene:
    return Scene(story, fresh_match(story), 1.0, False, lambda _: True)


def many(story: Story, times: int, *events: e.AnyEvent) -> Story:
    for number in range(times):
        story = story.with_entry(2 + number, 1.0, e.Body(list(events), "ann", time=1.0))
    return story


BOUNDS: list[tuple[int, list[e.AnyEvent], Person, m.AnyCommand]] = [
    (talk.LINES, [e.Said("eve", "Eve", "!")], ANN, m.Chat(text="and?")),
    (talk.ONLOOKERS_LINES, [e.Said("eve", "Eve", "!")], EVE, m.Chat(text="and?")),
    (talk.MUTES, [e.Muted("eve", False)], ANN, m.Mute(player="eve")),
    (offers.OFFERS, [e.Offered("draw", 0), e.Declined(1)], ANN, m.Offer(kind="draw")),
    (
        offers.REWINDS,
        [e.Played(0, ["a"], 1), e.TookBack(0, 0), e.Played(0, ["a"], 1)],
        ANN,
        m.Offer(kind="takeback"),
    ),
    (absence.STAND_INS, [e.HandedOver(0, "novice"), e.Returned(0)], BOB, m.HandOver(seat=0)),
]


@pytest.mark.parametrize(("bound", "events", "person", "command"), BOUNDS)
def test_whatever_can_be_appended_is_bounded(
    bound: int, events: list[e.AnyEvent], person: Person, command: m.AnyCommand
) -> None:
    before = many(started(), bound - 1, *events)
    assert decide(scene(before), person, command).events
    after = many(started(), bound, *events)
    with pytest.raises(GameError) as raised:
        decide(scene(after), person, command)
    assert raised.value.code == "enough"
    assert decide(scene(after), BOB, m.Resign()).events  # it can always end


def test_one_person_sits_down_so_often_and_another_still_may() -> None:
    seats = [e.SeatPlan("person", "ann", "Ann"), e.SeatPlan("open")]
    made = msgspec.structs.replace(created(), seats=seats)
    story = begin("t", 1, 1.0, e.Body([made], "ann", time=1.0))
    story = many(story, seating.SITTINGS, e.Sat(1, "bob", "Bob"), e.Left(1))
    with pytest.raises(GameError) as raised:
        decide(scene(story), BOB, m.Sit())
    assert raised.value.code == "enough"
    assert decide(scene(story), EVE, m.Sit()).events


def test_offers_are_counted_anew_after_a_move_and_at_the_end() -> None:
    story = many(started(), offers.OFFERS, e.Offered("draw", 0), e.Declined(1))
    moved = story.with_entry(9, 1.0, e.Body([e.Played(0, ["a"], 1)], "ann", time=1.0))
    ended = story.with_entry(9, 1.0, e.Body([e.Ended(e.Result("time", [1], [0, 0], [1, 0]))]))
    assert (moved.asked, ended.asked) == ((), ())


def test_to_mute_who_is_mute_changes_nothing() -> None:
    story = started(e.Muted("eve", True))
    assert decide(scene(story), ANN, m.Mute(player="eve")) == NOTHING


# Snapshots ------------------------------------------------------------------------------


async def talked(here: World, lines: int) -> Table:
    table = await here.open(m.Clock("live", 60))
    for number in range(lines):
        await table.handle(BOB, m.Chat(text=f"{number}", id=f"r{number}"))
    return table


async def settled(is_so: Callable[[], Any]) -> None:
    while not await is_so():
        await asyncio.sleep(0.02)


@on_a_loop
async def test_a_table_is_loaded_from_its_snapshot_and_the_rest(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        store = here.processes[0].store
        table = await talked(here, snapshots.EVERY + 10)

        async def is_kept() -> bool:
            return (await store.load(here.key, snapshots.form()))[0] is not None

        await settled(is_kept)
        story, answers, kept = await snapshots.load(store, here.key)
        plain = read_story(here.key, await store.entries(here.key))
        assert (story, answers) == plain
        assert snapshots.EVERY <= kept < story.version
        await here.kill()
        await here.start()
        again = await here.table()
        assert again.story == table.story
        first = await again.handle(BOB, m.Chat(text="3", id="r3"))
        assert first.version < again.story.version  # it was answered again


@pytest.mark.parametrize("spoilt", ["form", "body"])
@on_a_loop
async def test_a_snapshot_that_is_not_understood_is_left_alone_and_made_anew(
    tmp_path: Path, spoilt: str
) -> None:
    async with world(url(tmp_path)) as here:
        store = here.processes[0].store
        table = await talked(here, 5)
        good = table.story
        form = "another" if spoilt == "form" else snapshots.form()
        await store.save_snapshot(Snapshot(here.key, good.version, form, b"nonsense"))
        story, _, kept = await snapshots.load(store, here.key)
        assert (story, kept) == (good, 0)
        if spoilt == "form":
            await snapshots.keep(store, story, {})
            assert (await snapshots.load(store, here.key))[2] == story.version


@on_a_loop
async def test_no_snapshot_stays_of_a_table_that_is_gone(tmp_path: Path) -> None:
    async with world(url(tmp_path)) as here:
        store = here.processes[0].store
        await plant(store, "open", e.Body([created()], "ann", time=1.0))
        story, answers, _ = await snapshots.load(store, "open")
        await snapshots.keep(store, story, answers)
        await store.prune(2.0)
        assert await store.load("open", snapshots.form()) == (None, [])
        await snapshots.keep(store, story, answers)  # it is too late for that
        assert await refused(snapshots.load(store, "open")) == "unknown-table"
