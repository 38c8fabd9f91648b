"""What a new table begins with: as somebody wishes it, or as it was at the one before."""

import secrets
from itertools import chain, count
from typing import Final

import msgspec

from kwartet.core.errors import GameError
from kwartet.games import find
from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server.conduct import Person
from kwartet.server.identity import clean_name
from kwartet.server.story import Story

PASSED_ON: Final = 50  # lines of talk that go on at the table of a rematch


def plan(person: Person, wish: m.CreateTable) -> e.Created:
    """The table that the person wishes; GameError if it cannot be."""
    game = find(wish.game)
    options = game.settle(wish.options)
    seats = _plans(wish, game.seats(options), person)
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
        seed=secrets.token_hex(32),
        listed="open" in kinds if wish.listed is None else wish.listed,
        rated=wish.rated,
        takeback=wish.takeback and not wish.rated,
        hints=wish.hints and not wish.rated,
        order=wish.order,
        clock=wish.clock,
        invite=secrets.token_urlsafe(12) if "invite" in kinds else None,
    )


def plan_again(story: Story) -> e.Created:
    """The same table once more, everybody one seat further on, with what was said last."""
    return msgspec.structs.replace(
        story.created,
        rules=find(story.created.game).version,
        seats=[
            e.SeatPlan(seat.kind, seat.player, seat.name, seat.level)
            for seat in (*story.seats[1:], *story.seats[:1])
        ],
        host=story.host,
        seed=secrets.token_hex(32),
        order="fixed",
        invite=None,
        chat=[
            msgspec.structs.replace(line, number=number)
            for number, line in enumerate(story.chat[-PASSED_ON:], 1)
        ],
        muted=sorted(story.muted),
    )


def _plans(wish: m.CreateTable, count: int, person: Person) -> list[e.SeatPlan]:
    wishes = wish.seats
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
    people = sum(plan.kind != "bot" for plan in seats)
    if people > 1 and wish.clock is None:
        raise GameError("not-ratable", "A rated match between people needs a clock.")
    if len(seats) < 2 or own > 1 or len(set(bots)) < len(bots):
        raise GameError(
            "not-ratable", "A rated match needs at least two seats, each with another player."
        )
