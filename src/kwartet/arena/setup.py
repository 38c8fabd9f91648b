"""What was asked of an arena; everything in its results follows from it."""

from dataclasses import asdict, dataclass
from typing import Any, Final

from kwartet.arena.matches import Job
from kwartet.arena.pairing import Fixture, Mode, schedule
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Options
from kwartet.games import GAMES, find

FORMAT: Final = 1


@dataclass(frozen=True)
class Setup:
    """An arena before its first match."""

    game: str
    rules: int  # version
    options: Options
    bots: list[str]
    games: int
    seed: int
    mode: Mode
    seconds: float | None  # for a move

    def fixtures(self) -> list[Fixture]:
        """The schedule; GameError if the bots cannot meet."""
        seats = find(self.game).seats(self.options)
        return schedule(self.bots, seats, self.games, self.seed, self.mode)

    def job(self) -> Job:
        """What a process needs to know to play a fixture."""
        packages = tuple(game.package for game in GAMES.values())
        return Job(self.game, self.options, self.seconds, packages)

    def as_json(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"arena": FORMAT, **asdict(self), "mode": str(self.mode)}


def read_setup(told: Any) -> Setup:
    """The setup that `as_json` gave; GameError if it is none or of other rules."""
    if not isinstance(told, dict) or told.get("arena") != FORMAT:
        raise GameError("bad-file", "This is not the setup of an arena that this program knows.")
    try:
        fields = {name: value for name, value in told.items() if name != "arena"}
        setup = Setup(**fields | {"mode": Mode(told["mode"])})
    except (KeyError, TypeError, ValueError) as error:
        raise GameError("bad-file", f"The arena's setup is damaged: {error}.") from error
    game = find(setup.game)
    if setup.rules != game.version:
        raise GameError(
            "wrong-rules",
            f"The arena was played under version {quoted(setup.rules)} of {game.title}'s rules; "
            f"this program plays version {game.version}.",
        )
    return setup
