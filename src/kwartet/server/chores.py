"""Long work in a process of its own, so that it can be stopped and slows no person's move.

`python -m kwartet.server.chores compile PACKAGES` compiles the rules and bots of the games
in these packages, `… compile-reviews PACKAGES` what their reviews need; `… solve PACKAGE
OPTIONS` solves one. Progress goes to standard output, a line of JSON a step.
"""

import importlib
import json
import os
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from typing import Final

from kwartet.bots import warmup
from kwartet.core.game import Game
from kwartet.games import register

REVIEWS: Final = "reviews"  # the layer of the program that reviews need


def main(arguments: list[str]) -> None:
    """Do one chore."""
    match arguments:
        case ["compile", *packages]:
            compile_all([_game(package) for package in packages])
        case ["compile-reviews", *packages]:
            compile_all([_game(package) for package in packages], (REVIEWS,))
        case ["solve", package, options]:
            game = _game(package)
            steps = game.solved().steps()
            done = iter(range(1, steps + 1))
            game.solved().compute(
                json.loads(options), advance=lambda *_: _tell(done=next(done, steps), of=steps)
            )


def compile_all(games: list[Game], layers: Sequence[str] = warmup.SERVED) -> None:
    """Fill the disk cache, telling what is left of each game's layers.

    Lines of standard input are keys of games that somebody waits for; the latest goes first.
    """
    jobs = warmup.cold(games, layers)
    total = Counter((job.game, job.layer) for job in jobs)
    done: Counter[tuple[str, str]] = Counter()
    wanted: list[str] = []
    threading.Thread(target=_listen, args=(wanted,), daemon=True).start()

    def tell(key: str, layer: str) -> None:
        _tell(game=key, layer=layer, done=done[key, layer], of=total[key, layer])

    def report(job: warmup.Job) -> None:
        done[job.game, job.layer] += 1
        tell(job.game, job.layer)

    for key, layer in total:
        tell(key, layer)
    warmup.prepare(jobs, report, wanted=lambda: tuple(reversed(wanted)))


def _listen(wanted: list[str]) -> None:
    text = ""
    while data := os.read(0, 4096):  # not through a file, whose lock this thread would die with
        *keys, text = (text + data.decode()).split("\n")
        wanted += keys


def _game(package: str) -> Game:
    game: Game = importlib.import_module(package).GAME
    register(game)
    return game


def _tell(**step: object) -> None:
    print(json.dumps(step), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
