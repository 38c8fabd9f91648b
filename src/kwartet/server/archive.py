"""What a story is to the store and to the record: rows, results, the match itself."""

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import msgspec
import structlog

from kwartet.core.errors import GameError
from kwartet.core.fairness import commitment
from kwartet.games import find
from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server.answers import Answers, remember
from kwartet.server.clock import HouseClock
from kwartet.server.story import Story, begin, completed, title_of
from kwartet.server.views import result_view
from kwartet.store import Entry, Result, State, Store, TableRow

UNSAFE: Final = '"%*/:;<>?\\|' + "'"  # in names of files, or in what tells them
NAME_LENGTH: Final = 120  # letters
PARTS_WAIT: Final = 5.0  # seconds for which a full table waits for parts that were promised

log = structlog.get_logger()

if TYPE_CHECKING:
    from kwartet.core.match import Match


def trouble_with(story: Story) -> GameError | None:
    """Why the story's match cannot be replayed here, if it cannot."""
    created = story.created
    try:
        find(created.game).check_version(created.rules)
    except GameError as error:
        return error
    return None


def fresh_match(story: Story) -> "Match":
    """The story's match before its first move."""
    from kwartet.core.match import Match

    created = story.created
    seed = bytes.fromhex(story.seed) or None
    return Match(
        find(created.game), created.options, seed=seed, auto_chance=False, version=created.rules
    )


def turns(story: Story, since: int) -> Iterator[list[str]]:
    """The story's moves from a ply on: what chance drew, then each seat's with its chance."""
    begins = [
        ply for ply in range(since, story.ply) if ply == since or story.actors[ply] is not None
    ]
    for ply, end in pairwise([*begins, story.ply]):
        yield list(story.moves[ply:end])


def judged(story: Story, solution: Any, since: int) -> m.CoachView:
    """The story's decisions from a ply on, beside the best ones by an exact solution."""
    match = fresh_match(story)
    match.follow(story.moves[:since])
    decisions = []
    for move in story.moves[since:]:
        if (seat := match.actor) is not None and seat >= 0:
            (action,) = match.read(move)
            best, loss = solution.judge(match.state, seat, action)
            name = match.legal()[match.legal_actions().index(best)]
            decisions.append(m.Judged(match.ply, name, max(0.0, float(loss))))
        match.follow([move])
    return m.CoachView(True, match.ply, decisions)


def record_of(story: Story) -> dict[str, Any]:
    """The record of a finished match; GameError while it runs.

    It is the library's record with who played, how it ended and what was promised. A match
    that was broken off has no winners by its moves; `result` says who won.
    """
    from kwartet.core.match import RECORD_FORMAT

    if story.result is None:
        raise GameError("not-over", "The record is told when the match is over.")
    if not story.lot:
        raise GameError("not-started", "The match never began.")
    created = story.created
    record = {
        "kwartet": RECORD_FORMAT,
        "game": created.game,
        "rules": created.rules,
        "options": created.options,
        "moves": list(story.moves),
        "scores": story.result.scores,
        "winners": story.result.winners if story.result.reason == "played" else [],
        "seed": story.seed,
        "secret": created.secret,
        "parts": list(story.parts) if created.secret else None,
        "commitment": story.sealed and commitment(bytes.fromhex(story.sealed)),
        "table": story.id,
        "at": story.ended_at,
        "order": created.order,
        "lot": list(story.lot),
        "players": [seat.name or f"bot:{seat.level}" for seat in story.seats],
        "result": msgspec.to_builtins(story.result),
        "origin": _origin(created.origin) if created.origin else None,
        "imported": created.imported or None,
    }
    return {name: value for name, value in record.items() if value not in (None, "")}


def _origin(origin: e.Origin) -> dict[str, Any]:
    chance = "same" if origin.same else "anew"
    return {"table": origin.table, "ply": origin.ply, "chance": chance}


def record_name(story: Story, kind: str) -> str:
    """What the record's file of this kind (`json`, `txt`) is called: game, day and players."""
    day = time.strftime("%Y-%m-%d", time.gmtime(story.ended_at or story.changed))
    players = [seat.name or seat.level or "" for seat in story.seats]
    words = "-".join([story.created.game, day, *players])
    safe = "".join("_" if c in UNSAFE or not c.isprintable() else c for c in words)
    return f"{safe.replace(' ', '_')[:NAME_LENGTH]}.{kind}"


def read_story(table: str, entries: list[Entry]) -> tuple[Story, Answers]:
    """The story that a table's entries tell, and what was answered; there must be one.

    GameError `unknown-entry` or `damaged-entry` if one of them tells nothing.
    """
    answers: Answers = {}
    first = read_entry(entries[0])
    try:
        story = begin(table, entries[0].number, entries[0].at, first)
    except Exception as problem:
        raise _misfit(entries[0], problem) from problem
    remember(answers, entries[0].number, first, story.ply)
    return read_on(story, answers, entries[1:])


def read_on(story: Story, answers: Answers, entries: list[Entry]) -> tuple[Story, Answers]:
    """The story with what these further entries tell, and what was answered."""
    for entry in entries:
        body = read_entry(entry)
        try:
            story = story.with_entry(entry.number, entry.at, body)
        except Exception as problem:
            raise _misfit(entry, problem) from problem
        remember(answers, entry.number, body, story.ply)
    return story, answers


def read_entry(entry: Entry) -> e.Body:
    """What an entry says; GameError, and an error in the log, if nobody knows."""
    try:
        return e.decode(entry.body)
    except GameError as error:
        log.error("an entry cannot be read", number=entry.number, problem=str(error.__cause__))
        raise


def _misfit(entry: Entry, problem: Exception) -> GameError:
    """Of an entry that cannot follow on those before it; what it says may be a secret."""
    log.error("an entry does not fit", number=entry.number, problem=type(problem).__name__)
    return e.damaged()


async def finished(store: Store) -> AsyncIterator[Story]:
    """The stories of all finished matches, the latest first."""
    before, last = None, ""
    while rows := await store.tables("over", before=before, before_id=last):
        for row in rows:
            with suppress(GameError):  # of one that cannot be read, which was logged
                story = read_story(row.id, await store.entries(row.id))[0]
                if not story.is_dropped:
                    yield story
        before, last = rows[-1].changed, rows[-1].id


async def playing(store: Store, player: str) -> list[str]:
    """The tables where the player sits and the match is not over."""
    found: dict[str, None] = {}
    states: tuple[State, ...] = ("open", "running")  # so that none that begins now is missed
    for state in states:
        before, last = None, ""
        while rows := await store.tables(state, player=player, before=before, before_id=last):
            found |= dict.fromkeys(row.id for row in rows)
            before, last = rows[-1].changed, rows[-1].id
    return list(found)


def row_of(story: Story) -> TableRow:
    """What the store knows of a table besides its log."""
    return TableRow(
        id=story.id,
        game=story.created.game,
        state=story.state,
        listed=story.created.listed and not story.is_dropped,
        created=story.created_at,
        changed=story.changed,
        deadline=story.deadline(),
        bot_due=story.awaits_bot() or (story.state == "open" and story.is_full),
        summary=m.encode(story.summary()),
        players=_listed_under(story),
    )


def _listed_under(story: Story) -> list[str | None]:
    """The players in whose lists the table stands: who sits there; who brought it in."""
    if story.created.imported:
        return [story.created.creator]
    there = [seat.player if seat.kind == "person" else None for seat in story.seats]
    return [None] * len(there) if story.is_dropped else there


def summaries(rows: list[TableRow], clock: HouseClock) -> list[m.TableSummary]:
    """Tables as lists show them."""
    return [_summary(row, clock) for row in rows]


def _summary(row: TableRow, clock: HouseClock) -> m.TableSummary:
    """The row's summary, which an earlier version may have written, with times as people's."""
    stored = msgspec.json.decode(row.summary, type=m.TableSummary)
    if stored.deadline is not None:
        stored = msgspec.structs.replace(stored, deadline=clock.shown(stored.deadline))
    if stored.title:
        return stored
    ended = msgspec.convert(stored.result, e.Result | None, from_attributes=True)
    result = result_view(completed(ended)) if ended else None
    return msgspec.structs.replace(stored, result=result, title=title_of(stored.game))


def is_rated(story: Story) -> bool:
    """Whether the story's end changes ratings: if it was meant to, and all are different."""
    players = [seat.rated_as for seat in story.seats]
    return story.created.rated and story.state == "over" and len(set(players)) == len(players)


def results_of(story: Story) -> list[Result]:
    """How each seat ended, for histories and ratings."""
    assert story.result
    return [
        Result(
            seat=number,
            player=seat.rated_as or "",
            score=story.result.scores[number],
            rank=story.result.places[number],
            outcome=story.result.outcomes[number],
        )
        for number, seat in enumerate(story.seats)
    ]
