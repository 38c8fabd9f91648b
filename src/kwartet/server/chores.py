"""Long work in a process of its own, so that it can be stopped and slows no person's move.

`python -m kwartet.server.chores compile PACKAGES` compiles the rules and bots of the games
in these packages; `… solve PACKAGE OPTIONS` solves one. Progress goes to standard output,
a line of JSON a step.
"""

import importlib
import json
import sys

from kwartet.bots import warmup
from kwartet.core.game import Game
from kwartet.games import register


def main(arguments: list[str]) -> None:
    """Do one chore."""
    match arguments:
        case ["compile", *packages]:
            compile_all([_game(package) for package in packages])
        case ["solve", package, options]:
            game = _game(package)
            steps = game.solution.steps()
            done = iter(range(1, steps + 1))
            game.solution.compute(
                json.loads(options), advance=lambda *_: _tell(done=next(done, steps), of=steps)
            )


def compile_all(games: list[Game]) -> None:
    """Fill the disk cache, telling what is left of each game."""
    jobs = warmup.cold(games)
    left = {game.key: sum(job.game == game.key for job in jobs) for game in games}
    total = dict(left)
    for key in left:
        _tell(game=key, done=0, of=total[key])

    def told(job: warmup.Job) -> None:
        left[job.game] -= 1
        _tell(game=job.game, done=total[job.game] - left[job.game], of=total[job.game])

    warmup.prepare(jobs, told)


def _game(package: str) -> Game:
    game: Game = importlib.import_module(package).GAME
    register(game)
    return game


def _tell(**step: object) -> None:
    print(json.dumps(step), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
