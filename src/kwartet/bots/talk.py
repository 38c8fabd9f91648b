"""A program that answers every line with one line, and never for longer than it may.

Whatever it does instead, it is ended and a `ProgramError` says what it did: it may hang, die,
answer at length or unasked. It also ends when this process does, however that ends.
"""

import contextlib
import os
import selectors
import subprocess
import sys
import threading
import time
from collections import deque
from pathlib import Path
from typing import IO, Final
from weakref import finalize

from kwartet.bots import lifeline
from kwartet.core.errors import quoted

LONGEST: Final = 10_000  # bytes of an answer
LAST_WORDS: Final = 5  # lines of its errors that are remembered
FAREWELL: Final = 1.0  # seconds for its exit status and errors to arrive once it is gone


class ProgramError(Exception):
    """A program did what forfeits: its code is `overtime`, `bot-died` or `bad-answer`."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code, self.sentence = code, sentence


class Talk:
    """One process of a program, from its start to its end."""

    def __init__(self, command: list[str]) -> None:
        ours, held = os.pipe()
        script = str(Path(lifeline.__file__))
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", script, str(ours), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(ours,),
                start_new_session=True,  # Ctrl-C is for the one who started it
            )
        except BaseException:
            os.close(held)
            raise
        finally:
            os.close(ours)
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._output = self._process.stdout.fileno()
        os.set_blocking(self._output, False)
        self._said = b""  # read and not yet taken as an answer
        self._last_words: deque[str] = deque(maxlen=LAST_WORDS)
        self._ear = threading.Thread(
            target=_listen, args=(self._process.stderr, self._last_words), daemon=True
        )
        self._ear.start()
        self.end = finalize(self, _end, self._process, held, self._ear)  # the program, at once

    @property
    def is_alive(self) -> bool:
        """Whether it can still be asked."""
        return self.end.alive and self._process.poll() is None

    def ask(self, line: str, deadline: float) -> str:
        """The answer to a line; ProgramError, and the program's end, if there is none by then."""
        try:
            return self._ask(line, deadline)
        except BaseException:  # if it is interrupted, too: nobody takes that answer any more
            self.end()
            raise

    def _ask(self, line: str, deadline: float) -> str:
        self._hear(0.0)
        if self._said:
            raise ProgramError("bad-answer", f"It said {_shown(self._said)} unasked.")
        self._tell(line)
        while b"\n" not in self._said:
            if len(self._said) > LONGEST:
                raise ProgramError(
                    "bad-answer", f"It answers {quoted(line)} with more than {LONGEST} bytes."
                )
            left = deadline - time.monotonic()
            if left <= 0:
                raise ProgramError("overtime", f"It did not answer {quoted(line)} in time.")
            self._hear(left)
        answer, _, self._said = self._said.partition(b"\n")
        return answer.decode(errors="replace").strip()

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._died() from None

    def _hear(self, seconds: float) -> None:
        """Take in what it says, after waiting for it so long at most."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            if not selector.select(seconds):
                return
        said = os.read(self._output, LONGEST + 1)
        if not said:
            raise self._died()
        self._said += said

    def _died(self) -> ProgramError:
        try:
            code = self._process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            return ProgramError("bot-died", "It closed its output.")
        self._ear.join(FAREWELL)
        how = f"with code {code}" if code >= 0 else f"by signal {-code}"
        words = f": {quoted(self._last_words[-1], 200)}" if self._last_words else ""
        return ProgramError("bot-died", f"Its process ended {how}{words}.")


def _listen(errors: IO[bytes], last_words: deque[str]) -> None:
    """Remember the last lines of a program's errors; they must not fill a pipe or a screen."""
    with contextlib.suppress(OSError, ValueError):  # closed while it was read
        while line := errors.readline(LONGEST):
            if text := line.decode(errors="replace").strip():
                last_words.append(text)


def _end(process: subprocess.Popen[bytes], held: int, ear: threading.Thread) -> None:
    os.close(held)  # its lifeline
    process.wait()
    ear.join(FAREWELL)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


def _shown(said: bytes) -> str:
    return quoted(said.decode(errors="replace"))
