"""The match: how it begins, moves, and how it stands when it was played out."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kwartet.core.errors import GameError
from kwartet.core.fairness import draw_lot
from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server.archive import fresh_match
from kwartet.server.conduct.scene import Decision, Person, Scene
from kwartet.server.story import Story

if TYPE_CHECKING:  # compiled rules are loaded in the background
    from kwartet.core.match import Match


async def begun(story: Story) -> Decision:
    """Start the match of a table where all seats are taken. Its rules must be ready.

    Where it goes on from another much is played at once, beside the event loop.
    """
    return await asyncio.to_thread(_begin, story) if story.created.origin else _begin(story)


def _begin(story: Story) -> Decision:
    created = story.created
    lot = list(range(len(story.seats)))
    if created.order == "lot":
        lot = draw_lot(bytes.fromhex(story.seed), len(lot))
    match = fresh_match(story)
    events = as_events(match, created.origin.moves if created.origin else [], lot)
    if match.actor is None:  # what was drawn anew ended it
        events.append(e.Ended(_outcome(story, match)))
    return Decision(events, match)


def as_events(
    match: "Match", moves: Sequence[str], lot: list[int], *, draws: bool = True
) -> list[e.AnyEvent]:
    """Moves that are played at the beginning of a match, as events; with chance drawn after them.

    The match is before its first move and is then after the last. The moves are known to be legal.
    """
    from kwartet.core.verbs import CHANCE

    events: list[e.AnyEvent] = []
    seat, since = None, 0

    def close() -> None:
        made, actor, scores = match.moves[since:], match.actor, match.scores()
        if seat is None:
            assert actor is not None
            events.append(e.Started(lot, made, actor, scores))
        else:
            events.append(e.Played(seat, made, actor, scores))

    for move in moves:
        if match.actor != CHANCE:
            close()
            seat, since = match.actor, match.ply
        match.follow([move])
    if draws:
        match.resume_chance()
    close()
    return events


def play_as(scene: Scene, person: Person, command: m.Play) -> Decision:
    """A move of a person, by the seat of theirs that is to act."""
    match = scene.running()
    seats = scene.own_seats(person)
    seat = match.actor if match.actor in seats else seats[0]
    assert seat is not None
    if scene.story.seats[seat].bot:
        raise GameError("stand-in", "A bot plays for you; take your seat back first.")
    return play(scene.story, match, seat, command.move, ply=command.ply)


def play(
    story: Story,
    match: "Match",
    seat: int,
    move: str | int,
    *,
    ply: int,
    thought: float | None = None,
) -> Decision:
    """A move, the chance it causes, and the end of the match if it is that.

    `thought` are the seconds that it takes from a bot's clock.
    """
    after = match.copy()
    after.play(move, seat=seat, ply=ply)
    moves = after.moves[match.ply :]
    events: list[e.AnyEvent] = [e.Played(seat, moves, after.actor, after.scores(), thought)]
    if after.actor is None:
        events.append(e.Ended(_outcome(story, after)))
    return Decision(events, after)


def _outcome(story: Story, match: "Match") -> e.Result:
    """How a match that was played out ended; who was away at the end comes last."""
    winners, scores = match.winners(), match.scores()
    merits = [
        (not seat.resigned and seat.stand_in is None, number in winners, scores[number])
        for number, seat in enumerate(story.seats)
    ]
    return e.Result("played", winners, scores, places(merits))


def places(merits: Sequence[tuple[int, ...]]) -> list[int]:
    """By seat, how many have done better."""
    return [sum(other > merit for other in merits) for merit in merits]
