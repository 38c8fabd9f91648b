"""What a new table begins with: as somebody wishes it, or as it was at the one before."""

import secrets
from collections.abc import Mapping
from itertools import chain, count
from typing import Final

import msgspec

from kwartet.core.errors import GameError
from kwartet.core.fairness import SECRET_BYTES
from kwartet.games import find
from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server.afterwards import Branch
from kwartet.server.conduct.scene import Person
from kwartet.server.identity import clean_name
from kwartet.server.story import Seat, Story

PASSED_ON: Final = 50  # lines of talk that go on at the table of a rematch


def plan(person: Person, wish: m.CreateTable) -> e.Created:
    """The table that the person wishes; GameError if it cannot be."""
    game = find(wish.game)
    options = game.settle(wish.options)
    seats = _plans(wish.seats, game.seats(options), person)
    if wish.rated:
        _check_rated(wish, seats)
    kinds = {seat.kind for seat in seats}
    return e.Created(
        game=game.key,
        rules=game.version,
        options=options,
        seats=seats,
        creator=person.id,
        host=person.name,
        seed="",
        secret=secrets.token_hex(SECRET_BYTES),
        promised=[person.id] if wish.promise else [],
        listed="open" in kinds if wish.listed is None else wish.listed,
        rated=wish.rated,
        takeback=wish.takeback and not wish.rated,
        hints=wish.hints and not wish.rated,
        order=wish.order,
        clock=e.Clock(wish.clock.kind, wish.clock.seconds, wish.clock.increment)
        if wish.clock
        else None,
        invite=_invitation(seats),
    )


def plan_again(story: Story, names: Mapping[str, str]) -> e.Created:
    """The same table once more, everybody one seat further on, with what was said last.

    Who has one seat is called what they are called now, if `names` tells: a player's name.
    """
    return msgspec.structs.replace(
        story.created,
        rules=find(story.created.game).version,
        seats=[
            e.SeatPlan(seat.kind, seat.player, _name_now(story, seat, names), seat.level)
            for seat in (*story.seats[1:], *story.seats[:1])
        ],
        host=names.get(story.created.creator, story.host),
        rated=story.created.rated and story.created.clock is not None,
        seed="",
        secret=secrets.token_hex(SECRET_BYTES),
        promised=story.parted,
        order="fixed",
        invite=None,
        chat=[
            msgspec.structs.replace(line, number=number)
            for number, line in enumerate(story.chat[-PASSED_ON:], 1)
        ],
        muted=sorted(story.muted),
        origin=None,
    )


def _name_now(story: Story, seat: Seat, names: Mapping[str, str]) -> str | None:
    """Friends who share a device keep the names that they gave themselves at the table."""
    if seat.player is None or len(story.seats_of(seat.player)) != 1:
        return seat.name
    return names.get(seat.player, seat.name)


def plan_branch(person: Person, story: Story, wish: Branch) -> e.Created:
    """A table where a match that is over goes on from one of its positions; GameError if not.

    Nothing counts there, and nothing behind that position can be taken back.
    """
    game, ended = find(story.created.game), story.result
    if ended is None:
        raise GameError("not-over", "One can play on from a match when it is over.")
    game.check_version(story.created.rules)
    if wish.ply > story.ply:
        raise GameError("unknown-ply", f"There is no ply {wish.ply}; the match has {story.ply}.")
    if ended.reason == "played" and not any(seat is not None for seat in story.actors[wish.ply :]):
        raise GameError("game-over", "There nobody had anything left to decide.")
    same = wish.chance == "same"
    if same and not story.seed:
        raise GameError("bad-request", "Nobody knows the seed of that match; draw chance anew.")
    seats = _plans(wish.seats, len(story.seats), person)
    return e.Created(
        game=game.key,
        # earlier versions differ in how luck is drawn, which counts where it comes as it came
        rules=story.created.rules if same else game.version,
        options=story.created.options,
        seats=seats,
        creator=person.id,
        host=person.name,
        seed=story.seed if same else "",
        secret="" if same else secrets.token_hex(SECRET_BYTES),
        promised=[person.id] if wish.promise else [],
        order="fixed",
        invite=_invitation(seats),
        origin=e.Origin(story.id, wish.ply, list(story.moves[: wish.ply]), same),
    )


def _invitation(seats: list[e.SeatPlan]) -> str | None:
    """A secret for all seats that are kept for the invited, if there are any."""
    kept = any(seat.kind == "invite" for seat in seats)
    return secrets.token_urlsafe(12) if kept else None


def _plans(wishes: list[m.SeatWish] | None, count: int, person: Person) -> list[e.SeatPlan]:
    if wishes is None:
        wishes = [m.SeatWish("me"), *[m.SeatWish("open")] * (count - 1)]
    if len(wishes) != count:
        raise GameError(
            "bad-request", f"With these options there are {count} seats, not {len(wishes)}."
        )
    if not any(seat.kind != "bot" for seat in wishes):
        raise GameError("bad-request", "Leave at least one seat to a person.")
    return _told_apart([_plan(seat, person) for seat in wishes])


def _told_apart(plans: list[e.SeatPlan]) -> list[e.SeatPlan]:
    """The plans with names of people at one device that differ: Ann, Ann 2."""
    taken: set[str] = set()
    apart = []
    for plan in plans:
        if plan.name is not None:
            names = chain([plan.name], (_numbered(plan.name, number) for number in count(2)))
            name = next(name for name in names if name.casefold() not in taken)
            taken.add(name.casefold())
            plan = msgspec.structs.replace(plan, name=name)
        apart.append(plan)
    return apart


def _numbered(name: str, number: int) -> str:
    """The name with a number, no longer than names may be."""
    end = f" {number}"
    return name[: m.NAME_LENGTH - len(end)] + end


def _plan(wish: m.SeatWish, person: Person) -> e.SeatPlan:
    match wish.kind:
        case "me":
            return e.SeatPlan(
                "person", person.id, clean_name(wish.name) if wish.name else person.name
            )
        case "bot":
            return e.SeatPlan("bot", level=wish.level or "skilled")
        case "invite":
            return e.SeatPlan("invite")
        case _:
            return e.SeatPlan("open")


def _check_rated(wish: m.CreateTable, seats: list[e.SeatPlan]) -> None:
    own = sum(plan.kind == "person" for plan in seats)
    bots = [plan.level for plan in seats if plan.kind == "bot"]
    if wish.clock is None:  # who is losing could walk away
        raise GameError("not-ratable", "A rated match needs a clock.")
    if len(seats) < 2 or own > 1 or len(set(bots)) < len(bots):
        raise GameError(
            "not-ratable", "A rated match needs at least two seats, each with another player."
        )
