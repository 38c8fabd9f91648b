"""What one does at a table, by a path for each command."""

from typing import Final

from kwartet.server import messages as m
from kwartet.server.api.calls import Call, Operation
from kwartet.server.obeying import obey

COMMAND_PATHS: Final = {
    m.Play: ("moves", "Play a move."),
    m.Sit: ("sit", "Take a seat."),
    m.Shuffle: ("shuffle", "Add one's part to the luck, before the match has started."),
    m.Leave: ("leave", "Get up before the match has started."),
    m.Start: ("start", "Start at once; bots take the open seats."),
    m.Offer: ("offer", "Ask to take a move back, for a draw, or to play again."),
    m.Reply: ("reply", "Answer an offer."),
    m.Resign: ("resign", "Give the match up."),
    m.HandOver: ("handover", "Let a bot play for somebody who is away."),
    m.Return: ("return", "Take one's seat back from a bot."),
    m.Chat: ("chat", "Say something."),
    m.Mute: ("mute", "Let somebody speak no more, or again."),
    m.Hint: ("hint", "Up to three moves that an expert would play."),
    m.Solve: ("solve", "Solve the game, so that decisions can be judged."),
}


async def command(call: Call) -> m.Accepted:
    """Do something at a table."""
    key, hall = call.path("table"), call.house.hall
    with hall.arriving(key, call.body, call.arrived):
        return await obey(call.house, await hall.table(key), call.me, call.body, call.arrived)


OPERATIONS: Final = tuple(
    Operation("POST", f"/api/tables/{{table}}/{path}", command, m.Accepted, summary, takes)
    for takes, (path, summary) in COMMAND_PATHS.items()
)
