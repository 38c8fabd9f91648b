"""The games as the API tells of them."""

import asyncio
from typing import Final

import msgspec

import kwartet
from kwartet.games import find
from kwartet.server import messages as m
from kwartet.server.api.calls import Call, Operation
from kwartet.server.house import House


async def games(call: Call) -> list[m.GameInfo]:
    """What can be played here."""
    levels = await asyncio.to_thread(_levels)  # loads the compiled bots when it is the first
    return [_info(call.house, key, levels[key]) for key in kwartet.GAMES]


def _levels() -> dict[str, list[m.BotLevel]]:
    from kwartet.bots import catalogue

    return {
        key: [
            m.BotLevel(level, sentence, catalogue.recalls(level, find(key)))
            for level, sentence in catalogue.describe(find(key)).items()
        ]
        for key in kwartet.GAMES
    }


def _info(house: House, key: str, levels: list[m.BotLevel]) -> m.GameInfo:
    described = kwartet.describe(key)
    return m.GameInfo(
        key=key,
        title=described["title"],
        credit=described["credit"],
        summary=described["summary"],
        rules=described["rules"],
        seats=described["seats"],
        draws=described["draws"],
        options=msgspec.convert(described["options"], list[m.GameOption]),
        levels=levels,
        preparing=house.hall.readiness.progress(key),
    )


OPERATIONS: Final = (
    Operation("GET", "/api/games", games, list[m.GameInfo], "The games.", person=False),
)
