"""Matches written to a server's database as the server would have written them itself."""

import itertools
import random
import time
from typing import Any, Literal

import kwartet
from kwartet.core.match import Match
from kwartet.core.verbs import CHANCE
from kwartet.server import events as e
from kwartet.server.archive import row_of
from kwartet.server.messages import ResultView
from kwartet.server.story import begin
from kwartet.store import Entry, open_store
from tests.serving import Server

How = Literal["played", "resigned", "dropped"] | None  # None: it still runs
_numbers = itertools.count(1)


def database(server: Server) -> str:
    """The URL of a server's own database."""
    return f"sqlite:///{server.data}/kwartet.db"


def at_random(game: str, seed: int = 1, moves: int = 10_000, **options: Any) -> Match:
    """A match in which all play at random, to its end or for so many decisions."""
    match, luck = kwartet.new(game, seed=seed, **options), random.Random(seed)
    for _ in range(moves):
        if match.actor is None:
            break
        match.play(luck.choice(match.legal()))
    return match


async def plant(
    database: str, match: Match, ended: How = "played", *people: str, rules: int | None = None
) -> str:
    """A table at which this match is, or was, played by these people or by a bot; its name."""
    key = f"planted{next(_numbers)}x{time.time_ns()}"
    seats = [e.SeatPlan("person", player, player.title()) for player in people]
    seats += [e.SeatPlan("bot", level="novice")] * (match.seats - len(people))
    creator = people[0] if people else "gardener"
    seed = match.record().get("seed", "5eed" * 16)
    version = rules or match.version
    made = e.Created(match.game.key, version, match.options, seats, creator, seed, order="fixed")
    body = e.Body([made, *_told(match), *_end(match, ended)], creator)
    story = begin(key, 1, time.time(), body)
    store = await open_store(database)
    await store.append(Entry(key, 1, story.changed, e.encode(body)), row_of(story))
    await store.close()
    return key


def _told(match: Match) -> list[e.AnyEvent]:
    """What a server writes of it, turn by turn."""
    past = match.beginning()
    turns: list[tuple[int, list[str]]] = [(CHANCE, [])]
    for move in match.moves:
        actor = past.actor
        assert actor is not None
        if actor != CHANCE:
            turns.append((actor, []))
        turns[-1][1].append(move)
        past.follow([move])
    actors = [*(actor for actor, _ in turns[1:]), match.actor]
    first, *others = zip(turns, actors, strict=True)
    events: list[e.AnyEvent] = [e.Started([*range(match.seats)], first[0][1], first[1] or 0)]
    return events + [e.Played(seat, moves, actor) for (seat, moves), actor in others]


def _end(match: Match, ended: How) -> list[e.AnyEvent]:
    match ended:
        case None:
            return []
        case "dropped":
            return [e.Dropped()]
        case "resigned":
            winners, reason = [*range(1, match.seats)], "resigned"
        case _:
            winners, reason = match.winners(), "played"
    places = [0 if seat in winners else 1 for seat in range(match.seats)]
    return [e.Ended(ResultView(reason, winners, match.scores(), places))]  # type: ignore[arg-type]
