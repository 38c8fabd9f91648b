"""Whatever stands in a log is read as what it is, or refused by a code, and changes nothing."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kwartet.core.errors import GameError
from kwartet.server import events as e
from kwartet.server.archive import read_story, row_of
from kwartet.store import Entry
from tests.test_server_erasing import full
from tests.test_server_log import created

CLOCK = e.Clock("live", 60, 1)
LOG: list[list[e.AnyEvent]] = [  # all that can be said at a table, in an order in which it can be
    [created(clock=CLOCK, secret="00" * 32, promised=["ann"])],
    [e.Left(1)],
    [e.Sat(1, "bob", "Bob", promised=True)],
    [e.Parted(1, "a part")],
    [e.Started([0, 1], [], 0, [0, 0])],
    [e.Said("bob", "Bob", "hello")],
    [e.Renamed("bob", "Bob", "Bobby")],
    [e.Muted("bob", True)],
    [e.Played(0, ["a"], 1, [0, 0], 0.5)],
    [e.Offered("takeback", 0)],
    [e.Agreed(1), e.TookBack(0, 0, [0, 0])],
    [e.Offered("draw", 1)],
    [e.Declined(0)],
    [e.HandedOver(0, "novice")],
    [e.Returned(0)],
    [e.Resigned(0)],
    [e.Ended(e.Result("resigned", [1], [0, 0], [1, 0]))],
    [e.Rewritten()],
    [e.Rematched("elsewhere")],
]
GOOD = [
    Entry("t", number, float(number), e.encode(e.Body(events, "ann", f"r{number}", time=number)))
    for number, events in enumerate(LOG, 1)
]
SAMPLES = [json.loads(entry.body) for entry in GOOD] + [json.loads(e.encode(full(e.Body)))]

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
values = st.recursive(
    scalars, lambda some: st.lists(some, max_size=4) | st.dictionaries(st.text(), some, max_size=4)
)
words = st.sampled_from(["created", "played", "exploded", "version", "type", "seat", "events"])


def places(value: Any) -> list[Any]:
    """All lists and dictionaries in a value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    here = [value] if isinstance(value, dict | list) else []
    return here + [place for one in inner for place in places(one)]


@st.composite
def mutants(draw: st.DrawFn) -> bytes:
    """A good entry with a few things taken away, added or made something else."""
    entry = json.loads(json.dumps(draw(st.sampled_from(SAMPLES))))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.sampled_from(places(entry)))
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        new = draw(values | st.integers(-3, 100) | words)
        if not keys or draw(st.integers(0, 3)) == 0:
            if isinstance(place, dict):
                place[draw(words | st.text(max_size=8))] = new
            else:
                place.append(new)
        elif draw(st.booleans()):
            place[draw(st.sampled_from(keys))] = new
        else:
            del place[draw(st.sampled_from(keys))]
    return json.dumps(entry).encode(errors="surrogatepass")


@st.composite
def torn(draw: st.DrawFn) -> bytes:
    """A good entry cut off, or with some bytes that are not its own."""
    body = draw(st.sampled_from(GOOD)).body
    start = draw(st.integers(0, len(body) - 1))
    end = draw(st.integers(start, len(body)))
    return body[:start] + draw(st.binary(max_size=8)) + (body[end:] if draw(st.booleans()) else b"")


def code_of(entries: list[Entry]) -> str:
    """By which code entries are refused; "" if they are read, and then a row can be made of it."""
    try:
        row_of(read_story("t", entries)[0])
    except GameError as error:
        return error.code
    return ""


def test_the_log_is_good_and_has_every_kind_of_event() -> None:
    assert code_of(GOOD) == ""
    kinds = {type(event) for events in LOG for event in events}
    assert set(e.AnyEvent.__args__) - kinds == {e.Filled, e.Dropped}  # which end what is here


@settings(deadline=None)  # the machine may be busy
@given(st.binary() | values.map(lambda v: json.dumps(v).encode(errors="replace")) | torn())
@example(b"[" * 100_000)
@example(b'{"events":' + b"[" * 100_000)
@example(b'{"events":[],"version":' + b"9" * 10_000 + b"}")
@example(b'{"events":[],"time":1e999}')
@example(b'{"events":[],"by":"\xff"}')
@example(b'{"events":[{"type":"said","player":"a","name":"b","text":"' + b"x" * 10**7 + b'"}]}')
@example(b"null")
@example(b"")
def test_any_bytes_are_known_or_refused(text: bytes) -> None:
    entry = Entry("t", len(GOOD) + 1, 99.0, text)
    assert code_of([entry]) in ("", *e.UNREADABLE)
    assert code_of([*GOOD, entry]) in ("", *e.UNREADABLE)


@settings(deadline=None)
@given(mutants() | torn(), st.integers(0, len(GOOD)))
def test_a_strange_entry_in_a_log_is_read_or_refused_and_changes_nothing(
    text: bytes, after: int
) -> None:
    before = GOOD[:after]
    story = read_story("t", before)[0] if before else None
    entry = Entry("t", after + 1, float(after + 1), text)
    assert code_of([*before, entry]) in ("", *e.UNREADABLE)
    if story:
        assert story == read_story("t", before)[0]


@pytest.mark.parametrize("number", range(len(GOOD)))
def test_a_cut_entry_is_damaged_and_a_later_one_is_unknown(number: int) -> None:
    good = GOOD[number]
    cut = Entry(good.table, good.number, good.at, good.body[:-7])
    later = Entry(
        good.table, good.number, good.at, good.body.replace(b'"version":2', b'"version":3')
    )
    assert code_of([*GOOD[:number], cut]) == "damaged-entry"
    assert code_of([*GOOD[:number], later]) == "unknown-entry"


def test_an_entry_that_fits_nowhere_is_damaged() -> None:
    for event in (e.Resigned(7), e.Started([5, 6], [], 0), e.Left(9)):
        body = e.encode(e.Body([event], "ann"))
        assert code_of([*GOOD[:4], Entry("t", 5, 5.0, body)]) == "damaged-entry", event
    assert code_of(GOOD[1:]) == "damaged-entry"
