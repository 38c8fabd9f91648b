"""Bots that do what a bot must not do, each from its third move on."""

import os
import signal
import sys
import time

from kwartet.bots.bot import Turn


class Polite:
    """Plays the first legal action."""

    def __init__(self) -> None:
        self.moves = 0

    def choose(self, turn: Turn) -> int | str:
        self.moves += 1
        if self.moves < 3:
            return turn.legal_actions[0]
        return self.misbehave(turn)

    def misbehave(self, turn: Turn) -> int | str:
        return turn.legal[0]  # in notation, which is as good


class Slow(Polite):
    """Takes its time, but not too much."""

    def misbehave(self, turn: Turn) -> int:
        time.sleep(0.03)
        return turn.legal_actions[0]


class Raising(Polite):
    def misbehave(self, turn: Turn) -> int:
        raise ZeroDivisionError("oh no")


class Quitting(Polite):
    def misbehave(self, turn: Turn) -> int:
        sys.exit(3)


class Cheating(Polite):
    def misbehave(self, turn: Turn) -> str:
        return "z99"


class Vague(Polite):
    def misbehave(self, turn: Turn) -> int:
        return None  # type: ignore[return-value]


class Late(Polite):
    """Answers, but after the time of the tests."""

    def misbehave(self, turn: Turn) -> int:
        time.sleep(1.8)
        return turn.legal_actions[0]


class Hanging(Polite):
    def misbehave(self, turn: Turn) -> int:
        while True:
            time.sleep(60)


class Dying(Polite):
    def misbehave(self, turn: Turn) -> int:
        os._exit(7)


class Crashing(Polite):
    def misbehave(self, turn: Turn) -> int:
        os.kill(os.getpid(), signal.SIGSEGV)
        return 0


class Chatty(Polite):
    def misbehave(self, turn: Turn) -> int:
        print("thinking aloud")
        return turn.legal_actions[0]


class Unborn:
    """Cannot be made."""

    def __init__(self) -> None:
        os._exit(5)

    def choose(self, turn: Turn) -> int:
        return 0


class Mute:
    """Is no bot."""
