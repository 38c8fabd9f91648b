"""How matches of an arena ended, and how that is written down."""

from dataclasses import asdict, dataclass
from typing import Any

from kwartet.arena.pairing import Fixture


@dataclass(frozen=True)
class Forfeit:
    """Why a seat lost without being beaten."""

    seat: int
    bot: str
    ply: int
    code: str  # bot-raised, illegal-move, bad-answer, overtime or bot-died
    sentence: str


@dataclass(frozen=True)
class Result:
    """How a fixture ended. Nothing else depends on `seconds`."""

    fixture: Fixture
    record: dict[str, Any]
    scores: list[int]
    winners: list[int]  # seats; with a forfeit all the others
    returns: list[float]
    forfeit: Forfeit | None
    decisions: list[int]  # by seat
    seconds: list[float]  # by seat, spent on them

    def merit(self, seat: int) -> tuple[int, int]:
        """What places are given by: winning, then points; one that forfeits is last."""
        if self.forfeit:
            return (int(seat != self.forfeit.seat), 0)
        return (int(seat in self.winners), self.scores[seat])

    def line(self) -> dict[str, Any]:
        """The match's record with what the arena knows besides, JSON-ready."""
        return self.record | {
            "arena": {
                "fixture": self.fixture.number,
                "bots": list(self.fixture.bots),
                "winners": self.winners,
                "returns": self.returns,
                "forfeit": asdict(self.forfeit) if self.forfeit else None,
                "decisions": self.decisions,
                "seconds": self.seconds,
            }
        }

    @classmethod
    def of_line(cls, line: dict[str, Any], fixture: Fixture) -> "Result":
        """The result that `line` gave; KeyError, TypeError or ValueError if it is none."""
        told = line["arena"]
        if told["bots"] != list(fixture.bots):
            raise ValueError("other bots than scheduled")
        forfeit = Forfeit(**told["forfeit"]) if told["forfeit"] else None
        record = {name: value for name, value in line.items() if name != "arena"}
        return cls(
            fixture=fixture,
            record=record,
            scores=line["scores"],
            winners=told["winners"],
            returns=told["returns"],
            forfeit=forfeit,
            decisions=told["decisions"],
            seconds=told["seconds"],
        )
